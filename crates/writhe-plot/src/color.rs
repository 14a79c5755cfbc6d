//! Colours that the colour-blind tell apart, and that stay apart in grey as far as they can.

/// Red, green and blue of a colour, sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

impl Color {
    /// Axes and text.
    pub const INK: Self = Self([34, 34, 34]);
    /// Lines behind the curves.
    pub const GRID: Self = Self([225, 225, 225]);

    /// How many colours there are for a few curves.
    pub const FEW: usize = 7;

    /// The `index`-th of a few curves: the set of Okabe and Ito without its yellow, which is faint
    /// on white; repeated after seven.
    pub fn of_few(index: usize) -> Self {
        const SET: [[u8; 3]; Color::FEW] = [
            [0, 114, 178],   // blue
            [213, 94, 0],    // vermilion
            [0, 158, 115],   // bluish green
            [204, 121, 167], // reddish purple
            [230, 159, 0],   // orange
            [86, 180, 233],  // sky blue
            [0, 0, 0],       // black
        ];
        Self(SET[index % SET.len()])
    }

    /// A colour of a family that a parameter orders: `at` from 0 to 1 goes from dark violet over
    /// teal to light green, ever lighter.
    pub fn of_family(at: f64) -> Self {
        const STOPS: [[f64; 3]; 5] = [
            [68.0, 1.0, 84.0],
            [59.0, 82.0, 139.0],
            [33.0, 145.0, 140.0],
            [94.0, 201.0, 98.0],
            [170.0, 210.0, 40.0],
        ];
        let last = STOPS.len() - 1;
        let at = if at.is_nan() { 0.0 } else { at.clamp(0.0, 1.0) } * last as f64;
        let below = (at as usize).min(last - 1);
        let part = at - below as f64;
        let mix = |i: usize| STOPS[below][i] + part * (STOPS[below + 1][i] - STOPS[below][i]);
        Self([0, 1, 2].map(|i| mix(i).round() as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_get_lighter() {
        let light = |at: f64| {
            let [r, g, b] = Color::of_family(at).0.map(f64::from);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let all: Vec<f64> = (0..=20).map(|i| light(f64::from(i) / 20.0)).collect();
        assert!(all.windows(2).all(|pair| pair[1] > pair[0]), "{all:?}");
        assert_eq!(Color::of_family(f64::NAN), Color::of_family(0.0));
    }
}
