//! A drawing as PNG.

use tiny_skia::{
    Color as Shade, FillRule, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};
use writhe_lettering::{Weight, outline, width};

use crate::color::Color;
use crate::drawing::{Drawing, Mark, Pen, Text};
use crate::error::PlotError;
use crate::markup::{offset, parts};

/// Pixels of a point, on sheets for which that is not too many.
const PIXELS: f64 = 3.0;
/// Pixels of a side, at most.
const MOST_PIXELS: f64 = 8192.0;

/// The drawing as a PNG file, three pixels a point.
pub(crate) fn png(drawing: &Drawing) -> Result<Vec<u8>, PlotError> {
    let longest = drawing.width.max(drawing.height);
    let scale = PIXELS.min(MOST_PIXELS / longest);
    let side = |points: f64| (points * scale).round() as u32;
    let (width, height) = (side(drawing.width), side(drawing.height));
    let pixmap = Pixmap::new(width, height).ok_or(PlotError::Size {
        width: drawing.width,
        height: drawing.height,
    })?;
    let mut canvas = Canvas { pixmap, scale };
    canvas.pixmap.fill(Shade::WHITE);
    for mark in &drawing.marks {
        canvas.draw(mark);
    }
    canvas.encoded()
}

struct Canvas {
    pixmap: Pixmap,
    /// Pixels of a point.
    scale: f64,
}

impl Canvas {
    fn draw(&mut self, mark: &Mark) {
        match mark {
            Mark::Line { points, pen } => self.line(points, pen),
            Mark::Disc { at, radius, color } => {
                let ([x, y], r) = (self.place(*at), self.length(*radius));
                if let Some(circle) = PathBuilder::from_circle(x, y, r) {
                    self.fill(&circle, *color, Transform::identity());
                }
            }
            Mark::Box { at, size, color } => {
                let ([x, y], [w, h]) = (self.place(*at), size.map(|s| self.length(s)));
                if let Some(rect) = Rect::from_xywh(x, y, w, h) {
                    let veil = paint(*color, 217);
                    let still = Transform::identity();
                    self.pixmap.fill_rect(rect, &veil, still, None);
                }
            }
            Mark::Text(text) => self.words(text),
        }
    }

    fn line(&mut self, points: &[[f64; 2]], pen: &Pen) {
        let mut builder = PathBuilder::new();
        for (i, point) in points.iter().enumerate() {
            let [x, y] = self.place(*point);
            if i == 0 {
                builder.move_to(x, y);
            } else {
                builder.line_to(x, y);
            }
        }
        let Some(path) = builder.finish() else { return };
        let dash = pen.dash.map(|dash| dash.map(|length| self.length(length)));
        let stroke = Stroke {
            width: self.length(pen.width),
            line_join: LineJoin::Round,
            dash: dash.and_then(|dash| StrokeDash::new(dash.to_vec(), 0.0)),
            ..Stroke::default()
        };
        let (paint, still) = (paint(pen.color, 255), Transform::identity());
        self.pixmap.stroke_path(&path, &paint, &stroke, still, None);
    }

    /// Letters along x from 0 on, then moved to their place, and turned if they read upwards.
    fn words(&mut self, text: &Text) {
        let size = text.size * self.scale;
        let mut pen = self.scale * offset(text);
        // Baselines on whole pixels keep letters crisp.
        let [x, y] = self.place(text.at).map(f32::round);
        let place = if text.upwards {
            Transform::from_row(0.0, -1.0, 1.0, 0.0, x, y)
        } else {
            Transform::from_translate(x, y)
        };
        for part in parts(&text.text) {
            let (rise, size) = (-size * part.rise, size * part.scale());
            for path in outline(&part.text, [pen, rise], size, Weight::Regular) {
                self.fill(&path, Color::INK, place);
            }
            pen += width(&part.text, size, Weight::Regular);
        }
    }

    fn fill(&mut self, path: &tiny_skia::Path, color: Color, place: Transform) {
        let paint = paint(color, 255);
        self.pixmap
            .fill_path(path, &paint, FillRule::Winding, place, None);
    }

    fn place(&self, at: [f64; 2]) -> [f32; 2] {
        at.map(|x| self.length(x))
    }

    fn length(&self, points: f64) -> f32 {
        (points * self.scale) as f32
    }

    fn encoded(&self) -> Result<Vec<u8>, PlotError> {
        let failed = |error: png::EncodingError| PlotError::Png {
            reason: error.to_string(),
        };
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.pixmap.width(), self.pixmap.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let density = (self.scale * 72.0 / 0.0254).round() as u32;
        encoder.set_pixel_dims(Some(png::PixelDimensions {
            xppu: density,
            yppu: density,
            unit: png::Unit::Meter,
        }));
        // The sheet is opaque.
        let rgb = self.pixmap.data().chunks_exact(4);
        let rgb: Vec<u8> = rgb.flat_map(|p| [p[0], p[1], p[2]]).collect();
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&rgb).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }
}

fn paint(Color([r, g, b]): Color, alpha: u8) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, alpha);
    paint.anti_alias = true;
    paint
}
