//! The two edges that are nearest to each other, found by halving rods and leaving out halves that
//! cannot hold the pair.
//!
//! A part is a run of successive edges; parts are halved down to single edges. Two parts are left
//! out together when
//!
//! - the gap between their boxes exceeds the smallest gap found so far, or
//! - they belong to one rod and all their edges are so near along it that contact leaves them out
//!   (see [`may_touch`]), or
//! - they belong to one rod, and their boxes are so far apart that no pair is an approach (see
//!   `Nearest::is_approach`).
//!
//! So the work grows like the number of edges, also where edges are much shorter than the rod is
//! thick.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use crate::kernels::candidates::Aabb;
use crate::kernels::distance::closest_points;
use crate::model::Model;
use crate::model::pairs::exclusion::{may_touch, rest_arc};
use crate::model::pairs::unknowns::nodes;
use crate::rod::kinematics::position;

/// Distance over arc below which a rod counts as bent back on itself.
const BENT_BACK: f64 = 0.6;
/// Gap over the sum of radii below which edges nearly touch.
const NEARLY_TOUCHING: f64 = 0.1;
/// Distances of boxes are taken as less by this part, for rounding.
const ROUNDING: f64 = 1e-12;

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

    /// Whether this pair comes before another: its gap is smaller, or as small and its edges come
    /// first.
    fn is_before(&self, other: &Self) -> bool {
        (self.gap, self.edges) < (other.gap, other.edges)
    }
}

/// The pair of edges with the smallest gap among those that contact considers and that approach
/// each other; `None` if there is none.
pub(crate) fn nearest(model: &Model, q: &[f64]) -> Option<Nearest> {
    let mut search = Search::new(model, q);
    search.run();
    search.best
}

/// Smallest gap of `pairs` at `q`, m, neighbours along a rod left out; `None` without any.
pub(crate) fn smallest_gap(model: &Model, q: &[f64], pairs: &[(u32, u32)]) -> Option<f64> {
    let pairs = pairs
        .iter()
        .map(|&(i, j)| Nearest::of_pair(model, q, [i as usize, j as usize]));
    pairs
        .filter(|pair| pair.is_approach(model))
        .map(|pair| pair.gap)
        .min_by(f64::total_cmp)
}

/// Successive edges.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// Flat indices of the first and of that after the last.
    edges: [usize; 2],
    /// Around their centrelines.
    around: Aabb,
    /// Smallest and largest radius, m.
    radius: [f64; 2],
    /// The rod that they all belong to.
    rod: Option<usize>,
    /// Smallest and largest rest arc length of their middles, m.
    arc: [f64; 2],
}

impl Part {
    fn of_edge(model: &Model, q: &[f64], edge: usize) -> Self {
        let topology = &model.topology;
        let [a, b] = topology.edge_nodes[edge].map(|n| position(q, topology.node_dof[n]));
        Self {
            edges: [edge, edge + 1],
            around: Aabb::of_edge(a, b, 0.0),
            radius: [model.radius[edge]; 2],
            rod: Some(topology.edge_rod[edge]),
            arc: [model.edge_arc[edge]; 2],
        }
    }

    fn and(&self, next: &Self) -> Self {
        let join = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        Self {
            edges: [self.edges[0], next.edges[1]],
            around: self.around.union(&next.around),
            radius: join(self.radius, next.radius),
            rod: self.rod.filter(|_| self.rod == next.rod),
            arc: join(self.arc, next.arc),
        }
    }

    /// Largest rest arc length between the middles of an edge here and one there, m, if all are of
    /// one rod.
    fn largest_arc(&self, other: &Self, model: &Model) -> Option<f64> {
        let rod = self.rod.filter(|_| self.rod == other.rod)?;
        let largest = (self.arc[1] - other.arc[0]).max(other.arc[1] - self.arc[0]);
        if !model.topology.rods[rod].closed {
            return Some(largest);
        }
        // Round a closed rod the shorter way counts.
        let smallest = (self.arc[0] - other.arc[1]).max(other.arc[0] - self.arc[1]);
        Some(largest.min(model.rod_length[rod] - smallest.max(0.0)))
    }
}

