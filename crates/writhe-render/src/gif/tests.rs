use ::gif::{ColorOutput, DecodeOptions};

use super::*;
use crate::color::Color;

/// Frames of a GIF as a viewer composes them: delay in ticks, and red, green, blue, alpha of all
/// pixels.
fn shown(bytes: &[u8]) -> Vec<(u16, Vec<[u8; 4]>)> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut canvas = vec![[0; 4]; width * height];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let own = usize::from(frame.width);
        let place = |i: usize| {
            (usize::from(frame.top) + i / own) * width + usize::from(frame.left) + i % own
        };
        for (i, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            if pixel[3] > 0 {
                canvas[place(i)] = pixel.try_into().unwrap();
            }
        }
        frames.push((frame.delay, canvas.clone()));
        if frame.dispose == DisposalMethod::Background {
            (0..frame.buffer.len() / 4).for_each(|i| canvas[place(i)] = [0; 4]);
        }
    }
    frames
}

fn movie(images: &[Image], fps: f64) -> Vec<(u16, Vec<[u8; 4]>)> {
    let size = (images[0].width(), images[0].height());
    let mut gif = GifWriter::new(Vec::new(), size, fps, GifPalette::of(images)).unwrap();
    images.iter().for_each(|image| gif.add(image).unwrap());
    shown(&gif.finish().unwrap())
}

/// A square at `x` on a background.
fn square(x: i64, background: Option<Color>) -> Image {
    let mut image = Image::new(40, 30, background).unwrap();
    for pixel in 0..64 {
        image.blend(x + pixel % 8, 9 + pixel / 8, Color::srgb(10, 20, 200), 1.0);
    }
    image
}

fn pixels(image: &Image) -> Vec<[u8; 4]> {
    let all = image.as_bytes().chunks_exact(4);
    all.map(|p| p.try_into().unwrap()).collect()
}

#[test]
fn few_colours_come_back_as_they_were_on_any_background() {
    for background in [Some(Color::WHITE), None] {
        let images: Vec<_> = [2, 3, 3, 30].map(|x| square(x, background)).into();
        let frames = movie(&images, 25.0);
        assert_eq!(frames.len(), 4);
        for (image, (delay, frame)) in images.iter().zip(&frames) {
            assert_eq!(*delay, 4);
            assert!(pixels(image) == *frame, "{background:?}");
        }
    }
}

#[test]
fn many_colours_stay_near_and_where_nothing_moves_stay_the_same() {
    let image = |x: i64| {
        let mut image = square(x, Some(Color::WHITE));
        for pixel in 0..40 * 20 {
            let (column, row) = (pixel % 40, pixel / 40);
            let color = Color::srgb(6 * column as u8, 12 * row as u8, 90);
            if !(8..=18).contains(&row) {
                image.blend(column, row, color, 1.0);
            }
        }
        image
    };
    let images: Vec<_> = (0..6).map(image).collect();
    let frames = movie(&images, 10.0);
    let mut largest = 0;
    for (image, (_, frame)) in images.iter().zip(&frames) {
        for (a, b) in pixels(image).iter().zip(frame) {
            let off = (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap();
            largest = largest.max(off);
        }
        // The commonest colour is exact.
        assert_eq!(frame[25 * 40], [255; 4]);
        // Above the square.
        assert!(frame[..8 * 40] == frames[0].1[..8 * 40]);
    }
    assert!(largest > 0 && largest < 40, "{largest}");
}

#[test]
fn delays_add_up() {
    let images: Vec<_> = (0..30).map(|x| square(x, Some(Color::WHITE))).collect();
    let delays: Vec<u16> = movie(&images, 30.0).iter().map(|f| f.0).collect();
    assert_eq!(delays.iter().sum::<u16>(), 100);
    assert!(delays.iter().all(|d| (3..=4).contains(d)), "{delays:?}");
}

#[test]
fn frames_hold_what_changes() {
    let still = square(4, Some(Color::WHITE));
    let bytes = |count: usize| {
        let palette = GifPalette::of(std::slice::from_ref(&still));
        let mut gif = GifWriter::new(Vec::new(), (40, 30), 25.0, palette).unwrap();
        (0..count).for_each(|_| gif.add(&still).unwrap());
        gif.finish().unwrap().len()
    };
    assert!(bytes(11) - bytes(1) < 10 * 30, "{}", bytes(11) - bytes(1));
}

#[test]
fn bad_input_is_an_error() {
    let still = square(4, None);
    let palette = || GifPalette::of(std::slice::from_ref(&still));
    for fps in [0.0, 51.0, f64::NAN] {
        let gif = GifWriter::new(Vec::new(), (40, 30), fps, palette());
        assert!(matches!(
            gif.err(),
            Some(RenderError::BadOption { name: "fps", .. })
        ));
    }
    assert!(GifWriter::new(Vec::new(), (70_000, 30), 9.0, palette()).is_err());
    let mut gif = GifWriter::new(Vec::new(), (30, 40), 9.0, palette()).unwrap();
    assert!(gif.add(&still).is_err());
}
