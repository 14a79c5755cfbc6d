//! How large a step lagged drag allows.
//!
//! With D the part of B^-1 between unknowns that are free, lagged drag is
//! `M a = -D u_n + what is solved for`. Let lambda be the largest eigenvalue of `M^-1 D`, 1/s.
//! Along its motion a scheme turns `u' = -lambda u_n` into a recursion whose first instability is a
//! sign that changes from step to step, `u_{n+1} = -u_n`; there its derivative has the size s/dt
//! (`Scheme::largest_lagged_step`), so it is stable while `lambda dt < s`. Forces that are solved
//! for only help: with a stiffness K and a motion v, the numbers `v.Mv`, `v.Kv` and `v.Dv` make a
//! scalar recursion with the quotients `k = v.Kv/v.Mv` and `d = v.Dv/v.Mv <= lambda` (D is
//! symmetric to a few per cent), and at the change of sign it asks for `d dt < s + k dt^2 / s`; no
//! other root leaves the unit circle before (decision 0040).
//!
//! lambda is found by power steps, `v <- M^-1 D v`, with Rayleigh's quotient `v.Dv / v.Mv`; each
//! costs one solve with B to a few digits. They begin with velocities that change their sign from
//! node to node, which is where drag is stiffest.

use glam::{DMat3, DVec3};

use super::lagged::ROUGH;
use super::{Drag, ForceAndFlow, rods};
use crate::bodies::Assembly;
use crate::fluid::{Coupling, Fluid};
use crate::model::Model;
use crate::solve::Poll;
use crate::solve::SolveError;
use crate::solve::krylov::KrylovWorkspace;
use crate::state::{DragWatch, State};
use crate::step::{Scheme, StepError};

/// Share of the largest stable step that is allowed: lambda is known to a few per cent, and from
/// below.
const SHARE: f64 = 0.9;
/// Power steps, fewest and most. Twelve leave up to 2 % of lambda; where rods are side by side,
/// eight leave 5 %.
const STEPS: [usize; 2] = [6, 24];
/// They end when one of them changed lambda by less than this part.
const SETTLED: f64 = 2e-3;
/// lambda is found anew when a node has moved by so much of the resolution of the fluid.
const MOVED: f64 = 0.5;

/// Steps that divide an interval evenly may exceed what was asked for by rounding.
const ROUNDING: f64 = 1e-8;

impl DragWatch {
    /// Whether lambda is known for the present geometry.
    pub(in crate::step) fn knows_rate(&self, model: &Model) -> bool {
        let resolution = |fluid: &Fluid| fluid.medium.resolution(rods(model));
        let resolution = model.fluid.as_ref().map_or(0.0, resolution);
        self.rate > 0.0 && self.moved < MOVED * resolution
    }
}

/// Largest step, s, that is allowed with lagged drag, from that which is just stable; with two
/// digits, rounded down.
fn allowed(stable: f64) -> f64 {
    let step = SHARE * stable;
    if !(step.is_finite() && step > 0.0) {
        return step;
    }
    let unit = 10.0_f64.powf(step.log10().floor() - 1.0);
    let digits = (step / unit * (1.0 + 1e-12)).floor();
    // Written and read again, so that it is the number that a message shows.
    format!("{:.1e}", digits * unit).parse().unwrap_or(step)
}

/// Largest step, s, that is allowed from `state`, with two digits, rounded down; infinite where
/// drag does not lag.
///
/// # Errors
/// When the flow cannot be computed.
pub fn largest_lagged_step(model: &Model, state: &State, scheme: Scheme) -> Result<f64, StepError> {
    let lags = |fluid: &&Fluid| fluid.coupling == Coupling::Lagged;
    let Some(fluid) = model.fluid.as_ref().filter(lags) else {
        return Ok(f64::INFINITY);
    };
    let mut drag = Drag::default();
    drag.assemble(model, fluid, &state.q)?;
    let rate = drag.rate(model, state, &mut KrylovWorkspace::default())?;
    Ok(allowed(scheme.largest_lagged_step(rate)))
}

/// Refuses a step `dt`, s, beyond what lambda, 1/s, allows.
pub(in crate::step) fn check(
    model: &Model,
    scheme: Scheme,
    dt: f64,
    rate: f64,
) -> Result<(), StepError> {
    let largest = allowed(scheme.largest_lagged_step(rate));
    if dt <= largest * (1.0 + ROUNDING) {
        return Ok(());
    }
    let solvable = model.bodies.is_empty() && !model.contact.policy().impulsive();
    Err(StepError::LaggedDrag {
        dt,
        largest,
        solvable,
    })
}

