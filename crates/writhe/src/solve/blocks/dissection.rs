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
        order: vec![OUTSIDE; neighbours.len()],
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

/// Place in the order along an axis of a group that is in no part of what is cut.
const OUTSIDE: u32 = u32::MAX;

/// Groups of a part in their order along an axis, and those before and after each that it is
/// coupled with: the first and the last place.
struct Along {
    groups: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
}

/// Where a part is cut: before so many of its groups along an axis.
#[derive(Clone, Copy)]
struct Cut {
    axis: usize,
    at: usize,
    /// Whether the layer is on the left: of groups there that are coupled with the right.
    left: bool,
}

impl Along {
    /// The groups of the layer, by their places.
    fn layer(&self, Cut { at, left, .. }: Cut) -> impl Iterator<Item = usize> + '_ {
        let (places, count) = match left {
            true => (0..at, at as u32),
            false => (at..self.groups.len(), at as u32),
        };
        places.filter(move |place| match left {
            true => self.last[*place] >= count,
            false => self.first[*place] < count,
        })
    }
}

struct Cutting<'a> {
    neighbours: &'a [Vec<u32>],
    places: &'a [[f64; 3]],
    /// Place of each group in the order along the axis that is looked at.
    order: Vec<u32>,
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
            let [layer, left, right] = self.best_cut(&part);
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
    fn best_cut(&mut self, part: &[u32]) -> [Vec<u32>; 3] {
        let along = [0, 1, 2].map(|axis| self.along(part, axis));
        let cuts = (0..3).flat_map(|axis| CUTS.map(|cut| (axis, cut)));
        let sides = cuts.flat_map(|(axis, cut)| [true, false].map(|left| (axis, cut, left)));
        let costs = sides.map(|(axis, part_left, left)| {
            let at = (part_left * part.len() as f64) as usize;
            let cut = Cut { axis, at, left };
            let even: f64 = part_left - 0.5;
            (
                cut,
                along[axis].layer(cut).count() as f64 * (1.0 + even.abs()),
            )
        });
        // The first of several.
        let best = costs.reduce(|best, next| if next.1 < best.1 { next } else { best });
        let Some((cut, _)) = best else {
            return Default::default();
        };
        let along = &along[cut.axis];
        let mut layer = along.layer(cut).peekable();
        let [mut on_layer, mut left, mut right] = [Vec::new(), Vec::new(), Vec::new()];
        for (place, group) in along.groups.iter().enumerate() {
            match (layer.next_if_eq(&place), place < cut.at) {
                (Some(_), _) => on_layer.push(*group),
                (None, true) => left.push(*group),
                (None, false) => right.push(*group),
            }
        }
        [on_layer, left, right]
    }

    fn along(&mut self, part: &[u32], axis: usize) -> Along {
        let place = |group: &u32| self.places[*group as usize][axis];
        let mut groups = part.to_vec();
        // Equal places by number: one order for one part.
        groups.sort_unstable_by(|a, b| place(a).total_cmp(&place(b)).then(a.cmp(b)));
        for (place, group) in groups.iter().enumerate() {
            self.order[*group as usize] = place as u32;
        }
        let ends = groups.iter().enumerate().map(|(place, group)| {
            let coupled = self.neighbours[*group as usize].iter();
            let places = coupled.map(|other| self.order[*other as usize]);
            let places = places.filter(|place| *place != OUTSIDE);
            let own = place as u32;
            places.fold((own, own), |(first, last), p| (first.min(p), last.max(p)))
        });
        let (first, last) = ends.unzip();
        for group in part {
            self.order[*group as usize] = OUTSIDE;
        }
        Along {
            groups,
            first,
            last,
        }
    }
}
