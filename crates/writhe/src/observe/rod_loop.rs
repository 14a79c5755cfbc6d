//! The loop of a knot: the longest stretch of a rod between two successive points of it that touch
//! something.
//!
//! Contact in an overhand knot is where its two strands wind about each other; the stretch that
//! leads from one strand to the other touches nothing and is the loop. The same holds for other
//! knots whose loop is longer than any gap within their braids. Tails, before the first and behind
//! the last contact, are not part of a knot; a closed rod has none.

use super::contacts::{ContactPoint, bearing};
use super::ends::held_at_both_ends;
use crate::model::Model;

/// Whether the loop of a rod is worth a column: a knot can be pulled tight in it, or not come
/// undone.
pub(super) fn has_column(model: &Model, rod: usize) -> bool {
    let layout = &model.topology.rods[rod];
    model.contact.policy().acts() && (layout.closed || held_at_both_ends(model, layout))
}

/// Length of the loop of each rod, m at rest; `None` where fewer than two of its points bear load,
/// `(rods)`.
pub(super) fn lengths(model: &Model, contacts: &[ContactPoint]) -> Vec<Option<f64>> {
    let rods = model.topology.rods.iter().enumerate();
    let of = |(index, rod): (usize, &crate::rod::RodLayout)| {
        let touching = bearing(contacts)
            .flat_map(|c| [0, 1].map(|k| (c.rods[k], c.arcs[k])))
            .filter(|(owner, _)| *owner == index)
            .map(|(_, arc)| arc);
        longest(
            touching.collect(),
            rod.closed.then(|| model.rod_length[index]),
        )
    };
    rods.map(of).collect()
}

/// Longest distance between successive ones of these places along a rod, m; round the rod if it is
/// closed and has the length `round`, m.
fn longest(mut arcs: Vec<f64>, round: Option<f64>) -> Option<f64> {
    arcs.sort_by(f64::total_cmp);
    let (first, last) = (*arcs.first()?, *arcs.last()?);
    let between = arcs.windows(2).map(|pair| pair[1] - pair[0]);
    // Round a closed rod the stretch from the last contact to the first counts, too.
    let over_the_seam = round.map(|length| length - (last - first));
    between.chain(over_the_seam).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_no_loop() {
        let arcs = vec![0.30, 0.72, 0.31, 0.70, 0.32];
        assert!((longest(arcs.clone(), None).unwrap() - 0.38).abs() < 1e-12);
        // Round a closed rod of length 1 the way from 0.72 to 0.30 is longer.
        assert!((longest(arcs, Some(1.0)).unwrap() - 0.58).abs() < 1e-12);
    }

    #[test]
    fn no_contact_no_loop() {
        assert_eq!(longest(Vec::new(), Some(1.0)), None);
    }
}
