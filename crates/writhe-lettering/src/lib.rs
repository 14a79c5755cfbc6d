//! Labels of figures and pictures: one open font, Inter, as outlines to fill and as a file to embed.
//!
//! The font is compiled in, so that a label looks the same on every machine and in every format.
//! It has Latin, Greek and Cyrillic letters, raised and lowered digits and signs of mathematics;
//! what it lacks is an empty box. Letters stand as its tables of kerning say. How units take prefixes
//! stands here, too, since all labels do it alike.
//!
//! ```
//! use writhe_lettering::{Weight, outline, width};
//!
//! let (label, size) = ("50 µm", 24.0);
//! let paths = outline(label, [10.0, 40.0], size, Weight::Regular);
//! let right = paths.iter().map(|p| p.bounds().right()).fold(0.0, f32::max);
//! assert!((f64::from(right) - 10.0 - width(label, size, Weight::Regular)).abs() < 0.1 * size);
//! ```

mod font;
mod kerning;
mod line;
mod outline;
mod unit;

pub use font::{Font, Weight};
pub use line::{Letter, letters, width};
pub use outline::outline;
pub use unit::{prefixed, thousands};

#[cfg(test)]
mod tests {
    use super::*;

    /// What axes, legends and pictures write.
    const NEEDED: &str =
        "°±²³µ·×÷ÅåéöüßΑΒΓΔΩαβγδεζηθκλμνξπρστφχψωϕϑ–—’…−≈≠≤≥∞→←√∂∑⁰¹⁴⁵⁶⁷⁸⁹⁻⁺₀₁₂₃₉ĂşЖ";

    #[test]
    fn the_font_has_what_labels_need() {
        for weight in [Weight::Regular, Weight::SemiBold] {
            let font = Font::of(weight);
            for character in NEEDED.chars().chain(' '..='~') {
                assert_ne!(font.glyph(character), 0, "{character} in {}", font.name());
            }
            assert_eq!(font.glyph('☃'), 0);
            assert!(font.outline(0, |x, y| (x as f32, y as f32)).is_some());
        }
    }

    #[test]
    fn pairs_are_kerned() {
        let font = Font::of(Weight::Regular);
        let of = |a, b| font.kerning(font.glyph(a), font.glyph(b));
        assert!(
            of('T', 'e') < -0.02 && of('A', 'V') < -0.02,
            "{}",
            of('T', 'e')
        );
        assert_eq!(of('n', 'n'), 0.0);
        let sum: f64 = "Te".chars().map(|c| font.advance(font.glyph(c))).sum();
        let line = width("Te", 10.0, Weight::Regular);
        assert!((line - 10.0 * (sum + of('T', 'e'))).abs() < 1e-12);
    }
}
