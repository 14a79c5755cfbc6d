//! Pictures in motion, as GIF.
//!
//! A GIF knows 256 colours. They are chosen once, from some frames of the movie, and serve all of
//! it: with colours of their own in each frame, what stands still would flicker. Each frame holds
//! what differs from the one before.

mod palette;
mod quantise;

use std::io::Write;

use ::gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::error::RenderError;
use crate::image::Image;

pub use palette::GifPalette;
use palette::NOTHING;

/// Ticks of a GIF's clock in a second.
const TICKS: f64 = 100.0;
/// Frames in a second that viewers still show at their pace: they slow down delays of less than two
/// ticks.
const FPS: std::ops::RangeInclusive<f64> = 0.01..=50.0;

/// Writes a GIF that repeats for ever, frame by frame.
pub struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    palette: GifPalette,
    fps: f64,
    size: (u32, u32),
    /// Palette indices of what is shown, row by row; `None` before the first frame.
    shown: Option<Vec<u8>>,
    frames: u32,
}

impl<W: Write> GifWriter<W> {
    /// A movie of `width` times `height` pixels with `fps` frames in a second.
    ///
    /// # Errors
    /// [`RenderError::ImageSize`] beyond 65535 pixels a side, [`RenderError::BadOption`] if `fps`
    /// is not within 0.01 to 50, [`RenderError::Gif`] if the writer fails.
    pub fn new(
        writer: W,
        (width, height): (u32, u32),
        fps: f64,
        palette: GifPalette,
    ) -> Result<Self, RenderError> {
        let (Ok(w), Ok(h)) = (u16::try_from(width), u16::try_from(height)) else {
            return Err(RenderError::ImageSize {
                width: u64::from(width),
                height: u64::from(height),
            });
        };
        if !FPS.contains(&fps) {
            return Err(RenderError::BadOption {
                name: "fps",
                value: fps,
            });
        }
        let mut encoder = Encoder::new(writer, w, h, palette.bytes())?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self {
            encoder,
            palette,
            fps,
            size: (width, height),
            shown: None,
            frames: 0,
        })
    }

    /// Adds a frame. Pixels less than half opaque are transparent.
    ///
    /// # Errors
    /// [`RenderError::ImageSize`] if the image has not the size of the movie, [`RenderError::Gif`]
    /// if the writer fails.
    pub fn add(&mut self, image: &Image) -> Result<(), RenderError> {
        if (image.width(), image.height()) != self.size {
            return Err(RenderError::ImageSize {
                width: u64::from(image.width()),
                height: u64::from(image.height()),
            });
        }
        let indices = self.palette.indices(image);
        // A frame can only add to what is shown. Where something vanishes, all of it is drawn anew
        // on nothing.
        let vanishing = self.palette.transparent();
        let (drawn, dispose) = match &self.shown {
            Some(shown) if !vanishing => {
                let pairs = indices.iter().zip(shown);
                let new = pairs.map(|(&now, &then)| if now == then { NOTHING } else { now });
                (new.collect(), DisposalMethod::Keep)
            }
            _ if vanishing => (indices.clone(), DisposalMethod::Background),
            _ => (indices.clone(), DisposalMethod::Keep),
        };
        let (part, buffer) = crop(&drawn, self.size.0 as usize);
        self.encoder.write_frame(&Frame {
            delay: self.delay(),
            dispose,
            transparent: Some(NOTHING),
            // Within the size of the movie, which fits.
            left: part.left as u16,
            top: part.top as u16,
            width: part.width as u16,
            height: part.height as u16,
            buffer: buffer.into(),
            ..Frame::default()
        })?;
        self.shown = Some(indices);
        self.frames += 1;
        Ok(())
    }

    /// Ends the movie and gives the writer back.
    ///
    /// # Errors
    /// [`RenderError::Gif`] if the writer fails.
    pub fn finish(self) -> Result<W, RenderError> {
        Ok(self.encoder.into_inner()?)
    }

    /// How long the next frame stays, ticks: such that every frame begins at the tick nearest to
    /// its time.
    fn delay(&self) -> u16 {
        let tick = |frame: u32| (TICKS * f64::from(frame) / self.fps).round();
        (tick(self.frames + 1) - tick(self.frames)) as u16
    }
}

/// A part of a picture, pixels.
struct Part {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// The smallest part that holds everything but [`NOTHING`], and its indices; one pixel if there is
/// nothing.
fn crop(indices: &[u8], width: usize) -> (Part, Vec<u8>) {
    let used = |(_, row): &(usize, &[u8])| row.iter().any(|&i| i != NOTHING);
    let rows = || indices.chunks_exact(width).enumerate();
    let (Some((top, _)), Some((bottom, _))) = (rows().find(used), rows().rfind(used)) else {
        let part = Part {
            left: 0,
            top: 0,
            width: 1,
            height: 1,
        };
        return (part, vec![NOTHING]);
    };
    let columns = || rows().flat_map(|(_, row)| row.iter().enumerate());
    let columns = || columns().filter(|&(_, &i)| i != NOTHING).map(|(x, _)| x);
    let left = columns().min().unwrap_or(0);
    let right = columns().max().unwrap_or(width - 1);
    let part = Part {
        left,
        top,
        width: right - left + 1,
        height: bottom - top + 1,
    };
    let inside = rows().skip(top).take(part.height);
    let cut = inside.flat_map(|(_, row)| &row[left..=right]).copied();
    (part, cut.collect())
}

#[cfg(test)]
mod tests;
