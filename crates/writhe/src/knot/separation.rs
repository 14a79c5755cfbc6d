//! Are the parts of curves far enough apart that moving every node a little cannot change how they
//! are knotted?
//!
//! If every node moves straight by at most d, two points that move with their edges come nearer to
//! each other by at most 2 d. Edges that share no node and are further apart than 2 d never meet on
//! the way. Neighbours overlap only if the far end of one comes to lie on the other, so it is
//! enough that it starts further away than 2 d. Then the motion is an isotopy: the type is the
//! same.

use glam::DVec3;

use super::error::KnotError;
use crate::kernels::candidates::{Aabb, Broadphase};
use crate::kernels::distance::closest_points;

/// Checks that closed polygons keep their type when every node moves by up to `displacement`, m.
///
/// # Errors
/// [`KnotError::Touching`].
pub(crate) fn check(curves: &[&[DVec3]], displacement: f64) -> Result<(), KnotError> {
    let needed = 2.0 * displacement;
    let edges: Vec<[usize; 2]> = curves
        .iter()
        .enumerate()
        .flat_map(|(curve, points)| (0..points.len()).map(move |edge| [curve, edge]))
        .collect();
    let ends = |[curve, edge]: [usize; 2]| {
        let points = curves[curve];
        [points[edge], points[(edge + 1) % points.len()]]
    };
    let boxes: Vec<Aabb> = edges
        .iter()
        .map(|edge| {
            let [a, b] = ends(*edge);
            Aabb::of_edge(a, b, needed)
        })
        .collect();
    let mut pairs = Vec::new();
    Broadphase::new().pairs(&boxes, |_, _| true, &mut pairs);
    for (i, j) in pairs {
        let [first, second] = [edges[i as usize], edges[j as usize]];
        let ([a0, a1], [b0, b1]) = (ends(first), ends(second));
        let nodes = curves[first[0]].len();
        let neighbours = first[0] == second[0]
            && ((first[1] + 1) % nodes == second[1] || (second[1] + 1) % nodes == first[1]);
        // Neighbours touch always; of them the distance of their outer ends counts.
        let (distance, at) = if !neighbours {
            let closest = closest_points(a0, a1, b0, b1);
            (closest.distance, a0 + closest.s * (a1 - a0))
        } else if (first[1] + 1) % nodes == second[1] {
            fold([a0, a1, b1])
        } else {
            fold([b0, b1, a1])
        };
        if distance.is_nan() || distance <= needed {
            return Err(KnotError::Touching {
                curves: [first[0], second[0]],
                edges: [first[1], second[1]],
                distance,
                needed,
                at,
            });
        }
    }
    Ok(())
}

/// Smallest distance of the outer ends of two neighbouring edges from the other edge, and where.
fn fold([before, joint, after]: [DVec3; 3]) -> (f64, DVec3) {
    let to_edge = |x: DVec3, end: DVec3| {
        let e = end - joint;
        let along = ((x - joint).dot(e) / e.length_squared()).clamp(0.0, 1.0);
        (x.distance(joint + along * e), x)
    };
    let (first, second) = (to_edge(before, after), to_edge(after, before));
    if first.0 < second.0 { first } else { second }
}
