//! Arguments of the commands that show runs: `view`, `render`, `plot`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use glam::DVec3;

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

/// Arguments of `writhe render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Run directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// More run directories: a row of the contact sheet for each.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub sheet: Vec<PathBuf>,
    /// Picture to write (PNG): a still for one time, a contact sheet otherwise [default: DIR/sheet.png and DIR/last.png].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Times to show, s, separated by commas; the nearest frames are taken.
    #[arg(
        long,
        value_name = "T,..",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    pub times: Vec<f64>,
    /// Number of times to show, evenly spaced from the start to the end.
    #[arg(long, value_name = "N", default_value_t = 5, conflicts_with = "times")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=100))]
    pub count: u16,
    /// Pixels of a still [default: fitted], or of each cell of a contact sheet.
    #[arg(long, value_name = "WxH")]
    pub size: Option<PictureSize>,
    /// Where the viewer stands, as a direction from the rods [default: where most is seen].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub view: Option<Direction>,
    /// What is up in the picture [default: against gravity; or such that rods hang from their clamps; or z].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub up: Option<Direction>,
}

/// Arguments of `writhe plot`.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// Run directories, then observables [default: energies and forces].
    #[arg(value_name = "DIR.. OBSERVABLE..", required = true)]
    pub what: Vec<PathBuf>,
    /// Observable on the horizontal axis.
    #[arg(long, value_name = "OBSERVABLE", default_value = "t")]
    pub against: String,
    /// Logarithmic axes.
    #[arg(long, value_name = "AXES", value_parser = ["x", "y", "xy"])]
    pub log: Option<String>,
    /// Average over so many seconds around each time.
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_negative_numbers = true)]
    pub mean: Option<f64>,
    /// Picture to write: .svg, .pdf or .png [default: plot.svg in the first directory, or as --format says].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Format [default: as the file's name says].
    #[arg(long, value_enum)]
    pub format: Option<PlotFormat>,
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

/// Size of a picture, pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureSize {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

impl FromStr for PictureSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sizes = text.split_once('x').and_then(|(w, h)| {
            let side = |s: &str| s.parse().ok().filter(|n| (16..=8192).contains(n));
            Some((side(w)?, side(h)?))
        });
        match sizes {
            Some((width, height)) => Ok(Self { width, height }),
            None => Err(
                "write it as WIDTHxHEIGHT in pixels, each from 16 to 8192, e.g. 900x600".to_owned(),
            ),
        }
    }
}

/// A direction in the coordinates of the scene, of any length but zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Direction(pub DVec3);

impl FromStr for Direction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|s| s.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[x, y, z]) if DVec3::new(x, y, z).try_normalize().is_some() => {
                Ok(Self(DVec3::new(x, y, z)))
            }
            _ => Err("write it as three numbers that are not all zero, e.g. 0,-1,0.3".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert!("900x600".parse::<PictureSize>().is_ok());
        assert!("900".parse::<PictureSize>().is_err());
        assert!("0x600".parse::<PictureSize>().is_err());
        assert!("0,0,0".parse::<Direction>().is_err());
        assert!("0,-1,nan".parse::<Direction>().is_err());
        assert_eq!(
            "0,-1,0.5".parse(),
            Ok(Direction(DVec3::new(0.0, -1.0, 0.5)))
        );
        assert_eq!(positive("0.5"), Ok(0.5));
        assert!(positive("0").is_err() && positive("inf").is_err());
    }
}
