//! Texts with raised and lowered parts, and how wide they are.

use writhe_lettering::{self as lettering, Weight};

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

/// Width of a text, points at a `size` of an em in points.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let of = |part: &Part| lettering::width(&part.text, size * part.scale(), Weight::Regular);
    parts(text).iter().map(of).sum()
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
    fn small_parts_are_narrower() {
        let digit = width("0", 10.0);
        assert!((5.0..7.5).contains(&digit), "{digit}");
        assert!((width("0^{0}", 10.0) - 1.7 * digit).abs() < 1e-12);
    }
}
