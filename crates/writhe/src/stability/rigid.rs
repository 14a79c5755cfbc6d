//! Motions that cost no elastic energy: of what nothing holds, and of round rods about their own
//! axis.

use glam::DVec3;

use crate::model::Model;
use crate::rod::kinematics::position;
use crate::state::State;
use crate::step::Variation;

/// Part of a mode's length that is rigid, from which on it counts as such.
const RIGID: f64 = 0.99;
/// Part of the lowest bending eigenvalue above which a negative eigenvalue of a rigid motion is
/// none.
const WEAK: f64 = 1e-3;
/// Part of a constraint, or of a motion, that counts as none after others are taken out.
const DEPENDENT: f64 = 1e-9;

/// Rigid motions that no support prevents.
pub(super) struct Motions {
    mass: Vec<f64>,
    gradient: Vec<f64>,
    parts: Vec<Free>,
}

/// Those of a part.
struct Free {
    /// First unknowns of its nodes and bodies.
    points: Vec<usize>,
    /// Orthonormal by the masses.
    basis: Vec<Motion>,
}

/// A rigid motion.
struct Motion {
    /// Of the unknowns, `(dofs)`.
    by: Vec<f64>,
    /// Its turn.
    turn: DVec3,
}

impl Motion {
    fn none(dofs: usize) -> Self {
        Self {
            by: vec![0.0; dofs],
            turn: DVec3::ZERO,
        }
    }

    /// Adds `scale` times another one.
    fn add(&mut self, scale: f64, other: &Self) {
        let values = self.by.iter_mut().zip(&other.by);
        values.for_each(|(own, other)| *own += scale * other);
        self.turn += scale * other.turn;
    }
}

impl Motions {
    /// The parts of the rods and bodies at `state`: what is welded together moves together.
    pub(crate) fn of(model: &Model, state: &State, variation: &Variation) -> Self {
        let mass = variation.mass.clone();
        let free = |part: Part| Free::of(model, state, &part, &mass);
        Self {
            parts: parts(model).into_iter().map(free).collect(),
            gradient: variation.gradient.clone(),
            mass,
        }
    }

    /// Whether a mode, `(dofs)`, is rigid.
    pub(crate) fn holds(&self, mode: &[f64]) -> bool {
        let motions = self.parts.iter().flat_map(|part| &part.basis);
        let squares = motions.map(|motion| dot(&self.mass, &motion.by, mode).powi(2));
        squares.sum::<f64>() > RIGID * RIGID * dot(&self.mass, mode, mode)
    }

    /// Magnitude below which a negative eigenvalue of a rigid mode, whose length by the masses is 1,
    /// says nothing, 1/s^2: with forces that are left over a turn is no equilibrium.
    pub(crate) fn noise(&self, bending: f64, mode: &[f64]) -> f64 {
        let bends = self.parts.iter().map(|part| {
            let mut motion = Motion::none(mode.len());
            for own in &part.basis {
                motion.add(dot(&self.mass, &own.by, mode), own);
            }
            // A turn goes round: beside its straight linear part u each point moves by (w x u)/2, so
            // that the energy along u changes by -g.(w x u) where it does not along the turn.
            let points = part.points.iter().map(|dof| {
                let bent = motion.turn.cross(position(&motion.by, *dof));
                position(&self.gradient, *dof).length() * bent.length()
            });
            points.sum::<f64>()
        });
        WEAK * bending + 4.0 * bends.sum::<f64>()
    }
}

/// Product by the masses.
fn dot(mass: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let products = a.iter().zip(b).zip(mass);
    products.map(|((a, b), m)| a * b * m).sum()
}

impl Free {
    fn of(model: &Model, state: &State, part: &Part, mass: &[f64]) -> Self {
        let points = part.points(model);
        let at = |dof: &usize| position(&state.q, *dof);
        let center = points.iter().map(at).sum::<DVec3>() / points.len() as f64;
        let arms = points.iter().map(|dof| (at(dof) - center).length());
        let candidates = part.candidates(model, state, center, arms.fold(0.0, f64::max));
        let mut basis: Vec<Motion> = Vec::new();
        for coefficients in unhindered(model, part, &candidates) {
            let mut motion = Motion::none(model.topology.dofs);
            for (scale, candidate) in coefficients.iter().zip(&candidates) {
                motion.add(*scale, candidate);
            }
            for (value, mass) in motion.by.iter_mut().zip(mass) {
                if *mass == 0.0 {
                    *value = 0.0;
                }
            }
            let terms = candidates.iter().zip(&coefficients);
            let squares = terms.map(|(motion, by)| by * by * dot(mass, &motion.by, &motion.by));
            let scale = squares.sum::<f64>().sqrt();
            // Gram-Schmidt by the masses.
            for known in &basis {
                let along = dot(mass, &known.by, &motion.by);
                motion.add(-along, known);
            }
            let length = dot(mass, &motion.by, &motion.by).sqrt();
            // The turn of a straight rod about itself less its spin is no motion but for rounding.
            if length > DEPENDENT * scale {
                motion.by.iter_mut().for_each(|m| *m /= length);
                motion.turn /= length;
                basis.push(motion);
            }
        }
        Self { points, basis }
    }
}

/// Rods and bodies that are welded together.
struct Part {
    rods: Vec<usize>,
    bodies: Vec<usize>,
}

impl Part {
    /// First unknowns of the nodes and bodies.
    fn points(&self, model: &Model) -> Vec<usize> {
        let topology = &model.topology;
        let nodes = self.rods.iter().flat_map(|rod| {
            let rod = &topology.rods[*rod];
            &topology.node_dof[rod.first_node..rod.first_node + rod.nodes]
        });
        let bodies = self.bodies.iter().map(|body| &topology.body_dof[*body]);
        nodes.chain(bodies).copied().collect()
    }

