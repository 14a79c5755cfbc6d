//! A line of text as paths to fill, fitted to pixels.

use tiny_skia::Path;

use crate::font::{Font, Weight};
use crate::line::letters;

/// Closed paths that cover a line of text which begins `at` x and y of its baseline, pixels from the
/// top left corner, for a `size` of an em in pixels. Baseline, x-height and capital height lie on
/// whole pixels, so that small letters are crisp.
pub fn outline(text: &str, at: [f64; 2], size: f64, weight: Weight) -> Vec<Path> {
    let font = Font::of(weight);
    let grid = Grid::new(font, at, size);
    let (letters, _) = letters(text, weight);
    let paths = letters.iter().map(|letter| {
        let map = |x, y| grid.map(letter.x + x, y);
        font.outline(letter.glyph, map)
    });
    paths.flatten().collect()
}

/// Ems to pixels, with baseline, x-height and capital height on whole pixels.
struct Grid {
    left: f64,
    baseline: f64,
    size: f64,
    /// Heights of small letters and of capitals, ems.
    heights: [f64; 2],
    /// The same in whole pixels.
    pixels: [f64; 2],
}

impl Grid {
    fn new(font: &Font, [left, baseline]: [f64; 2], size: f64) -> Self {
        let heights = [font.x_height(), font.cap_height()];
        Self {
            left,
            baseline: baseline.round(),
            size,
            heights,
            pixels: heights.map(|height| (height * size).round()),
        }
    }

    fn map(&self, x: f64, y: f64) -> (f32, f32) {
        let ([small, capital], [small_pixels, capital_pixels]) = (self.heights, self.pixels);
        let height = if y <= 0.0 {
            y * self.size
        } else if y <= small {
            y * small_pixels / small
        } else if y <= capital {
            small_pixels + (y - small) * (capital_pixels - small_pixels) / (capital - small)
        } else {
            capital_pixels + (y - capital) * self.size
        };
        (
            (self.left + x * self.size) as f32,
            (self.baseline - height) as f32,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::width;

    #[test]
    fn capitals_stand_on_whole_pixels() {
        for size in [11.0, 13.0, 24.0, 40.0] {
            let paths = outline("H", [5.0, 100.0], size, Weight::Regular);
            let bounds = paths[0].bounds();
            assert!((bounds.bottom() - 100.0).abs() < 1e-4);
            assert!((bounds.top() - bounds.top().round()).abs() < 1e-4);
            let height = f64::from(bounds.height());
            assert!((height - 0.727 * size).abs() < 0.51, "{height} at {size}");
        }
    }

    #[test]
    fn letters_lie_within_their_line() {
        for text in ["Pull force (mN)", "κ₁ ≈ 3·10⁻⁴ µm", "Tension", "Ågren"] {
            for weight in [Weight::Regular, Weight::SemiBold] {
                let paths = outline(text, [10.0, 50.0], 20.0, weight);
                let right = paths.iter().map(|p| p.bounds().right());
                let right = f64::from(right.fold(0.0, f32::max)) - 10.0;
                let end = width(text, 20.0, weight);
                assert!(
                    (0.0..3.0).contains(&(end - right)),
                    "{text}: {right} of {end}"
                );
            }
        }
        assert!(outline(" ", [0.0; 2], 20.0, Weight::Regular).is_empty());
    }
}
