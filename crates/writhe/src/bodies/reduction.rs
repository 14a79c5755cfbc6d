//! From the unknowns of rods to those of bodies: forces on welded nodes and angles become forces
//! and torques on the body, and second derivatives follow.
//!
//! Let a welded unknown be z(X, w), with dz = c . (dX, dw) and, by the spin of the stage, virtual
//! motion p. The body's equation is `sum_z p r_z`, its derivative `p K c` summed over pairs, plus
//! the change of p. Steps whose forces balance at their end take p = c, so that what has a
//! potential keeps it; midpoint steps take virtual motions about the mean arms, so that angular
//! momentum is conserved.

use glam::{DMat3, DVec3};

use crate::assembly::{Blocks, VertexBlocks};
use crate::bodies::placement::Turn;
use crate::bodies::{Assemblies, Assembly};
use crate::rod::geometry::skew;
use crate::rod::kinematics::{KinematicsError, position};
use crate::rod::rotation::transposed_spin_gradient;
use crate::rod::{Frames, Kinematics, Topology};

const NONE: u32 = u32::MAX;

/// How welded unknowns follow the bodies at one trial.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reduction {
    /// Each body's turn, `(bodies)`.
    pub turns: Vec<Turn>,
    /// Total residual torque by spin, N m, `(bodies)`.
    torque: Vec<DVec3>,
    /// Entry of each unknown, `(dofs)`, where it follows a body.
    entry: Vec<u32>,
    entries: Vec<Entry>,
}

/// How one unknown follows a body.
#[derive(Debug, Clone, Copy)]
struct Entry {
    body: u32,
    /// Virtual motion p.
    row: [f64; 6],
    /// Derivative c.
    column: [f64; 6],
}

/// Configuration of the rods at a trial, which welded unknowns and bodies share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyConfiguration<'a> {
    /// Connectivity.
    pub topology: &'a Topology,
    /// Frames at the start of the step.
    pub frames: &'a Frames,
    /// Edges at the stage.
    pub kinematics: &'a Kinematics,
    /// Unknowns of the stage, `(dofs)`.
    pub y: &'a [f64],
    /// Whether the stage is the middle of the step.
    pub middle: bool,
}

impl Reduction {
    /// Takes the trial in.
    ///
    /// # Errors
    /// See [`KinematicsError`].
    pub(crate) fn update(
        &mut self,
        assemblies: &Assemblies,
        trial: &BodyConfiguration,
    ) -> Result<(), KinematicsError> {
        self.turns.clear();
        self.entries.clear();
        self.torque.clear();
        self.torque.resize(assemblies.list.len(), DVec3::ZERO);
        self.entry.clear();
        self.entry.resize(trial.topology.dofs, NONE);
        for (body, assembly) in assemblies.list.iter().enumerate() {
            let dof = trial.topology.body_dof[body];
            let turn = Turn::new(
                trial.frames.orientation[body],
                position(trial.y, dof + 3),
                trial.middle,
            );
            self.turns.push(turn);
            self.push_entries(body, assembly, &turn, trial)?;
        }
        Ok(())
    }

    fn push_entries(
        &mut self,
        body: usize,
        assembly: &Assembly,
        turn: &Turn,
        trial: &BodyConfiguration,
    ) -> Result<(), KinematicsError> {
        // p: at the end of the step the derivative c; in its middle a spin about the mean arms.
        let virtual_spin = if turn.middle {
            DMat3::IDENTITY
        } else {
            turn.spin
        };
        for node in &assembly.nodes {
            // dx = dX + spin x r = dX - [r]x spin; in the middle two factors of 2 cancel in c.
            let row = skew(turn.at_stage(node.arm)) * virtual_spin * -1.0;
            let column = skew(turn.end * node.arm) * turn.spin * -1.0;
            for k in 0..3 {
                let mut unit = [0.0; 3];
                unit[k] = 1.0;
                self.push(
                    trial.topology.node_dof[node.node] + k,
                    Entry {
                        body: body as u32,
                        row: six(unit, row.row(k)),
                        column: six(unit, column.row(k)),
                    },
                );
            }
        }
        for weld in &assembly.welds {
            let here = trial.kinematics.edge(weld.edge);
            let end = turn.edge_at_end(weld, trial.frames, trial.topology)?;
            // dtheta = t . spin - a . (spin x e) = (t - e x a) . spin, a . de being the frame's.
            let along = |e: &crate::rod::kinematics::EdgeGeometry| {
                e.tangent - (e.tangent * e.length).cross(e.spin)
            };
            self.push(
                trial.topology.edge_dof[weld.edge],
                Entry {
                    body: body as u32,
                    row: six([0.0; 3], virtual_spin.transpose() * along(&here)),
                    column: six([0.0; 3], turn.spin.transpose() * along(&end)),
                },
            );
        }
        Ok(())
    }

