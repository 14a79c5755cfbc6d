//! A figure laid out: axes, curves and legends at their places.

use writhe_lettering::Weight;

use crate::curve;
use crate::drawing::{Drawing, Mark};
use crate::error::PlotError;
use crate::figure::{Axis, Curve, Figure, Legend, Panel, Scale, Size, Style};
use crate::frame::Frame;
use crate::legend::{Block, alike, named};
use crate::markup;
use crate::panel;
use crate::plan::{Drawn, Plan};
use crate::theme::Theme;
use crate::ticks::{CONSTANT, Ruler};
use crate::title::Title;

/// Sides of a sheet, points.
const SIDES: std::ops::RangeInclusive<f64> = 72.0..=7200.0;
/// Least width and height of the axes, in sizes of the small font.
const LEAST: [f64; 2] = [8.0, 5.0];
/// A legend beside axes takes at most this part of their width, unless it is asked for.
const MOST_BESIDE: f64 = 0.4;

/// Lays the figure out.
///
/// # Errors
/// When it has nothing to draw, no size, or an axis no ends.
pub(crate) fn laid_out(figure: &Figure) -> Result<Drawing, PlotError> {
    if figure.panels.is_empty() {
        return Err(PlotError::NoPanel);
    }
    let names: Vec<_> = figure.panels.iter().map(named).collect();
    let layout = Layout {
        figure,
        theme: figure.look.theme(),
        columns: figure.columns.clamp(1, figure.panels.len()),
        shared: names.len() > 1 && names[1..].iter().all(|other| alike(other, &names[0])),
    };
    // Where legends fit is known when the axes have their places; beside or below them they take
    // room from the axes or add to the sheet.
    let (plans, _) = layout.plans(&Room::none(figure), 0.0)?;
    let left = plans[0].frame.left;
    let legends = layout.legends(&plans);
    let (plans, [width, height]) = layout.plans(&layout.room(&legends, &plans), left)?;
    let mut marks = Vec::new();
    let title = Title::new(&figure.title, width - left, &layout.theme);
    title.draw(plans[0].frame.left, &mut marks);
    for plan in &plans {
        panel::draw(plan, &layout.theme, &mut marks);
    }
    for (legend, spot) in &legends {
        layout.place(legend, *spot, &plans, &mut marks);
    }
    Ok(Drawing {
        width,
        height,
        title: figure.title.clone(),
        marks,
    })
}

struct Layout<'a> {
    figure: &'a Figure,
    theme: Theme,
    /// Panels in a row.
    columns: usize,
    /// Whether one legend is for all panels.
    shared: bool,
}

/// What legends outside of the axes take, points.
struct Room {
    /// To the right of each column.
    beside: Vec<f64>,
    /// Below each row.
    below: Vec<f64>,
}

/// Where a legend is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spot {
    /// In the axes of this panel.
    Inside(usize),
    /// To the right of this panel; of the whole row, if it is for all panels.
    Beside(usize),
    /// Below this panel; all of them, likewise.
    Below(usize),
}

impl Room {
    fn none(figure: &Figure) -> Self {
        let most = figure.panels.len();
        Self {
            beside: vec![0.0; most],
            below: vec![0.0; most],
        }
    }
}

impl<'a> Layout<'a> {
    /// Column and row of a panel.
    fn cell(&self, index: usize) -> [usize; 2] {
        [index % self.columns, index / self.columns]
    }

