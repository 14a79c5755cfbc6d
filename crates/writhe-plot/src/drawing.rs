//! Lines and words at their places: what the writers of file formats see.

use crate::color::Color;

/// Size of the font of numbers and names of curves, points.
pub(crate) const SMALL: f64 = 8.5;

/// Marks on a white sheet. Lengths are points (1/72 inch), places from the top left corner.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawing {
    pub width: f64,
    pub height: f64,
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
    /// A filled box: corner and size.
    Box {
        at: [f64; 2],
        size: [f64; 2],
        color: Color,
    },
    /// A label.
    Text(Text),
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pen {
    pub color: Color,
    pub width: f64,
    /// Lengths of dash and gap; none for a solid line.
    pub dash: Option<[f64; 2]>,
}

/// A label on one line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    /// With raised and lowered parts as in labels of axes.
    pub text: String,
    /// The point of its baseline that `anchor` says.
    pub at: [f64; 2],
    /// Size of the font.
    pub size: f64,
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
            anchor,
            upwards: false,
        })
    }
}
