//! Arguments of `writhe plot`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use writhe_scenes::units::{Dimension, parse_quantity};

use super::numbers::positive_seconds;
use crate::times::unit_of;

/// What `writhe plot --help` ends with.
pub(super) const EXAMPLES: &str = "Examples:
  writhe plot runs/knot
      energies and forces over time, in plot.svg in the run directory
  writhe plot runs/knot pull_force --against shortening --mean 0.5
      force over shortening, averaged over 0.5 s
  writhe plot runs/mu0.1 runs/mu0.2 runs/mu0.3 pull_force --log y
      a family of curves, named by what the scenes differ in
  writhe plot sweeps/mu pull_force --against contact.friction --value max
      the largest force of each run of a sweep over what it swept; without
      --value that of its last moment
  writhe plot runs/knot pull_force --size 86x60 --ylim \"0..20 mN\" --out fig3.pdf
      as wide as a column of a journal; letters are embedded
  writhe plot runs/knot pull_force --style talk --title \"Trefoil\" --out slide.png
      large letters and lines

Every column of DIR/observables.csv can be drawn. A name without its rod means
that of all rods: pull_force is rod0_pull_force, rod1_pull_force and so on.";

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
    /// Average over this long around each time, in s or with a unit: 0.5, "50 ms".
    #[arg(long, value_name = "TIME", value_parser = positive_seconds, allow_hyphen_values = true)]
    pub mean: Option<f64>,
    /// Which value of each run of a sweep is drawn.
    #[arg(long, value_enum, default_value = "final")]
    pub value: ValueOf,
    /// Largest number of curves in a panel, where they are not named one by one: curves that are zero
    /// throughout and the smallest ones are left out. `all` draws every curve.
    #[arg(
        long,
        value_name = "N",
        default_value = "8",
        allow_hyphen_values = true
    )]
    pub curves: Most,
    /// Ends of the horizontal axis, in SI or with a unit: 0..2.5, "0..50 ms" [default: fitted].
    #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true)]
    pub xlim: Option<Limits>,
    /// Ends of the vertical axis, in the same way.
    #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true)]
    pub ylim: Option<Limits>,
    /// Title above the figure.
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Width and height of the whole figure, in mm unless a unit (cm, in, pt) follows: 86x60,
    /// 3.4x2.5in [default: 116x85 mm for each panel].
    #[arg(long, value_name = "WxH", allow_hyphen_values = true)]
    pub size: Option<SheetSize>,
    /// Where the names of curves stand.
    #[arg(long, value_enum, default_value = "auto")]
    pub legend: LegendPlace,
    /// Size of letters and lines, for a page or for a slide.
    #[arg(long, value_enum, default_value = "paper")]
    pub style: PlotStyle,
    /// Draw a mark at each point, of a shape of its own for each curve.
    #[arg(long)]
    pub markers: bool,
    /// Picture to write: .svg, .pdf or .png [default: plot.svg in the first directory, or as
    /// --format says].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Format [default: as the file's name says].
    #[arg(long, value_enum)]
    pub format: Option<PlotFormat>,
    /// Print as JSON what was written; what else is told goes to standard error.
    #[arg(long)]
    pub json: bool,
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
    /// Scalable Vector Graphics, for the web.
    Svg,
    /// For papers: text can be searched, and its letters are embedded.
    Pdf,
    /// Pixels, for slides.
    Png,
}

/// Where the names of curves stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LegendPlace {
    /// Inside the axes where they cover no curve, else beside or below them.
    Auto,
    /// Inside the axes, where they cover least.
    Inside,
    /// To the right of the axes.
    Beside,
    /// Under the axes.
    Below,
    /// Nowhere.
    None,
}

/// How a figure looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlotStyle {
    /// Letters of 8 and 9 points.
    Paper,
    /// Letters and lines twice as large.
    Talk,
}

/// How many curves a panel has at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Most {
    /// So many.
    Of(usize),
    /// Whatever there is.
    All,
}

impl FromStr for Most {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|n| *n > 0);
        match number {
            Some(number) => Ok(Self::Of(number)),
            None if text == "all" => Ok(Self::All),
            None => Err("write it as a number from 1 on, or `all`".to_owned()),
        }
    }
}

/// Width and height of a figure, points (1/72 inch).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SheetSize(pub [f64; 2]);

