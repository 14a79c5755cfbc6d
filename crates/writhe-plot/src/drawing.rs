//! Lines, shapes and words at their places: what the writers of file formats see.

use writhe_lettering::Weight;

use crate::color::Color;

/// Marks on a white sheet. Lengths are points (1/72 inch), places from the top left corner.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawing {
    pub width: f64,
    pub height: f64,
    /// What the figure is called; empty for nothing.
    pub title: String,
    /// Later ones cover earlier ones.
    pub marks: Vec<Mark>,
}

/// Something drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// A polygonal line.
    Line { points: Vec<[f64; 2]>, pen: Pen },
    /// A filled circle.
    Disc {
        at: [f64; 2],
        radius: f64,
        color: Color,
    },
    /// A filled polygon.
    Polygon { points: Vec<[f64; 2]>, color: Color },
    /// A filled box that lets a little of what it covers through: corner and size.
    Veil {
        at: [f64; 2],
        size: [f64; 2],
        color: Color,
    },
    /// A label.
    Text(Text),
}

/// Opacity of a [`Mark::Veil`].
pub(crate) const VEIL: f64 = 0.85;

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pen {
    pub color: Color,
    pub width: f64,
    /// Lengths of dash, gap, dash and gap; none for a solid line.
    pub dash: Option<[f64; 4]>,
}

/// A label on one line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    /// With raised and lowered parts as in labels of axes.
    pub text: String,
    /// The point of its baseline that `anchor` says.
    pub at: [f64; 2],
    /// Size of an em.
    pub size: f64,
    pub weight: Weight,
    pub anchor: Anchor,
    /// Whether it reads upwards.
    pub upwards: bool,
}

/// Which point of a label is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Mark {
    /// A polygonal line.
    pub fn line(pen: &Pen, points: Vec<[f64; 2]>) -> Self {
        Self::Line { points, pen: *pen }
    }

    /// A label that reads to the right.
    pub fn text(words: &str, at: [f64; 2], size: f64, anchor: Anchor) -> Self {
        Self::Text(Text {
            text: words.to_owned(),
            at,
            size,
            weight: Weight::Regular,
            anchor,
            upwards: false,
        })
    }

    /// A semi-bold label that begins at a place.
    pub fn title(words: &str, at: [f64; 2], size: f64) -> Self {
        Self::Text(Text {
            text: words.to_owned(),
            at,
            size,
            weight: Weight::SemiBold,
            anchor: Anchor::Start,
            upwards: false,
        })
    }
}
