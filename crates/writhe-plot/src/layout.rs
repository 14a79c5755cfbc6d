//! A figure laid out: axes, curves and legends at their places.

use crate::clip::{clipped, simplified};
use crate::color::Color;
use crate::drawing::{Anchor, Drawing, Mark, Pen, Text};
use crate::error::PlotError;
use crate::figure::{Curve, Figure, Panel, Style};
use crate::legend;
use crate::markup;
use crate::ticks::Ruler;

/// Sizes of fonts, points.
pub(crate) const LABEL: f64 = 9.5;
pub(crate) const NUMBER: f64 = 8.5;
const TITLE: f64 = 10.0;
/// Lines of axes and curves, points.
const AXIS: Pen = Pen {
    color: Color::INK,
    width: 0.7,
    dash: None,
};
const GRID: Pen = Pen {
    color: Color::GRID,
    width: 0.5,
    dash: None,
};
const CURVE: f64 = 1.3;
/// Radius of the mark of a point, points.
const MARK: f64 = 1.9;
/// Ticks, inwards.
const TICK: f64 = 4.5;
const SHORT_TICK: f64 = 2.5;
/// Space between parts, points.
const GAP: f64 = 4.0;
/// One label for so many points of an axis.
const LABEL_EVERY: [f64; 2] = [55.0, 34.0];

/// Lays the figure out.
///
/// # Errors
/// When it has nothing to draw, or no size.
pub(crate) fn laid_out(figure: &Figure) -> Result<Drawing, PlotError> {
    if figure.panels.is_empty() {
        return Err(PlotError::NoPanel);
    }
    let columns = figure.columns.clamp(1, figure.panels.len());
    let rows = figure.panels.len().div_ceil(columns);
    let [w, h] = figure.panel_size;
    let (width, height) = (w * columns as f64, h * rows as f64);
    if [width, height]
        .iter()
        .any(|side| !(72.0..=7200.0).contains(side))
    {
        return Err(PlotError::Size { width, height });
    }
    let rulers = figure.panels.iter().map(|panel| rulers(panel, [w, h]));
    let rulers = rulers.collect::<Result<Vec<_>, _>>()?;
    // Frames of a column stand in line.
    let numbers = rulers.iter().flat_map(|[_, y]| &y.labelled);
    let widest = numbers.map(|(_, label)| legend::WIDER * markup::width(label, NUMBER));
    let widest = widest.fold(0.0, f64::max);
    let mut marks = Vec::new();
    for (index, (panel, rulers)) in figure.panels.iter().zip(&rulers).enumerate() {
        let corner = [w * (index % columns) as f64, h * (index / columns) as f64];
        lay_out(panel, rulers, widest, corner, [w, h], &mut marks);
    }
    Ok(Drawing {
        width,
        height,
        marks,
    })
}

/// The axes of a panel of this size.
fn rulers(panel: &Panel, [w, h]: [f64; 2]) -> Result<[Ruler; 2], PlotError> {
    let [across, up] = extents(panel)?;
    // Room for labels, before how much they need is known.
    let count = |side: f64, every: f64| (side / every).max(2.0);
    Ok([
        Ruler::new(&panel.x, across, count(w - 60.0, LABEL_EVERY[0])),
        Ruler::new(&panel.y, up, count(h - 50.0, LABEL_EVERY[1])),
    ])
}

/// The box of the axes: left, top, right, bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Frame {
    fn at(&self, x: f64, y: f64) -> [f64; 2] {
        [
            self.left + x * (self.right - self.left),
            self.bottom + y * (self.top - self.bottom),
        ]
    }
}

fn lay_out(
    panel: &Panel,
    [x, y]: &[Ruler; 2],
    widest: f64,
    [x0, y0]: [f64; 2],
    [w, h]: [f64; 2],
    marks: &mut Vec<Mark>,
) {
    let title = if panel.title.is_empty() {
        0.0
    } else {
        TITLE + GAP
    };
    let frame = Frame {
        left: x0 + GAP + LABEL + GAP + widest + GAP,
        top: y0 + 2.0 * GAP + title,
        right: x0 + w - 3.0 * GAP,
        bottom: y0 + h - (GAP + LABEL + GAP + NUMBER + GAP),
    };
    let spot = |px: f64, py: f64| frame.at(x.place(px), y.place(py));
    for (value, _) in &y.labelled {
        marks.push(line(
            &GRID,
            vec![spot(x.ends[0], *value), spot(x.ends[1], *value)],
        ));
    }
    for (value, _) in &x.labelled {
        marks.push(line(
            &GRID,
            vec![spot(*value, y.ends[0]), spot(*value, y.ends[1])],
        ));
    }
    let placed: Vec<Vec<Vec<[f64; 2]>>> = panel
        .curves
        .iter()
        .map(|curve| pieces(curve, panel, &spot))
        .collect();
    for (curve, pieces) in panel.curves.iter().zip(&placed) {
        draw(curve, pieces, &frame, marks);
    }
    axes(&frame, x, y, marks);
    words(panel, &frame, [x0, y0, w, h], [&x.title, &y.title], marks);
    legend::add(&panel.curves, &placed, &frame, marks);
}

