//! A drawing as PDF: text stays text, in two of the fonts that every reader has, so that nothing is
//! embedded.

use pdf_writer::types::LineJoinStyle;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use crate::color::Color;
use crate::drawing::{Drawing, Mark, Pen, Text};
use crate::markup::{offset, parts};

/// Opacity of boxes, as an entry of the page's resources.
const VEIL: Name<'static> = Name(b"Veil");
/// Distance of the control points of a quarter of a circle, in radii.
const QUARTER: f64 = 0.552_284_749_831;

/// A font of the standard fourteen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Font {
    /// Helvetica in Windows' Latin alphabet.
    Text,
    /// Symbol in its own encoding.
    Symbol,
}

impl Font {
    fn name(self) -> Name<'static> {
        match self {
            Self::Text => Name(b"Text"),
            Self::Symbol => Name(b"Symbol"),
        }
    }
}

/// The drawing as a document of one page, its size in points.
pub(crate) fn pdf(drawing: &Drawing) -> Vec<u8> {
    let [catalog, pages, page, content, text, symbol, veil, info] =
        [1, 2, 3, 4, 5, 6, 7, 8].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut sheet = pdf.page(page);
    sheet
        .parent(pages)
        .media_box(Rect::new(
            0.0,
            0.0,
            drawing.width as f32,
            drawing.height as f32,
        ))
        .contents(content);
    let mut resources = sheet.resources();
    resources
        .fonts()
        .pair(Font::Text.name(), text)
        .pair(Font::Symbol.name(), symbol);
    resources.ext_g_states().pair(VEIL, veil);
    resources.finish();
    sheet.finish();
    let latin = Name(b"WinAnsiEncoding");
    let mut font = pdf.type1_font(text);
    font.base_font(Name(b"Helvetica"))
        .encoding_predefined(latin);
    font.finish();
    pdf.type1_font(symbol).base_font(Name(b"Symbol"));
    pdf.ext_graphics(veil).non_stroking_alpha(0.85);
    pdf.document_info(info).producer(TextStr("Writhe"));
    pdf.stream(content, &marks(drawing));
    pdf.finish()
}

fn marks(drawing: &Drawing) -> Vec<u8> {
    let mut out = Content::new();
    out.set_line_join(LineJoinStyle::RoundJoin);
    let sheet = Sheet {
        height: drawing.height,
    };
    for mark in &drawing.marks {
        match mark {
            Mark::Line { points, pen } => sheet.line(&mut out, points, pen),
            Mark::Disc { at, radius, color } => sheet.disc(&mut out, *at, *radius, *color),
            Mark::Box { at, size, color } => sheet.veil(&mut out, *at, *size, *color),
            Mark::Text(text) => sheet.words(&mut out, text),
        }
    }
    out.finish().into_vec()
}

/// Drawings have y downwards from the top, pages upwards from the bottom.
struct Sheet {
    height: f64,
}

impl Sheet {
    fn place(&self, [x, y]: [f64; 2]) -> (f32, f32) {
        (short(x), short(self.height - y))
    }

    fn line(&self, out: &mut Content, points: &[[f64; 2]], pen: &Pen) {
        let [r, g, b] = rgb(pen.color);
        out.set_stroke_rgb(r, g, b).set_line_width(short(pen.width));
        out.set_dash_pattern(pen.dash.into_iter().flatten().map(short), 0.0);
        for (i, point) in points.iter().enumerate() {
            let (x, y) = self.place(*point);
            if i == 0 {
                out.move_to(x, y);
            } else {
                out.line_to(x, y);
            }
        }
        out.stroke();
    }

