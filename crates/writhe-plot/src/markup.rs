//! Texts with raised and lowered parts, and how wide they are.

use writhe_lettering::{self as lettering, Weight};

use crate::drawing::{Anchor, Text};

/// Size of raised and lowered parts.
const SMALL: f64 = 0.7;
/// Rise of raised parts, in sizes of the font.
const RAISED: f64 = 0.36;
/// Rise of lowered parts.
const LOWERED: f64 = -0.2;

/// A part of a text, in its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    pub text: String,
    /// From the point that the label is placed by to where the part begins, along the baseline,
    /// points.
    pub along: f64,
    /// Its baseline above that of the label, points.
    pub rise: f64,
    /// Size of an em, points.
    pub size: f64,
}

/// The parts of a label.
pub(crate) fn parts(label: &Text) -> Vec<Part> {
    let from_start = match label.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    };
    let mut along = -from_start * width(&label.text, label.size, label.weight);
    let part = |(text, rise): (&str, f64)| {
        let size = label.size * scale(rise);
        let part = Part {
            text: text.to_owned(),
            along,
            rise: label.size * rise,
            size,
        };
        along += lettering::width(text, size, label.weight);
        part
    };
    split(&label.text).into_iter().map(part).collect()
}

/// Width of a text, points at a `size` of an em in points.
pub(crate) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let parts = split(text).into_iter();
    let of = |(text, rise)| lettering::width(text, size * scale(rise), weight);
    parts.map(of).sum()
}

/// The text as it is read aloud: without the signs that raise and lower.
pub(crate) fn plain(text: &str) -> String {
    split(text).into_iter().map(|(part, _)| part).collect()
}

/// Parts of a text and their rise in sizes of the font: `^{...}` is raised, `_{...}` lowered; what
/// does not close is plain.
fn split(text: &str) -> Vec<(&str, f64)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = [rest.find("^{"), rest.find("_{")]
        .into_iter()
        .flatten()
        .min()
    {
        let Some(length) = rest[at + 2..].find('}') else {
            break;
        };
        let rise = match rest[at..].starts_with('^') {
            true => RAISED,
            false => LOWERED,
        };
        parts.push((&rest[..at], 0.0));
        parts.push((&rest[at + 2..at + 2 + length], rise));
        rest = &rest[at + 2 + length + 1..];
    }
    parts.push((rest, 0.0));
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

/// Size of a part with this rise, in sizes of the font.
fn scale(rise: f64) -> f64 {
    if rise == 0.0 { 1.0 } else { SMALL }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_and_lowered() {
        assert_eq!(
            split("EI/h^{2} over k_{c} ^{"),
            [
                ("EI/h", 0.0),
                ("2", RAISED),
                (" over k", 0.0),
                ("c", LOWERED),
                (" ^{", 0.0)
            ]
        );
        assert_eq!(plain("m/s^{−2}"), "m/s−2");
    }

    #[test]
    fn parts_stand_side_by_side() {
        let label = Text {
            text: "10^{3} N".to_owned(),
            at: [0.0; 2],
            size: 10.0,
            weight: Weight::Regular,
            anchor: Anchor::End,
            upwards: false,
        };
        let [ten, three, newton] = &parts(&label)[..] else {
            panic!("three parts");
        };
        let of = |text, size| lettering::width(text, size, Weight::Regular);
        assert!((ten.along + width(&label.text, 10.0, Weight::Regular)).abs() < 1e-12);
        assert!((three.along - ten.along - of("10", 10.0)).abs() < 1e-12);
        assert!((newton.along + of(" N", 10.0)).abs() < 1e-12);
        assert_eq!((three.size, newton.rise), (7.0, 0.0));
    }
}
