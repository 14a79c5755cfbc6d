//! A drawing as SVG: letters are outlines, so that they look the same wherever it is read; labels say
//! in words what they are.

use std::collections::BTreeSet;
use std::fmt::Write;

use tiny_skia::PathSegment;
use writhe_lettering::{Font, Weight, letters};

use crate::color::Color;
use crate::drawing::{Drawing, Mark, Pen, Text, VEIL};
use crate::markup::{parts, plain};

/// Units of an em in which outlines are written: whole ones are enough.
const UNITS: f64 = 2000.0;

/// The drawing as an SVG document, its size in points.
pub(crate) fn svg(drawing: &Drawing) -> String {
    let (w, h) = (drawing.width, drawing.height);
    let mut body = String::new();
    let mut glyphs = BTreeSet::new();
    for mark in &drawing.marks {
        match mark {
            Mark::Line { points, pen } => line(&mut body, points, pen),
            Mark::Disc { at, radius, color } => {
                let (x, y) = (short(at[0]), short(at[1]));
                let (r, color) = (short(*radius), hex(*color));
                let _ = writeln!(
                    body,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{color}\"/>"
                );
            }
            Mark::Polygon { points, color } => {
                let (places, color) = (places(points), hex(*color));
                let _ = writeln!(body, "<polygon points=\"{places}\" fill=\"{color}\"/>");
            }
            Mark::Veil { at, size, color } => {
                let _ = writeln!(
                    body,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" fill-opacity=\"{VEIL}\"/>",
                    short(at[0]),
                    short(at[1]),
                    short(size[0]),
                    short(size[1]),
                    hex(*color)
                );
            }
            Mark::Text(text) => words(&mut body, text, &mut glyphs),
        }
    }
    let (width, height) = (short(w), short(h));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
         width=\"{width}pt\" height=\"{height}pt\" viewBox=\"0 0 {width} {height}\" fill=\"{}\" \
         stroke-linejoin=\"round\">\n",
        hex(Color::INK)
    );
    if !drawing.title.is_empty() {
        let title = escaped(&plain(&drawing.title));
        let _ = writeln!(out, "<title>{title}</title>");
    }
    out += "<defs>\n";
    for (weight, glyph) in glyphs {
        if let Some(outline) = outline(weight, glyph) {
            let id = id(weight, glyph);
            let _ = writeln!(out, "<path id=\"{id}\" d=\"{outline}\"/>");
        }
    }
    out += "</defs>\n";
    let _ = writeln!(
        out,
        "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
    );
    out += &body;
    out += "</svg>\n";
    out
}

fn line(out: &mut String, points: &[[f64; 2]], pen: &Pen) {
    let _ = write!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
        places(points),
        hex(pen.color),
        short(pen.width)
    );
    if let Some(dash) = pen.dash {
        let _ = write!(out, " stroke-dasharray=\"{}\"", dash.map(short).join(" "));
    }
    *out += "/>\n";
}

fn places(points: &[[f64; 2]]) -> String {
    let place = |p: &[f64; 2]| format!("{},{}", short(p[0]), short(p[1]));
    points.iter().map(place).collect::<Vec<_>>().join(" ")
}

/// A label: each letter is an outline that is written once, in its place.
fn words(out: &mut String, text: &Text, glyphs: &mut BTreeSet<(Weight, u16)>) {
    let (x, y) = (short(text.at[0]), short(text.at[1]));
    let turn = if text.upwards { " rotate(-90)" } else { "" };
    let _ = writeln!(
        out,
        "<g role=\"img\" aria-label=\"{}\" transform=\"translate({x} {y}){turn}\">",
        escaped(&plain(&text.text))
    );
    for part in parts(text) {
        let scale = part.size / UNITS;
        let _ = write!(
            out,
            "<g transform=\"translate({} {}) scale({scale:.6} {:.6})\">",
            short(part.along),
            short(-part.rise),
            -scale
        );
        let font = Font::of(text.weight);
        for letter in letters(&part.text, text.weight).0 {
            // Spaces leave no mark.
            if font
                .outline(letter.glyph, |x, y| (x as f32, y as f32))
                .is_none()
            {
                continue;
            }
            glyphs.insert((text.weight, letter.glyph));
            let x = (letter.x * UNITS).round();
            let id = id(text.weight, letter.glyph);
            let _ = write!(out, "<use xlink:href=\"#{id}\" x=\"{x}\"/>");
        }
        *out += "</g>";
    }
    *out += "\n</g>\n";
}

/// Name of an outline in the document; the same in all, so that several in one page do not mix up.
fn id(weight: Weight, glyph: u16) -> String {
    format!("{}-{glyph}", Font::of(weight).name())
}

/// The outline of a glyph in units, y upwards.
fn outline(weight: Weight, glyph: u16) -> Option<String> {
    let scaled = |x: f64, y: f64| ((x * UNITS) as f32, (y * UNITS) as f32);
    let path = Font::of(weight).outline(glyph, scaled)?;
    let mut out = String::new();
    for segment in path.segments() {
        let (command, points) = match segment {
            PathSegment::MoveTo(p) => ('M', vec![p]),
            PathSegment::LineTo(p) => ('L', vec![p]),
            PathSegment::QuadTo(a, p) => ('Q', vec![a, p]),
            PathSegment::CubicTo(a, b, p) => ('C', vec![a, b, p]),
            PathSegment::Close => ('Z', Vec::new()),
        };
        let numbers = points.iter().flat_map(|p| [p.x.round(), p.y.round()]);
        let numbers = numbers.map(|x| format!("{x:.0}")).collect::<Vec<_>>();
        out.push(command);
        out += &numbers.join(" ");
    }
    Some(out)
}

/// Hundredths are enough.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

fn hex(Color([r, g, b]): Color) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