    fn push(&mut self, dof: usize, entry: Entry) {
        self.entry[dof] = self.entries.len() as u32;
        self.entries.push(entry);
    }

    fn of(&self, dof: usize) -> Option<&Entry> {
        self.entries.get(*self.entry.get(dof)? as usize)
    }

    /// Takes forces on welded unknowns to the bodies' six: `(dofs)`, in place; those of the welded
    /// unknowns stay.
    pub(crate) fn reduce(&self, topology: &Topology, values: &mut [f64]) {
        for dof in 0..self.entry.len() {
            if let Some(entry) = self.of(dof) {
                let at = topology.body_dof[entry.body as usize];
                let value = values[dof];
                for (sum, p) in values[at..at + 6].iter_mut().zip(&entry.row) {
                    *sum += p * value;
                }
            }
        }
    }

    /// Reduces the sizes of forces, which add up, as [`Reduction::reduce`] does forces.
    pub(crate) fn reduce_sizes(&self, topology: &Topology, values: &mut [f64]) {
        for dof in 0..self.entry.len() {
            if let Some(entry) = self.of(dof) {
                let at = topology.body_dof[entry.body as usize];
                let value = values[dof];
                for (sum, p) in values[at..at + 6].iter_mut().zip(&entry.row) {
                    *sum += p.abs() * value;
                }
            }
        }
    }

    /// How welded unknowns move with the bodies, to first order: `(dofs)`, in place.
    pub(crate) fn expand(&self, topology: &Topology, motion: &mut [f64]) {
        for dof in 0..self.entry.len() {
            if let Some(entry) = self.of(dof) {
                let at = topology.body_dof[entry.body as usize];
                let by = motion[at..at + 6].iter().zip(&entry.column);
                motion[dof] = by.map(|(m, c)| m * c).sum();
            }
        }
    }

    /// Adds a torque by spin, N m, to a body's equation.
    pub(crate) fn add_torque(
        &self,
        topology: &Topology,
        body: usize,
        torque: DVec3,
        values: &mut [f64],
    ) {
        let turn = &self.turns[body];
        let at = topology.body_dof[body] + 3;
        // The virtual motion of the turn is T dw, so the equation for w holds T^T torque.
        let torque = if turn.middle {
            torque
        } else {
            turn.spin.transpose() * torque
        };
        crate::assembly::add3(values, at, torque);
    }

    /// Total torque by spin that [`Reduction::balance`] remembered, N m.
    pub(crate) fn torque(&self, body: usize) -> DVec3 {
        self.torque[body]
    }

    /// Remembers the total torque by spin from the reduced residual.
    pub(crate) fn balance(&mut self, topology: &Topology, residual: &[f64]) {
        for (body, turn) in self.turns.iter().enumerate() {
            let total = position(residual, topology.body_dof[body] + 3);
            self.torque[body] = if turn.middle {
                total
            } else {
                turn.spin.transpose().inverse() * total
            };
        }
    }