    /// The panels with so much room left for legends, and the size of the sheet; the title has what is to
    /// the right of `left`.
    fn plans(&self, room: &Room, left: f64) -> Result<(Vec<Plan<'a>>, [f64; 2]), PlotError> {
        let (figure, theme) = (self.figure, &self.theme);
        let rows = figure.panels.len().div_ceil(self.columns);
        let counts = [self.columns as f64, rows as f64];
        let beside = room.beside[..self.columns].iter().sum::<f64>();
        let width = match figure.size {
            Size::Panel([width, _]) => counts[0] * width + beside,
            Size::Sheet([width, _]) => width,
        };
        let title = Title::new(&figure.title, width - left, theme).height();
        let more = [beside, title + room.below[..rows].iter().sum::<f64>()];
        let (sheet, cell) = match figure.size {
            Size::Panel(cell) => ([0, 1].map(|k| counts[k] * cell[k] + more[k]), cell),
            Size::Sheet(sheet) => (sheet, [0, 1].map(|k| (sheet[k] - more[k]) / counts[k])),
        };
        let [width, height] = sheet;
        if !sheet.iter().all(|side| SIDES.contains(side)) {
            return Err(PlotError::Size { width, height });
        }
        let mut y = Vec::new();
        let up = |panel: &Panel| cell[1] - above(panel, theme) - below_axes(theme);
        for panel in &figure.panels {
            check(&panel.x)?;
            check(&panel.y)?;
            let [_, extent] = extents(panel)?;
            let count = (up(panel) / theme.label_every[1]).max(2.0);
            y.push(Ruler::new(&panel.y, extent, count));
        }
        // Axes of a column stand in line.
        let numbers = y.iter().flat_map(|ruler| &ruler.labelled);
        let widths = numbers.map(|(_, label)| markup::width(label, theme.small, Weight::Regular));
        let widest = widths.fold(0.0, f64::max);
        let left = theme.label + widest + 3.0 * theme.gap;
        let across = cell[0] - left - 3.0 * theme.gap;
        let highest = figure.panels.iter().map(up).fold(f64::INFINITY, f64::min);
        let least = LEAST.map(|least| least * theme.small);
        if across < least[0] || highest < least[1] {
            // With its part of title and legends.
            let needed = [
                cell[0] - across + least[0] + more[0] / counts[0],
                cell[1] - highest + least[1] + more[1] / counts[1],
            ];
            return Err(PlotError::Cramped {
                width,
                height,
                panels: match figure.panels.len() {
                    1 => "a panel".to_owned(),
                    many => format!("{many} panels"),
                },
                least_width: needed[0].ceil(),
                least_height: needed[1].ceil(),
            });
        }
        let mut plans = Vec::new();
        for (index, (panel, y)) in figure.panels.iter().zip(y).enumerate() {
            let [column, row] = self.cell(index);
            let x0 = cell[0] * column as f64 + room.beside[..column].iter().sum::<f64>();
            let y0 = title + cell[1] * row as f64 + room.below[..row].iter().sum::<f64>();
            let [extent, _] = extents(panel)?;
            let count = (across / theme.label_every[0]).max(2.0);
            let x = Ruler::new(&filled(panel, extent), extent, count);
            let frame = Frame {
                left: x0 + left,
                top: y0 + above(panel, theme),
                right: x0 + left + across,
                bottom: y0 + cell[1] - below_axes(theme),
            };
            let curves = curves(panel, &x, &y, &frame, theme);
            plans.push(Plan {
                panel,
                x,
                y,
                frame,
                cell: [x0, y0, cell[0], cell[1]],
                curves,
            });
        }
        Ok((plans, sheet))
    }

