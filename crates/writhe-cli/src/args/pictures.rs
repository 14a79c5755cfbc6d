//! Arguments of `view` and `plot`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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
    /// Largest size of the frames in the page; of a long run, some frames are left out.
    #[arg(long, value_name = "MB", value_parser = positive, default_value = "128", conflicts_with = "serve")]
    pub megabytes: f64,
    /// Serve a page on 127.0.0.1 that follows a run in progress, until Ctrl-C.
    #[arg(long)]
    pub serve: bool,
    /// Port to serve on [default: any that is free].
    #[arg(long, value_name = "N", requires = "serve")]
    pub port: Option<u16>,
}

/// Arguments of `writhe plot`.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// Run directories, or the folder of a sweep, then observables, or `energy` for the balance of
    /// energy [default: energies and forces].
    #[arg(value_name = "DIR.. OBSERVABLE..", required = true)]
    pub what: Vec<PathBuf>,
    /// Observable on the horizontal axis; of a sweep, one of its keys.
    #[arg(long, value_name = "OBSERVABLE", default_value = "t")]
    pub against: String,
    /// Logarithmic axes.
    #[arg(long, value_name = "AXES", value_parser = ["x", "y", "xy"])]
    pub log: Option<String>,
    /// Average over this many seconds around each time.
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_negative_numbers = true)]
    pub mean: Option<f64>,
    /// Which value of each run of a sweep is drawn.
    #[arg(long, value_enum, default_value = "final")]
    pub value: ValueOf,
    /// Picture to write: .svg, .pdf or .png [default: plot.svg in the first directory, or as
    /// --format says].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Format [default: as the file's name says].
    #[arg(long, value_enum)]
    pub format: Option<PlotFormat>,
}

/// One number of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ValueOf {
    /// That of the last moment.
    Final,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The mean over time.
    Mean,
}

/// Formats of `writhe plot`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlotFormat {
    /// Scalable Vector Graphics, for the web and to edit.
    Svg,
    /// For papers.
    Pdf,
    /// Pixels, for slides.
    Png,
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