impl Drag {
    /// lambda at the positions of the last assembly, which are those of `start`; zero where nothing
    /// is free to move.
    ///
    /// # Errors
    /// When B cannot be solved with.
    pub fn rate(
        &self,
        model: &Model,
        start: &State,
        krylov: &mut KrylovWorkspace,
    ) -> Result<f64, SolveError> {
        let inertia = Inertia::new(model, start);
        // Each step takes v = M^-1 f, scaled to v.Mv = 1, to f = D v.
        let mut force = restless(model);
        let mut rate = 0.0;
        for step in 1..=STEPS[1] {
            let mut velocity = inertia.velocity(&force);
            // v.Mv
            let weight = dot(&velocity, &force);
            if weight <= 0.0 {
                return Ok(rate);
            }
            let scale = 1.0 / weight.sqrt();
            velocity.iter_mut().for_each(|v| *v *= scale);
            // Near the eigenvector D v is lambda M v.
            let guess: Vec<f64> = force.iter().map(|f| -rate * scale * f).collect();
            let mut flow = vec![0.0; guess.len()];
            self.velocity(&guess, &mut flow)?;
            let guess = ForceAndFlow {
                force: guess,
                flow,
                changed: 0.0,
            };
            let drag = self
                .force_of(model, &velocity, guess, &ROUGH, krylov, &Poll::default())?
                .force;
            force = drag.iter().map(|f| -f).collect();
            // Rayleigh's quotient v.Dv.
            let found = dot(&velocity, &force);
            let settled = (found - rate).abs() <= SETTLED * found;
            rate = found;
            if settled && step >= STEPS[0] {
                break;
            }
        }
        Ok(rate)
    }
}

/// Forces that change from node to node, which is where drag is stiffest: of the same values for
/// the same nodes.
fn restless(model: &Model) -> Vec<f64> {
    let nodes = 0..model.topology.nodes();
    let component = |node: usize, k: usize| {
        let sign = if node.is_multiple_of(2) { 1.0 } else { -1.0 };
        // The golden ratio spreads best.
        sign * (0.6 + 0.4 * (1.618_033_988_749_895 * (3 * node + k) as f64 * 7.0).sin())
    };
    nodes
        .flat_map(|node| [0, 1, 2].map(|k| component(node, k)))
        .collect()
}

/// Velocities that impulses give to nodes: held ones get none, welded ones those of their bodies.
struct Inertia<'a> {
    fixed: &'a [bool],
    /// Inverse mass of every coordinate, 1/kg, zero where it is held or welded, `(3 nodes)`.
    inverse_mass: Vec<f64>,
    bodies: Vec<Body>,
}

struct Body {
    /// Its first unknown.
    dof: usize,
    mass: f64,
    inverse_inertia: DMat3,
    /// Welded nodes and where they are from the centre of mass, m.
    nodes: Vec<(usize, DVec3)>,
}

impl<'a> Inertia<'a> {
    fn new(model: &'a Model, start: &State) -> Self {
        let topology = &model.topology;
        let fixed = model.constraints.fixed();
        let inverse = |dof: usize| match model.mass[dof] {
            mass if mass > 0.0 && !fixed[dof] => 1.0 / mass,
            _ => 0.0,
        };
        let dofs = topology.node_dof.iter().flat_map(|dof| *dof..dof + 3);
        let bodies = model.bodies.list.iter().enumerate();
        let body = |(index, assembly): (usize, &Assembly)| {
            let orientation = start.frames.orientation[index];
            let welded = assembly.nodes.iter();
            Body {
                dof: topology.body_dof[index],
                mass: assembly.mass,
                inverse_inertia: assembly.inertia_at(orientation).inverse(),
                nodes: welded.map(|n| (n.node, orientation * n.arm)).collect(),
            }
        };
        Self {
            fixed,
            inverse_mass: dofs.map(inverse).collect(),
            bodies: bodies.map(body).collect(),
        }
    }

    fn velocity(&self, impulse: &[f64]) -> Vec<f64> {
        let free = impulse.iter().zip(&self.inverse_mass);
        let mut velocity: Vec<f64> = free.map(|(p, w)| p * w).collect();
        for body in &self.bodies {
            let at = |node: usize| DVec3::from_slice(&impulse[3 * node..]);
            // sum p and sum r x p move and turn the body; its nodes go with it, u = v + omega x r.
            let sum: DVec3 = body.nodes.iter().map(|(n, _)| at(*n)).sum();
            let torque: DVec3 = body.nodes.iter().map(|(n, arm)| arm.cross(at(*n))).sum();
            let moving = self.unheld(body.dof, sum / body.mass);
            let turning = self.unheld(body.dof + 3, body.inverse_inertia * torque);
            for (node, arm) in &body.nodes {
                let u = moving + turning.cross(*arm);
                velocity[3 * node..3 * node + 3].copy_from_slice(&u.to_array());
            }
        }
        velocity
    }

    fn unheld(&self, dof: usize, v: DVec3) -> DVec3 {
        let component = |k: usize| if self.fixed[dof + k] { 0.0 } else { v[k] };
        DVec3::new(component(0), component(1), component(2))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests;
