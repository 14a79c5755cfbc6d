//! Types of an open curve that is closed in several ways, by work that the ways share.
//!
//! The curve is long and its ways back are short. So whether it is far enough from itself is looked
//! at once, and once its nodes are removed that none of the ways needs: those whose triangle is met
//! neither by an edge of the curve nor by one of any way. What is left, a few tens of nodes, is
//! closed in each way and told by itself.

use glam::DVec3;

use super::diagram::Diagram;
use super::error::KnotError;
use super::kind::{KnotType, Told, of_diagram, simplest_diagram};
use super::lattice::{Lattice, Point};
use super::separation::{self, Moved};
use super::shorten::{shorten, shorten_open};

/// Type of the closed polygon that `curve` makes with each of `ways` that is `wanted`, which go from
/// its last node to its first; both of two nodes and more. Those that are not wanted make no
/// difference to the others but for being there.
pub(super) fn closed_types(
    curve: &[DVec3],
    ways: &[&[DVec3]],
    wanted: impl Fn(usize) -> bool,
) -> Vec<Option<Result<Told, KnotError>>> {
    let told = |k: usize| wanted(k).then_some(());
    let all = ways.iter().copied().flatten().chain(curve);
    let Some(lattice) = Lattice::around(all) else {
        let none = |k| told(k).map(|()| Err(KnotError::NoExtent));
        return (0..ways.len()).map(none).collect();
    };
    let still = (ways.iter().enumerate()).filter(|(k, _)| wanted(*k));
    let still: Vec<Moved> = still.map(|(_, way)| Moved::still(way)).collect();
    let apart = separation::check_ways(Moved::still(curve), &still, lattice.displacement());
    let mut apart = apart.into_iter();
    let ways = (1..).zip(ways).map(|(k, way)| lattice.polygon(way, k));
    let ways: Vec<Vec<Point>> = ways.collect();

    let curve = lattice.polygon(curve, 0);
    let [first, last] = [curve[0], curve[curve.len() - 1]];
    let beside: Vec<[Point; 2]> = (ways.iter())
        .flat_map(|way| {
            let inner = way.windows(2).map(|edge| [edge[0], edge[1]]);
            inner.chain([[last, way[0]], [way[way.len() - 1], first]])
        })
        .collect();
    let curve = shorten_open(&curve, &beside);

    let mut known: Vec<(Diagram, Result<KnotType, KnotError>)> = Vec::new();
    let mut of_way = |way: &Vec<Point>, apart: Result<(), KnotError>| {
        apart?;
        let mut polygon = [&curve[..], way].concat();
        shorten(&mut polygon);
        // Most ways show the same diagram, and whichever does has its type.
        let is_known = |diagram: &Diagram| {
            (known.iter()).any(|(known, kind)| known == diagram && kind.is_ok())
        };
        let diagram = simplest_diagram(&polygon, is_known)?;
        let crossings = diagram.crossings();
        let kind = of_known(diagram, &mut known)?;
        Ok(Told { kind, crossings })
    };
    let each = ways.iter().enumerate();
    each.map(|(k, way)| told(k).and_then(|()| Some(of_way(way, apart.next()?))))
        .collect()
}

/// What a diagram is of.
fn of_known(
    diagram: Diagram,
    known: &mut Vec<(Diagram, Result<KnotType, KnotError>)>,
) -> Result<KnotType, KnotError> {
    if let Some((_, kind)) = known.iter().find(|(known, _)| *known == diagram) {
        return kind.clone();
    }
    let kind = of_diagram(&diagram);
    known.push((diagram, kind.clone()));
    kind
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::testing::Random;
    use crate::knot::closure::{Closure, close, ways};
    use crate::knot::knot_type;

    /// Walks that are knotted in many ways, and where ways disagree.
    #[test]
    fn each_way_gives_what_it_gives_by_itself() {
        let mut random = Random(17);
        let mut knotted = 0;
        for case in 0..60 {
            let nodes = [3, 8, 30, 60][case % 4];
            let mut at = DVec3::ZERO;
            let curve: Vec<DVec3> = (0..nodes)
                .map(|_| {
                    at = 0.8 * at + random.vector();
                    at
                })
                .collect();
            let closed: Vec<Vec<DVec3>> = (ways(&curve).unwrap().iter())
                .map(|(closure, _)| close(&curve, *closure).unwrap())
                .collect();
            let ways: Vec<&[DVec3]> = closed.iter().map(|points| &points[nodes..]).collect();
            let all = closed_types(&curve, &ways, |_| true);
            // The same where only some are wanted.
            let some = closed_types(&curve, &ways, |k| k % 3 == 1);
            let kind = |told: &Result<Told, KnotError>| told.clone().map(|told| told.kind);
            for (k, (some, all)) in some.iter().zip(&all).enumerate() {
                let all = all.as_ref().filter(|_| k % 3 == 1);
                assert_eq!(some.as_ref().map(kind), all.map(kind), "{case}");
            }
            for (points, found) in closed.iter().zip(all.into_iter().flatten()) {
                let known = knot_type(points);
                knotted += usize::from(known.as_ref().is_ok_and(|kind| !kind.is_trivial()));
                assert_eq!(found.map(|told| told.kind), known, "{case}");
            }
        }
        assert!(knotted > 100, "{knotted}");
    }

    /// A curve that meets itself has no type, and one that only a way meets has none by that way.
    #[test]
    fn what_touches_is_told_by_those_that_it_concerns() {
        let straight = |closure| {
            let curve = [
                DVec3::ZERO,
                DVec3::X,
                2.0 * DVec3::X,
                2.0 * DVec3::X + DVec3::Y,
            ];
            close(&curve, closure).unwrap()
        };
        // Straight back along its first edges, and away from them.
        let closed = [DVec3::X, -DVec3::X, DVec3::Z].map(|u| straight(Closure::Parallel(u)));
        let ways: Vec<&[DVec3]> = closed.iter().map(|points| &points[4..]).collect();
        let found = closed_types(&closed[0][..4], &ways, |_| true);
        let found: Vec<_> = found.into_iter().flatten().collect();
        assert!(
            matches!(found[0], Err(KnotError::Touching { .. })),
            "{found:?}"
        );
        for (found, points) in found.iter().zip(&closed) {
            assert_eq!(found.is_ok(), knot_type(points).is_ok());
        }
        assert!(found[2].is_ok(), "{found:?}");

        let meets = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.5, -1.0, 0.0)];
        let meets = [&meets[..], &[DVec3::new(0.5, 0.0, 0.0), DVec3::Z]].concat();
        let told = crate::knot::closure::ways(&meets).unwrap();
        let ways: Vec<&[DVec3]> = told.iter().map(|(_, way)| &way[..]).collect();
        for found in closed_types(&meets, &ways, |_| true).into_iter().flatten() {
            assert!(
                matches!(found, Err(KnotError::Touching { .. })),
                "{found:?}"
            );
        }
    }
}
