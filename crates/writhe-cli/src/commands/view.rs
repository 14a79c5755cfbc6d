//! `writhe view`: a run in the browser.

use serde_json::json;
use writhe_show::page::{Movie, Wanted};
use writhe_show::picture::field::common_name;
use writhe_viewer::Setting;

use crate::args::ViewArgs;
use crate::console;
use crate::files::{refuse_run_files, write_file};
use crate::format::{count, number};
use crate::report::{Failure, Result};
use crate::view::browser;
use crate::view::server::Server;
use crate::written::written;

/// Bytes for what a page tells of frames that are left out.
const NOTICE: usize = 256;

/// Writes the page of a run and opens it; or serves one that follows the run.
///
/// # Errors
/// When the directory is no run or has no frame yet, or the page cannot be written or served.
pub fn run(args: &ViewArgs) -> Result<()> {
    console::set_json(args.json);
    if args.serve {
        return serve(args);
    }
    let directory = &args.directory;
    let wanted = Wanted {
        live: false,
        flow: !args.no_flow,
        most_bytes: room(args.megabytes, &Setting::default()),
    };
    let movie = Movie::open(directory, wanted)?.opening(opening(args));
    if movie.frames() == 0 {
        return Err(Failure::bad_input(format!(
            "the run in `{}` has no frame yet",
            directory.display()
        ))
        .help("wait for its first checkpoint, or follow it with `--serve`"));
    }
    refuse_unknown_colour(args, movie.setting())?;
    refuse_time_without_frame(args, &movie.times()?)?;
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| directory.join("view.html"));
    refuse_run_files(directory, "--out", &out)?;
    let page = movie.page(room(args.megabytes, movie.setting()))?;
    let megabytes = page.html.len() as f64 / 1e6;
    if megabytes > args.megabytes {
        return Err(Failure::bad_input(format!(
            "no page of this run is as small as {} MB: its program, its curves and {} take {megabytes:.2} MB",
            args.megabytes,
            count(page.frames, "frame"),
        ))
        .help(format!("ask for `--megabytes {:.1}` or more", (10.0 * megabytes).ceil() / 10.0)));
    }
    write_file(&out, &page.html)?;
    if args.json {
        console::print_json(&json!({
            "run": directory.to_string_lossy(),
            "frames": page.frames,
            "recorded_frames": movie.frames(),
            "notice": page.notice,
            "written": [written("page", &out)],
        }))?;
    } else {
        let notice = page
            .notice
            .map_or(String::new(), |text| format!("{text}\n"));
        console::print(&format!(
            "Wrote {} to {} ({megabytes:.1} MB)\n{notice}",
            count(page.frames, "frame"),
            out.display()
        ))?;
    }
    if !args.no_open {
        browser::open(&out);
    }
    Ok(())
}

/// Bytes of packed frames and curves in a page of so many megabytes, beside its program and what
/// stays over the run. A page holds three bytes as four letters.
fn room(megabytes: f64, setting: &Setting) -> usize {
    let without = writhe_viewer::page(setting, Some(&[])).len() + NOTICE;
    (0.75 * (1e6 * megabytes - without as f64)).max(0.0) as usize
}

/// What the page shows on opening.
fn opening(args: &ViewArgs) -> Option<String> {
    let play = args.play.then_some("play=1");
    let all: Vec<&str> = args.look.as_deref().into_iter().chain(play).collect();
    (!all.is_empty()).then(|| all.join("&"))
}

/// A page would leave out a colour that it does not have.
fn refuse_unknown_colour(args: &ViewArgs, setting: &Setting) -> Result<()> {
    let parts = args.look.iter().flat_map(|look| look.split('&'));
    let mut names = vec!["rod"];
    names.extend(setting.fields.iter().map(|field| field.name.as_str()));
    names.push("plain");
    // The page takes the names that pictures and exports have, too.
    let known = |name: &&str| {
        let common = common_name(name);
        names.iter().any(|own| common_name(own) == common)
    };
    match (parts.filter_map(|part| part.strip_prefix("colour="))).find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => Err(Failure::bad_input(format!(
            "--look: the page of `{}` has no colour `{name}`",
            args.directory.display()
        ))
        .help(format!("choose one of {}", names.join(", ")))),
    }
}

/// A page would open at its last frame.
fn refuse_time_without_frame(args: &ViewArgs, times: &[f64]) -> Result<()> {
    let mut parts = args.look.iter().flat_map(|look| look.split('&'));
    let Some(typed) = parts.find_map(|part| part.strip_prefix("t=")) else {
        return Ok(());
    };
    let end = times.last().copied().unwrap_or(0.0);
    let before = times.iter().rev().nth(1).copied().unwrap_or(end);
    let beyond = 0.5 * (end - before);
    match typed.parse::<f64>() {
        Ok(time) if time >= -beyond && time <= end + beyond => Ok(()),
        Ok(_) => Err(Failure::bad_input(format!(
            "--look: there is no frame at t = {typed} s: frames go from 0 to {} s",
            number(end, 6)
        ))
        .help("choose a time in this range, or leave `t` out")),
        Err(_) => Err(
            Failure::bad_input(format!("--look: `t={typed}` is no number of seconds"))
                .help("write such as `t=2.5`"),
        ),
    }
}

fn serve(args: &ViewArgs) -> Result<()> {
    // What is wrong with the directory is told here and not in the browser.
    Movie::open(&args.directory, Wanted::LIVE)?;
    let server = Server::bind(&args.directory, args.port)?;
    let address = server.address();
    match args.json {
        true => console::print_json(&json!({
            "run": args.directory.to_string_lossy(),
            "address": address,
        }))?,
        false => console::print(&format!("Serving {address} until Ctrl-C\n"))?,
    }
    if !args.no_open {
        browser::open(&address);
    }
    server.serve();
    Ok(())
}
