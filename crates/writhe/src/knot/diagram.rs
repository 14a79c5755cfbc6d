//! A knot's diagram as its Gauss code: which crossings the curve passes in which order, over or
//! under.
//!
//! Two moves of Reidemeister make it smaller. I: a crossing that is passed twice in a row is a loop
//! and is untwisted. II: a strand that lies over another at two crossings which follow each other
//! on both strands, with opposite signs, is pulled off. The upper strand enters and leaves on the
//! same side of the lower one, and whatever lies over everything may be laid anywhere, so no other
//! condition is needed.

use super::projection::{Crossing, Passage};

/// Crossings on one edge that are nearer than this part of the edge are not told apart: some units
/// of rounding.
const TOO_NEAR: f64 = 1e-14;

/// One passage of the curve through a crossing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// The crossing.
    pub crossing: usize,
    /// Whether the curve is above.
    pub over: bool,
}

/// An oriented diagram of a knot. Its crossings are numbered in the order in which the curve comes
/// to them, so that equal diagrams from one node on are equal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Diagram {
    /// Passages in the order of the curve, two a crossing.
    pub code: Vec<Step>,
    /// +1 for a right-handed crossing, -1 for a left-handed one.
    pub signs: Vec<i32>,
}

/// The two places of a crossing in the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Places {
    /// Where the curve is above.
    pub over: usize,
    /// Where the curve is below.
    pub under: usize,
}

impl Diagram {
    /// The diagram of one curve by its crossings; `None` where two on an edge are too near to be
    /// told apart.
    pub(crate) fn new(crossings: &[Crossing]) -> Option<Self> {
        let mut passages: Vec<_> = crossings
            .iter()
            .enumerate()
            .flat_map(|(crossing, c)| [(c.over, crossing, true), (c.under, crossing, false)])
            .collect();
        passages.sort_by(|(a, ..), (b, ..)| a.edge.cmp(&b.edge).then(a.along.total_cmp(&b.along)));
        let near = |w: &[(Passage, usize, bool)]| {
            w[0].0.edge == w[1].0.edge && w[1].0.along - w[0].0.along < TOO_NEAR
        };
        if passages.windows(2).any(near) {
            return None;
        }
        let mut names = vec![None; crossings.len()];
        let mut signs = Vec::with_capacity(crossings.len());
        let step = |(_, crossing, over): (Passage, usize, bool)| Step {
            crossing: *names[crossing].get_or_insert_with(|| {
                signs.push(crossings[crossing].sign);
                signs.len() - 1
            }),
            over,
        };
        let code = passages.into_iter().map(step).collect();
        Some(Self { code, signs })
    }

    /// Number of crossings.
    pub(crate) fn crossings(&self) -> usize {
        self.signs.len()
    }

    /// Where each crossing is passed, `(crossings)`.
    pub(crate) fn places(&self) -> Vec<Places> {
        let mut places = vec![Places::default(); self.crossings()];
        for (at, step) in self.code.iter().enumerate() {
            let place = &mut places[step.crossing];
            *(if step.over {
                &mut place.over
            } else {
                &mut place.under
            }) = at;
        }
        places
    }

    /// Makes moves I and II until none is left.
    pub(crate) fn simplify(&mut self) {
        while let Some(gone) = self.loose() {
            self.remove(&gone);
        }
    }

    /// Crossings that a move takes away.
    fn loose(&self) -> Option<Vec<usize>> {
        let length = self.code.len();
        let places = self.places();
        let neighbours = |i: usize, j: usize| (i + 1) % length == j || (j + 1) % length == i;
        (0..length).find_map(|i| {
            let (a, b) = (self.code[i], self.code[(i + 1) % length]);
            // Move I: passed twice in a row.
            if a.crossing == b.crossing {
                return Some(vec![a.crossing]);
            }
            // Move II: over, over, next to each other below as well, and of opposite signs.
            let [of_a, of_b] = [a, b].map(|s| places[s.crossing].under);
            let pulled_off = a.over
                && b.over
                && neighbours(of_a, of_b)
                && self.signs[a.crossing] != self.signs[b.crossing];
            pulled_off.then(|| vec![a.crossing, b.crossing])
        })
    }

    fn remove(&mut self, gone: &[usize]) {
        // What stays is numbered anew, in order.
        let mut name = 0;
        let names: Vec<Option<usize>> = (0..self.crossings())
            .map(|crossing| {
                (!gone.contains(&crossing)).then(|| {
                    name += 1;
                    name - 1
                })
            })
            .collect();
        let renamed = |s: &Step| {
            names[s.crossing].map(|crossing| Step {
                crossing,
                over: s.over,
            })
        };
        self.code = self.code.iter().filter_map(renamed).collect();
        let mut index = 0;
        self.signs.retain(|_| {
            index += 1;
            names[index - 1].is_some()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram(code: &[(usize, bool)], signs: &[i32]) -> Diagram {
        let step = |&(crossing, over): &(usize, bool)| Step { crossing, over };
        Diagram {
            code: code.iter().map(step).collect(),
            signs: signs.to_vec(),
        }
    }

    const TREFOIL: [(usize, bool); 6] = [
        (0, true),
        (1, false),
        (2, true),
        (0, false),
        (1, true),
        (2, false),
    ];

    #[test]
    fn an_alternating_diagram_stays() {
        let mut trefoil = diagram(&TREFOIL, &[1; 3]);
        trefoil.simplify();
        assert_eq!(trefoil, diagram(&TREFOIL, &[1; 3]));
    }

    #[test]
    fn loops_and_strands_that_lie_upon_others_go() {
        // A loop at the seam, and a strand pulled over the trefoil's: crossings 3, 4 and 5.
        let mut code = vec![(3, false)];
        code.extend(&TREFOIL[..2]);
        code.extend([(4, true), (5, true)]);
        code.extend(&TREFOIL[2..4]);
        code.extend([(5, false), (4, false)]);
        code.extend(&TREFOIL[4..]);
        code.push((3, true));
        let mut more = diagram(&code, &[1, 1, 1, -1, -1, 1]);
        more.simplify();
        assert_eq!(more, diagram(&TREFOIL, &[1; 3]));
        // With equal signs the strands are wound around each other.
        let mut clasped = diagram(&code, &[1, 1, 1, -1, 1, 1]);
        clasped.simplify();
        assert_eq!(clasped.crossings(), 5);
    }

    #[test]
    fn crossings_at_one_place_are_refused() {
        let passage = |edge: usize, along: f64| Passage {
            curve: 0,
            edge,
            along,
        };
        let crossing = |edge: usize, along: f64| Crossing {
            over: passage(0, 0.5),
            under: passage(edge, along),
            sign: 1,
        };
        assert!(Diagram::new(&[crossing(2, 0.1), crossing(3, 0.1)]).is_none());
        let apart = Crossing {
            over: passage(0, 0.5 + 1e-13),
            ..crossing(3, 0.1)
        };
        assert!(Diagram::new(&[crossing(2, 0.1), apart]).is_some());
    }
}
