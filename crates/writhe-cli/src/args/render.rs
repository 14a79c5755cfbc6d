//! Arguments of `writhe render`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use glam::DVec3;

use super::numbers::{Times, whole};

/// Frames of a movie unless the user says otherwise; all, if there are fewer.
pub const MOVIE_FRAMES: usize = 200;
/// Frames in a second of a movie unless the user says otherwise.
pub const MOVIE_FPS: f64 = 25.0;

/// What `writhe render --help` ends with.
pub(super) const EXAMPLES: &str = "Examples:
  writhe render runs/flagella
      sheet.png (5 times) and last.png in the run directory
  writhe render runs/flagella --times 20 --out bundle.png
      one still
  writhe render runs/m2 --sheet runs/m3 runs/m5 --count 6 --out all.png
      a row for each run, 6 times
  writhe render runs/knot --colour curvature --contacts --count 1 --out knot.png
      colours and arrows, with what they mean below
  writhe render runs/flagella --movie bundle.mp4 --fps 30
      a film, by ffmpeg; also .webm, or .gif, which needs no ffmpeg
  writhe render runs/flagella --movie frames --size 1280x720
      numbered PNG frames, and the ffmpeg command that joins them to an MP4

Rods are seen from where their bend and motion show best. The camera of a movie
stands still and shows the whole motion, or follows (--fit each).";

/// Arguments of `writhe render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Run directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// More run directories: a row of the contact sheet for each.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub sheet: Vec<PathBuf>,
    /// Picture to write (PNG): a still for one time, a contact sheet otherwise [default:
    /// DIR/sheet.png and DIR/last.png].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Times to show, in s or with a unit (0.5, "50 ms"), separated by commas (0,1,2 or "0,1,2 ms"); the
    /// nearest frames are taken.
    #[arg(long, value_name = "T,..", value_parser = Times::read, allow_hyphen_values = true)]
    pub times: Vec<Times>,
    /// Number of times to show, evenly spaced from the start to the end.
    #[arg(long, value_name = "N", default_value_t = 5, conflicts_with = "times")]
    #[arg(value_parser = whole::<u16>(1, 100, 5), allow_hyphen_values = true)]
    pub count: u16,
    /// Make a movie instead: FILE.mp4 or FILE.webm by ffmpeg, FILE.gif, or a folder for numbered
    /// PNG frames.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["sheet", "out", "times", "count"])]
    pub movie: Option<PathBuf>,
    /// Frames in a second of the movie; at most 50 in a GIF [default: 25].
    #[arg(long, value_name = "N", value_parser = fps, allow_hyphen_values = true)]
    pub fps: Option<f64>,
    /// Number of frames of the movie, evenly spaced from the start to the end [default: all, at
    /// most 200].
    #[arg(long, value_name = "N", conflicts_with = "every")]
    #[arg(value_parser = whole::<u32>(1, 100_000, 100), allow_hyphen_values = true)]
    pub frames: Option<u32>,
    /// Show every N-th output of the run in the movie.
    #[arg(long, value_name = "N")]
    #[arg(value_parser = whole::<u32>(1, u64::MAX, 2), allow_hyphen_values = true)]
    pub every: Option<u32>,
    /// What colours show: rod, one (all rods alike), curvature, twist, stretch, speed or force (or
    /// contact_force, as exports call it) [default: rod; one beyond 12 rods].
    #[arg(long, value_name = "FIELD", alias = "color")]
    pub colour: Option<String>,
    /// Values at both ends of the bar of colours [default: those of the frames shown].
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    pub range: Option<ColourRange>,
    /// Arrows for the normal forces where rods touch each other and obstacles.
    #[arg(long)]
    pub contacts: bool,
    /// Draw no supports: clamps, pins, held angles.
    #[arg(long)]
    pub no_clamps: bool,
    /// Draw no text: no time, no meaning of colours and arrows, no bar of a known length.
    #[arg(long)]
    pub no_legend: bool,
    /// What the camera keeps in view.
    #[arg(long, value_enum, default_value = "bent")]
    pub fit: Fit,
    /// Pixels of a still or movie [default: fitted], or of each cell of a contact sheet.
    #[arg(long, value_name = "WxH", allow_hyphen_values = true)]
    pub size: Option<PictureSize>,
    /// Direction from the rods to the viewer [default: the one from which bend and motion show
    /// best].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub view: Option<Direction>,
    /// Direction that points up in the picture [default: against gravity; without gravity, such that
    /// rods hang from their clamps, or else z].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub up: Option<Direction>,
    /// Magnify the middle of the picture N times, to see a knot for example.
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = zoom, allow_hyphen_values = true)]
    pub zoom: f64,
    /// Make the background transparent instead of white; of a floor, only the shadows on it are
    /// drawn.
    #[arg(long)]
    pub transparent: bool,
    /// Draw no shadows.
    #[arg(long)]
    pub no_shadow: bool,
    /// How much paler things become towards the back: 0 not at all, 1 completely after one picture
    /// height of depth. Not used with a transparent background.
    #[arg(long, value_name = "PART", default_value_t = 0.15, value_parser = part, allow_hyphen_values = true)]
    pub depth_cue: f64,
    /// Print as JSON what was written; what else is told goes to standard error.
    #[arg(long)]
    pub json: bool,
}

/// What the camera shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Fit {
    /// All frames of the picture; only the bent part of the rods where all of them would look like a
    /// thread. The camera stands still.
    Bent,
    /// All frames of the picture in full. The camera stands still.
    Shown,
    /// Each frame by itself, in the middle of its picture, all at the same scale.
    Each,
    /// All frames of the run, also those that are not in the picture.
    Run,
}

/// Values at both ends of a bar of colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColourRange(pub f64, pub f64);

impl FromStr for ColourRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends = text.split_once(',').and_then(|(low, high)| {
            let number = |s: &str| s.trim().parse().ok().filter(|n: &f64| n.is_finite());
            Some((number(low)?, number(high)?))
        });
        match ends {
            Some((low, high)) if low < high => Ok(Self(low, high)),
            _ => Err("write it as two numbers, the smaller one first, e.g. 0,250".to_owned()),
        }
    }
}

fn fps(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| (0.01..=1000.0).contains(n))
        .ok_or_else(|| {
            "write it as a number of frames in a second from 0.01 to 1000, e.g. 25".to_owned()
        })
}

fn zoom(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| (0.1..=1000.0).contains(n))
        .ok_or_else(|| "write it as a number from 0.1 to 1000, e.g. 3".to_owned())
}

fn part(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &f64| (0.0..=1.0).contains(n))
        .ok_or_else(|| "write it as a number from 0 (off) to 1, e.g. 0.3".to_owned())
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
        assert_eq!("-1, 2".parse(), Ok(ColourRange(-1.0, 2.0)));
        assert!(
            ["2,1", "1", "0,inf", "a,b"]
                .iter()
                .all(|t| t.parse::<ColourRange>().is_err())
        );
        assert_eq!(fps("12.5"), Ok(12.5));
        assert!(zoom("3").is_ok() && zoom("0").is_err());
        assert!(fps("0").is_err() && fps("nan").is_err() && part("1.1").is_err());
    }
}