    /// The legends and where they go.
    fn legends(&self, plans: &[Plan<'a>]) -> Vec<(Block<'a>, Spot)> {
        if self.figure.legend == Legend::None {
            return Vec::new();
        }
        let shared = self.shared;
        let legend = |index: usize| {
            let [x0, _, w, _] = plans[index].cell;
            let frame = &plans[index].frame;
            let names = || named(plans[index].panel);
            let upright = || Block::upright(names(), frame.bottom - frame.top, &self.theme);
            let flat = || {
                let right = match shared {
                    true => plans.iter().map(|p| p.frame.right).fold(0.0, f64::max),
                    false => x0 + w,
                };
                Block::flat(names(), right - frame.left, &self.theme)
            };
            let inside = || {
                let block = upright();
                let panels = match shared {
                    true => 0..plans.len(),
                    false => index..index + 1,
                };
                let free = |i: &usize| {
                    let plan = &plans[*i];
                    let place = block.free_place(&plan.cover(&self.theme), &plan.frame);
                    place.is_some()
                };
                let panel = panels.into_iter().find(free);
                (block, panel)
            };
            match self.figure.legend {
                Legend::Auto => match inside() {
                    (block, Some(panel)) => (block, Spot::Inside(panel)),
                    (block, None) if block.size()[0] <= MOST_BESIDE * w => {
                        (block, Spot::Beside(index))
                    }
                    _ => (flat(), Spot::Below(index)),
                },
                Legend::Inside => {
                    let (block, panel) = inside();
                    (block, Spot::Inside(panel.unwrap_or(index)))
                }
                Legend::Beside | Legend::None => (upright(), Spot::Beside(index)),
                Legend::Below => (flat(), Spot::Below(index)),
            }
        };
        let panels = 0..if shared { 1 } else { plans.len() };
        let with_names = panels.filter(|index| !named(plans[*index].panel).is_empty());
        with_names.map(legend).collect()
    }

    /// What these legends take outside of the axes.
    fn room(&self, legends: &[(Block<'a>, Spot)], plans: &[Plan<'a>]) -> Room {
        let mut room = Room::none(self.figure);
        let shared = self.shared;
        for (block, spot) in legends {
            let [w, h] = block.size();
            match *spot {
                Spot::Inside(_) => {}
                Spot::Beside(index) => {
                    let column = if shared {
                        self.columns - 1
                    } else {
                        self.cell(index)[0]
                    };
                    let room = &mut room.beside[column];
                    // A part of it stands in the margin.
                    *room = room.max(w - self.theme.gap);
                }
                Spot::Below(index) => {
                    let last = if shared { plans.len() - 1 } else { index };
                    let room = &mut room.below[self.cell(last)[1]];
                    *room = room.max(h);
                }
            }
        }
        room
    }

    /// Adds a legend.
    fn place(&self, legend: &Block<'a>, spot: Spot, plans: &[Plan<'a>], marks: &mut Vec<Mark>) {
        let (shared, gap) = (self.shared, self.theme.gap);
        match spot {
            Spot::Inside(index) => {
                let plan = &plans[index];
                let cover = plan.cover(&self.theme);
                let free = legend.free_place(&cover, &plan.frame);
                let at = free.unwrap_or_else(|| legend.emptiest_place(&cover, &plan.frame));
                legend.draw_inside(at, marks);
            }
            Spot::Beside(index) => {
                let last = if shared { self.columns - 1 } else { index };
                legend.draw(
                    [plans[last].frame.right + gap, plans[index].frame.top],
                    marks,
                );
            }
            Spot::Below(index) => {
                let last = if shared { plans.len() - 1 } else { index };
                let [_, y0, _, h] = plans[last].cell;
                legend.draw([plans[index].frame.left - gap, y0 + h - 0.5 * gap], marks);
            }
        }
    }
}

/// From the top of a panel to its axes.
fn above(panel: &Panel, theme: &Theme) -> f64 {
    let title = match panel.title.is_empty() {
        true => 0.0,
        false => theme.label + theme.gap,
    };
    2.0 * theme.gap + title
}

/// From the axes to the bottom of a panel.
fn below_axes(theme: &Theme) -> f64 {
    theme.label + theme.small + 3.5 * theme.gap
}

fn curves(panel: &Panel, x: &Ruler, y: &Ruler, frame: &Frame, theme: &Theme) -> Vec<Drawn> {
    let spot = |px: f64, py: f64| frame.at(x.place(px), y.place(py));
    let drawn = |of: &Curve| {
        let pieces = curve::pieces(of, panel, &spot);
        (
            curve::lines(of, &pieces, frame),
            curve::spots(of, &pieces, frame, theme),
        )
    };
    panel.curves.iter().map(drawn).collect()
}

/// The horizontal axis; where there are lines alone, from the first value to the last.
fn filled(panel: &Panel, [least, most]: [f64; 2]) -> Axis {
    let axis = panel.x.clone();
    let has_marks = |c: &Curve| c.style == Style::Marks || c.marker.is_some();
    let is_constant = most - least <= CONSTANT * least.abs().max(most.abs());
    match axis.range {
        None if !is_constant && axis.words.is_empty() && !panel.curves.iter().any(has_marks) => {
            axis.between(least, most)
        }
        _ => axis,
    }
}

/// Whether an axis has ends that it can have.
fn check(axis: &Axis) -> Result<(), PlotError> {
    let logarithmic = axis.scale == Scale::Logarithmic;
    match axis.range {
        Some([from, to])
            if !(from.is_finite() && to.is_finite() && from < to)
                || (logarithmic && from <= 0.0) =>
        {
            Err(PlotError::Limits {
                label: axis.label.clone(),
                from,
                to,
                logarithmic,
            })
        }
        _ => Ok(()),
    }
}

/// Least and largest value that each axis can show.
fn extents(panel: &Panel) -> Result<[[f64; 2]; 2], PlotError> {
    let mut extents = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    let shown = |p: &[f64; 2]| {
        let within =
            |range: Option<[f64; 2]>, v: f64| range.is_none_or(|[a, b]| (a..=b).contains(&v));
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
                .any(|axis| axis.scale == Scale::Logarithmic),
            limited: panel.x.range.is_some(),
        });
    }
    Ok(extents)
}
