//! Names of curves, in the corner of the axes where they cover least.

use crate::color::Color;
use crate::curve::{mark, pen};
use crate::drawing::{Anchor, Mark, SMALL};
use crate::figure::{Curve, Style};
use crate::frame::Frame;
use crate::markup::width;

/// Length of the sample of a line, points.
const SAMPLE: f64 = 20.0;
/// Space around and between, points.
const PAD: f64 = 5.0;
/// Distance from the frame, points.
const INSET: f64 = 6.0;
/// Fonts that stand in for Helvetica may be this much wider.
pub(crate) const WIDER: f64 = 1.12;
/// Height of a row, points.
const ROW: f64 = 1.45 * SMALL;

/// Adds the legend of these curves, whose points on the sheet are `placed`, if any has a name.
pub(crate) fn add(
    curves: &[Curve],
    placed: &[Vec<Vec<[f64; 2]>>],
    frame: &Frame,
    marks: &mut Vec<Mark>,
) {
    let named: Vec<&Curve> = curves.iter().filter(|c| !c.label.is_empty()).collect();
    if named.is_empty() {
        return;
    }
    let widest = named.iter().map(|c| WIDER * width(&c.label, SMALL));
    let size = [
        2.0 * PAD + SAMPLE + PAD + widest.fold(0.0, f64::max),
        2.0 * PAD + ROW * named.len() as f64 - (ROW - SMALL),
    ];
    let at = emptiest(size, placed, frame);
    marks.push(Mark::Box {
        at,
        size,
        color: Color([255; 3]),
    });
    for (row, curve) in named.iter().enumerate() {
        let middle = at[1] + PAD + ROW * row as f64 + 0.5 * SMALL;
        let left = at[0] + PAD;
        marks.push(match curve.style {
            Style::Marks => mark(curve, [left + 0.5 * SAMPLE, middle]),
            _ => Mark::line(&pen(curve), vec![[left, middle], [left + SAMPLE, middle]]),
        });
        let place = [left + SAMPLE + PAD, middle + 0.36 * SMALL];
        marks.push(Mark::text(&curve.label, place, SMALL, Anchor::Start));
    }
}

/// Corner of the box that covers the least of the curves: those of the frame and the middles of its
/// sides are tried.
fn emptiest(size: [f64; 2], placed: &[Vec<Vec<[f64; 2]>>], frame: &Frame) -> [f64; 2] {
    let (left, right) = (frame.left + INSET, frame.right - INSET - size[0]);
    let (top, bottom) = (frame.top + INSET, frame.bottom - INSET - size[1]);
    let (center, middle) = (0.5 * (left + right), 0.5 * (top + bottom));
    let places = [
        [right, top],
        [left, top],
        [right, bottom],
        [left, bottom],
        [center, top],
        [center, bottom],
        [right, middle],
        [left, middle],
    ];
    let covered = |at: &[f64; 2]| {
        let segments = placed.iter().flatten().flat_map(|piece| piece.windows(2));
        segments
            .map(|pair| length_inside(pair, *at, size))
            .sum::<f64>()
    };
    let mut best = (f64::INFINITY, places[0]);
    for place in places {
        let length = covered(&place);
        // The first of equals.
        if length < best.0 {
            best = (length, place);
        }
    }
    best.1
}

/// About how much of a segment lies in a box: a sample each point.
fn length_inside(pair: &[[f64; 2]], at: [f64; 2], size: [f64; 2]) -> f64 {
    let (a, b) = (pair[0], pair[1]);
    let length = (b[0] - a[0]).hypot(b[1] - a[1]);
    if !length.is_finite() {
        return 0.0;
    }
    let samples = length.ceil().clamp(1.0, 2000.0);
    let inside = (0..samples as usize).filter(|i| {
        let t = (*i as f64 + 0.5) / samples;
        let p = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
        (0..2).all(|k| (at[k]..=at[k] + size[k]).contains(&p[k]))
    });
    length * inside.count() as f64 / samples
}
