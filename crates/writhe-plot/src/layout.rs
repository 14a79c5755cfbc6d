//! A figure laid out: axes, curves and legends at their places.

use crate::color::Color;
use crate::curve::{draw, pieces};
use crate::drawing::{Anchor, Drawing, Mark, Pen, SMALL, Text};
use crate::error::PlotError;
use crate::figure::{Figure, Panel};
use crate::frame::Frame;
use crate::legend;
use crate::markup;
use crate::ticks::Ruler;

/// Sizes of fonts, points.
const LABEL: f64 = 9.5;
const TITLE: f64 = 10.0;
/// Lines of axes, points.
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
    let widest = numbers.map(|(_, label)| legend::WIDER * markup::width(label, SMALL));
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
        bottom: y0 + h - (GAP + LABEL + GAP + SMALL + GAP),
    };
    let spot = |px: f64, py: f64| frame.at(x.place(px), y.place(py));
    for (value, _) in &y.labelled {
        marks.push(Mark::line(
            &GRID,
            vec![spot(x.ends[0], *value), spot(x.ends[1], *value)],
        ));
    }
    for (value, _) in &x.labelled {
        marks.push(Mark::line(
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
            marks.push(Mark::line(&AXIS, vec![[px, bottom], [px, bottom - length]]));
            marks.push(Mark::line(&AXIS, vec![[px, top], [px, top + length]]));
        }
    }
    for (values, length) in [(long(&y.labelled), TICK), (y.minor.clone(), SHORT_TICK)] {
        for value in values {
            let [_, py] = frame.at(0.0, y.place(value));
            marks.push(Mark::line(&AXIS, vec![[left, py], [left + length, py]]));
            marks.push(Mark::line(&AXIS, vec![[right, py], [right - length, py]]));
        }
    }
    let corners = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
        [left, top],
    ];
    marks.push(Mark::line(&AXIS, corners.to_vec()));
    for (value, label) in &x.labelled {
        let [px, _] = frame.at(x.place(*value), 0.0);
        marks.push(Mark::text(
            label,
            [px, bottom + GAP + 0.75 * SMALL],
            SMALL,
            Anchor::Middle,
        ));
    }
    for (value, label) in &y.labelled {
        let [_, py] = frame.at(0.0, y.place(*value));
        marks.push(Mark::text(
            label,
            [left - GAP, py + 0.36 * SMALL],
            SMALL,
            Anchor::End,
        ));
    }
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
    marks.push(Mark::text(
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
        marks.push(Mark::text(
            &panel.title,
            [frame.left, frame.top - GAP],
            TITLE,
            Anchor::Start,
        ));
    }
}