/// Least and largest value that each axis can show.
fn extents(panel: &Panel) -> Result<[[f64; 2]; 2], PlotError> {
    let mut extents = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    let shown = |p: &[f64; 2]| {
        let within = |range: Option<[f64; 2]>, v: f64| {
            range.is_none_or(|[a, b]| (a.min(b)..=a.max(b)).contains(&v))
        };
        panel.x.shows(p[0]) && panel.y.shows(p[1]) && within(panel.x.range, p[0])
    };
    for point in panel.curves.iter().flat_map(|curve| &curve.points) {
        if shown(point) {
            for (extent, value) in extents.iter_mut().zip(point) {
                *extent = [extent[0].min(*value), extent[1].max(*value)];
            }
        }
    }
    if extents[0][0] > extents[0][1] {
        return Err(PlotError::NothingToDraw {
            label: panel.y.label.clone(),
            logarithmic: [&panel.x, &panel.y]
                .iter()
                .any(|axis| axis.scale == crate::figure::Scale::Logarithmic),
        });
    }
    Ok(extents)
}

/// The curve on the sheet, cut where it has a value that cannot be shown.
fn pieces(curve: &Curve, panel: &Panel, spot: &dyn Fn(f64, f64) -> [f64; 2]) -> Vec<Vec<[f64; 2]>> {
    let shown = |p: &[f64; 2]| panel.x.shows(p[0]) && panel.y.shows(p[1]);
    curve
        .points
        .split(|p| !shown(p))
        .filter(|piece| !piece.is_empty())
        .map(|piece| piece.iter().map(|p| spot(p[0], p[1])).collect())
        .collect()
}

fn draw(curve: &Curve, pieces: &[Vec<[f64; 2]>], frame: &Frame, marks: &mut Vec<Mark>) {
    if curve.style == Style::Marks {
        let inside = |p: &&[f64; 2]| {
            (frame.left - 0.01..=frame.right + 0.01).contains(&p[0])
                && (frame.top - 0.01..=frame.bottom + 0.01).contains(&p[1])
        };
        let all = pieces.iter().flatten().filter(inside);
        marks.extend(all.map(|at| disc(*at, curve.color)));
        return;
    }
    for piece in pieces {
        for visible in clipped(piece, frame) {
            marks.push(line(&pen(curve), simplified(&visible)));
        }
    }
}

pub(crate) fn disc(at: [f64; 2], color: Color) -> Mark {
    Mark::Disc {
        at,
        radius: MARK,
        color,
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

pub(crate) fn line(pen: &Pen, points: Vec<[f64; 2]>) -> Mark {
    Mark::Line { points, pen: *pen }
}

/// Frame, ticks on all sides, numbers.
fn axes(frame: &Frame, x: &Ruler, y: &Ruler, marks: &mut Vec<Mark>) {
    let Frame {
        left,
        top,
        right,
        bottom,
    } = *frame;
    let long = |labelled: &[(f64, String)]| -> Vec<f64> { labelled.iter().map(|l| l.0).collect() };
    for (values, length) in [(long(&x.labelled), TICK), (x.minor.clone(), SHORT_TICK)] {
        for value in values {
            let [px, _] = frame.at(x.place(value), 0.0);
            marks.push(line(&AXIS, vec![[px, bottom], [px, bottom - length]]));
            marks.push(line(&AXIS, vec![[px, top], [px, top + length]]));
        }
    }
    for (values, length) in [(long(&y.labelled), TICK), (y.minor.clone(), SHORT_TICK)] {
        for value in values {
            let [_, py] = frame.at(0.0, y.place(value));
            marks.push(line(&AXIS, vec![[left, py], [left + length, py]]));
            marks.push(line(&AXIS, vec![[right, py], [right - length, py]]));
        }
    }
    let corners = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
        [left, top],
    ];
    marks.push(line(&AXIS, corners.to_vec()));
    for (value, label) in &x.labelled {
        let [px, _] = frame.at(x.place(*value), 0.0);
        marks.push(text(
            label,
            [px, bottom + GAP + 0.75 * NUMBER],
            NUMBER,
            Anchor::Middle,
        ));
    }
    for (value, label) in &y.labelled {
        let [_, py] = frame.at(0.0, y.place(*value));
        marks.push(text(
            label,
            [left - GAP, py + 0.36 * NUMBER],
            NUMBER,
            Anchor::End,
        ));
    }
}

pub(crate) fn text(words: &str, at: [f64; 2], size: f64, anchor: Anchor) -> Mark {
    Mark::Text(Text {
        text: words.to_owned(),
        at,
        size,
        anchor,
        upwards: false,
    })
}

/// Titles of the panel and its axes.
fn words(
    panel: &Panel,
    frame: &Frame,
    [x0, y0, _, h]: [f64; 4],
    [across, up]: [&str; 2],
    marks: &mut Vec<Mark>,
) {
    let middle = 0.5 * (frame.left + frame.right);
    marks.push(text(
        across,
        [middle, y0 + h - GAP - 0.2 * LABEL],
        LABEL,
        Anchor::Middle,
    ));
    marks.push(Mark::Text(Text {
        text: up.to_owned(),
        at: [x0 + GAP + 0.8 * LABEL, 0.5 * (frame.top + frame.bottom)],
        size: LABEL,
        anchor: Anchor::Middle,
        upwards: true,
    }));
    if !panel.title.is_empty() {
        marks.push(text(
            &panel.title,
            [frame.left, frame.top - GAP],
            TITLE,
            Anchor::Start,
        ));
    }
}
