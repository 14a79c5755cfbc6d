//! Edges in parts that are halved: pairs of edges that are near are found by leaving out pairs of
//! parts that are not.
//!
//! Eight successive edges of a rod make a part. These parts are put in the order of a curve that
//! fills space (Morton's), so that neighbours on it are near each other; every larger part is two
//! neighbours. Two parts are left out together when their boxes are too far apart, or when they
//! belong to one rod and contact leaves out all their pairs (see
//! [`may_touch`](super::exclusion::may_touch)), or they lie in a stretch of a rod that goes one way
//! (`stretches.rs`). Of two parts of eight edges each all pairs are compared
//! at once (`run.rs`), or they are halved down to single edges. So the work grows like the number of edges, for one
//! rod with edges much shorter than it is thick as for many rods in a heap.

mod run;

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use super::stretches;
use crate::kernels::candidates::Aabb;
use crate::lanes::COLUMN;
use crate::model::Model;
use run::Run;

/// Successive edges of a rod that stay together.
const TOGETHER: usize = COLUMN;
/// Bits of a coordinate along the curve that fills space.
const CURVE_BITS: u32 = 20;
/// The stretch of a part without edges.
const EMPTY: u32 = stretches::NONE - 1;
/// Distances of boxes are taken as less by this part, for rounding.
const ROUNDING: f64 = 1e-12;

/// Some edges.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// Around the ways of their centrelines.
    around: Aabb,
    /// Largest margin of an edge, m.
    margin: f64,
    /// Smallest and largest radius, m.
    pub(super) radius: [f64; 2],
    /// The rod that they all belong to.
    rod: Option<usize>,
    /// Smallest and largest rest arc length of their middles, m.
    arc: [f64; 2],
}

impl Part {
    fn and(&self, next: &Self) -> Self {
        let join = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        Self {
            around: self.around.union(&next.around),
            margin: self.margin.max(next.margin),
            radius: join(self.radius, next.radius),
            rod: self.rod.filter(|_| self.rod == next.rod),
            arc: join(self.arc, next.arc),
        }
    }

    /// Bound on the rest arc length between the middles of an edge here and one there, m, if all
    /// are of one rod.
    pub(super) fn largest_arc(&self, other: &Self, model: &Model) -> Option<f64> {
        let rod = self.rod.filter(|_| self.rod == other.rod)?;
        let largest = (self.arc[1] - other.arc[0]).max(other.arc[1] - self.arc[0]);
        if !model.topology.rods[rod].closed {
            return Some(largest);
        }
        // Round a closed rod the shorter way counts.
        let smallest = (self.arc[0] - other.arc[1]).max(other.arc[0] - self.arc[1]);
        Some(largest.min(model.rod_length[rod] - smallest.max(0.0)))
    }

    /// Whether contact leaves out all pairs of an edge here and one there, as they follow each
    /// other along a rod at less than pi h.
    pub(super) fn touches_never(&self, other: &Self, model: &Model) -> bool {
        let thin = self.radius[0] + other.radius[0];
        self.largest_arc(other, model)
            .is_some_and(|arc| arc < FRAC_PI_2 * thin)
    }

    /// A lower bound of the gap between two edges, m, whatever their margins.
    pub(super) fn gap(&self, other: &Self) -> f64 {
        let thick = (self.radius[1] + other.radius[1]) * (1.0 + ROUNDING);
        self.apart(other).length() * (1.0 - ROUNDING) - thick
    }

    /// Whether the boxes overlap when they are grown by the margins on all sides.
    fn overlaps(&self, other: &Self) -> bool {
        self.apart(other).max_element() * (1.0 - ROUNDING) <= self.margins(other)
    }

    /// Distance of the boxes along each axis, m; 0 where they overlap.
    fn apart(&self, other: &Self) -> DVec3 {
        let (x, y) = (&self.around, &other.around);
        (x.min - y.max).max(y.min - x.max).max(DVec3::ZERO)
    }

    /// Largest sum of two margins, m.
    fn margins(&self, other: &Self) -> f64 {
        (self.margin + other.margin) * (1.0 + ROUNDING)
    }
}

/// Which pairs of edges are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Those that [may touch](super::exclusion::may_touch).
    Touching,
    /// Those that [may cross](super::exclusion::may_cross).
    Crossing,
}

