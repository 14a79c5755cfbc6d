//! Names of curves beside samples of their lines.

use writhe_lettering::Weight;

use crate::color::Color;
use crate::cover::Cover;
use crate::curve::sample;
use crate::drawing::{Anchor, Mark};
use crate::figure::{Curve, Panel};
use crate::frame::Frame;
use crate::markup;
use crate::theme::Theme;

/// Length of the sample of a line, in sizes of the small font.
const SAMPLE: f64 = 3.0;
/// Space around, and between sample and name, in sizes of the small font.
const PAD: f64 = 0.6;
/// Height of a row, in sizes of the small font.
const ROW: f64 = 1.45;
/// Space between columns of names, in sizes of the small font.
const BETWEEN: f64 = 1.6;
/// The largest parts of width, height and area of the axes that a legend inside may take.
const MOST_INSIDE: [f64; 3] = [0.55, 0.6, 0.25];

/// Names in columns, with their size.
pub(crate) struct Block<'a> {
    named: Vec<&'a Curve>,
    rows: usize,
    /// Widths of the columns, points.
    columns: Vec<f64>,
    theme: Theme,
}

/// Curves of a panel that have a name.
pub(crate) fn named(panel: &Panel) -> Vec<&Curve> {
    let curves = panel.curves.iter();
    curves.filter(|curve| !curve.label.is_empty()).collect()
}

/// Whether two lists of curves need but one legend.
pub(crate) fn alike(a: &[&Curve], b: &[&Curve]) -> bool {
    let same = |(a, b): (&&Curve, &&Curve)| {
        (&a.label, a.color, a.style, a.marker) == (&b.label, b.color, b.style, b.marker)
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

impl<'a> Block<'a> {
    /// In one column, or in as many as it takes not to be higher than `height`.
    pub fn upright(named: Vec<&'a Curve>, height: f64, theme: &Theme) -> Self {
        let rows = ((height / theme.small - 2.0 * PAD + ROW - 1.0) / ROW).floor();
        let columns = (named.len() as f64 / rows.max(1.0)).ceil() as usize;
        Self::in_columns(named, columns, theme)
    }

    /// In as many columns as `width` has room for.
    pub fn flat(named: Vec<&'a Curve>, width: f64, theme: &Theme) -> Self {
        let fits =
            |columns: &usize| Self::in_columns(named.clone(), *columns, theme).size()[0] <= width;
        let columns = (2..=named.len()).rev().find(fits).unwrap_or(1);
        Self::in_columns(named, columns, theme)
    }

    fn in_columns(named: Vec<&'a Curve>, columns: usize, theme: &Theme) -> Self {
        let rows = named.len().div_ceil(columns.max(1)).max(1);
        let widest = |column: &[&Curve]| {
            let widths = column.iter().map(|curve| {
                let name = markup::width(&curve.label, theme.small, Weight::Regular);
                name + (SAMPLE + PAD) * theme.small
            });
            widths.fold(0.0, f64::max)
        };
        Self {
            columns: named.chunks(rows).map(widest).collect(),
            named,
            rows,
            theme: *theme,
        }
    }

    /// Width and height, points.
    pub fn size(&self) -> [f64; 2] {
        let small = self.theme.small;
        let between = BETWEEN * self.columns.len().saturating_sub(1) as f64;
        [
            self.columns.iter().sum::<f64>() + (2.0 * PAD + between) * small,
            (2.0 * PAD + ROW * self.rows as f64 - (ROW - 1.0)) * small,
        ]
    }

    /// Adds the names with their corner at a place.
    pub fn draw(&self, at: [f64; 2], marks: &mut Vec<Mark>) {
        let small = self.theme.small;
        let mut left = at[0] + PAD * small;
        for (column, width) in self.named.chunks(self.rows).zip(&self.columns) {
            for (row, curve) in column.iter().enumerate() {
                let middle = at[1] + (PAD + ROW * row as f64 + 0.5) * small;
                let right = left + SAMPLE * small;
                let ends = [[left, middle], [right, middle]];
                sample(curve, ends, &self.theme, marks);
                let place = [right + PAD * small, middle + 0.36 * small];
                marks.push(Mark::text(&curve.label, place, small, Anchor::Start));
            }
            left += width + BETWEEN * small;
        }
    }

    /// Adds the names at a place inside the axes, over a veil.
    pub fn draw_inside(&self, at: [f64; 2], marks: &mut Vec<Mark>) {
        marks.push(Mark::Veil {
            at,
            size: self.size(),
            color: Color([255; 3]),
        });
        self.draw(at, marks);
    }

    /// Where the names fit inside the axes without covering a curve; `None` if nowhere.
    pub fn free_place(&self, cover: &Cover, frame: &Frame) -> Option<[f64; 2]> {
        let size = self.size();
        let (w, h) = (frame.right - frame.left, frame.bottom - frame.top);
        let parts = [size[0] / w, size[1] / h, size[0] * size[1] / (w * h)];
        if parts
            .iter()
            .zip(MOST_INSIDE)
            .any(|(part, most)| *part > most)
        {
            return None;
        }
        let mut places = self.places(frame).into_iter();
        places.find(|at| cover.within(*at, size) == 0)
    }

    /// Where the names cover least inside the axes.
    pub fn emptiest_place(&self, cover: &Cover, frame: &Frame) -> [f64; 2] {
        let size = self.size();
        let mut best = (u32::MAX, [frame.left, frame.top]);
        for place in self.places(frame) {
            let covered = cover.within(place, size);
            // The first of equals.
            if covered < best.0 {
                best = (covered, place);
            }
        }
        best.1
    }

    /// Corners of boxes inside the axes, those that are tried first first: the corners, then along
    /// the sides.
    fn places(&self, frame: &Frame) -> Vec<[f64; 2]> {
        let ([w, h], inset) = (self.size(), self.theme.gap);
        let (left, right) = (frame.left + inset, frame.right - inset - w);
        let (top, bottom) = (frame.top + inset, frame.bottom - inset - h);
        let mut places = vec![[right, top], [left, top], [right, bottom], [left, bottom]];
        const STEPS: u32 = 16;
        // From the middle of a side towards its ends.
        for step in 0..STEPS / 2 {
            for sign in [1.0, -1.0] {
                let t = 0.5 + sign * f64::from(step) / f64::from(STEPS);
                let (x, y) = (left + t * (right - left), top + t * (bottom - top));
                places.extend([[x, top], [x, bottom], [right, y], [left, y]]);
            }
        }
        places
    }
}
