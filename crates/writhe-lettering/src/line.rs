//! A text as glyphs in their places along a line.

use crate::font::{Font, Weight};

/// A glyph in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Letter {
    /// What it shows.
    pub character: char,
    /// Number of the glyph in the font.
    pub glyph: u16,
    /// Where it begins on the baseline, ems from the start of the line.
    pub x: f64,
}

/// The glyphs of a text, left to right, and where the line ends, ems.
pub fn letters(text: &str, weight: Weight) -> (Vec<Letter>, f64) {
    let font = Font::of(weight);
    let mut letters: Vec<Letter> = Vec::new();
    let mut x = 0.0;
    for character in text.chars() {
        let glyph = font.glyph(character);
        if let Some(before) = letters.last() {
            x += font.kerning(before.glyph, glyph);
        }
        letters.push(Letter {
            character,
            glyph,
            x,
        });
        x += font.advance(glyph);
    }
    (letters, x)
}

/// Length of a line of text of this size (of an em), in the unit of the size.
pub fn width(text: &str, size: f64, weight: Weight) -> f64 {
    size * letters(text, weight).1
}
