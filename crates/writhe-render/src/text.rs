//! Labels, lines and boxes on a finished image.

use tiny_skia::{FillRule, Mask, Path, PathBuilder, Rect, Stroke, Transform};
use writhe_lettering::{Weight, outline, width};

use crate::color::Color;
use crate::image::Image;

/// How a label is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextStyle {
    /// Size of an em, pixels; capitals are 0.73 of it.
    pub size: f64,
    /// Colour.
    pub color: Color,
    /// Whether it is semi-bold.
    pub bold: bool,
}

impl TextStyle {
    /// Width of a label in this style, pixels.
    pub fn width(&self, text: &str) -> f64 {
        width(text, self.size, self.weight())
    }

    fn weight(&self) -> Weight {
        match self.bold {
            true => Weight::SemiBold,
            false => Weight::Regular,
        }
    }
}

/// Width of a label that is not bold, pixels, at a `size` of an em in pixels.
pub fn text_width(text: &str, size: f64) -> f64 {
    width(text, size, Weight::Regular)
}

/// Which point of a label is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Left end of the baseline.
    Left,
    /// Middle of the baseline.
    Center,
    /// Right end of the baseline.
    Right,
}

impl Image {
    /// Writes a label with the point `anchor` of its baseline at `(x, y)`, pixels from the top left
    /// corner. Characters that the built-in font lacks appear as boxes.
    pub fn draw_text(&mut self, text: &str, x: f64, y: f64, anchor: Anchor, style: TextStyle) {
        if !(style.size > 0.0 && style.size < 1e4 && x.is_finite() && y.is_finite()) {
            return;
        }
        let width = style.width(text);
        let left = match anchor {
            Anchor::Left => x,
            Anchor::Center => x - 0.5 * width,
            Anchor::Right => x - width,
        };
        for path in outline(text, [left, y], style.size, style.weight()) {
            self.fill_path(&path, style.color);
        }
    }

    /// Draws a straight line between two points (pixels) with a width in pixels and butt ends.
    pub fn draw_line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, color: Color) {
        let mut builder = PathBuilder::new();
        builder.move_to(from.0 as f32, from.1 as f32);
        builder.line_to(to.0 as f32, to.1 as f32);
        let stroke = Stroke {
            width: width as f32,
            ..Stroke::default()
        };
        if let Some(outline) = builder.finish().and_then(|path| path.stroke(&stroke, 1.0)) {
            self.fill_path(&outline, color);
        }
    }

    /// Fills a box given by its corner and size, pixels.
    pub fn fill_box(&mut self, x: f64, y: f64, width: f64, height: f64, color: Color) {
        if let Some(rect) = Rect::from_xywh(x as f32, y as f32, width as f32, height as f32) {
            self.fill_path(&PathBuilder::from_rect(rect), color);
        }
    }

    /// Fills a path, blended in linear light.
    fn fill_path(&mut self, path: &Path, color: Color) {
        let bounds = path.bounds();
        let (left, top) = (
            bounds.left().floor().max(0.0),
            bounds.top().floor().max(0.0),
        );
        let right = bounds.right().ceil().min(self.width() as f32);
        let bottom = bounds.bottom().ceil().min(self.height() as f32);
        if !(right > left && bottom > top) {
            return;
        }
        let Some(mut mask) = Mask::new((right - left) as u32, (bottom - top) as u32) else {
            return;
        };
        mask.fill_path(
            path,
            FillRule::Winding,
            true,
            Transform::from_translate(-left, -top),
        );
        let width = mask.width() as usize;
        for (i, &coverage) in mask
            .data()
            .iter()
            .enumerate()
            .filter(|(_, coverage)| **coverage > 0)
        {
            let (x, y) = (
                left as i64 + (i % width) as i64,
                top as i64 + (i / width) as i64,
            );
            self.blend(x, y, color, f64::from(coverage) / 255.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(size: f64) -> TextStyle {
        TextStyle {
            size,
            color: Color::BLACK,
            bold: false,
        }
    }

    fn ink(image: &Image) -> f64 {
        image
            .as_bytes()
            .chunks_exact(4)
            .map(|p| 1.0 - f64::from(p[0]) / 255.0)
            .sum()
    }

    #[test]
    fn every_character_leaves_ink() {
        for character in ('!'..='~').chain("µ×°θ²".chars()) {
            let mut image = Image::new(40, 40, Some(Color::WHITE)).unwrap();
            image.draw_text(
                &character.to_string(),
                10.0,
                28.0,
                Anchor::Left,
                style(20.0),
            );
            assert!(ink(&image) > 1.0, "{character}");
        }
    }

    #[test]
    fn anchors_move_the_text_by_its_width() {
        let width = text_width("50 mm", 20.0);
        let mut left = Image::new(200, 40, Some(Color::WHITE)).unwrap();
        let mut right = left.clone();
        left.draw_text("50 mm", 20.0, 30.0, Anchor::Left, style(20.0));
        right.draw_text("50 mm", 20.0 + width, 30.0, Anchor::Right, style(20.0));
        assert_eq!(left, right);
    }

    #[test]
    fn text_outside_of_the_image_is_dropped() {
        let mut image = Image::new(20, 20, None).unwrap();
        image.draw_text("far away", 900.0, -50.0, Anchor::Left, style(14.0));
        image.draw_text("nowhere", f64::NAN, 0.0, Anchor::Left, style(14.0));
        assert!(image.as_bytes().iter().all(|&b| b == 0));
    }
}