    fn edges(&self, model: &Model) -> impl Iterator<Item = usize> {
        let rods = self.rods.iter().map(|rod| model.topology.rods[*rod]);
        let edges: Vec<usize> = rods
            .flat_map(|rod| rod.first_edge..rod.first_edge + rod.edges)
            .collect();
        edges.into_iter()
    }

    /// Three displacements, three turns by about `size`, m, at the farthest, and the spin of a rod
    /// about its axis, `(dofs)` each. Material frames turn with what is rigid: by the part along
    /// their tangents.
    fn candidates(&self, model: &Model, state: &State, center: DVec3, size: f64) -> Vec<Motion> {
        let topology = &model.topology;
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let none = || vec![0.0; topology.dofs];
        let mut all = Vec::new();
        let mut push = |by, turn| all.push(Motion { by, turn });
        for axis in axes {
            let mut motion = none();
            for dof in self.points(model) {
                motion[dof..dof + 3].copy_from_slice(&axis.to_array());
            }
            push(motion, DVec3::ZERO);
        }
        for axis in axes {
            let turn = axis / size.max(f64::MIN_POSITIVE);
            let mut motion = none();
            for dof in self.points(model) {
                let moved = turn.cross(position(&state.q, dof) - center);
                motion[dof..dof + 3].copy_from_slice(&moved.to_array());
            }
            for edge in self.edges(model) {
                motion[topology.edge_dof[edge]] = turn.dot(state.frames.tangent[edge]);
            }
            for body in &self.bodies {
                let dof = topology.body_dof[*body] + 3;
                motion[dof..dof + 3].copy_from_slice(&turn.to_array());
            }
            push(motion, turn);
        }
        if self.bodies.is_empty() {
            let mut motion = none();
            for edge in self.edges(model) {
                motion[topology.edge_dof[edge]] = 1.0 / size.max(f64::MIN_POSITIVE);
            }
            push(motion, DVec3::ZERO);
        }
        all
    }

    /// Unknowns of the part that are prescribed; those that follow a body are not.
    fn prescribed(&self, model: &Model) -> Vec<usize> {
        let follows = &model.bodies.dependent;
        let held = |dof: &usize| {
            model.constraints.fixed()[*dof] && !follows.get(*dof).copied().unwrap_or(false)
        };
        let topology = &model.topology;
        let rods = self.rods.iter().flat_map(|rod| {
            let rod = &topology.rods[*rod];
            rod.first_dof..rod.first_dof + rod.dofs
        });
        let bodies = self.bodies.iter().flat_map(|body| {
            let dof = topology.body_dof[*body];
            dof..dof + 6
        });
        rods.chain(bodies).filter(held).collect()
    }
}

/// Each rod with the bodies that it is welded to, and what these are welded to.
fn parts(model: &Model) -> Vec<Part> {
    let topology = &model.topology;
    let mut part_of: Vec<usize> = (0..topology.rods.len() + topology.body_dof.len()).collect();
    for (body, assembly) in model.bodies.list.iter().enumerate() {
        // All that was one part with the rod becomes one with the body.
        let own = part_of[topology.rods.len() + body];
        for weld in &assembly.welds {
            let other = part_of[topology.edge_rod[weld.edge]];
            let same = part_of.iter_mut().filter(|part| **part == other);
            same.for_each(|part| *part = own);
        }
    }
    let mut names = part_of.clone();
    names.sort_unstable();
    names.dedup();
    let of = |name: usize| {
        let members = part_of
            .iter()
            .enumerate()
            .filter(|(_, part)| **part == name);
        let members: Vec<usize> = members.map(|(member, _)| member).collect();
        let (rods, bodies) = members
            .into_iter()
            .partition::<Vec<usize>, _>(|member| *member < topology.rods.len());
        Part {
            rods,
            bodies: bodies.iter().map(|b| b - topology.rods.len()).collect(),
        }
    };
    names.into_iter().map(of).collect()
}

/// Combinations of `candidates` that move nothing which is prescribed: an orthonormal basis of the
/// null space of the constraints' rows.
fn unhindered(model: &Model, part: &Part, candidates: &[Motion]) -> Vec<Vec<f64>> {
    let count = candidates.len();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let reduce = |rows: &[Vec<f64>], row: &mut [f64]| {
        for _ in 0..2 {
            for known in rows {
                let along: f64 = known.iter().zip(&*row).map(|(k, r)| k * r).sum();
                row.iter_mut().zip(known).for_each(|(r, k)| *r -= along * k);
            }
        }
        row.iter().map(|r| r * r).sum::<f64>().sqrt()
    };
    let take = |rows: &mut Vec<Vec<f64>>, mut row: Vec<f64>, least: f64| {
        let left = reduce(rows, &mut row);
        let new = left > least;
        if new {
            row.iter_mut().for_each(|r| *r /= left);
            rows.push(row);
        }
        new
    };
    // Each prescribed unknown asks that a combination leave it alone: rows, made orthonormal.
    for dof in part.prescribed(model) {
        let row: Vec<f64> = candidates.iter().map(|c| c.by[dof]).collect();
        let length = row.iter().map(|r| r * r).sum::<f64>().sqrt();
        if length > 0.0 {
            take(
                &mut rows,
                row.iter().map(|r| r / length).collect(),
                DEPENDENT,
            );
        }
        if rows.len() == count {
            return Vec::new();
        }
    }
    let hindered = rows.len();
    // What unit vectors have beyond these rows spans the null space.
    for k in 0..count {
        let mut unit = vec![0.0; count];
        unit[k] = 1.0;
        take(&mut rows, unit, 1e-6);
    }
    rows.split_off(hindered)
}
