//! Labels as outlines to fill: letters in a stroke font of its own, drawn by a round pen.
//!
//! The font has what labels of figures need: ASCII, Greek letters, signs of mathematics, raised and
//! lowered digits; what it lacks is an empty box.
//!
//! ```
//! use writhe_lettering::{outline, width};
//!
//! let (label, size) = ("50 µm", 24.0);
//! let paths = outline(label, [10.0, 40.0], size, false);
//! let right = paths.iter().map(|p| p.bounds().right()).fold(0.0, f32::max);
//! assert!((f64::from(right) - 10.0 - width(label, size)).abs() < 0.1 * size);
//! ```

mod font;

use tiny_skia::{LineCap, LineJoin, Path, PathBuilder, Stroke};

use font::Glyph;

/// Space between the ink of two letters, font units.
const TRACKING: f64 = 3.5;
/// Radius of a dot, in widths of the pen.
const DOT: f32 = 0.72;

/// Width of the ink of a label without its pen, pixels, at a `size` of an em in pixels; capitals
/// are 0.7 of it.
pub fn width(text: &str, size: f64) -> f64 {
    (advance(text, size) - TRACKING * size / font::EM).max(0.0)
}

/// Way from the start of a label to that of one that follows it, pixels.
pub fn advance(text: &str, size: f64) -> f64 {
    let advance: f64 = text.chars().map(|c| of_glyph(&font::glyph(c))).sum();
    advance * size / font::EM
}

fn of_glyph(glyph: &Glyph) -> f64 {
    // Small raised or lowered digits keep nearly the full space.
    glyph.width * glyph.scale + TRACKING * glyph.scale.sqrt()
}

/// Closed paths that cover a label whose ink begins `at` x and y of its baseline, pixels from the
/// top left corner. Baseline, x-height and capital height lie on whole pixels.
pub fn outline(text: &str, at: [f64; 2], size: f64, bold: bool) -> Vec<Path> {
    let grid = Grid::new(at[0], at[1], size);
    let mut builder = PathBuilder::new();
    let mut dots = Vec::new();
    let mut pen = 0.0;
    for character in text.chars() {
        let glyph = font::glyph(character);
        add_glyph(&mut builder, &mut dots, &grid, &glyph, pen);
        pen += of_glyph(&glyph);
    }
    let nib = (size / font::EM * if bold { 2.4 } else { 1.7 }).max(1.0) as f32;
    let stroke = Stroke {
        width: nib,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    let strokes = builder.finish().and_then(|path| path.stroke(&stroke, 4.0));
    let mut circles = PathBuilder::new();
    dots.iter()
        .for_each(|&(x, y)| circles.push_circle(x, y, DOT * nib));
    strokes.into_iter().chain(circles.finish()).collect()
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

    #[test]
    fn a_label_goes_on_where_the_one_before_ends() {
        let whole = advance("pull force", 20.0);
        let parts = advance("pull ", 20.0) + advance("force", 20.0);
        assert!((whole - parts).abs() < 1e-12);
        assert_eq!(width("", 20.0), 0.0);
        assert!((advance("n", 20.0) - width("n", 20.0) - TRACKING).abs() < 1e-12);
    }

    #[test]
    fn outlines_stand_on_the_baseline_and_within_their_width() {
        for (text, size) in [("nEx8", 13.0), ("H", 40.0)] {
            let paths = outline(text, [5.0, 100.0], size, false);
            let bounds = paths[0].bounds();
            let pen = (1.7 * size / font::EM).max(1.0);
            assert!((f64::from(bounds.bottom()) - 99.5 - 0.5 * pen).abs() < 0.1);
            let wide = width(text, size) + pen;
            assert!((f64::from(bounds.width()) - wide).abs() < 0.3, "{text}");
        }
        assert!(outline(" ", [0.0; 2], 20.0, false).is_empty());
    }
}
