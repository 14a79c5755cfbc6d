//! A figure as its user describes it: panels of curves over labelled axes.

use crate::color::Color;

/// Panels in rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Panels in a row.
    pub columns: usize,
    /// Width and height of a panel with its labels, points (1/72 inch).
    pub panel_size: [f64; 2],
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
    /// How it is drawn.
    pub style: Style,
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// A line.
    #[default]
    Solid,
    /// A dashed line.
    Dashed,
    /// A dotted line.
    Dotted,
    /// A mark at each point.
    Marks,
}

impl Figure {
    /// Panels of a common size, side by side up to two in a row.
    pub fn new(panels: Vec<Panel>) -> Self {
        Self {
            columns: panels.len().clamp(1, 2),
            panels,
            panel_size: [330.0, 240.0],
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
    pub(crate) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }
}

impl Curve {
    /// A solid curve, the `index`-th of a few.
    pub fn new(label: impl Into<String>, points: Vec<[f64; 2]>, index: usize) -> Self {
        Self {
            label: label.into(),
            points,
            color: Color::of_few(index),
            style: Style::Solid,
        }
    }

    /// The same in another style.
    pub fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }
}
