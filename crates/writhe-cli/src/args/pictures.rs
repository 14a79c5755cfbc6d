//! Arguments of `view`.

use std::path::PathBuf;

use clap::Args;

use super::numbers::{positive, whole};

/// Arguments of `writhe view`.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Run directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Page to write [default: DIR/view.html].
    #[arg(long, value_name = "FILE", conflicts_with = "serve")]
    pub out: Option<PathBuf>,
    /// Only write the page, or only serve it: open no browser.
    #[arg(long)]
    pub no_open: bool,
    /// Leave out the flow around rods in a fluid, for a smaller page that is made sooner.
    #[arg(long, conflicts_with = "serve")]
    pub no_flow: bool,
    /// Largest size of the page; of a long run, some frames are left out.
    #[arg(long, value_name = "MB", value_parser = positive, allow_hyphen_values = true)]
    #[arg(default_value = "128", conflicts_with = "serve")]
    pub megabytes: f64,
    /// What the page shows first: a link that the key L copied in it, or the part of that link after
    /// the #.
    #[arg(long, value_name = "LINK", value_parser = look, allow_hyphen_values = true, conflicts_with = "serve")]
    pub look: Option<String>,
    /// Play as soon as the page opens, over and over.
    #[arg(long, conflicts_with = "serve")]
    pub play: bool,
    /// Serve a page on 127.0.0.1 that follows a run in progress, until Ctrl-C.
    #[arg(long)]
    pub serve: bool,
    /// Port to serve on [default: any that is free].
    #[arg(long, value_name = "N", requires = "serve")]
    #[arg(value_parser = whole::<u16>(0, 65535, 8080), allow_hyphen_values = true)]
    pub port: Option<u16>,
    /// Print as JSON what was written, or where the page is served; what else is told goes to standard
    /// error.
    #[arg(long)]
    pub json: bool,
}

/// What a link to a moment may say; the page itself leaves out what makes no sense.
const LOOKS: [&str; 17] = [
    "t", "colour", "view", "hide", "show", "curves", "flow", "rods", "rod", "map", "log", "range",
    "flat", "loop", "speed", "play", "theme",
];

/// What stands after the # of a link, or the text itself.
fn look(text: &str) -> Result<String, String> {
    let said = text.split_once('#').map_or(text, |(_, said)| said);
    for part in said.split('&').filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some((name, _)) if LOOKS.contains(&name) => {}
            _ => {
                return Err(format!(
                    "`{part}` is no part of a link of the page: copy one there with the key L, or write such as `t=2.5&colour=curvature&play=1`"
                ));
            }
        }
    }
    Ok(said.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_taken_apart() {
        assert_eq!(look("view.html#t=2&play=1"), Ok("t=2&play=1".to_owned()));
        assert!(look("time=2").unwrap_err().contains("`time=2`"));
    }
}
