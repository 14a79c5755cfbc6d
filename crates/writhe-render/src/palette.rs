//! Colours for rods and maps for scalars.

use crate::color::Color;

/// Colour of the `index`-th rod: the colour-blind-safe set of Okabe and Ito, in an order that keeps
/// the first rods far apart, repeated after seven.
pub fn rod_color(index: usize) -> Color {
    const SET: [[u8; 3]; 7] = [
        [0, 114, 178],   // blue
        [230, 159, 0],   // orange
        [0, 158, 115],   // bluish green
        [213, 94, 0],    // vermilion
        [86, 180, 233],  // sky blue
        [204, 121, 167], // reddish purple
        [240, 228, 66],  // yellow
    ];
    let [r, g, b] = SET[index % SET.len()];
    Color::srgb(r, g, b)
}

/// A map from a scalar in 0 to 1 to a colour, with even steps of lightness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorMap {
    /// Dark violet over teal to yellow; lightness grows linearly.
    #[default]
    Sequential,
    /// Blue over light grey to red, symmetric in lightness; for signed quantities.
    Diverging,
}

impl ColorMap {
    /// Colour at `t`, which is clipped to 0 to 1; NaN gives the colour at 0.
    pub fn color(self, t: f64) -> Color {
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) };
        match self {
            Self::Sequential => {
                // Chroma stays inside the sRGB gamut: 0.15 (violet), 0.105 (teal), 0.175 (yellow).
                let chroma = quadratic([0.15, 0.105, 0.175], t);
                Color::oklch(0.36 + 0.54 * t, chroma, (295.0 - 190.0 * t).to_radians())
            }
            Self::Diverging => {
                let away = (2.0 * t - 1.0).abs();
                let hue: f64 = if t < 0.5 { 255.0 } else { 30.0 };
                Color::oklch(0.90 - 0.42 * away, 0.15 * away, hue.to_radians())
            }
        }
    }
}

/// The parabola through the three values at 0, 1/2 and 1.
fn quadratic([a, b, c]: [f64; 3], t: f64) -> f64 {
    a * (1.0 - t) * (1.0 - 2.0 * t) + 4.0 * b * t * (1.0 - t) + c * t * (2.0 * t - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_map_gets_lighter_all_the_way() {
        let luminance: Vec<f64> = (0..=20)
            .map(|i| ColorMap::Sequential.color(f64::from(i) / 20.0).luminance())
            .collect();
        assert!(luminance.windows(2).all(|pair| pair[1] > pair[0]));
    }

    #[test]
    fn rods_repeat_after_seven() {
        assert_eq!(rod_color(1), rod_color(8));
        assert_ne!(rod_color(0), rod_color(1));
    }
}
