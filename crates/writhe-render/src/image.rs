//! The finished picture.

use std::fmt;
use std::io::Write;
use std::ops::Range;

use crate::color::{Color, decode, encode};
use crate::error::RenderError;

/// Pixels (with supersamples) that one picture may have.
const MAX_SAMPLES: u64 = 1 << 28;

/// An image of sRGB-encoded bytes with straight (not premultiplied) alpha, row by row from the top
/// left.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({} x {})", self.width, self.height)
    }
}

impl Image {
    /// An image of one colour, `None` for full transparency.
    ///
    /// # Errors
    /// [`RenderError::ImageSize`] if a side is zero or the image exceeds the limit.
    pub fn new(width: u32, height: u32, color: Option<Color>) -> Result<Self, RenderError> {
        check_size(width, height, 1)?;
        let pixel = color.map_or([0; 4], |c| {
            let [r, g, b] = c.to_srgb();
            [r, g, b, 255]
        });
        Ok(Self {
            width,
            height,
            rgba: pixel.repeat(width as usize * height as usize),
        })
    }

    /// Takes `4 * width * height` bytes.
    pub(crate) fn from_rgba(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        Self {
            width,
            height,
            rgba,
        }
    }

    /// Width, pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height, pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Bytes of all pixels, red green blue alpha, row by row.
    pub fn as_bytes(&self) -> &[u8] {
        &self.rgba
    }

    /// Red, green, blue, alpha of one pixel; `None` outside of the image.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let at = self.offset(i64::from(x), i64::from(y))?;
        Some([
            self.rgba[at],
            self.rgba[at + 1],
            self.rgba[at + 2],
            self.rgba[at + 3],
        ])
    }

    /// Writes the image as a PNG file.
    ///
    /// # Errors
    /// [`RenderError::Png`] if the writer fails.
    pub fn write_png(&self, writer: impl Write) -> Result<(), RenderError> {
        let mut encoder = png::Encoder::new(writer, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut png = encoder.write_header()?;
        png.write_image_data(&self.rgba)?;
        png.finish()?;
        Ok(())
    }

    /// Copies `other` with its top left corner at `(x, y)`, replacing what was there; parts outside
    /// are dropped.
    pub fn paste(&mut self, other: &Self, x: i64, y: i64) {
        for row in 0..i64::from(other.height) {
            for column in 0..i64::from(other.width) {
                if let (Some(to), Some(from)) =
                    (self.offset(x + column, y + row), other.offset(column, row))
                {
                    self.rgba[to..to + 4].copy_from_slice(&other.rgba[from..from + 4]);
                }
            }
        }
    }

    /// From the first to after the last row with a pixel that is not as that in the top left corner;
    /// `None` for one colour.
    pub(crate) fn inked_rows(&self) -> Option<Range<u32>> {
        let background = self.rgba.get(..4)?;
        let inked = |row: &u32| {
            let stride = 4 * self.width as usize;
            let start = *row as usize * stride;
            let mut pixels = self.rgba[start..start + stride].chunks_exact(4);
            pixels.any(|pixel| pixel != background)
        };
        let first = (0..self.height).find(inked)?;
        let last = (0..self.height).rev().find(inked)?;
        Some(first..last + 1)
    }

    /// These rows of it, all within.
    pub(crate) fn of_rows(&self, rows: Range<u32>) -> Self {
        let byte = |row: u32| 4 * row as usize * self.width as usize;
        let rgba = self.rgba[byte(rows.start)..byte(rows.end)].to_vec();
        Self::from_rgba(self.width, rows.end - rows.start, rgba)
    }

    /// Lays `color` with `alpha` (0 to 1) over one pixel, in linear light; outside of the image
    /// nothing happens.
    pub(crate) fn blend(&mut self, x: i64, y: i64, color: Color, alpha: f64) {
        let Some(at) = self.offset(x, y) else { return };
        let pixel = &mut self.rgba[at..at + 4];
        let below = f64::from(pixel[3]) / 255.0;
        // Porter-Duff "over" with straight alpha.
        let total = alpha + below * (1.0 - alpha);
        if total <= 0.0 {
            return;
        }
        for (byte, top) in pixel.iter_mut().zip(color.rgb) {
            *byte = encode((top * alpha + decode(*byte) * below * (1.0 - alpha)) / total);
        }
        pixel[3] = (total * 255.0 + 0.5) as u8;
    }

    fn offset(&self, x: i64, y: i64) -> Option<usize> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        (x < self.width && y < self.height)
            .then(|| 4 * (y as usize * self.width as usize + x as usize))
    }
}

/// Refuses images without pixels and images that would not fit into memory.
pub(crate) fn check_size(width: u32, height: u32, supersample: u32) -> Result<(), RenderError> {
    let (w, h) = (u64::from(width), u64::from(height));
    let too_large = w
        .saturating_mul(h)
        .saturating_mul(u64::from(supersample).pow(2))
        > MAX_SAMPLES;
    if w == 0 || h == 0 || too_large {
        Err(RenderError::ImageSize {
            width: w,
            height: h,
        })
    } else {
        Ok(())
    }
}
