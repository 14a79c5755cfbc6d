//! Curves at their places on the sheet.

use crate::clip::{clipped, simplified};
use crate::drawing::{Mark, Pen};
use crate::figure::{Curve, Panel, Style};
use crate::frame::Frame;
use crate::marker;
use crate::theme::Theme;

/// Markers on a line are at least so many of their radii apart.
const APART: f64 = 6.0;

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

/// The lines of a curve inside the frame; none where it has marks alone.
pub(crate) fn lines(curve: &Curve, pieces: &[Vec<[f64; 2]>], frame: &Frame) -> Vec<Vec<[f64; 2]>> {
    if curve.style == Style::Marks {
        return Vec::new();
    }
    let visible = pieces.iter().flat_map(|piece| clipped(piece, frame));
    visible.map(|part| simplified(&part)).collect()
}

/// Where a curve has marks inside the frame.
pub(crate) fn spots(
    curve: &Curve,
    pieces: &[Vec<[f64; 2]>],
    frame: &Frame,
    theme: &Theme,
) -> Vec<[f64; 2]> {
    let inside = |p: &&[f64; 2]| {
        (frame.left - 0.01..=frame.right + 0.01).contains(&p[0])
            && (frame.top - 0.01..=frame.bottom + 0.01).contains(&p[1])
    };
    let all = pieces.iter().flatten().filter(inside).copied();
    match (curve.style, curve.marker) {
        (Style::Marks, _) => all.collect(),
        (_, None) => Vec::new(),
        (_, Some(_)) => {
            let far = |a: &[f64; 2], b: &[f64; 2]| {
                (a[0] - b[0]).hypot(a[1] - b[1]) >= APART * theme.marker
            };
            let mut kept: Vec<[f64; 2]> = Vec::new();
            for spot in all {
                if kept.last().is_none_or(|last| far(last, &spot)) {
                    kept.push(spot);
                }
            }
            kept
        }
    }
}

/// Adds lines and marks of a curve.
pub(crate) fn draw(
    curve: &Curve,
    (lines, spots): (Vec<Vec<[f64; 2]>>, Vec<[f64; 2]>),
    theme: &Theme,
    marks: &mut Vec<Mark>,
) {
    let pen = pen(curve, theme);
    marks.extend(lines.into_iter().map(|line| Mark::line(&pen, line)));
    marks.extend(spots.into_iter().map(|at| mark(curve, at, theme)));
}

/// Adds what stands for a curve in a legend, between two points.
pub(crate) fn sample(curve: &Curve, ends: [[f64; 2]; 2], theme: &Theme, marks: &mut Vec<Mark>) {
    if curve.style != Style::Marks {
        marks.push(Mark::line(&pen(curve, theme), ends.to_vec()));
    }
    if curve.style == Style::Marks || curve.marker.is_some() {
        let middle = [0, 1].map(|k| 0.5 * (ends[0][k] + ends[1][k]));
        marks.push(mark(curve, middle, theme));
    }
}

fn mark(curve: &Curve, at: [f64; 2], theme: &Theme) -> Mark {
    let shape = curve.marker.unwrap_or_default();
    marker::mark(shape, at, theme.marker, curve.color)
}

fn pen(curve: &Curve, theme: &Theme) -> Pen {
    let dash = match curve.style {
        Style::Solid | Style::Marks => None,
        Style::Dashed => Some([4.0, 2.0, 4.0, 2.0]),
        Style::Dotted => Some([1.0, 1.4, 1.0, 1.4]),
        Style::DashDotted => Some([5.0, 1.6, 1.0, 1.6]),
    };
    Pen {
        color: curve.color,
        width: theme.curve,
        dash: dash.map(|lengths| lengths.map(|length| length * theme.curve)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Marker};
    use crate::theme::Look;

    #[test]
    fn marks_on_a_line_stand_apart() {
        let (theme, frame) = (
            Look::Paper.theme(),
            Frame {
                left: 0.0,
                top: 0.0,
                right: 300.0,
                bottom: 200.0,
            },
        );
        let points: Vec<[f64; 2]> = (0..1000).map(|i| [f64::from(i), 50.0]).collect();
        let panel = Panel::new(Axis::new("", ""), Axis::new("", ""));
        let curve = Curve::new("", points, 0).marked(Marker::Square);
        let pieces = pieces(&curve, &panel, &|x, y| [x, y]);
        let found = spots(&curve, &pieces, &frame, &theme);
        let apart = found.windows(2).map(|pair| pair[1][0] - pair[0][0]);
        assert!(apart.fold(f64::INFINITY, f64::min) >= 6.0 * theme.marker);
        assert!((15..30).contains(&found.len()), "{}", found.len());
        let alone = curve.styled(Style::Marks);
        assert_eq!(spots(&alone, &pieces, &frame, &theme).len(), 301);
        assert!(lines(&alone, &pieces, &frame).is_empty());
    }
}
