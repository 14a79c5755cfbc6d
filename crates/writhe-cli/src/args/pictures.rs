//! Arguments of `view`.

use std::path::PathBuf;

use clap::Args;

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
    #[arg(long, value_name = "MB", value_parser = positive, default_value = "128", conflicts_with = "serve")]
    pub megabytes: f64,
    /// What the page shows first: a link that the key L copied in it, or the part of that link after
    /// the #.
    #[arg(long, value_name = "LINK", value_parser = look, conflicts_with = "serve")]
    pub look: Option<String>,
    /// Play as soon as the page opens, over and over.
    #[arg(long, conflicts_with = "serve")]
    pub play: bool,
    /// Serve a page on 127.0.0.1 that follows a run in progress, until Ctrl-C.
    #[arg(long)]
    pub serve: bool,
    /// Port to serve on [default: any that is free].
    #[arg(long, value_name = "N", requires = "serve")]
    pub port: Option<u16>,
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

fn positive(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite() && *n > 0.0);
    number.ok_or_else(|| "write it as a number above 0, e.g. 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert_eq!(positive("0.5"), Ok(0.5));
        assert!(positive("0").is_err() && positive("inf").is_err());
    }
}