    fn disc(&self, out: &mut Content, at: [f64; 2], radius: f64, color: Color) {
        let point = |along: f64, over: f64| self.place([at[0] + along, at[1] - over]);
        let (r, k) = (radius, QUARTER * radius);
        fill(out, color);
        let (x, y) = point(r, 0.0);
        out.move_to(x, y);
        for (cos, sin) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
            // From the direction (cos, sin) a quarter to the left.
            let (x1, y1) = point(r * cos - k * sin, r * sin + k * cos);
            let (x2, y2) = point(-r * sin + k * cos, r * cos + k * sin);
            let (x3, y3) = point(-r * sin, r * cos);
            out.cubic_to(x1, y1, x2, y2, x3, y3);
        }
        out.fill_nonzero();
    }

    fn veil(&self, out: &mut Content, at: [f64; 2], size: [f64; 2], color: Color) {
        let (x, y) = self.place([at[0], at[1] + size[1]]);
        out.save_state().set_parameters(VEIL);
        fill(out, color);
        out.rect(x, y, short(size[0]), short(size[1]))
            .fill_nonzero()
            .restore_state();
    }

    fn words(&self, out: &mut Content, text: &Text) {
        let start = offset(text);
        let ([dx, dy], turn) = if text.upwards {
            ([0.0, -start], [0.0, 1.0, -1.0, 0.0])
        } else {
            ([start, 0.0], [1.0, 0.0, 0.0, 1.0])
        };
        let (x, y) = self.place([text.at[0] + dx, text.at[1] + dy]);
        let [a, b, c, d] = turn;
        fill(out, Color::INK);
        out.begin_text().set_text_matrix([a, b, c, d, x, y]);
        for part in parts(&text.text) {
            out.set_rise(short(text.size * part.rise));
            for (font, codes) in runs(&part.text) {
                out.set_font(font.name(), short(text.size * part.scale()));
                out.show(Str(&codes));
            }
        }
        out.end_text();
    }
}

fn fill(out: &mut Content, color: Color) {
    let [r, g, b] = rgb(color);
    out.set_fill_rgb(r, g, b);
}

fn rgb(Color(bytes): Color) -> [f32; 3] {
    bytes.map(|byte| (f32::from(byte) / 255.0 * 1e3).round() / 1e3)
}

/// Hundredths are enough.
fn short(value: f64) -> f32 {
    ((value * 100.0).round() / 100.0) as f32
}

/// A text as codes of the fonts that have its characters.
fn runs(text: &str) -> Vec<(Font, Vec<u8>)> {
    let mut runs: Vec<(Font, Vec<u8>)> = Vec::new();
    for character in text.chars() {
        let (font, code) = code(character);
        match runs.last_mut() {
            Some((last, codes)) if *last == font => codes.push(code),
            _ => runs.push((font, vec![code])),
        }
    }
    runs
}

/// Font and code of a character (PDF 32000-1:2008, Annex D); a question mark for one that neither
/// font has.
fn code(character: char) -> (Font, u8) {
    /// Greek letters in the order of Symbol's codes from A and a on.
    const GREEK: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const SMALL_GREEK: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    const SIGNS: [(char, u8); 9] = [
        ('−', 0x2D),
        ('≤', 0xA3),
        ('∞', 0xA5),
        ('→', 0xAE),
        ('≥', 0xB3),
        ('∂', 0xB6),
        ('≈', 0xBB),
        ('√', 0xD6),
        ('≠', 0xB9),
    ];
    let greek = |all: &str, first: u8| {
        let at = all.chars().position(|c| c == character)?;
        Some((Font::Symbol, first + at as u8))
    };
    let sign = || {
        let (_, code) = SIGNS.iter().find(|(sign, _)| *sign == character)?;
        Some((Font::Symbol, *code))
    };
    match character {
        // ASCII and Latin-1, where both alphabets agree.
        ' '..='~' | '\u{a0}'..='ÿ' => (Font::Text, character as u32 as u8),
        '–' => (Font::Text, 0x96),
        '—' => (Font::Text, 0x97),
        '’' => (Font::Text, 0x92),
        '…' => (Font::Text, 0x85),
        _ => sign()
            .or_else(|| greek(GREEK, b'A'))
            .or_else(|| greek(SMALL_GREEK, b'a'))
            .unwrap_or((Font::Text, b'?')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_find_their_fonts() {
        let found = runs("−2 µm, κ ≈ Ω ☃");
        let wanted: [(Font, &[u8]); 7] = [
            (Font::Symbol, b"-"),
            (Font::Text, b"2 \xB5m, "),
            (Font::Symbol, b"k"),
            (Font::Text, b" "),
            (Font::Symbol, b"\xBB"),
            (Font::Text, b" "),
            (Font::Symbol, b"W"),
        ];
        for (found, (font, codes)) in found.iter().zip(wanted) {
            assert_eq!((found.0, found.1.as_slice()), (font, codes));
        }
        assert_eq!(found.last().unwrap(), &(Font::Text, b" ?".to_vec()));
    }
}
