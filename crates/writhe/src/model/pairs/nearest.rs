//! The two edges that are nearest to each other, as far as [`LARGEST_GAP`].
//!
//! Parts of rods are halved down to single edges (`parts.rs`). Two parts are left out together when
//!
//! - the gap between their boxes exceeds the smallest gap found so far, or [`LARGEST_GAP`], or
//! - they belong to one rod and all their edges are so near along it that contact leaves them out
//!   (see [`may_touch`]), or
//! - they belong to one rod, and their boxes are so far apart that no pair is an approach (see
//!   `Nearest::is_approach`), or
//! - they belong to a stretch of a rod that goes one way (`stretches.rs`).
//!
//! So the work grows like the number of edges, also where edges are much shorter than the rod is
//! thick.

use glam::DVec3;

use crate::kernels::distance::{ROUNDING, closest_points, distances};
use crate::lanes::{COLUMN, Column, Columns3, put};
use crate::model::Model;
use crate::model::pairs::exclusion::{may_touch, rest_arc};
use crate::model::pairs::parts::{Halves, Parts, Wanted};
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

/// Distance over arc below which a rod counts as bent back on itself.
pub(super) const BENT_BACK: f64 = 0.6;
/// Gap over the sum of radii below which edges nearly touch.
pub(super) const NEARLY_TOUCHING: f64 = 0.1;
/// Largest gap of a pair that is looked for, over the sum of its radii: ten radii between rods of
/// one radius. Farther apart, which rods are nearest says nothing about contact, and to find out
/// would cost more than the steps.
pub const LARGEST_GAP: f64 = 5.0;

/// Nearest pair of edges of a configuration, with its gap (distance of the centrelines less the
/// radii), m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Flat edge indices.
    pub edges: [usize; 2],
    /// Distance of the centrelines, m.
    pub distance: f64,
    /// Distance of the surfaces, m; negative when they penetrate.
    pub gap: f64,
    /// Middle of the shortest connection, m.
    pub at: DVec3,
}

impl Nearest {
    /// The gap between two edges at `q`, `(dofs)`.
    pub(crate) fn of_pair(model: &Model, q: &[f64], edges: [usize; 2]) -> Self {
        let [a0, a1, b0, b1] = nodes(model, edges).map(|n| position(q, model.topology.node_dof[n]));
        let closest = closest_points(a0, a1, b0, b1);
        Self {
            edges,
            distance: closest.distance,
            gap: closest.distance - model.radius[edges[0]] - model.radius[edges[1]],
            // Half way back from the first edge's closest point.
            at: a0 + (a1 - a0) * closest.s - closest.delta * 0.5,
        }
    }

    /// Whether the edges nearly touch, or belong to rods, or parts of one rod bent back on itself,
    /// that approach each other; edges of one rod that are near only because they follow each other
    /// do not count.
    pub(crate) fn is_approach(&self, model: &Model) -> bool {
        let [i, j] = self.edges;
        let nearly_touching = self.gap < NEARLY_TOUCHING * (self.distance - self.gap);
        nearly_touching
            || rest_arc(model, i, j).is_none_or(|arc| {
                let between = arc - 0.5 * (model.rest_length[i] + model.rest_length[j]);
                self.distance < BENT_BACK * between
            })
    }

    /// Whether its gap is not too large to be looked for.
    fn is_near(&self) -> bool {
        self.gap <= LARGEST_GAP * (self.distance - self.gap)
    }

    /// Whether this pair comes before another: its gap is smaller, or as small and its edges come
    /// first.
    fn is_before(&self, other: &Self) -> bool {
        (self.gap, self.edges) < (other.gap, other.edges)
    }
}

/// The pair of edges with the smallest gap among those that contact considers and that approach
/// each other; `None` if no gap is at most [`LARGEST_GAP`] times the sum of the radii.
pub(crate) fn nearest(model: &Model, q: &[f64]) -> Option<Nearest> {
    search(model, q).0
}

/// The nearest pair, and how many pairs of parts were looked at.
fn search(model: &Model, q: &[f64]) -> (Option<Nearest>, usize) {
    let mut parts = Parts::default();
    let place = |node: usize| position(q, model.topology.node_dof[node]);
    let wanted = Wanted::Touching;
    parts.set(model, wanted, |_| 0.0, |node| [place(node), place(node)]);
    (nearest_in(&mut parts, model, q), parts.looked_at)
}

