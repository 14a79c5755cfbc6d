//! A figure as its user describes it: panels of curves over labelled axes.

use crate::color::Color;
use crate::theme::Look;

/// Panels in rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Above everything; empty for none.
    pub title: String,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Panels in a row.
    pub columns: usize,
    /// How large it is.
    pub size: Size,
    /// Where the names of curves stand.
    pub legend: Legend,
    /// How large letters are and how broad lines.
    pub look: Look,
}

/// How large a figure is, points (1/72 inch).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// Width and height of a panel with its labels; a legend beside it and titles come on top.
    Panel([f64; 2]),
    /// Width and height of the whole sheet.
    Sheet([f64; 2]),
}

/// Where the names of curves stand. Panels whose curves have the same names and look the same
/// share one legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Legend {
    /// Inside the axes where it covers no curve, else beside them, or below where that is too
    /// narrow.
    #[default]
    Auto,
    /// Inside the axes, where it covers least.
    Inside,
    /// To the right of the axes.
    Beside,
    /// Under the axes.
    Below,
    /// Nowhere.
    None,
}

/// Curves over a pair of axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Above the axes; empty for none.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The curves, later ones on top.
    pub curves: Vec<Curve>,
}

/// An axis. Texts may raise and lower parts: `10^{-3}`, `k_{c}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it shows, without the unit.
    pub label: String,
    /// Unit of the values given, e.g. `N` or `m/s`; empty or `1` for pure numbers. It may get a
    /// prefix: `mN`.
    pub unit: String,
    /// How values lie along it.
    pub scale: Scale,
    /// Ends, in the unit of the values; from the curves unless given.
    pub range: Option<[f64; 2]>,
    /// Whether values grow to the left or downwards.
    pub reversed: bool,
    /// What stands at the values 0, 1, 2, ..: words, for what is no number. Empty for numbers.
    pub words: Vec<String>,
}

/// How values lie along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// By their logarithm; values that are not positive are not shown.
    Logarithmic,
}

/// A curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Name in the legend; empty for none. May raise and lower parts as labels do.
    pub label: String,
    /// Points x, y in the units of the axes; the curve is interrupted where one is not finite.
    pub points: Vec<[f64; 2]>,
    /// Colour.
    pub color: Color,
    /// How its line is drawn.
    pub style: Style,
    /// What stands at its points, if anything. On a line, points near the last that has one go
    /// without.
    pub marker: Option<Marker>,
}

/// How the line of a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// A line.
    #[default]
    Solid,
    /// A dashed line.
    Dashed,
    /// A dotted line.
    Dotted,
    /// A line of dashes and dots.
    DashDotted,
    /// No line: a mark at each point, a disc unless the curve has another marker.
    Marks,
}

/// The shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Marker {
    /// A disc.
    #[default]
    Disc,
    /// A square on its side.
    Square,
    /// A triangle that points upwards.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// A triangle that points downwards.
    Wedge,
    /// A cross of two strokes.
    Cross,
    /// A star of five points.
    Star,
}

impl Style {
    /// Lines that differ, for curves of one colour.
    const LINES: [Self; 4] = [Self::Solid, Self::Dashed, Self::Dotted, Self::DashDotted];

    /// The line of the `index`-th of a few curves: solid as long as colours differ, another one for
    /// each time that they come again.
    pub fn of_few(index: usize) -> Self {
        Self::LINES[index / Color::FEW % Self::LINES.len()]
    }

    /// The line of the `index`-th curve of a family: neighbours, whose colours are near, differ.
    pub fn of_many(index: usize) -> Self {
        Self::LINES[index % Self::LINES.len()]
    }
}

impl Marker {
    /// The marker of the `index`-th of a few curves; repeated after seven.
    pub fn of_few(index: usize) -> Self {
        const ALL: [Marker; 7] = [
            Marker::Disc,
            Marker::Square,
            Marker::Triangle,
            Marker::Diamond,
            Marker::Wedge,
            Marker::Cross,
            Marker::Star,
        ];
        ALL[index % ALL.len()]
    }
}

impl Figure {
    /// Panels of a common size, side by side up to two in a row.
    pub fn new(panels: Vec<Panel>) -> Self {
        let look = Look::default();
        Self {
            title: String::new(),
            columns: panels.len().clamp(1, 2),
            panels,
            size: Size::Panel(look.panel_size()),
            legend: Legend::default(),
            look,
        }
    }

    /// The same in another look, with panels of its size.
    pub fn looking(self, look: Look) -> Self {
        Self {
            size: Size::Panel(look.panel_size()),
            look,
            ..self
        }
    }
}

impl Panel {
    /// A panel without curves.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self {
            title: String::new(),
            x,
            y,
            curves: Vec::new(),
        }
    }
}

impl Axis {
    /// A linear axis that fits its curves.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            unit: unit.into(),
            scale: Scale::Linear,
            range: None,
            reversed: false,
            words: Vec::new(),
        }
    }

    /// An axis of words, which stand at the values 0, 1, 2, ..
    pub fn of_words(label: impl Into<String>, words: Vec<String>) -> Self {
        Self {
            words,
            ..Self::new(label, "")
        }
    }

    /// The same, logarithmic.
    pub fn logarithmic(self) -> Self {
        Self {
            scale: Scale::Logarithmic,
            ..self
        }
    }

    /// The same between these ends.
    pub fn between(self, from: f64, to: f64) -> Self {
        Self {
            range: Some([from, to]),
            ..self
        }
    }

    /// The same, turned round.
    pub fn reversed(self) -> Self {
        Self {
            reversed: true,
            ..self
        }
    }

    /// Whether it can show this value.
    pub fn shows(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }
}

impl Curve {
    /// The `index`-th of a few curves: of the first 28, no two have the same colour and line.
    pub fn new(label: impl Into<String>, points: Vec<[f64; 2]>, index: usize) -> Self {
        Self {
            label: label.into(),
            points,
            color: Color::of_few(index),
            style: Style::of_few(index),
            marker: None,
        }
    }

    /// The same in another style.
    pub fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// The same with marks at its points.
    pub fn marked(self, marker: Marker) -> Self {
        Self {
            marker: Some(marker),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_of_a_few_curves_look_the_same() {
        let curves: Vec<Curve> = (0..28).map(|i| Curve::new("", Vec::new(), i)).collect();
        for (i, a) in curves.iter().enumerate() {
            for b in &curves[..i] {
                assert!(a.color != b.color || a.style != b.style);
            }
        }
    }
}