/// All edges of a model in parts; none where all of them lie in one stretch (`stretches.rs`).
#[derive(Debug, Default)]
pub(crate) struct Parts {
    wanted: Option<Wanted>,
    /// Part 1 is all edges; those of part n are the parts 2 n and 2 n + 1. The last half are single
    /// edges.
    parts: Vec<Option<Part>>,
    /// The edge of each part that is a single one.
    edges: Vec<usize>,
    /// Boxes of the edges that stay together, side by side.
    runs: Vec<Run>,
    /// The stretch of each edge, and of each part whose edges lie in one.
    of_edge: Vec<u32>,
    of_part: Vec<u32>,
    /// Pairs of parts still to be looked at.
    open: Vec<[usize; 2]>,
    /// Pairs of parts that were looked at by the last search, and edges that were compared with
    /// eight others at once: a measure of the work.
    pub(crate) looked_at: usize,
}

impl Parts {
    /// Parts of the edges whose nodes go straight between `ends(node)`, m, all at once, each edge with
    /// its `margin(edge)`, m, to look for pairs that are `wanted`. Edges with a coordinate that is not
    /// finite are near nothing.
    pub(crate) fn set(
        &mut self,
        model: &Model,
        wanted: Wanted,
        margin: impl Fn(usize) -> f64,
        ends: impl Fn(usize) -> [DVec3; 2],
    ) {
        let topology = &model.topology;
        let single = |edge: usize| {
            let [[a, c], [b, d]] = topology.edge_nodes[edge].map(&ends);
            let around = Aabb::of_edge(a, b, 0.0).union(&Aabb::of_edge(c, d, 0.0));
            let finite = a.is_finite() && b.is_finite() && c.is_finite() && d.is_finite();
            finite.then(|| Part {
                around,
                margin: margin(edge),
                radius: [model.radius[edge]; 2],
                rod: Some(topology.edge_rod[edge]),
                arc: [model.edge_arc[edge]; 2],
            })
        };
        self.wanted = Some(wanted);
        self.parts.clear();
        if stretches::find(model, wanted, &margin, &ends, &mut self.of_edge) {
            return;
        }
        let runs = runs(model, &ends);
        let singles = (runs.len() * TOGETHER).next_power_of_two();
        self.parts.resize(2 * singles, None);
        self.edges.clear();
        self.edges.resize(singles, usize::MAX);
        self.runs.clear();
        self.runs.resize(singles / TOGETHER, Run::default());
        self.of_part.clear();
        self.of_part.resize(2 * singles, EMPTY);
        for (place, (first, count)) in runs.into_iter().enumerate() {
            for k in 0..count {
                let (at, part) = (place * TOGETHER + k, single(first + k));
                self.edges[at] = first + k;
                if let Some(part) = &part {
                    self.runs[place].put(k, part);
                }
                self.parts[singles + at] = part;
                self.of_part[singles + at] = self.of_edge[first + k];
            }
        }
        for part in (1..singles).rev() {
            self.parts[part] = match [self.parts[2 * part], self.parts[2 * part + 1]] {
                [Some(first), Some(second)] => Some(first.and(&second)),
                [first, second] => first.or(second),
            };
            self.of_part[part] = match [self.of_part[2 * part], self.of_part[2 * part + 1]] {
                [first, second] if first == second || second == EMPTY => first,
                [EMPTY, second] => second,
                _ => stretches::NONE,
            };
        }
    }

