//! The colours of a GIF.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::quantise::quantised;
use crate::image::Image;

/// Index of what leaves a pixel as it was.
pub(super) const NOTHING: u8 = 0;
/// Index of the commonest colour, which is kept as it is: a background stays white.
const COMMONEST: u8 = 1;
/// First index of the other colours, and how many they are.
const FIRST: usize = 2;
const OTHERS: usize = 254;
/// Alpha from which a pixel is opaque.
const OPAQUE: u8 = 128;

/// The colours of a movie, for all of its frames.
pub struct GifPalette {
    /// Red, green, blue of each index.
    bytes: Vec<u8>,
    transparent: bool,
}

impl fmt::Debug for GifPalette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GifPalette({} colours)", self.bytes.len() / 3)
    }
}

impl GifPalette {
    /// Colours that suit these frames of a movie: theirs, if they are few, otherwise means of
    /// neighbouring ones.
    pub fn of(frames: &[Image]) -> Self {
        // Ordered, so that of colours that are equally common always the same one is chosen.
        let mut counts = BTreeMap::new();
        let mut transparent = false;
        for pixel in frames.iter().flat_map(pixels) {
            match opaque(pixel) {
                Some(color) => *counts.entry(color).or_insert(0_u64) += 1,
                None => transparent = true,
            }
        }
        let commonest = counts.iter().max_by_key(|(_, count)| **count);
        let commonest = commonest.map_or([255; 3], |(color, _)| *color);
        counts.remove(&commonest);
        let mut bytes = vec![0; 3];
        bytes.extend(commonest);
        let counts: Vec<_> = counts.into_iter().collect();
        bytes.extend(quantised(&counts, OTHERS).into_iter().flatten());
        Self { bytes, transparent }
    }

    /// Whether some pixels show what is behind the movie.
    pub(super) fn transparent(&self) -> bool {
        self.transparent
    }

    /// Red, green, blue of each index.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The index of each pixel, row by row; [`NOTHING`] where the image is transparent.
    pub(super) fn indices(&self, image: &Image) -> Vec<u8> {
        // Looked up by key and never walked through: its order does not matter.
        let mut known = HashMap::new();
        let mut index = |color| *known.entry(color).or_insert_with(|| self.nearest(color));
        pixels(image)
            .map(|pixel| opaque(pixel).map_or(NOTHING, &mut index))
            .collect()
    }

    fn nearest(&self, color: [u8; 3]) -> u8 {
        let distance = |other: &[u8]| -> u32 {
            let pairs = other.iter().zip(color);
            pairs.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
        };
        let others = self.bytes.chunks_exact(3).zip(0_u8..=255);
        let others = others.skip(usize::from(COMMONEST));
        let nearest = others.min_by_key(|(other, _)| distance(other));
        nearest.map_or(COMMONEST, |(_, index)| index)
    }
}

const _: () = assert!(FIRST + OTHERS == 256);

fn pixels(image: &Image) -> impl Iterator<Item = &[u8]> {
    image.as_bytes().chunks_exact(4)
}

/// Red, green, blue of a pixel that is more opaque than not.
fn opaque(pixel: &[u8]) -> Option<[u8; 3]> {
    match *pixel {
        [r, g, b, alpha] if alpha >= OPAQUE => Some([r, g, b]),
        _ => None,
    }
}
