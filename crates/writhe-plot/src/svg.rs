//! A drawing as SVG: text stays text, set in whatever the reader has of Helvetica's kind.

use std::fmt::Write;

use crate::color::Color;
use crate::drawing::{Anchor, Drawing, Mark, Pen, Text};
use crate::markup::parts;

/// The drawing as an SVG document, its size in points.
pub(crate) fn svg(drawing: &Drawing) -> String {
    let (w, h) = (drawing.width, drawing.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}pt\" height=\"{h}pt\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" fill=\"{}\" \
         stroke-linejoin=\"round\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n",
        hex(Color::INK)
    );
    for mark in &drawing.marks {
        match mark {
            Mark::Line { points, pen } => line(&mut out, points, pen),
            Mark::Disc { at, radius, color } => {
                let (x, y) = (short(at[0]), short(at[1]));
                let color = hex(*color);
                let _ = writeln!(
                    out,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>"
                );
            }
            Mark::Box { at, size, color } => {
                let _ = writeln!(
                    out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" fill-opacity=\"0.85\"/>",
                    short(at[0]),
                    short(at[1]),
                    short(size[0]),
                    short(size[1]),
                    hex(*color)
                );
            }
            Mark::Text(text) => words(&mut out, text),
        }
    }
    out += "</svg>\n";
    out
}

fn line(out: &mut String, points: &[[f64; 2]], pen: &Pen) {
    let places: Vec<String> = points
        .iter()
        .map(|p| format!("{},{}", short(p[0]), short(p[1])))
        .collect();
    let _ = write!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
        places.join(" "),
        hex(pen.color),
        pen.width
    );
    if let Some([dash, gap]) = pen.dash {
        let _ = write!(out, " stroke-dasharray=\"{dash} {gap}\"");
    }
    *out += "/>\n";
}

fn words(out: &mut String, text: &Text) {
    let (x, y) = (short(text.at[0]), short(text.at[1]));
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let _ = write!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" text-anchor=\"{anchor}\"",
        text.size
    );
    if text.upwards {
        let _ = write!(out, " transform=\"rotate(-90 {x} {y})\"");
    }
    *out += ">";
    // `dy` is from the part before.
    let mut risen = 0.0;
    for part in parts(&text.text) {
        let (down, size) = (text.size * (risen - part.rise), text.size * part.scale());
        risen = part.rise;
        let words = escaped(&part.text);
        if down == 0.0 && part.rise == 0.0 {
            *out += &words;
        } else {
            let (down, size) = (short(down), short(size));
            let _ = write!(
                out,
                "<tspan dy=\"{down}\" font-size=\"{size}\">{words}</tspan>"
            );
        }
    }
    *out += "</text>\n";
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
}
