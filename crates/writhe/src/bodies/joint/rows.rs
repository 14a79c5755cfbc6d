//! A joint's constraints where its bodies are, each with its derivative: what explicit steps
//! correct.
//!
//! With the arms `r` and the directions `u`, `v` in the axes of the scene, of the first body a and
//! the second b,
//!
//! ```text
//! C = (x_a + r_a - x_b - r_b) . e_k / s,    dC = (dX_a + dphi_a x r_a - ..) . e_k / s
//! C = u . v,                                dC = (u x v) . (dphi_a - dphi_b)
//! ```
//!
//! dphi is a spin, and the joint's size s makes all of them numbers.

use glam::{DQuat, DVec3};

use super::{Link, Motor};

/// One constraint of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct JointRow {
    /// C.
    pub value: f64,
    /// dC by displacement, 1/m, and spin of each of the two bodies.
    pub by: [[DVec3; 2]; 2],
}

impl Link {
    /// Its constraints at `time`, s, with its bodies at `poses`: centre of mass, m, and
    /// orientation. The scene's pose is that of the origin.
    pub(crate) fn rows(
        &self,
        poses: [(DVec3, DQuat); 2],
        time: f64,
    ) -> impl Iterator<Item = JointRow> + '_ {
        let [(xa, ra), (xb, rb)] = poses;
        let [arm_a, arm_b] = [ra * self.arms[0], rb * self.arms[1]];
        let apart = (xa + arm_a - xb - arm_b) / self.size;
        let points = DVec3::AXES.into_iter().map(move |axis| {
            let push = axis / self.size;
            JointRow {
                value: apart.dot(axis),
                by: [[push, arm_a.cross(push)], [-push, -arm_b.cross(push)]],
            }
        });
        let directions = (0..self.pairs.len()).map(move |index| {
            let [u, v] = self.pair(index, time);
            let (u, v) = (ra * u, rb * v);
            JointRow {
                value: u.dot(v),
                by: [[DVec3::ZERO, u.cross(v)], [DVec3::ZERO, v.cross(u)]],
            }
        });
        points.chain(directions)
    }

    /// Multipliers in place of the unknowns of a joint whose constraints pulled with the forces
    /// `pulls`, N m, one each.
    pub(crate) fn set_multipliers(&self, pulls: &[f64], q: &mut [f64]) {
        for (z, pull) in q[self.dof..].iter_mut().zip(pulls) {
            // A row pulls by its derivative, 1/m at the point: stiffness z is the force.
            *z = pull / (self.stiffness * self.size);
        }
    }

    /// Torque of its motor on the first body, whose orientation is given, at `time`, s, N m.
    pub(crate) fn motor_torque(&self, orientation: DQuat, time: f64) -> DVec3 {
        match &self.motor {
            Some((axis, Motor::Torque(torque))) => orientation * *axis * torque.at(time),
            _ => DVec3::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::{Joint, JointKind};
    use crate::schedule::Schedule;

    /// The derivatives are those of the values, by differences.
    #[test]
    fn derivatives_of_rows_agree_with_differences() {
        let motor = Motor::Angle(Schedule::Constant(0.3));
        let axis = DVec3::new(0.2, -0.4, 1.0);
        let joint = Joint::new(
            [Some(0), Some(1)],
            DVec3::new(0.1, 0.2, -0.1),
            JointKind::Hinge { axis, motor },
        );
        let turned = |v: DVec3| DQuat::from_scaled_axis(v);
        let poses = [
            (
                DVec3::new(0.4, 0.0, 0.1),
                turned(DVec3::new(0.3, 0.2, -0.5)),
            ),
            (
                DVec3::new(-0.3, 0.1, 0.0),
                turned(DVec3::new(-0.1, 0.7, 0.2)),
            ),
        ];
        let link = joint.link(&poses, &[(1.0, 0.2), (2.0, 0.3)], [0, 12]);
        let moved = poses.map(|(x, r)| {
            let turn = turned(DVec3::new(0.1, -0.2, 0.05));
            (x + DVec3::new(0.01, 0.02, -0.03), turn * r)
        });
        let value = |poses| {
            link.rows(poses, 0.0)
                .map(|row| row.value)
                .collect::<Vec<f64>>()
        };
        let step = 1e-6;
        let rows: Vec<JointRow> = link.rows(moved, 0.0).collect();
        assert_eq!(rows.len(), link.unknowns());
        for side in 0..2 {
            for (k, axis) in DVec3::AXES.into_iter().enumerate() {
                let at = |by: [f64; 2]| {
                    let mut poses = moved;
                    let (x, r) = poses[side];
                    poses[side] = (x + axis * by[0], turned(axis * by[1]) * r);
                    value(poses)
                };
                for (of, by) in [[step, 0.0], [0.0, step]].into_iter().enumerate() {
                    let (more, less) = (at(by), at(by.map(|b| -b)));
                    for (row, (more, less)) in rows.iter().zip(more.iter().zip(less)) {
                        let slope = (more - less) / (2.0 * step);
                        assert!((slope - row.by[side][of][k]).abs() < 1e-8);
                    }
                }
            }
        }
    }
}