    /// Adds what the change of virtual motions contributes at constant `residual`, `(dofs)`, that
    /// of welded unknowns included; with `gradient` the derivative by the turn of torques that act
    /// on the body itself, by spin.
    pub(crate) fn add_geometric(
        &self,
        assemblies: &Assemblies,
        trial: &BodyConfiguration,
        residual: &[f64],
        gradient: impl Fn(usize) -> DMat3,
        blocks: &mut dyn Blocks,
    ) {
        for (body, (assembly, turn)) in assemblies.list.iter().zip(&self.turns).enumerate() {
            let mut by_turn = gradient(body);
            for node in &assembly.nodes {
                // r x f with the arm turned by a spin: (spin x r) x f = f x (r x spin)
                let f = position(residual, trial.topology.node_dof[node.node]);
                by_turn += skew(f) * skew(turn.end * node.arm) * turn.spin;
            }
            for weld in &assembly.welds {
                let moment = residual[trial.topology.edge_dof[weld.edge]];
                let here = trial.kinematics.edge(weld.edge);
                let vector = here.tangent * here.length;
                // d(t - e x a)/de, and de = spin x e = -[e]x spin
                let along =
                    here.tangent_jacobian() + skew(here.spin) - skew(vector) * here.spin_jacobian();
                by_turn += along * skew(turn.end * weld.vector) * turn.spin * -moment;
            }
            // T^T d(torque), and at the same torque (dT)^T torque.
            if !turn.middle {
                by_turn = turn.spin.transpose() * by_turn
                    + transposed_spin_gradient(turn.cayley, self.torque[body]);
            }
            let at = trial.topology.body_dof[body] + 3;
            let values: [f64; 9] = by_turn.transpose().to_cols_array();
            let dofs = [at, at + 1, at + 2];
            if turn.middle {
                blocks.general(&dofs, &values);
            } else {
                blocks.symmetric(&dofs, &values);
            }
        }
    }

    /// A sink that takes blocks on welded unknowns to the bodies' before `inner` gets them.
    pub(crate) fn sink<'a>(
        &'a self,
        topology: &'a Topology,
        inner: &'a mut dyn Blocks,
    ) -> Sink<'a> {
        Sink {
            reduction: self,
            topology,
            inner,
        }
    }
}

fn six(first: [f64; 3], second: DVec3) -> [f64; 6] {
    let [a, b, c] = first;
    [a, b, c, second.x, second.y, second.z]
}

/// Takes blocks on welded unknowns to the bodies'.
pub(crate) struct Sink<'a> {
    reduction: &'a Reduction,
    topology: &'a Topology,
    inner: &'a mut dyn Blocks,
}

/// Place of an unknown among those that remain, with the coefficients p and c.
type Target = (usize, f64, f64);

impl Sink<'_> {
    /// The unknowns that remain, and what each original one becomes.
    fn targets(&self, dofs: &[usize]) -> (Vec<usize>, Vec<Vec<Target>>) {
        let mut kept: Vec<usize> = Vec::with_capacity(dofs.len() + 6);
        let place = |kept: &mut Vec<usize>, dof: usize| {
            kept.iter().position(|k| *k == dof).unwrap_or_else(|| {
                kept.push(dof);
                kept.len() - 1
            })
        };
        let parts = dofs.iter().map(|dof| match self.reduction.of(*dof) {
            None => vec![(place(&mut kept, *dof), 1.0, 1.0)],
            Some(entry) => {
                let at = self.topology.body_dof[entry.body as usize];
                let all = entry.row.iter().zip(&entry.column).enumerate();
                all.map(|(k, (p, c))| (place(&mut kept, at + k), *p, *c))
                    .collect()
            }
        });
        let parts = parts.collect();
        (kept, parts)
    }
}

impl Blocks for Sink<'_> {
    fn general(&mut self, dofs: &[usize], values: &[f64]) {
        if dofs.iter().all(|dof| self.reduction.of(*dof).is_none()) {
            return self.inner.general(dofs, values);
        }
        let (kept, parts) = self.targets(dofs);
        let (n, m) = (dofs.len(), kept.len());
        let mut out = vec![0.0; m * m];
        for (i, rows) in parts.iter().enumerate() {
            for (j, columns) in parts.iter().enumerate() {
                let value = values[i * n + j];
                for (r, p, _) in rows {
                    for (c, _, by) in columns {
                        // p K c, summed over all pairs
                        out[r * m + c] += p * value * by;
                    }
                }
            }
        }
        self.inner.general(&kept, &out);
    }

    fn vertex(&mut self, vertex: usize, dofs: &[usize; 11], blocks: &VertexBlocks) {
        match dofs.iter().all(|dof| self.reduction.of(*dof).is_none()) {
            true => self.inner.vertex(vertex, dofs, blocks),
            false => self.general(dofs, &blocks.dense()),
        }
    }

    fn symmetric(&mut self, dofs: &[usize], values: &[f64]) {
        if dofs.iter().all(|dof| self.reduction.of(*dof).is_none()) {
            return self.inner.symmetric(dofs, values);
        }
        self.general(dofs, values);
    }
}
