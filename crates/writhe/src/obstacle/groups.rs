//! Nodes or edges in groups, with a box around the way of each group: what is far from an obstacle is
//! left out together.
//!
//! A ball around the obstacle's origin holds it, so that a turn matters by little. Seen from an obstacle
//! that goes by c and turns by R, a node goes from R_0^-1 (x_0 - c_0) to R_1^-1 (x_1 - c_1) on a straight
//! line. Turned by R_1 all along, that line would lie in the box around all x - c; the true one is off it
//! by at most |R_0 - R_1| |x_0 - c_0|.

use std::ops::Range;

use glam::DVec3;

use crate::kernels::candidates::Aabb;
use crate::schedule::Pose;

/// Successive nodes or edges in a group.
const SIZE: usize = 16;
/// A little more than the root of 3: a box along other axes reaches so much farther than its sides.
const CORNER: f64 = 1.7321;

/// Nodes or edges, in groups of successive ones.
#[derive(Clone, Debug)]
pub(crate) struct Groups(Vec<Group>);

/// Where an obstacle is while nodes and edges that may come near are looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    /// Radius of a ball around its origin that holds it, m.
    pub ball: f64,
    /// From where to where it goes.
    pub poses: [&'a Pose; 2],
    /// What comes so near matters, m ...
    pub reach: f64,
    /// ... or to this part of its distance at the start.
    pub keep: f64,
}

#[derive(Clone, Debug)]
struct Group {
    range: Range<usize>,
    /// Around them at the start of the way, and at its end.
    boxes: [Aabb; 2],
    /// Largest distance of a point of one of them, at any time, from its first at the start, m; not
    /// finite if one is nowhere.
    size: f64,
}

impl Groups {
    /// The first `count` nodes or edges, each with its points at the start and at the end of its way, m.
    pub(crate) fn new<const N: usize>(
        count: usize,
        points: impl Fn(usize) -> [[DVec3; N]; 2],
    ) -> Self {
        let group = |first: usize| {
            let range = first..count.min(first + SIZE);
            let nowhere = Aabb {
                min: DVec3::INFINITY,
                max: DVec3::NEG_INFINITY,
            };
            let (mut boxes, mut size) = ([nowhere; 2], 0.0_f64);
            for item in range.clone() {
                let places = points(item);
                for (around, place) in boxes.iter_mut().zip(&places) {
                    for x in place {
                        *around = around.union(&Aabb::of_edge(*x, *x, 0.0));
                        let far = x.distance(places[0][0]);
                        // The larger of two numbers would hide one that is none.
                        if far > size || far.is_nan() {
                            size = far;
                        }
                    }
                }
            }
            Group { range, boxes, size }
        };
        Self((0..count).step_by(SIZE).map(group).collect())
    }

    /// Edges between these nodes, each of which goes from one place to another, m.
    pub(crate) fn of_edges(nodes: &[[usize; 2]], way: impl Fn(usize) -> [DVec3; 2]) -> Self {
        Self::new(nodes.len(), |edge| {
            let [[a, c], [b, d]] = nodes[edge].map(&way);
            [[a, b], [c, d]]
        })
    }

    /// Those of groups that may come near an obstacle, in order.
    pub(crate) fn near(&self, around: Around<'_>) -> impl Iterator<Item = usize> {
        let near = self
            .0
            .iter()
            .filter(move |group| !group.is_clear_of(around));
        near.flat_map(|group| group.range.clone())
    }
}

impl Group {
    /// Whether none of it comes near: with certainty, also where boxes along the obstacle's axes are
    /// compared.
    fn is_clear_of(&self, obstacle: Around<'_>) -> bool {
        let Around {
            ball,
            poses: [from, to],
            reach,
            keep,
        } = obstacle;
        let [a, b] = [(from, &self.boxes[0]), (to, &self.boxes[1])];
        let seen = |(pose, around): (&Pose, &Aabb)| Aabb {
            min: around.min - pose.translation,
            max: around.max - pose.translation,
        };
        let around = seen(a).union(&seen(b));
        let nearest = DVec3::ZERO.max(around.min).min(around.max).length();
        let farthest = around.min.abs().max(around.max.abs()).length();
        // |R_0 - R_1| = 2 sin(angle/2) of the turn between both.
        let turn = from.rotation.dot(to.rotation);
        let off = 2.0 * (1.0 - turn * turn).max(0.0).sqrt() * farthest;
        let size = self.size + from.translation.distance(to.translation) + off;
        nearest - off > ball + CORNER * (reach + size) + keep * (farthest + ball)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-size..size).prop_map(DVec3::from_array)
    }

    fn pose() -> impl Strategy<Value = Pose> {
        (vector(3.0), vector(2.0)).prop_map(|(translation, turn)| Pose {
            translation,
            rotation: DQuat::from_scaled_axis(turn),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// What is called clear stays out of the ball, grown, on straight ways seen from it.
        #[test]
        fn what_is_clear_stays_away(
            places in prop::collection::vec(prop::array::uniform2(prop::array::uniform2(vector(0.3))), 1..20),
            apart in vector(12.0),
            from in pose(),
            to in pose(),
            turns in any::<bool>(),
            (ball, reach) in (0.0..2.0, 0.0..0.5),
        ) {
            let to = if turns { to } else { Pose { rotation: from.rotation, ..to } };
            let points = |i: usize| places[i].map(|place| place.map(|x| x + apart));
            let seen = |pose: &Pose, x: DVec3| pose.rotation.inverse() * (x - pose.translation);
            let around = Around { ball, poses: [&from, &to], reach, keep: 0.0 };
            let groups = Groups::new(places.len(), points);
            let near: Vec<usize> = groups.near(around).collect();
            for item in (0..places.len()).filter(|item| !near.contains(item)) {
                    let [start, end] = points(item);
                    let [start, end] = [start.map(|x| seen(&from, x)), end.map(|x| seen(&to, x))];
                    // The largest cube in the ball.
                    let half = DVec3::splat(ball / CORNER);
                    for k in 0..=10 {
                        for (a, b) in start.iter().zip(&end) {
                            let x = a.lerp(*b, f64::from(k) / 10.0);
                            prop_assert!(x.length() > ball + reach, "{x}");
                        }
                    }
                    let [a, b] = [start, end].map(|[p, q]| Aabb::of_edge(p, q, reach));
                    prop_assert!(!a.union(&b).overlaps(&Aabb::of_edge(-half, half, 0.0)));
            }
        }
    }

    #[test]
    fn groups_have_every_item_once_and_keep_what_is_nowhere() {
        let still = Pose {
            translation: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
        };
        let near = |groups: &Groups, ball: f64| -> Vec<usize> {
            let around = Around {
                ball,
                poses: [&still; 2],
                reach: 1.0,
                keep: 0.1,
            };
            groups.near(around).collect()
        };
        let all: Vec<usize> = (0..40).collect();
        let far = Groups::new(40, |i| [[DVec3::new(1e3, i as f64, 0.0)]; 2]);
        assert!(near(&far, 1.0).is_empty());
        // A half-space is everywhere, and so is a node that is nowhere.
        assert_eq!(near(&far, f64::INFINITY), all);
        let lost = |i: usize| {
            [
                [1e3 * DVec3::X],
                [DVec3::X * if i == 3 { f64::NAN } else { 1e3 }],
            ]
        };
        assert_eq!(near(&Groups::new(40, lost), 1.0), all[..SIZE]);
        assert!(near(&Groups::new(0, lost), 1.0).is_empty());
    }
}