/// A search in progress.
struct Search<'a> {
    model: &'a Model,
    q: &'a [f64],
    /// Part 1 is all edges; those of part n are the parts 2 n and 2 n + 1.
    parts: Vec<Option<Part>>,
    best: Option<Nearest>,
    /// Pairs of parts that were looked at: a measure of the work.
    looked_at: usize,
}

impl<'a> Search<'a> {
    fn new(model: &'a Model, q: &'a [f64]) -> Self {
        let edges = model.topology.edges();
        let leaves = edges.next_power_of_two();
        let mut parts = vec![None; 2 * leaves];
        for edge in 0..edges {
            parts[leaves + edge] = Some(Part::of_edge(model, q, edge));
        }
        for part in (1..leaves).rev() {
            parts[part] = match [parts[2 * part], parts[2 * part + 1]] {
                [Some(first), Some(second)] => Some(first.and(&second)),
                // Edges fill the leaves from the left, so that a second half may be empty.
                [first, _] => first,
            };
        }
        Self {
            model,
            q,
            parts,
            best: None,
            looked_at: 0,
        }
    }

    fn run(&mut self) {
        let mut open = vec![[1, 1]];
        while let Some([a, b]) = open.pop() {
            let Some(bound) = self.bound(a, b) else {
                continue;
            };
            if self.best.is_some_and(|best| bound > best.gap) {
                continue;
            }
            // Single edges.
            if a >= self.parts.len() / 2 {
                if a != b {
                    self.compare(a, b);
                }
                continue;
            }
            // All pairs of halves; of a part with itself one of the two mixed ones.
            let mut next = vec![[2 * a, 2 * b], [2 * a + 1, 2 * b + 1], [2 * a, 2 * b + 1]];
            if a != b {
                next.push([2 * a + 1, 2 * b]);
            }
            // The nearest parts come first, so that the others can be left out.
            let far = |pair: &[usize; 2]| self.box_gap(pair[0], pair[1]).unwrap_or(f64::INFINITY);
            next.sort_by(|x, y| far(y).total_cmp(&far(x)));
            open.extend(next);
        }
    }

    /// A lower bound of the gaps between edges of two parts, m; `None` if no pair of them counts.
    fn bound(&mut self, a: usize, b: usize) -> Option<f64> {
        let gap = self.box_gap(a, b)?;
        self.looked_at += 1;
        let (first, second) = (self.parts[a].as_ref()?, self.parts[b].as_ref()?);
        let Some(arc) = first.largest_arc(second, self.model) else {
            return Some(gap);
        };
        let [thin, thick] = [0, 1].map(|k| first.radius[k] + second.radius[k]);
        // Nowhere pi h apart along the rod: contact leaves all these pairs out.
        let touches_never = arc < FRAC_PI_2 * thin;
        // Neither nearly in touch nor bent back: no pair is an approach.
        let only_follows = gap >= NEARLY_TOUCHING * thick && gap + thick >= BENT_BACK * arc;
        (!touches_never && !only_follows).then_some(gap)
    }

    /// Distance of the boxes less the largest radii, m; `None` where there are no edges.
    fn box_gap(&self, a: usize, b: usize) -> Option<f64> {
        let (first, second) = (self.parts[a].as_ref()?, self.parts[b].as_ref()?);
        let (x, y) = (&first.around, &second.around);
        let apart = (x.min - y.max).max(y.min - x.max).max(DVec3::ZERO);
        let distance = apart.length() * (1.0 - ROUNDING);
        Some(distance - (first.radius[1] + second.radius[1]) * (1.0 + ROUNDING))
    }

    fn compare(&mut self, a: usize, b: usize) {
        let leaves = self.parts.len() / 2;
        let (i, j) = (a.min(b) - leaves, a.max(b) - leaves);
        if !may_touch(self.model, i, j) {
            return;
        }
        let pair = Nearest::of_pair(self.model, self.q, [i, j]);
        let first = self.best.is_none_or(|best| pair.is_before(&best));
        if first && pair.is_approach(self.model) {
            self.best = Some(pair);
        }
    }
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
            .filter(|pair| pair.is_approach(model))
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
        let mut search = Search::new(&model, &state.q);
        search.run();
        search.looked_at as f64 / model.topology.edges() as f64
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
