//! What spinning edges exert on their nodes, summed over a model; nothing where it leaves that out.

use glam::DVec3;

use crate::assembly::{Blocks, Trial, add3};
use crate::kernels::spin_inertia::{SpinInertia, Spinning};
use crate::model::Model;

/// The edges that count, and how they spin at a trial whose accelerations are `acceleration`,
/// `(dofs)`.
///
/// w is theta': `a . e'` is zero at the stages of backward Euler and of the midpoint rule, whose e'
/// lies in the plane of both tangents, and of second order in the step, as the difference that
/// theta' is, at those of BDF2.
fn spinning<'a>(
    model: &'a Model,
    at: &'a Trial,
    acceleration: &'a [f64],
) -> impl Iterator<Item = (usize, Spinning)> {
    let counts = model.spin_inertia == SpinInertia::Full;
    let edges = (0..at.kinematics.len()).filter(move |_| counts);
    edges.filter_map(move |i| {
        let edge = at.kinematics.edge(i);
        let dof = model.topology.edge_dof[i];
        let [a, b] = model.topology.edge_nodes[i].map(|n| at.velocity(n));
        let spinning = Spinning {
            inertia: model.mass[dof],
            edge,
            rate: at.velocity[dof],
            acceleration: acceleration[dof],
            opening: b - a,
        };
        // Bodies have the inertia of what is welded to them.
        (spinning.inertia > 0.0).then_some((i, spinning))
    })
}

/// Adds the forces, N, `(dofs)`, of edges that spin at the trial's velocities and at
/// `acceleration`, `(dofs)`.
pub(crate) fn add_spin_inertia(model: &Model, at: &Trial, acceleration: &[f64], force: &mut [f64]) {
    for (edge, spinning) in spinning(model, at, acceleration) {
        let [a, b] = model.topology.edge_nodes[edge].map(|n| model.topology.node_dof[n]);
        let f = spinning.force();
        add3(force, a, -f);
        add3(force, b, f);
    }
}

/// Adds minus the derivative of [`add_spin_inertia`]'s forces.
pub(crate) fn add_spin_inertia_stiffness(
    model: &Model,
    at: &Trial,
    acceleration: &[f64],
    blocks: &mut dyn Blocks,
) {
    for (edge, spinning) in spinning(model, at, acceleration) {
        let derivative = spinning.derivative(at.rate);
        // Unknowns a, theta, b of the edge e = b - a; nothing acts on theta.
        let [a, b] = model.topology.edge_nodes[edge].map(|n| model.topology.node_dof[n]);
        let theta = model.topology.edge_dof[edge];
        let dofs = [a, a + 1, a + 2, theta, b, b + 1, b + 2];
        let mut values = [0.0; 49];
        for (row, sign) in [(0, 1.0), (4, -1.0)] {
            // Minus the force: + on the first node, - on the second.
            for (column, way) in [(0, -sign), (4, sign)] {
                for c in 0..3 {
                    put(
                        &mut values,
                        row,
                        column + c,
                        derivative.by_edge.col(c) * way,
                    );
                }
            }
            put(&mut values, row, 3, derivative.by_angle * sign);
        }
        blocks.general(&dofs, &values);
    }
}

/// Writes three rows of a column.
fn put(values: &mut [f64; 49], row: usize, column: usize, v: DVec3) {
    for (r, value) in v.to_array().into_iter().enumerate() {
        values[7 * (row + r) + column] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;
    use crate::rod::{Kinematics, Material, Rod, Section};
    use crate::state::State;

    const RATE: f64 = 30.0;

    /// A matrix that collects blocks.
    struct Dense(Vec<Vec<f64>>);

    impl Blocks for Dense {
        fn general(&mut self, dofs: &[usize], values: &[f64]) {
            for (dof, row) in dofs.iter().zip(values.chunks_exact(dofs.len())) {
                for (column, value) in dofs.iter().zip(row) {
                    self.0[*dof][*column] += value;
                }
            }
        }
    }

    /// A ring's worth of unknowns whose edges are turned, spin and speed up.
    fn scene() -> (Model, State, Vec<f64>) {
        let angle = |i: usize| i as f64 * std::f64::consts::TAU / 5.0;
        let node = |i| DVec3::new(f64::cos(angle(i)), f64::sin(angle(i)), 0.1 * i as f64);
        let section = Section::circle(Material::new(1e5, 0.3, 1000.0), 0.05);
        let rod = Rod::closed((0..5).map(node).collect(), section).unwrap();
        let builder = ModelBuilder::new().rod(rod).spin_inertia(SpinInertia::Full);
        let (model, state) = builder.build().unwrap();
        let moved = state.q.iter().enumerate();
        let y = moved.map(|(k, q)| q + 0.2 * (k as f64 * 1.7).sin());
        let y = y.collect();
        (model, state, y)
    }

    /// What `of` makes of the trial `y`, whose velocities and accelerations follow from it.
    fn at<T>(
        (model, state): (&Model, &State),
        y: &[f64],
        of: impl FnOnce(&Trial, &[f64]) -> T,
    ) -> T {
        let mut kinematics = Kinematics::default();
        kinematics
            .update(&model.topology, &state.frames, y)
            .unwrap();
        let later = |values: &[f64], wave: f64| -> Vec<f64> {
            let values = values.iter().enumerate();
            let history = |k: usize| 20.0 * (k as f64 * wave).cos();
            values.map(|(k, v)| RATE * v + history(k)).collect()
        };
        let velocity = later(y, 0.9);
        let acceleration = later(&velocity, 2.3);
        let trial = Trial {
            topology: &model.topology,
            kinematics: &kinematics,
            time: 0.0,
            q: y,
            velocity: &velocity,
            rate: RATE,
        };
        of(&trial, &acceleration)
    }

    fn force(of: (&Model, &State), y: &[f64]) -> Vec<f64> {
        at(of, y, |trial, acceleration| {
            let mut force = vec![0.0; y.len()];
            add_spin_inertia(of.0, trial, acceleration, &mut force);
            force
        })
    }

    #[test]
    fn derivatives_against_differences() {
        let (model, state, y) = scene();
        let of = (&model, &state);
        let mut found = Dense(vec![vec![0.0; y.len()]; y.len()]);
        at(of, &y, |trial, acceleration| {
            add_spin_inertia_stiffness(&model, trial, acceleration, &mut found);
        });
        let scale = found.0.iter().flatten();
        let scale = scale.fold(0.0_f64, |a, v| a.max(v.abs()));
        assert!(scale > 0.0);
        for column in 0..y.len() {
            let beside = |h: f64| {
                let mut y = y.clone();
                y[column] += h;
                force(of, &y)
            };
            let h = 1e-5;
            let (high, low) = (beside(h), beside(-h));
            for row in 0..y.len() {
                let difference = (low[row] - high[row]) / (2.0 * h);
                let error = (found.0[row][column] - difference).abs() / scale;
                assert!(error < 1e-7, "{row}, {column}: off by {error:e}");
            }
        }
    }

    #[test]
    fn nothing_is_added_where_only_angles_have_inertia() {
        let (mut model, state, y) = scene();
        let total: f64 = force((&model, &state), &y).iter().map(|f| f.abs()).sum();
        assert!(total > 0.0);
        model.spin_inertia = SpinInertia::Angles;
        assert_eq!(force((&model, &state), &y), vec![0.0; y.len()]);
    }
}