/// As [`nearest`], given the edges at `q` in parts to look for those that may touch, with any margins.
pub(crate) fn nearest_in(parts: &mut Parts, model: &Model, q: &[f64]) -> Option<Nearest> {
    let mut best: Option<Nearest> = None;
    // A lower bound of the gap between two parts, unless no pair of them is wanted.
    let bound = |parts: &Parts, [a, b]: [usize; 2], best: Option<Nearest>| {
        if parts.share_a_stretch(a, b) {
            return None;
        }
        let (first, second) = parts.both(a, b)?;
        let gap = first.gap(second);
        let thick = first.radius[1] + second.radius[1];
        let too_far = gap > best.map_or(LARGEST_GAP * thick, |best| best.gap);
        if too_far || first.touches_never(second, model) {
            return None;
        }
        // Neither nearly in touch nor bent back: no pair is an approach.
        let only_follows =
            |arc: f64| gap >= NEARLY_TOUCHING * thick && gap + thick >= BENT_BACK * arc;
        let follow = first.largest_arc(second, model).is_some_and(only_follows);
        (!follow).then_some(gap)
    };
    let mut open: Vec<(f64, [usize; 2])> = Vec::new();
    let all = [1, 1];
    open.extend(bound(parts, all, best).map(|gap| (gap, all)));
    parts.looked_at = 0;
    while let Some((gap, [a, b])) = open.pop() {
        parts.looked_at += 1;
        if best.is_some_and(|best| gap > best.gap) {
            continue;
        }
        if let Some([i, j]) = parts.singles(a, b) {
            if may_touch(model, i, j) {
                let pair = Nearest::of_pair(model, q, [i, j]);
                let first = best.is_none_or(|best| pair.is_before(&best));
                if first && pair.is_near() && pair.is_approach(model) {
                    best = Some(pair);
                }
            }
            continue;
        }
        let Halves { pairs, count } = parts.halves(a, b);
        let others = open.len();
        for pair in &pairs[..count] {
            if let Some(gap) = bound(parts, *pair, best) {
                // The nearest parts come first, which is last, so that the others can be left out.
                let nearer = open[others..].iter().position(|(other, _)| *other < gap);
                open.insert(nearer.map_or(open.len(), |k| others + k), (gap, *pair));
            }
        }
    }
    best
}

/// Distances of the centrelines of at most [`COLUMN`] pairs of edges, m, off by a part of [`ROUNDING`]
/// at most, with nodes at `place`; not a number where an edge has no length.
pub(crate) fn rough_distances(
    model: &Model,
    pairs: &[(u32, u32)],
    place: impl Fn(usize) -> DVec3,
) -> Column {
    let mut nodes_of: [Columns3; 4] = [[[0.0; COLUMN]; 3]; 4];
    let mut found = Column::default();
    for (lane, (i, j)) in pairs.iter().enumerate() {
        let nodes = nodes(model, [*i as usize, *j as usize]);
        for (columns, node) in nodes_of.iter_mut().zip(nodes) {
            put(columns, lane, place(node));
        }
    }
    distances(&nodes_of, &mut found);
    found
}

