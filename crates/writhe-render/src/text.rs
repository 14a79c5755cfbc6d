//! Labels, lines and boxes on a finished image.

use tiny_skia::{FillRule, LineCap, LineJoin, Mask, Path, PathBuilder, Rect, Stroke, Transform};

use crate::color::Color;
use crate::font::{self, Glyph};
use crate::image::Image;

/// Space between the ink of two letters, font units.
const TRACKING: f64 = 3.5;
/// Radius of a dot, in widths of the pen.
const DOT: f32 = 0.72;

/// How a label is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextStyle {
    /// Size of an em, pixels; capitals are 0.7 of it.
    pub size: f64,
    /// Colour.
    pub color: Color,
    /// Whether the pen is broad.
    pub bold: bool,
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

/// Width of a label, pixels, at a `size` in pixels.
pub fn text_width(text: &str, size: f64) -> f64 {
    let advance: f64 = text.chars().map(|c| advance(&font::glyph(c))).sum();
    (advance - TRACKING).max(0.0) * size / font::EM
}

fn advance(glyph: &Glyph) -> f64 {
    // Small raised or lowered digits keep nearly the full space.
    glyph.width * glyph.scale + TRACKING * glyph.scale.sqrt()
}

impl Image {
    /// Writes a label with the point `anchor` of its baseline at `(x, y)`, pixels from the top left corner. Characters that
    /// the built-in font lacks appear as boxes.
    pub fn draw_text(&mut self, text: &str, x: f64, y: f64, anchor: Anchor, style: TextStyle) {
        if !(style.size > 0.0 && style.size < 1e4 && x.is_finite() && y.is_finite()) {
            return;
        }
        let width = text_width(text, style.size);
        let left = match anchor {
            Anchor::Left => x,
            Anchor::Center => x - 0.5 * width,
            Anchor::Right => x - width,
        };
        let grid = Grid::new(left, y, style.size);
        let mut builder = PathBuilder::new();
        let mut dots = Vec::new();
        let mut pen = 0.0;
        for character in text.chars() {
            let glyph = font::glyph(character);
            add_glyph(&mut builder, &mut dots, &grid, &glyph, pen);
            pen += advance(&glyph);
        }
        let nib = (style.size / font::EM * if style.bold { 2.4 } else { 1.7 }).max(1.0) as f32;
        let stroke = Stroke {
            width: nib,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        if let Some(outline) = builder.finish().and_then(|path| path.stroke(&stroke, 4.0)) {
            self.fill_path(&outline, style.color);
        }
        let mut circles = PathBuilder::new();
        dots.iter()
            .for_each(|&(x, y)| circles.push_circle(x, y, DOT * nib));
        if let Some(circles) = circles.finish() {
            self.fill_path(&circles, style.color);
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

/// Font units to pixels, with baseline, x-height and capital height on whole pixels.
struct Grid {
    left: f64,
    /// Middle of the row of pixels on the baseline.
    baseline: f64,
    scale: f64,
    /// Pixels of the x-height and of the capital height.
    x_height: f64,
    cap_height: f64,
}

impl Grid {
    fn new(left: f64, baseline: f64, size: f64) -> Self {
        let scale = size / font::EM;
        let (x_height, cap_height) = (
            (font::X_HEIGHT * scale).round(),
            (font::CAP_HEIGHT * scale).round(),
        );
        Self {
            left,
            baseline: baseline.round() - 0.5,
            scale,
            x_height,
            cap_height,
        }
    }

    fn map(&self, x: f64, y: f64) -> (f32, f32) {
        let above = font::CAP_HEIGHT - font::X_HEIGHT;
        let height = if y <= 0.0 {
            y * self.scale
        } else if y <= font::X_HEIGHT {
            y * self.x_height / font::X_HEIGHT
        } else {
            self.x_height + (y - font::X_HEIGHT) * (self.cap_height - self.x_height) / above
        };
        (
            (self.left + x * self.scale) as f32,
            (self.baseline - height) as f32,
        )
    }
}

/// Adds the strokes and dots of a glyph whose ink begins at `pen` (font units).
fn add_glyph(
    builder: &mut PathBuilder,
    dots: &mut Vec<(f32, f32)>,
    grid: &Grid,
    glyph: &Glyph,
    pen: f64,
) {
    let at = |x: f64, y: f64| grid.map(pen + x * glyph.scale, glyph.rise + y * glyph.scale);
    let mut joined = false;
    for stroke in &glyph.strokes {
        match *stroke {
            font::Stroke::Move(x, y) => {
                let (x, y) = at(x, y);
                builder.move_to(x, y);
            }
            font::Stroke::Line(x, y) => {
                let (x, y) = at(x, y);
                builder.line_to(x, y);
            }
            font::Stroke::Cubic([x1, y1, x2, y2, x, y]) => {
                let ((x1, y1), (x2, y2), (x, y)) = (at(x1, y1), at(x2, y2), at(x, y));
                builder.cubic_to(x1, y1, x2, y2, x, y);
            }
            font::Stroke::Ellipse([cx, cy, rx, ry]) => {
                add_arc(builder, &at, [cx, cy, rx, ry, 0.0, 360.0], false);
                builder.close();
            }
            font::Stroke::Arc(arc) => add_arc(builder, &at, arc, joined),
            font::Stroke::Dot(x, y) => dots.push(at(x, y)),
            font::Stroke::Close => builder.close(),
        }
        joined = matches!(
            stroke,
            font::Stroke::Move(..)
                | font::Stroke::Line(..)
                | font::Stroke::Cubic(_)
                | font::Stroke::Arc(_)
        );
    }
}

/// Adds an elliptic arc as cubic curves of at most a quarter each.
fn add_arc(
    builder: &mut PathBuilder,
    at: &impl Fn(f64, f64) -> (f32, f32),
    [cx, cy, rx, ry, from, to]: [f64; 6],
    joined: bool,
) {
    let parts = ((to - from).abs() / 90.0).ceil().max(1.0);
    let step = (to - from).to_radians() / parts;
    // Distance of the control points, as a part of the radius.
    let handle = 4.0 / 3.0 * (0.25 * step).tan();
    let point = |angle: f64, side: f64| {
        let (sin, cos) = angle.sin_cos();
        at(
            cx + rx * (cos - side * handle * sin),
            cy + ry * (sin + side * handle * cos),
        )
    };
    let mut angle = from.to_radians();
    let (x, y) = point(angle, 0.0);
    if joined {
        builder.line_to(x, y);
    } else {
        builder.move_to(x, y);
    }
    for _ in 0..parts as usize {
        let ((x1, y1), (x2, y2), (x, y)) = (
            point(angle, 1.0),
            point(angle + step, -1.0),
            point(angle + step, 0.0),
        );
        builder.cubic_to(x1, y1, x2, y2, x, y);
        angle += step;
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
