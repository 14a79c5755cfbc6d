//! The viewer: its bundle is what its sources make, and pages of real runs do what they should in a
//! real browser.

use std::path::Path;

use crate::step::Step;

/// The steps, the first of which installs what the others need.
pub fn steps(root: &Path) -> Vec<Step> {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let built = |name: &str| {
        let file = root.join("target").join("debug").join(name);
        file.to_string_lossy().into_owned()
    };
    vec![
        Step::new("browser and npm packages", ".ci/install-browser", &[])
            .remedy("install Chromium and Node.js 20 with npm, or name the browser in CHROMIUM"),
        Step::new(
            "the viewer's bundle",
            "node",
            &["viewer/build.mjs", "--check"],
        )
        .remedy("run `npm run build` in viewer and commit"),
        Step::new("the viewer's parts", "npm", &["--prefix", "viewer", "test"]),
        Step::new(
            "formulas of the book",
            "node",
            &["docs/book/check-formulas.mjs"],
        ),
        Step::cargo(
            "the program and a large page",
            "build --workspace --bin writhe --example large_page --locked",
        )
        .linted(),
        Step::new(
            "pages in a browser",
            "node",
            &["viewer/test/browser/main.mjs"],
        )
        .env("CHROMIUM", &browser)
        .env("WRITHE", &built("writhe"))
        .env("LARGE_PAGE", &built("examples/large_page")),
    ]
}
