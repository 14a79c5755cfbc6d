//! A panel drawn: grid, curves, frame, ticks, numbers and names of axes.

use writhe_lettering::Weight;

use crate::color::Color;
use crate::curve;
use crate::drawing::{Anchor, Mark, Pen, Text};
use crate::frame::Frame;
use crate::plan::Plan;
use crate::theme::Theme;

/// Adds a panel without its legend.
pub(crate) fn draw(plan: &Plan<'_>, theme: &Theme, marks: &mut Vec<Mark>) {
    grid(plan, theme, marks);
    for (of, drawn) in plan.panel.curves.iter().zip(&plan.curves) {
        curve::draw(of, drawn.clone(), theme, marks);
    }
    axes(plan, theme, marks);
    numbers(plan, theme, marks);
    words(plan, theme, marks);
}

fn grid(plan: &Plan<'_>, theme: &Theme, marks: &mut Vec<Mark>) {
    let pen = Pen {
        color: Color::GRID,
        width: theme.grid,
        dash: None,
    };
    let frame = &plan.frame;
    for (value, _) in &plan.y.labelled {
        let [_, y] = frame.at(0.0, plan.y.place(*value));
        marks.push(Mark::line(&pen, vec![[frame.left, y], [frame.right, y]]));
    }
    for (value, _) in &plan.x.labelled {
        let [x, _] = frame.at(plan.x.place(*value), 0.0);
        marks.push(Mark::line(&pen, vec![[x, frame.top], [x, frame.bottom]]));
    }
}

/// Frame, and ticks inwards on all sides.
fn axes(plan: &Plan<'_>, theme: &Theme, marks: &mut Vec<Mark>) {
    let pen = Pen {
        color: Color::INK,
        width: theme.axis,
        dash: None,
    };
    let Frame {
        left,
        top,
        right,
        bottom,
    } = plan.frame;
    let [long, short] = theme.ticks;
    let labelled = |list: &[(f64, String)]| -> Vec<f64> { list.iter().map(|l| l.0).collect() };
    let (x, y) = (&plan.x, &plan.y);
    for (values, length) in [(labelled(&x.labelled), long), (x.minor.clone(), short)] {
        for value in values {
            let [px, _] = plan.frame.at(x.place(value), 0.0);
            marks.push(Mark::line(&pen, vec![[px, bottom], [px, bottom - length]]));
            marks.push(Mark::line(&pen, vec![[px, top], [px, top + length]]));
        }
    }
    for (values, length) in [(labelled(&y.labelled), long), (y.minor.clone(), short)] {
        for value in values {
            let [_, py] = plan.frame.at(0.0, y.place(value));
            marks.push(Mark::line(&pen, vec![[left, py], [left + length, py]]));
            marks.push(Mark::line(&pen, vec![[right, py], [right - length, py]]));
        }
    }
    let corners = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
        [left, top],
    ];
    marks.push(Mark::line(&pen, corners.to_vec()));
}

fn numbers(plan: &Plan<'_>, theme: &Theme, marks: &mut Vec<Mark>) {
    let (frame, small, gap) = (&plan.frame, theme.small, theme.gap);
    for (value, label) in &plan.x.labelled {
        let [x, _] = frame.at(plan.x.place(*value), 0.0);
        let at = [x, frame.bottom + gap + 0.75 * small];
        marks.push(Mark::text(label, at, small, Anchor::Middle));
    }
    for (value, label) in &plan.y.labelled {
        let [_, y] = frame.at(0.0, plan.y.place(*value));
        let at = [frame.left - gap, y + 0.36 * small];
        marks.push(Mark::text(label, at, small, Anchor::End));
    }
}

/// Titles of the panel and its axes.
fn words(plan: &Plan<'_>, theme: &Theme, marks: &mut Vec<Mark>) {
    let ([x0, y0, _, h], frame, label) = (plan.cell, &plan.frame, theme.label);
    let middle = [0.5 * (frame.left + frame.right), y0 + h - 1.5 * theme.gap];
    marks.push(Mark::text(&plan.x.title, middle, label, Anchor::Middle));
    marks.push(Mark::Text(Text {
        text: plan.y.title.clone(),
        at: [
            x0 + theme.gap + 0.8 * label,
            0.5 * (frame.top + frame.bottom),
        ],
        size: label,
        weight: Weight::Regular,
        anchor: Anchor::Middle,
        upwards: true,
    }));
    if !plan.panel.title.is_empty() {
        let at = [frame.left, frame.top - 1.2 * theme.gap];
        marks.push(Mark::title(&plan.panel.title, at, label));
    }
}
