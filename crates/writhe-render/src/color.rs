//! Colours in linear light, and their sRGB encoding.

/// An opaque colour in linear light, each channel 0 to 1.
///
/// Everything is mixed in linear light; only [`crate::Image`] holds sRGB-encoded bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Color {
    /// Red, green, blue; linear light, 0 to 1.
    pub rgb: [f64; 3],
}

impl Color {
    /// White.
    pub const WHITE: Self = Self { rgb: [1.0; 3] };
    /// Black.
    pub const BLACK: Self = Self { rgb: [0.0; 3] };

    /// From sRGB bytes, as in a style sheet.
    pub fn srgb(red: u8, green: u8, blue: u8) -> Self {
        Self {
            rgb: [decode(red), decode(green), decode(blue)],
        }
    }

    /// From the perceptual space OKLab in polar form: lightness 0 to 1, chroma (0 is grey, 0.3 is
    /// vivid), hue in radians (Ottosson 2020). Channels outside the sRGB gamut are clipped.
    pub fn oklch(lightness: f64, chroma: f64, hue: f64) -> Self {
        let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
        let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
        Self {
            rgb: [
                4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
                -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
                -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
            ]
            .map(|c: f64| c.clamp(0.0, 1.0)),
        }
    }

    /// Relative luminance, 0 to 1.
    pub fn luminance(self) -> f64 {
        let [r, g, b] = self.rgb;
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// `self` at `t = 0`, `other` at `t = 1`.
    pub fn mix(self, other: Self, t: f64) -> Self {
        Self {
            rgb: std::array::from_fn(|k| self.rgb[k] + (other.rgb[k] - self.rgb[k]) * t),
        }
    }

    /// sRGB bytes.
    pub fn to_srgb(self) -> [u8; 3] {
        self.rgb.map(encode)
    }
}

/// Linear light of an sRGB byte.
pub(crate) fn decode(byte: u8) -> f64 {
    let s = f64::from(byte) / 255.0;
    if s <= 0.040_45 {
        s / 12.92
    } else {
        ((s + 0.055) / 1.055).powf(2.4)
    }
}

/// sRGB byte of a linear light, which is clipped to 0 to 1.
pub(crate) fn encode(linear: f64) -> u8 {
    let c = linear.clamp(0.0, 1.0);
    let s = if c <= 0.003_130_8 {
        12.92 * c
    } else {
        1.055 * c.powf(1.0 / 2.4) - 0.055
    };
    // In 0 to 255.5 by the clamp, so the cast is exact truncation.
    (s * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_decoding_and_encoding() {
        for byte in 0..=255 {
            assert_eq!(encode(decode(byte)), byte);
        }
    }

    #[test]
    fn oklch_without_chroma_is_grey_and_ends_are_black_and_white() {
        let [r, g, b] = Color::oklch(0.5, 0.0, 1.0).to_srgb();
        assert!(r == g && g == b);
        assert_eq!(Color::oklch(1.0, 0.0, 0.0).to_srgb(), [255; 3]);
        assert_eq!(Color::oklch(0.0, 0.0, 0.0).to_srgb(), [0; 3]);
    }
}
