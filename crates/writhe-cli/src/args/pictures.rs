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
    /// Leave out the flow around rods in a fluid: a smaller page, sooner written.
    #[arg(long, conflicts_with = "serve")]
    pub no_flow: bool,
    /// What the frames in the page may take, beside its program: of a long run, some are left out.
    #[arg(long, value_name = "MB", value_parser = positive, default_value = "128", conflicts_with = "serve")]
    pub megabytes: f64,
    /// Serve a page on 127.0.0.1 that follows a run in progress, until Ctrl-C.
    #[arg(long)]
    pub serve: bool,
    /// Port to serve on [default: any that is free].
    #[arg(long, value_name = "N", requires = "serve")]
    pub port: Option<u16>,
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
