//! A drawing as PDF: text stays text, in the one font of all formats, of which the document holds the
//! letters that it needs.

mod embed;

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::LineJoinStyle;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use writhe_lettering::{Font, Weight, letters};

use crate::color::Color;
use crate::drawing::{Drawing, Mark, Pen, Text, VEIL};
use crate::error::PlotError;
use crate::markup::{parts, plain};
use embed::Embedded;

/// Opacity of veils, as an entry of the page's resources.
const VEILED: Name<'static> = Name(b"Veil");
/// Distance of the control points of a quarter of a circle, in radii.
const QUARTER: f64 = 0.552_284_749_831;
/// How hard streams are packed, from 0 to 10.
const PACKED: u8 = 6;

/// The drawing as a document of one page, its size in points.
///
/// # Errors
/// When the font cannot be cut down.
pub(crate) fn pdf(drawing: &Drawing) -> Result<Vec<u8>, PlotError> {
    let mut ids = (1..).map(Ref::new);
    let mut next = || ids.next().unwrap_or(Ref::new(1));
    let [catalog, pages, page, content, veil, info] = [(); 6].map(|()| next());
    let mut writer = Writer {
        height: drawing.height,
        out: Content::new(),
        fonts: [Weight::Regular, Weight::SemiBold].map(Embedded::new),
    };
    writer.marks(&drawing.marks);
    let used = writer.fonts.iter().filter(|font| font.is_used());
    let fonts: Vec<(&Embedded, [Ref; 5])> =
        used.map(|font| (font, [(); 5].map(|()| next()))).collect();
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut sheet = pdf.page(page);
    let (width, height) = (drawing.width as f32, drawing.height as f32);
    sheet
        .parent(pages)
        .media_box(Rect::new(0.0, 0.0, width, height))
        .contents(content);
    let mut resources = sheet.resources();
    let mut names = resources.fonts();
    for (font, [id, ..]) in &fonts {
        names.pair(font.resource(), *id);
    }
    names.finish();
    resources.ext_g_states().pair(VEILED, veil);
    resources.finish();
    sheet.finish();
    for (font, ids) in &fonts {
        font.write(&mut pdf, *ids)?;
    }
    pdf.ext_graphics(veil).non_stroking_alpha(VEIL as f32);
    let mut about = pdf.document_info(info);
    about.producer(TextStr("Writhe"));
    if !drawing.title.is_empty() {
        about.title(TextStr(&plain(&drawing.title)));
    }
    about.finish();
    let packed = compress_to_vec_zlib(&writer.out.finish(), PACKED);
    pdf.stream(content, &packed).filter(Filter::FlateDecode);
    Ok(pdf.finish())
}

/// Marks as operators of a page. Drawings have y downwards from the top, pages upwards from the
/// bottom.
struct Writer {
    height: f64,
    out: Content,
    fonts: [Embedded; 2],
}

impl Writer {
    fn marks(&mut self, marks: &[Mark]) {
        self.out.set_line_join(LineJoinStyle::RoundJoin);
        for mark in marks {
            match mark {
                Mark::Line { points, pen } => self.line(points, pen),
                Mark::Disc { at, radius, color } => self.disc(*at, *radius, *color),
                Mark::Polygon { points, color } => {
                    self.fill(*color);
                    self.path(points);
                    self.out.close_path().fill_nonzero();
                }
                Mark::Veil { at, size, color } => self.veil(*at, *size, *color),
                Mark::Text(text) => self.words(text),
            }
        }
    }

    fn place(&self, [x, y]: [f64; 2]) -> (f32, f32) {
        (short(x), short(self.height - y))
    }

    fn path(&mut self, points: &[[f64; 2]]) {
        for (i, point) in points.iter().enumerate() {
            let (x, y) = self.place(*point);
            match i {
                0 => self.out.move_to(x, y),
                _ => self.out.line_to(x, y),
            };
        }
    }

    fn line(&mut self, points: &[[f64; 2]], pen: &Pen) {
        let [r, g, b] = rgb(pen.color);
        let out = &mut self.out;
        out.set_stroke_rgb(r, g, b).set_line_width(short(pen.width));
        out.set_dash_pattern(pen.dash.into_iter().flatten().map(short), 0.0);
        self.path(points);
        self.out.stroke();
    }

    fn disc(&mut self, at: [f64; 2], radius: f64, color: Color) {
        let place = |along: f64, over: f64| {
            let [x, y] = [at[0] + along, self.height - at[1] + over];
            (short(x), short(y))
        };
        let (r, k) = (radius, QUARTER * radius);
        let quarters = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        // From the direction (cos, sin) a quarter to the left.
        let curves = quarters.map(|(cos, sin)| {
            [
                place(r * cos - k * sin, r * sin + k * cos),
                place(-r * sin + k * cos, r * cos + k * sin),
                place(-r * sin, r * cos),
            ]
        });
        let (x, y) = place(r, 0.0);
        self.fill(color);
        self.out.move_to(x, y);
        for [(x1, y1), (x2, y2), (x3, y3)] in curves {
            self.out.cubic_to(x1, y1, x2, y2, x3, y3);
        }
        self.out.fill_nonzero();
    }

    fn veil(&mut self, at: [f64; 2], size: [f64; 2], color: Color) {
        let (x, y) = self.place([at[0], at[1] + size[1]]);
        self.out.save_state().set_parameters(VEILED);
        self.fill(color);
        self.out
            .rect(x, y, short(size[0]), short(size[1]))
            .fill_nonzero()
            .restore_state();
    }

    fn words(&mut self, text: &Text) {
        let parts = parts(text);
        let Some(first) = parts.first() else { return };
        let ([dx, dy], [a, b, c, d]) = match text.upwards {
            true => ([0.0, -first.along], [0.0, 1.0, -1.0, 0.0]),
            false => ([first.along, 0.0], [1.0, 0.0, 0.0, 1.0]),
        };
        let (x, y) = self.place([text.at[0] + dx, text.at[1] + dy]);
        self.fill(Color::INK);
        let font = &mut self.fonts[usize::from(text.weight == Weight::SemiBold)];
        let out = &mut self.out;
        out.begin_text().set_text_matrix([a, b, c, d, x, y]);
        for part in parts {
            out.set_rise(short(part.rise));
            out.set_font(font.resource(), short(part.size));
            let mut shown = out.show_positioned();
            let mut items = shown.items();
            let (letters, _) = letters(&part.text, text.weight);
            // Where the letter before ends by its own width, ems.
            let mut end = 0.0;
            for letter in letters {
                let kerning = thousandths(letter.x - end);
                if kerning != 0.0 {
                    items.adjust(-kerning);
                }
                items.show(Str(&font.code(letter.glyph, letter.character)));
                end = letter.x + Font::of(text.weight).advance(letter.glyph);
            }
        }
        out.end_text();
    }

    fn fill(&mut self, color: Color) {
        let [r, g, b] = rgb(color);
        self.out.set_fill_rgb(r, g, b);
    }
}

fn rgb(Color(bytes): Color) -> [f32; 3] {
    bytes.map(|byte| (f32::from(byte) / 255.0 * 1e3).round() / 1e3)
}

/// Hundredths are enough.
fn short(value: f64) -> f32 {
    ((value * 100.0).round() / 100.0) as f32
}

/// Ems as thousandths, to a tenth of one.
fn thousandths(ems: f64) -> f32 {
    ((ems * 1e4).round() / 10.0) as f32
}
