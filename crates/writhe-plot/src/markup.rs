//! Texts with raised and lowered parts, and how wide they are.

use crate::drawing::{Anchor, Text};

/// Size of raised and lowered parts.
pub(crate) const SMALL: f64 = 0.7;
/// Rise of raised parts, in sizes of the font.
const RAISED: f64 = 0.36;
/// Rise of lowered parts.
const LOWERED: f64 = -0.2;

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    pub text: String,
    /// Baseline above that of the text, in sizes of the font; 0 in full size, other parts are
    /// [`SMALL`].
    pub rise: f64,
}

impl Part {
    /// Size, in sizes of the font.
    pub fn scale(&self) -> f64 {
        if self.rise == 0.0 { 1.0 } else { SMALL }
    }
}

/// Parts of a text: `^{...}` is raised, `_{...}` lowered; what does not close is plain.
pub(crate) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut push = |text: &str, rise| {
        if !text.is_empty() {
            let text = text.to_owned();
            parts.push(Part { text, rise });
        }
    };
    let mut rest = text;
    while let Some(at) = [rest.find("^{"), rest.find("_{")]
        .into_iter()
        .flatten()
        .min()
    {
        let Some(length) = rest[at + 2..].find('}') else {
            break;
        };
        let rise = if rest[at..].starts_with('^') {
            RAISED
        } else {
            LOWERED
        };
        push(&rest[..at], 0.0);
        push(&rest[at + 2..at + 2 + length], rise);
        rest = &rest[at + 2 + length + 1..];
    }
    push(rest, 0.0);
    parts
}

/// Width of a text in a font like Helvetica, points at a `size` in points.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let of = |part: &Part| part.text.chars().map(advance).sum::<f64>() * part.scale();
    1e-3 * size * parts(text).iter().map(of).sum::<f64>()
}

/// From the point that a label is placed by to its start, along its baseline, points.
pub(crate) fn offset(text: &Text) -> f64 {
    let part = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    };
    -part * width(&text.text, text.size)
}

/// Width of a character of Helvetica, thousandths of the font's size (Adobe's font metrics); that
/// of a digit for those beyond ASCII.
fn advance(character: char) -> f64 {
    const FIRST: usize = 32;
    #[rustfmt::skip]
    const WIDTHS: [u16; 95] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
        333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
        556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
    ];
    let index = (character as usize).checked_sub(FIRST);
    let width = index.and_then(|index| WIDTHS.get(index));
    width.map_or(556.0, |width| f64::from(*width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_and_lowered() {
        let found = parts("EI/h^{2} over k_{c} ^{");
        let texts: Vec<(&str, f64)> = found.iter().map(|p| (p.text.as_str(), p.rise)).collect();
        assert_eq!(
            texts,
            [
                ("EI/h", 0.0),
                ("2", RAISED),
                (" over k", 0.0),
                ("c", LOWERED),
                (" ^{", 0.0)
            ]
        );
    }

    #[test]
    fn widths_are_the_font_s() {
        assert!((width("W", 10.0) - 9.44).abs() < 1e-12);
        assert!((width("00", 10.0) - 11.12).abs() < 1e-12);
        assert!((width("0^{0}", 10.0) - 5.56 * 1.7).abs() < 1e-12);
    }
}