    /// Replaces `out` by the pairs (i, j), i < j, of edges whose boxes overlap when they are grown
    /// by their margins, and that pass `filter`, which leaves out those that are not wanted; sorted.
    /// Those that follow each other along a rod are not asked about.
    pub(crate) fn pairs(
        &mut self,
        model: &Model,
        filter: impl Fn(usize, usize) -> bool,
        out: &mut Vec<(u32, u32)>,
    ) {
        out.clear();
        let mut compared = 0;
        let apart = self.wanted == Some(Wanted::Touching);
        self.search(|parts, a, b| {
            if parts.share_a_stretch(a, b) {
                return None;
            }
            let (first, second) = parts.both(a, b)?;
            if !first.overlaps(second) || apart && first.touches_never(second, model) {
                return None;
            }
            let runs = parts.runs.len();
            if a < runs {
                return Some(parts.halves(a, b));
            }
            // Edges that stay together all at once.
            compared += TOGETHER;
            let [first, second] = [a, b].map(|part| &parts.runs[part - runs]);
            run::overlapping(first, second, |k, l| {
                let [k, l] = [TOGETHER * a + k, TOGETHER * b + l];
                let never = || {
                    let both = parts.both(k, l);
                    both.is_some_and(|(first, second)| first.touches_never(second, model))
                };
                // Of a run with itself each pair comes twice.
                if let Some([i, j]) = parts.singles(k, l)
                    && (a != b || k < l)
                    && !(apart && never())
                    && filter(i, j)
                {
                    out.push((i as u32, j as u32));
                }
            });
            None
        });
        self.looked_at += compared;
        // In the order of the edges: sums of forces depend on it.
        out.sort_unstable();
    }

    /// Looks at pairs of parts, from all edges with themselves on: `look` says which pairs of halves
    /// to look at then, the last one first.
    pub(super) fn search(&mut self, mut look: impl FnMut(&Self, usize, usize) -> Option<Halves>) {
        let mut open = std::mem::take(&mut self.open);
        open.push([1, 1]);
        self.looked_at = 0;
        while let Some([a, b]) = open.pop() {
            self.looked_at += 1;
            if let Some(Halves { pairs, count }) = look(self, a, b) {
                open.extend_from_slice(&pairs[..count]);
            }
        }
        self.open = open;
    }

    /// Whether two parts lie in one stretch: then no pair of their edges is wanted.
    pub(super) fn share_a_stretch(&self, a: usize, b: usize) -> bool {
        let of = |part: usize| self.of_part.get(part).copied().unwrap_or(EMPTY);
        of(a) == of(b) && of(a) != stretches::NONE
    }

    /// Both parts, if they have edges.
    pub(super) fn both(&self, a: usize, b: usize) -> Option<(&Part, &Part)> {
        let of = |part: usize| self.parts.get(part)?.as_ref();
        Some((of(a)?, of(b)?))
    }

    /// The two edges of two parts that are single ones and not the same, in their order.
    pub(super) fn singles(&self, a: usize, b: usize) -> Option<[usize; 2]> {
        let singles = self.edges.len();
        if a < singles || a == b {
            return None;
        }
        let [i, j] = [a, b].map(|part| self.edges[part - singles]);
        Some([i.min(j), i.max(j)])
    }

    /// All pairs of halves of two parts of one size; none of single edges. Of a part with itself
    /// one of the two mixed pairs.
    pub(super) fn halves(&self, a: usize, b: usize) -> Halves {
        let pairs = [
            [2 * a, 2 * b],
            [2 * a + 1, 2 * b + 1],
            [2 * a, 2 * b + 1],
            [2 * a + 1, 2 * b],
        ];
        let count = match (a >= self.edges.len(), a == b) {
            (true, _) => 0,
            (false, true) => 3,
            (false, false) => 4,
        };
        Halves { pairs, count }
    }
}

/// Up to four pairs of parts.
pub(super) struct Halves {
    pub(super) pairs: [[usize; 2]; 4],
    pub(super) count: usize,
}

/// Runs of up to [`TOGETHER`] successive edges of a rod, by first edge and number, in the order of
/// Morton's curve through the middle of each.
fn runs(model: &Model, ends: &impl Fn(usize) -> [DVec3; 2]) -> Vec<(usize, usize)> {
    let topology = &model.topology;
    let mut runs = Vec::with_capacity(topology.edges() / TOGETHER + topology.rods.len());
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for rod in &topology.rods {
        for first in (0..rod.edges).step_by(TOGETHER) {
            let count = TOGETHER.min(rod.edges - first);
            let first = rod.first_edge + first;
            let [from, to] = ends(topology.edge_nodes[first + count / 2][0]);
            let middle = 0.5 * (from + to);
            if middle.is_finite() {
                (low, high) = (low.min(middle), high.max(middle));
            }
            runs.push((middle, first, count));
        }
    }
    let scale = f64::from(1 << CURVE_BITS) / (high - low).max_element().max(f64::MIN_POSITIVE);
    // Casts take NaN for 0 and stop at the largest number.
    let key = |middle: DVec3| curve(((middle - low) * scale).to_array().map(|x| x as u32));
    let mut keyed: Vec<(u64, usize, usize)> = runs
        .into_iter()
        .map(|(middle, first, count)| (key(middle), first, count))
        .collect();
    keyed.sort_unstable();
    keyed
        .into_iter()
        .map(|(_, first, count)| (first, count))
        .collect()
}

