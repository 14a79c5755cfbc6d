//! Nested dissection (George 1973): parts that nothing couples but a thin layer between them, which
//! is eliminated after both.

/// Groups below which a part is not cut any further.
const SMALLEST: usize = 48;
/// Where along an axis a part may be cut, as parts of its groups.
const CUTS: [f64; 7] = [0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65];

/// In which round each group is to be eliminated, by planes across the places of groups: 0 inside
/// of the smallest parts, then the layers between these, up to the layer that cuts all in two.
pub(super) fn rounds(neighbours: &[Vec<u32>], places: &[[f64; 3]]) -> Vec<u32> {
    let mut cutting = Cutting {
        neighbours,
        places,
        side: vec![Side::Outside; neighbours.len()],
        depth: vec![None; neighbours.len()],
        deepest: 0,
    };
    cutting.cut((0..neighbours.len() as u32).collect());
    let Cutting { depth, deepest, .. } = cutting;
    depth
        .into_iter()
        .map(|depth| depth.map_or(0, |depth| deepest - depth))
        .collect()
}

/// Where a group is, seen from the cut that is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// In no part of what is cut.
    Outside,
    Left,
    Right,
}

struct Cutting<'a> {
    neighbours: &'a [Vec<u32>],
    places: &'a [[f64; 3]],
    side: Vec<Side>,
    /// How many cuts lie above the layer that a group is in; none inside of parts.
    depth: Vec<Option<u32>>,
    /// One more than the largest of these.
    deepest: u32,
}

impl Cutting<'_> {
    /// Cuts a part in two, and those again.
    fn cut(&mut self, all: Vec<u32>) {
        let mut parts = vec![(all, 0)];
        while let Some((part, depth)) = parts.pop() {
            if part.len() <= SMALLEST {
                continue;
            }
            let (layer, left, right) = self.best_cut(&part);
            // A layer of nearly all is no cut.
            if 3 * layer.len() > part.len() {
                continue;
            }
            for group in layer {
                self.depth[group as usize] = Some(depth);
            }
            self.deepest = self.deepest.max(depth + 1);
            parts.push((left, depth + 1));
            parts.push((right, depth + 1));
        }
    }

    /// The cut with the thinnest layer: it, and what is left on both sides.
    fn best_cut(&mut self, part: &[u32]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        let mut best = (f64::INFINITY, Vec::new(), Vec::new(), Vec::new());
        for axis in 0..3 {
            let place = |group: &u32| self.places[*group as usize][axis];
            let mut sorted = part.to_vec();
            // Equal places by number: one order for one part.
            sorted.sort_by(|a, b| place(a).total_cmp(&place(b)).then(a.cmp(b)));
            for cut in CUTS {
                let at = (cut * sorted.len() as f64) as usize;
                let (left, right) = sorted.split_at(at);
                let [from_left, from_right] = self.layers(left, right);
                for (layer, keeps_left) in [(from_left, false), (from_right, true)] {
                    let even = (cut - 0.5).abs();
                    let cost = layer.len() as f64 * (1.0 + even);
                    if cost < best.0 {
                        let without = |side: &[u32], out: bool| -> Vec<u32> {
                            let kept = side
                                .iter()
                                .filter(|g| !out || layer.binary_search(g).is_err());
                            kept.copied().collect()
                        };
                        let (l, r) = (without(left, !keeps_left), without(right, keeps_left));
                        best = (cost, layer, l, r);
                    }
                }
            }
        }
        (best.1, best.2, best.3)
    }

    /// Groups on the left that are coupled with the right, and those on the right that are with the
    /// left; ascending.
    fn layers(&mut self, left: &[u32], right: &[u32]) -> [Vec<u32>; 2] {
        for (side, groups) in [(Side::Left, left), (Side::Right, right)] {
            groups.iter().for_each(|g| self.side[*g as usize] = side);
        }
        let touching = |groups: &[u32], other: Side| -> Vec<u32> {
            let touches = |group: &&u32| {
                let coupled = self.neighbours[**group as usize].iter();
                coupled.clone().any(|n| self.side[*n as usize] == other)
            };
            let mut layer: Vec<u32> = groups.iter().filter(touches).copied().collect();
            layer.sort_unstable();
            layer
        };
        let layers = [touching(left, Side::Right), touching(right, Side::Left)];
        for group in left.iter().chain(right) {
            self.side[*group as usize] = Side::Outside;
        }
        layers
    }
}
