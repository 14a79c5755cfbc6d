//! Curves at their places on the sheet.

use crate::clip::{clipped, simplified};
use crate::drawing::{Mark, Pen};
use crate::figure::{Curve, Panel, Style};
use crate::frame::Frame;

/// Width of the line, points.
const CURVE: f64 = 1.3;
/// Radius of the mark of a point, points.
const MARK: f64 = 1.9;

/// The curve on the sheet, cut where it has a value that cannot be shown.
pub(crate) fn pieces(
    curve: &Curve,
    panel: &Panel,
    spot: &dyn Fn(f64, f64) -> [f64; 2],
) -> Vec<Vec<[f64; 2]>> {
    let shown = |p: &[f64; 2]| panel.x.shows(p[0]) && panel.y.shows(p[1]);
    curve
        .points
        .split(|p| !shown(p))
        .filter(|piece| !piece.is_empty())
        .map(|piece| piece.iter().map(|p| spot(p[0], p[1])).collect())
        .collect()
}

/// Adds what is inside the frame.
pub(crate) fn draw(curve: &Curve, pieces: &[Vec<[f64; 2]>], frame: &Frame, marks: &mut Vec<Mark>) {
    if curve.style == Style::Marks {
        let inside = |p: &&[f64; 2]| {
            (frame.left - 0.01..=frame.right + 0.01).contains(&p[0])
                && (frame.top - 0.01..=frame.bottom + 0.01).contains(&p[1])
        };
        let all = pieces.iter().flatten().filter(inside);
        marks.extend(all.map(|at| mark(curve, *at)));
        return;
    }
    for piece in pieces {
        for visible in clipped(piece, frame) {
            marks.push(Mark::line(&pen(curve), simplified(&visible)));
        }
    }
}

/// A point of a curve that is a row of marks.
pub(crate) fn mark(curve: &Curve, at: [f64; 2]) -> Mark {
    Mark::Disc {
        at,
        radius: MARK,
        color: curve.color,
    }
}

/// The pen of a curve that is no row of marks.
pub(crate) fn pen(curve: &Curve) -> Pen {
    Pen {
        color: curve.color,
        width: CURVE,
        dash: match curve.style {
            Style::Solid | Style::Marks => None,
            Style::Dashed => Some([5.0, 2.5]),
            Style::Dotted => Some([1.3, 1.9]),
        },
    }
}
