//! `writhe view`: a run in the browser.

use writhe_show::page::{Movie, Wanted};

use crate::args::ViewArgs;
use crate::console;
use crate::files::{refuse_run_files, write_file};
use crate::format::count;
use crate::report::{Failure, Result};
use crate::view::browser;
use crate::view::server::Server;

/// Writes the page of a run and opens it; or serves one that follows the run.
///
/// # Errors
/// When the directory is no run or has no frame yet, or the page cannot be written or served.
pub fn run(args: &ViewArgs) -> Result<()> {
    if args.serve {
        return serve(args);
    }
    let directory = &args.directory;
    let wanted = Wanted {
        live: false,
        flow: !args.no_flow,
        // A page holds three bytes as four letters.
        most_bytes: (0.75e6 * args.megabytes) as usize,
    };
    let movie = Movie::open(directory, wanted)?;
    if movie.frames() == 0 {
        return Err(Failure::bad_input(format!(
            "the run in `{}` has no frame yet",
            directory.display()
        ))
        .help("wait for its first checkpoint, or follow it with `--serve`"));
    }
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| directory.join("view.html"));
    refuse_run_files(directory, "--out", &out)?;
    let block = movie.block(0)?;
    let page = writhe_viewer::page(movie.setting(), Some(&block.encode()));
    write_file(&out, &page)?;
    let megabytes = page.len() as f64 / 1e6;
    let notice = movie.setting().notice.as_ref();
    let notice = notice.map_or(String::new(), |text| format!("{text}\n"));
    console::print(&format!(
        "Wrote {} to {} ({megabytes:.1} MB)\n{notice}",
        count(block.frames(), "frame"),
        out.display()
    ))?;
    if !args.no_open {
        browser::open(&out.display().to_string());
    }
    Ok(())
}

fn serve(args: &ViewArgs) -> Result<()> {
    // What is wrong with the directory is told here and not in the browser.
    Movie::open(&args.directory, Wanted::LIVE)?;
    let server = Server::bind(&args.directory, args.port)?;
    let address = server.address();
    console::print(&format!("Serving {address} until Ctrl-C\n"))?;
    if !args.no_open {
        browser::open(&address);
    }
    server.serve();
    Ok(())
}
