//! A picture of the viewer's page, by a browser without a window.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Studio, run};

/// The browser that CHROMIUM names, or the first that starts.
pub fn browser() -> Option<String> {
    let given = std::env::var("CHROMIUM").ok();
    let known = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    let starts = |name: &String| {
        let mut command = Command::new(name);
        command.arg("--version").stdin(Stdio::null());
        command.output().is_ok_and(|output| output.status.success())
    };
    given.into_iter().chain(known).find(starts)
}

/// Writes the page of a run and what it shows at a moment, by `screenshot @RUN LINK`.
pub fn take(studio: &Studio, command: &str, out: &Path) -> Result<(), String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let [_, run_name, link] = words[..] else {
        return Err(format!("`{command}` is not `screenshot @RUN LINK`"));
    };
    let page = studio.folder.join("view.html");
    // A page that shows no flow needs none, and says nothing about it.
    let flow = if link.contains("flow=") {
        ""
    } else {
        "--no-flow"
    };
    let view = format!("view {run_name} --no-open {flow} --out @out");
    let view = studio.words(&view, &page);
    studio.run_writhe(&view)?;
    let browser = browser().ok_or("no browser")?;
    run(Command::new(browser)
        .args([
            "--headless=new",
            // A folder of its own: a browser that is open must not take the page over. Without a
            // sandbox, which the superuser has none of; the page is ours.
            &format!(
                "--user-data-dir={}",
                studio.folder.join("browser").display()
            ),
            "--no-sandbox",
            "--hide-scrollbars",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--ignore-gpu-blocklist",
            "--window-size=1200,760",
            // The page's clock: enough to draw.
            "--virtual-time-budget=10000",
            &format!("--screenshot={}", out.display()),
            &format!("file://{}#{link}", absolute(&page).display()),
        ])
        .current_dir(&studio.root))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