impl FromStr for SheetSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        /// Units and their points.
        const UNITS: [(&str, f64); 4] = [
            ("mm", 72.0 / 25.4),
            ("cm", 72.0 / 2.54),
            ("in", 72.0),
            ("pt", 1.0),
        ];
        let wrong = || {
            "write it as WIDTHxHEIGHT in mm, cm, in or pt, each side from 26 mm to 2.5 m, e.g. 86x60 or 3.4x2.5in"
                .to_owned()
        };
        let text = text.trim();
        let unit = UNITS.iter().find(|(unit, _)| text.ends_with(unit));
        let (unit, points) = unit.copied().unwrap_or(("", UNITS[0].1));
        let numbers = text.strip_suffix(unit).unwrap_or(text).trim_end();
        let (width, height) = numbers.split_once(['x', '×']).ok_or_else(wrong)?;
        let side = |number: &str| {
            let number: f64 = number.trim().parse().ok()?;
            Some(number * points).filter(|side| (72.0..=7200.0).contains(side))
        };
        let sides = side(width).zip(side(height)).ok_or_else(wrong)?;
        Ok(Self(sides.into()))
    }
}

/// Ends of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// As they were written.
    pub text: String,
    /// In SI, the smaller one first.
    pub ends: [f64; 2],
    /// What their unit measures; `None` where none is written.
    pub dimension: Option<Dimension>,
}

impl FromStr for Limits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const REMEDY: &str = "write FROM..TO, e.g. 0..2.5 or \"0..50 mN\"";
        let (from, to) = text
            .split_once("..")
            .ok_or_else(|| format!("it has no two dots; {REMEDY}"))?;
        let read = |part: &str| parse_quantity(part).map_err(|error| format!("{error}; {REMEDY}"));
        let (mut start, mut kind) = read(from)?;
        let (end, of_end) = read(to)?;
        // The unit of the second is that of both.
        if kind.is_none() && of_end.is_some() {
            (start, kind) = read(&format!("{from} {}", unit_of(to)))?;
        }
        if kind != of_end {
            return Err(format!("its ends have different units; {REMEDY}"));
        }
        if start >= end {
            let turned = format!("{}..{}", to.trim(), from.trim());
            return Err(match start == end {
                true => format!("its ends are the same; {REMEDY}"),
                false => format!("it ends before it begins; did you mean \"{turned}\"?"),
            });
        }
        Ok(Self {
            text: text.to_owned(),
            ends: [start, end],
            dimension: kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert_eq!("all".parse(), Ok(Most::All));
        assert_eq!("12".parse(), Ok(Most::Of(12)));
        assert!("0".parse::<Most>().is_err() && "few".parse::<Most>().is_err());
    }

    #[test]
    fn sizes_have_units() {
        let size = |text: &str| text.parse::<SheetSize>().map(|size| size.0);
        assert_eq!(size("144x72pt"), Ok([144.0, 72.0]));
        assert_eq!(size("2x1.5 in"), Ok([144.0, 108.0]));
        let [w, h] = size("86x60").unwrap();
        assert!((w - 243.78).abs() < 0.01 && (h - 170.08).abs() < 0.01);
        for wrong in ["86", "86x", "86x60km", "2x2", "-80x60", "nanx60", "9000x60"] {
            assert!(size(wrong).unwrap_err().contains("86x60"), "{wrong}");
        }
    }

    #[test]
    fn limits_have_units() {
        let limits = |text: &str| text.parse::<Limits>();
        assert_eq!(limits("-1..2.5").unwrap().ends, [-1.0, 2.5]);
        let force = limits("0..50 mN").unwrap();
        assert!((force.ends[1] - 0.05).abs() < 1e-15 && force.dimension.is_some());
        assert_eq!(limits("10..20 mm"), limits("10..20 mm"));
        assert_eq!(
            limits("10..20 mm").unwrap().ends,
            limits("10 mm..2 cm").unwrap().ends
        );
        for (wrong, words) in [
            ("5", "two dots"),
            ("5..1", "did you mean \"1..5\""),
            ("1..1", "the same"),
            ("a..b", "number"),
            ("0 N..1 m", "different units"),
            ("0..1 blub", "not a unit"),
        ] {
            let told = limits(wrong).unwrap_err();
            assert!(told.contains(words), "{wrong}: {told}");
        }
    }
}