/// Place on Morton's curve: the bits of the coordinates in turn.
fn curve(coordinates: [u32; 3]) -> u64 {
    /// Puts two zeros before each of the lowest 21 bits.
    fn spread(x: u32) -> u64 {
        let mut x = u64::from(x.min((1 << CURVE_BITS) - 1));
        for (shift, mask) in [
            (32, 0x001f_0000_0000_ffff),
            (16, 0x001f_0000_ff00_00ff),
            (8, 0x100f_00f0_0f00_f00f),
            (4, 0x10c3_0c30_c30c_30c3),
            (2, 0x1249_2492_4924_9249),
        ] {
            x = (x | x << shift) & mask;
        }
        x
    }
    let [x, y, z] = coordinates.map(spread);
    x << 2 | y << 1 | z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_model::ContactModel;
    use crate::kernels::distance::closest_points;
    use crate::kernels::testing::Random;
    use crate::model::ModelBuilder;
    use crate::model::pairs::exclusion::{may_cross, may_touch};
    use crate::rod::kinematics::position;
    use crate::rod::{Material, Rod, Section};
    use crate::state::State;

    /// Open rods of a radius, m; they may overlap.
    fn rods(rods: Vec<Vec<DVec3>>, radius: f64) -> (Model, State) {
        let section = Section::circle(Material::new(1e6, 0.5, 1000.0), radius);
        let builder = ModelBuilder::new().contact(ContactModel::None);
        let of = |nodes: Vec<DVec3>| Rod::open(nodes, section).unwrap();
        let builder = rods.into_iter().map(of).fold(builder, ModelBuilder::rod);
        builder.build().unwrap()
    }

    /// Nodes a length apart that go on in nearly the same direction.
    fn walk(random: &mut Random, from: DVec3, nodes: usize, length: f64) -> Vec<DVec3> {
        turning(random, from, nodes, length, 0.4)
    }

    fn turning(random: &mut Random, from: DVec3, nodes: usize, length: f64, by: f64) -> Vec<DVec3> {
        let (mut x, mut direction) = (from, random.unit());
        let mut step = || {
            direction = (direction + by * random.vector()).normalize();
            x += length * direction;
            x
        };
        (0..nodes).map(|_| step()).collect()
    }

    fn set(parts: &mut Parts, model: &Model, wanted: Wanted, [from, to]: [&[f64]; 2], margin: f64) {
        let place = |q: &[f64], n: usize| position(q, model.topology.node_dof[n]);
        parts.set(
            model,
            wanted,
            |e| model.radius[e] + margin,
            |n| [place(from, n), place(to, n)],
        );
    }

    /// But for those of one stretch, which stay apart.
    #[test]
    fn pairs_are_those_of_all_boxes_that_overlap() {
        let mut random = Random(7);
        let mut left_out = 0;
        for case in 0..60 {
            let radius = [0.02, 0.3, 2.0][case % 3];
            let by = [0.4, 0.1, 0.05, 1.0][case % 4];
            let count = 1 + case % 4;
            let all = (0..count).map(|k| {
                let from = 5.0 * random.vector();
                turning(&mut random, from, 3 + 7 * case % 30 + k, 1.0, by)
            });
            let (model, state) = rods(all.collect(), radius);
            let (by, mut parts) = ([0.5, 0.1][case % 2], Parts::default());
            let moved: Vec<f64> = (state.q.iter().map(|x| x + random.range(-by, by))).collect();
            let place = |q: &[f64], n: usize| position(q, model.topology.node_dof[n]);
            let grown = |edge: usize| {
                let [a, b] = model.topology.edge_nodes[edge];
                let at = |q: &[f64]| Aabb::of_edge(place(q, a), place(q, b), radius + 0.1);
                at(&state.q).union(&at(&moved))
            };
            // On all of their way.
            let apart = |(i, j): (u32, u32)| {
                (0..=20).all(|k| {
                    let at =
                        |n: usize| place(&state.q, n).lerp(place(&moved, n), 0.05 * f64::from(k));
                    let [a, b] = [i, j].map(|e| model.topology.edge_nodes[e as usize].map(at));
                    closest_points(a[0], a[1], b[0], b[1]).distance >= 2.0 * (radius + 0.1)
                })
            };
            for wanted in [Wanted::Touching, Wanted::Crossing] {
                set(&mut parts, &model, wanted, [&state.q, &moved], 0.1);
                let counts = |i: usize, j: usize| match wanted {
                    Wanted::Touching => may_touch(&model, i, j),
                    Wanted::Crossing => may_cross(&model, i, j),
                };
                let edges = model.topology.edges();
                let all = (0..edges).flat_map(|i| (i + 1..edges).map(move |j| (i, j)));
                let expected: Vec<(u32, u32)> = all
                    .filter(|(i, j)| counts(*i, *j) && grown(*i).overlaps(&grown(*j)))
                    .map(|(i, j)| (i as u32, j as u32))
                    .collect();
                let mut found = Vec::new();
                parts.pairs(&model, counts, &mut found);
                let (same, missing): (Vec<_>, Vec<_>) =
                    expected.into_iter().partition(|pair| found.contains(pair));
                assert_eq!(found, same, "case {case}, {wanted:?}");
                assert!(
                    missing.iter().all(|pair| apart(*pair)),
                    "case {case}, {wanted:?}"
                );
                left_out += missing.len();
            }
        }
        assert!(left_out > 100, "{left_out}");
    }

    /// Pairs of parts looked at, and edges compared with eight others, for each edge and pair found.
    fn work(model: &Model, state: &State, margin: f64) -> f64 {
        let (mut parts, mut found) = (Parts::default(), Vec::new());
        set(
            &mut parts,
            model,
            Wanted::Touching,
            [&state.q, &state.q],
            margin,
        );
        parts.pairs(model, |i, j| may_touch(model, i, j), &mut found);
        parts.looked_at as f64 / (model.topology.edges() + found.len()) as f64
    }

    #[test]
    fn work_grows_like_the_number_of_rods_of_a_heap() {
        let heap = |count: usize| {
            let mut random = Random(3);
            let side = 4.0 * (count as f64).cbrt();
            let of = |_| {
                let from = side * random.vector();
                walk(&mut random, from, 40, 1.0)
            };
            rods((0..count).map(of).collect(), 0.1)
        };
        // In heaps of ten rods hardly two parts are near.
        let [few, many] = [100, 10_000].map(|count| {
            let (model, state) = heap(count);
            work(&model, &state, 0.05)
        });
        assert!(many < 2.0 * few && many < 30.0, "{few} and {many}");
    }

    #[test]
    fn work_stays_small_where_edges_are_much_shorter_than_a_rod_is_thick() {
        let line = |n: usize| -> Vec<DVec3> {
            let node = |i: usize| DVec3::new(i as f64 / n as f64, 0.0, 0.0);
            (0..=n).map(node).collect()
        };
        let [few, many] = [400, 40_000].map(|n| {
            let (model, state) = rods(vec![line(n)], 0.01);
            work(&model, &state, 1e-3)
        });
        assert!(many < 2.0 * few && many < 20.0, "{few} and {many}");
    }

    #[test]
    fn what_is_not_finite_is_near_nothing() {
        let nodes = |y: f64| {
            (0..30)
                .map(|i| DVec3::new(f64::from(i), y, 0.0))
                .collect::<Vec<_>>()
        };
        let (model, state) = rods(vec![nodes(0.0), nodes(0.5)], 0.3);
        let mut q = state.q.clone();
        q[model.topology.node_dof[3]] = f64::NAN;
        let (mut parts, mut found) = (Parts::default(), Vec::new());
        set(&mut parts, &model, Wanted::Touching, [&q, &q], 0.0);
        parts.pairs(&model, |i, j| may_touch(&model, i, j), &mut found);
        assert!(!found.is_empty() && !found.iter().any(|(i, _)| *i == 2 || *i == 3));
    }
}
