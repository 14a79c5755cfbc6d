//! How far the rods of C21's knots are from touching where they press on each other: between the
//! chords of the polyline, as contact sees them, and between the curves that it stands for.

use writhe_results::table::number;
use writhe_rundir::RunReader;

use super::knot_columns::by;
use super::knots::{LENGTH, Pull, RADIUS};
use super::smooth_curve::SmoothCurve;
use super::{Experiment, Row, rows_of};
use crate::bench::{Bench, Span};
use crate::error::Result;
use crate::measure::rods;
use crate::rows::Rows;

/// Hover and penetration of C21's knots (its section 3.3).
#[derive(Debug)]
pub struct Contact;

const NAME: &str = "choi2021-contact";

/// Shortenings at which contacts are looked at, m.
const AT: [f64; 3] = [0.5, 0.3, 0.15];
/// The same of a quick run: where it starts.
const AT_QUICK: [f64; 3] = [0.71, 0.71, 0.71];
/// A rod whose surface is smooth touches itself after half a turn around its own radius, m, at the
/// soonest. C21's contact acts between nearer neighbours too, which do not touch.
const HALF_TURN: f64 = std::f64::consts::PI * RADIUS;
/// Contacts bear load from this part of the largest normal force on.
const BEARING: f64 = 0.01;

fn pulls(span: Span) -> Vec<Pull> {
    let all: &[usize] = span.choose(&[1, 2, 3, 4], &[1]);
    let ours = all.iter().map(|n| Pull::new(*n));
    let fine = ours.clone().map(Pull::on_half_the_mesh);
    let by_c21 = ours.clone().map(Pull::by_c21);
    match span {
        Span::Full => ours.chain(fine).chain(by_c21).collect(),
        Span::Quick => ours.collect(),
    }
}

fn name(pull: &Pull) -> String {
    let mesh = if pull.half_mesh { "-half-mesh" } else { "" };
    format!("n{}{}{mesh}", pull.n, pull.method())
}

impl Experiment for Contact {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "hover and penetration of knots, between the chords and between the smooth curves (C21 section 3.3)"
    }

    fn columns(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("unknotting_number", "n"),
            ("edges", "edges"),
            ("chords_deepest_um", "chords um: deepest"),
            ("chords_farthest_um", "farthest"),
            ("curves_deepest_um_at_500mm", "curves um at .5 m: deepest"),
            ("curves_mean_um_at_500mm", "mean"),
            ("curves_farthest_um_at_500mm", "farthest"),
            ("curves_deepest_um_at_300mm", "at .3 m: deepest"),
            ("curves_mean_um_at_300mm", "mean"),
            ("curves_farthest_um_at_300mm", "farthest"),
            ("curves_deepest_um_at_150mm", "at .15 m: deepest"),
            ("curves_mean_um_at_150mm", "mean"),
            ("curves_farthest_um_at_150mm", "farthest"),
        ]
    }

    fn rows(&self, span: Span) -> Vec<Row> {
        rows_of(pulls(span), name, measure)
    }

    fn notes(&self, rows: &Rows, _bench: &Bench) -> String {
        let mut text = NOTES.to_owned();
        for pull in [1, 2, 3, 4].map(Pull::new) {
            let mean = |pull: &Pull| rows.number(&name(pull), "curves_mean_um_at_150mm");
            if let (Some(coarse), Some(fine)) = (mean(&pull), mean(&pull.on_half_the_mesh())) {
                text += &format!(
                    "  n = {}{}: at .15 m the mean gap of the curves is {} um, {} um on half the mesh, {} times less\n",
                    pull.n,
                    by(&pull),
                    number(coarse, 3),
                    number(fine, 3),
                    number(coarse / fine, 3)
                );
            }
        }
        text
    }
}

const NOTES: &str = "\
Gaps between surfaces where rods bear on each other (with at least 1 % of the largest normal force), in the frames nearest to these shortenings; the radius is
1600 um. Chords: as contact sees them, over the three frames. Curves: cubic curves through the nodes with a continuous tangent, near the same places; the mean
is weighted by force. Neighbours nearer than pi radii along the rod, between which C21's contact acts too, are left out. Chords lie l^2/(8 R) inside of a curve
of radius R: where rods touch at the inside of their bends, curves are farther apart.
";

/// Gaps of contacts that bear load, m, and their normal forces, N.
#[derive(Debug, Clone, Default, PartialEq)]
struct Gaps {
    /// Between chords.
    chords: Vec<f64>,
    /// Between the curves.
    curves: Vec<f64>,
    forces: Vec<f64>,
}

impl Gaps {
    /// Of a frame of a rod of edges that are equally long at rest.
    fn of(reader: &RunReader, frame: usize) -> Result<Self> {
        let nodes = rods(reader, frame)?.swap_remove(0);
        let curve = SmoothCurve::through(&nodes);
        let per_arc = (nodes.len() - 1) as f64 / LENGTH;
        let all = reader.contacts()?.unwrap_or_default();
        let here = all.get(frame).map_or(&[][..], |contacts| contacts);
        let between = |contact: &writhe_rundir::Contact| {
            let (_, arcs) = contact.between_rods()?;
            let apart = (arcs[0] - arcs[1]).abs();
            (contact.force > 0.0 && apart >= HALF_TURN).then_some((
                contact.force,
                contact.gap,
                arcs,
            ))
        };
        let touching: Vec<_> = here.iter().filter_map(between).collect();
        let largest = touching.iter().map(|touch| touch.0).fold(0.0, f64::max);
        let mut out = Self::default();
        for (force, gap, arcs) in touching {
            if force >= BEARING * largest {
                let distance = curve.distance_near(arcs.map(|arc| arc * per_arc));
                out.chords.push(gap);
                out.curves.push(distance - 2.0 * RADIUS);
                out.forces.push(force);
            }
        }
        Ok(out)
    }

    /// Deepest, mean and farthest gap of the curves, um.
    fn told(&self) -> [String; 3] {
        let [deepest, farthest] = extremes(&self.curves);
        let weighted: f64 = self
            .curves
            .iter()
            .zip(&self.forces)
            .map(|(g, f)| g * f)
            .sum();
        let mean = weighted / self.forces.iter().sum::<f64>();
        [deepest, mean, farthest].map(|gap| number(1e6 * gap, 4))
    }
}

/// Smallest and largest value; NaN without any.
fn extremes(values: &[f64]) -> [f64; 2] {
    let of = |choose: fn(f64, f64) -> f64| values.iter().copied().fold(f64::NAN, choose);
    [of(f64::min), of(f64::max)]
}

fn measure(pull: &Pull, bench: &mut Bench) -> Result<Vec<String>> {
    let (reader, _) = bench.frames(&pull.whole(bench.span))?;
    let shortening = reader.observable("rod0_shortening");
    let shortening = shortening.map_or(Vec::new(), |o| o.values.clone());
    let (mut chords, mut told, mut edges) = (Vec::new(), Vec::new(), 0);
    for at in bench.span.choose(AT, AT_QUICK) {
        let off = |i: &usize| (shortening[*i] - at).abs();
        let nearest = (0..shortening.len()).min_by(|a, b| off(a).total_cmp(&off(b)));
        let frame = nearest.unwrap_or_default();
        let gaps = Gaps::of(&reader, frame)?;
        chords.extend(&gaps.chords);
        told.extend(gaps.told());
        edges = rods(&reader, frame)?[0].len() - 1;
    }
    let mut values = vec![pull.n.to_string(), edges.to_string()];
    values.extend(extremes(&chords).map(|gap| number(1e6 * gap, 4)));
    values.extend(told);
    Ok(values)
}