/// The nearest of `pairs` of edges at `q`, neighbours along a rod left out, however far apart; `None`
/// without any.
pub(crate) fn nearest_of(model: &Model, q: &[f64], pairs: &[(u32, u32)]) -> Option<Nearest> {
    let mut best: Option<Nearest> = None;
    let place = |node: usize| position(q, model.topology.node_dof[node]);
    for pairs in pairs.chunks(COLUMN) {
        for ((i, j), distance) in pairs.iter().zip(rough_distances(model, pairs, place)) {
            let edges = [*i as usize, *j as usize];
            let touching = model.radius[edges[0]] + model.radius[edges[1]];
            let least = (1.0 - ROUNDING) * distance - touching;
            if best.is_some_and(|best| least > best.gap) {
                continue;
            }
            let pair = Nearest::of_pair(model, q, edges);
            let first = best.is_none_or(|best| pair.is_before(&best));
            if first && pair.is_approach(model) {
                best = Some(pair);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_model::ContactModel;
    use crate::kernels::testing::Random;
    use crate::model::ModelBuilder;
    use crate::rod::{Material, Rod, Section};
    use crate::state::State;

    fn built(rods: Vec<(Vec<DVec3>, bool)>, radius: f64) -> (Model, State) {
        let section = Section::circle(Material::new(1e6, 0.5, 1000.0), radius);
        let of = |(nodes, closed): (Vec<DVec3>, bool)| match closed {
            true => Rod::closed(nodes, section).unwrap(),
            false => Rod::open(nodes, section).unwrap(),
        };
        // Without contact rods may overlap.
        let builder = ModelBuilder::new().contact(ContactModel::None);
        let builder = rods.into_iter().map(of).fold(builder, ModelBuilder::rod);
        builder.build().unwrap()
    }

    /// All pairs, one by one.
    fn by_force(model: &Model, q: &[f64]) -> Option<Nearest> {
        let edges = model.topology.edges();
        let all = (0..edges).flat_map(|i| (i + 1..edges).map(move |j| [i, j]));
        all.filter(|[i, j]| may_touch(model, *i, *j))
            .map(|edges| Nearest::of_pair(model, q, edges))
            .filter(|pair| pair.is_near() && pair.is_approach(model))
            .min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    /// Nodes a length of 1 apart that go on in nearly the same direction.
    fn walk(random: &mut Random, nodes: usize) -> Vec<DVec3> {
        let (mut x, mut direction) = (4.0 * random.vector(), DVec3::X);
        let mut step = || {
            direction = (direction + 0.6 * random.vector()).normalize();
            x += direction;
            x
        };
        (0..nodes).map(|_| step()).collect()
    }

    #[test]
    fn it_is_that_of_all_pairs() {
        let mut random = Random(5);
        for case in 0..60 {
            let radius = [0.05, 0.3, 1.0, 3.0][case % 4];
            let mut rods = vec![(walk(&mut random, 3 + case), false)];
            if case % 3 > 0 {
                rods.push((walk(&mut random, 20), false));
            }
            if case % 5 == 0 {
                let turn = |k: usize| std::f64::consts::TAU * k as f64 / 40.0;
                let circle =
                    (0..40).map(|k| DVec3::new(6.0 * turn(k).cos(), 6.0 * turn(k).sin(), 0.1));
                rods.push((circle.collect(), true));
            }
            let (model, state) = built(rods, radius);
            assert_eq!(
                nearest(&model, &state.q),
                by_force(&model, &state.q),
                "{case}"
            );
        }
    }

    /// Pairs of parts that are looked at for each edge.
    fn work(rods: Vec<Vec<DVec3>>, radius: f64) -> f64 {
        let rods = rods.into_iter().map(|nodes| (nodes, false)).collect();
        let (model, state) = built(rods, radius);
        search(&model, &state.q).1 as f64 / model.topology.edges() as f64
    }

    /// Edges from as long as the rod is thick down to a thousandth of that: one metre, straight,
    /// helical, two side by side.
    #[test]
    fn work_grows_hardly_faster_than_the_number_of_edges() {
        let line = |n: usize, y: f64| -> Vec<DVec3> {
            (0..=n)
                .map(|i| DVec3::new(i as f64 / n as f64, y, 0.0))
                .collect()
        };
        let helix = |n: usize| -> Vec<DVec3> {
            let node = |i: usize| {
                let s = i as f64 / n as f64;
                let (sin, cos) = (60.0 * s).sin_cos();
                DVec3::new(0.05 * cos, 0.05 * sin, 0.5 * s)
            };
            (0..=n).map(node).collect()
        };
        for n in [1_000, 10_000, 100_000] {
            let all = [
                work(vec![line(n, 0.0)], 1e-3),
                work(vec![helix(n)], 1e-3),
                work(vec![line(n, 0.0), line(n, 2.5e-3)], 1e-3),
                work(vec![line(n, 0.0)], 0.02),
            ];
            // A helix much finer than the rod is thick takes the most: its turns are near each
            // other everywhere.
            let most = 10.0 * (n as f64).powf(0.25);
            assert!(all.iter().all(|w| *w < most), "{n} edges: {all:?}");
        }
    }

    #[test]
    fn one_edge_has_no_neighbour() {
        let (model, state) = built(vec![(vec![DVec3::ZERO, DVec3::X], false)], 0.1);
        assert_eq!(nearest(&model, &state.q), None);
    }
}
