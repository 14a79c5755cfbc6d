//! The integrator of B08: symplectic Euler, material frames at rest, lengths kept by projection.
//!
//! With forces F at the start of the step (B08 section 7, Algorithm 1 lines 6 to 11),
//!
//! ```text
//! v <- v + dt F / m,   x <- x + dt v          symplectic Euler; prescribed unknowns move as they must, an engine moves rigid bodies
//! x <- projection of x onto |e_j| = l_j       section 8, with joints of bodies and forces of contact
//! v <- v + (what the projection moved x by) / dt
//! theta: dE/dtheta = T                        section 5
//! ```
//!
//! First order. The projection dissipates; [`stability`] says how large a step may be.

mod balance;
mod bodies;
mod contact;
mod coupling;
mod friction;
mod joints;
mod known;
mod projection;
mod quasistatic;
mod schur;
mod spin;
mod stability;

pub(super) use projection::Projection;
pub(super) use quasistatic::Quasistatic;

use super::bodies::{check_motors, check_turns};
use super::error::{Location, StepError};
use super::phases::{Clock, Phase};
use super::report::StepReport;
use super::workspace::Workspace;
use crate::assembly::Trial;
use crate::contact_model::PairForce;
use crate::forces::{Acting, add_bending_and_twisting, add_loads};
use crate::model::Model;
use crate::rod::{Frames, Kinematics, Topology};
use crate::state::{ContactMemory, State};
use crate::viscoelastic::StrainMemory;
use bodies::Bodies;
use contact::Contact;
pub use known::NotExplicit;
use projection::Configuration;
use quasistatic::Angles;

/// Residual of the angles, rad, above which a step first lets them come to rest.
const AT_REST: f64 = 1e-9;
/// `|C|` at the start of a step that the projection may correct before the step.
const MAX_START: f64 = 2e-2;

/// Whether the integrator knows all that the model holds.
///
/// # Errors
/// [`StepError::Unsupported`] names what it does not know.
pub fn supports(model: &Model) -> Result<(), StepError> {
    if !model.driven.is_empty() {
        return Err(StepError::Unsupported(NotExplicit::DrivenShape));
    }
    if model.is_viscous() {
        return Err(StepError::Unsupported(NotExplicit::Viscoelasticity));
    }
    if model.loads.iter().any(|load| load.curves_with_angles()) {
        return Err(StepError::Unsupported(NotExplicit::MagnetsAcross));
    }
    let (fluid, spin) = (model.fluid.is_some(), !spin::is_known(model));
    match NotExplicit::among(&model.contact.policy(), fluid, spin) {
        Some(part) => Err(StepError::Unsupported(part)),
        None => Ok(()),
    }
}

/// What keeps the first step from `state` from being made, whatever its size.
///
/// # Errors
/// [`StepError::Unsupported`] and [`StepError::StartsStretched`].
pub fn check_first_step(model: &Model, state: &State) -> Result<(), StepError> {
    supports(model)?;
    let (edge, stretch) = projection::worst(model, &state.q);
    // One per cent of the length is two of C.
    if stretch > MAX_START {
        let [rod, edge] = model.topology.edge_in_rod(edge);
        return Err(StepError::StartsStretched { rod, edge, stretch });
    }
    Ok(())
}

/// Largest step, s, that is stable from `state`: a bound for bending, twisting and loads; infinite
/// if nothing pulls back.
///
/// # Errors
/// As [`symplectic_step`].
pub fn largest_stable_step(model: &Model, state: &State) -> Result<f64, StepError> {
    let mut kinematics = Kinematics::default();
    kinematics.update(&model.topology, &state.frames, &state.q)?;
    let at = trial(model, &kinematics, state, &state.q);
    Ok(stability::largest_step(model, &at, &weights(model)))
}

/// Advances `start` by `dt`, s. `start` is untouched; the result depends on (model, start, dt)
/// only.
///
/// # Errors
/// See [`StepError`].
pub fn symplectic_step(
    model: &Model,
    start: &State,
    dt: f64,
    ws: &mut Workspace,
) -> Result<(State, StepReport), StepError> {
    supports(model)?;
    ws.check_poll()?;
    let topology = &model.topology;
    let fixed = model.constraints.fixed();
    let weight = weights(model);

    // Forces at the start, with angles at rest and lengths kept.
    let mut kinematics = std::mem::take(&mut ws.kinematics);
    let mut bodies = Bodies::start(model, start)?;
    let mut before = start.q.clone();
    let mut iterations = lengths_at_start(model, start, &weight, &mut bodies, &mut before, ws)?;
    kinematics.update(topology, &start.frames, &before)?;
    let clock = ws.phases.start();
    let mut force = forces(model, start, &mut before, &mut kinematics, ws)?;
    ws.phases.stop(Phase::Forces, clock);

    let at = trial(model, &kinematics, start, &before);
    check_stable(model, &at, &weight, dt)?;

    // u <- u + dt W f, with what turns spins, x <- x + dt u, then what is prescribed in its place,
    // and bodies by their engine.
    let mut q = before.clone();
    let mut velocity = start.velocity.clone();
    kick(topology, dt, &weight, &force, &mut velocity);
    let spinning = (dt, &start.velocity[..]);
    spin::turn(
        model,
        &kinematics,
        spinning,
        &weight,
        &mut force,
        &mut velocity,
    );
    drift(topology, dt, &velocity, &mut q);
    check_turns(model, start, [start.time, start.time + dt])?;
    let engine = bodies.advance(
        model,
        &kinematics,
        &force,
        (start.time, dt),
        &mut q,
        &mut velocity,
    )?;
    let end = start.time + dt;
    model
        .constraints
        .apply(topology, &start.frames, &start.q, [start.time, end], &mut q);
    bodies.turn(model, &start.frames, &mut q);

    // The forces of contacts of the last step, then x <- its projection onto |e_j| = l_j, with
    // contact forces corrected on the way.
    let clock = Clock::start();
    let mut contact = Contact::begin(model, start, &weight, dt, &q);
    let at = trial(model, &kinematics, start, &before);
    let mut moved = vec![0.0; topology.dofs];
    let mut to = Configuration {
        q: &mut q,
        orientation: &mut bodies.orientation,
        moved: &mut moved,
    };
    ws.projection.begin(model, end, &start.broken);
    contact.push(&at, &mut to, &mut velocity, &mut ws.projection);
    let corrections = contact.project(&mut to, &mut ws.projection)?;
    iterations += corrections.iterations;
    let correcting = clock.elapsed().saturating_sub(corrections.projecting);
    ws.phases.add(Phase::Contact, correcting);
    ws.phases.add(Phase::Projection, corrections.projecting);

    // The end: nothing has crossed, velocities follow what the projection moved, angles come to
    // rest.
    bodies.settle(model, start, &mut q);
    kinematics.update(topology, &start.frames, &q)?;
    let ends_at = (&q[..], &bodies.orientation[..]);
    contact.check_crossings(ends_at, &mut ws.sweep, &mut ws.phases)?;
    follow_corrections(fixed, dt, &before, &q, &moved, &mut velocity);
    let clock = ws.phases.start();
    relax_at(model, end, &velocity, &mut q, &mut kinematics, ws)?;
    ws.phases.stop(Phase::Angles, clock);
    // Angles have no inertia: their rates are what coming to rest made of them.
    for dof in &topology.edge_dof {
        velocity[*dof] = (q[*dof] - before[*dof]) / dt;
    }

    let (tension, forces) = (ws.projection.tension(dt), contact.forces());
    let mut state = ended(start, end, kinematics.frames(), tension, forces);
    state.contact.obstacle_forces = contact.obstacle_forces();
    state.broken = ws.projection.finish_joints(model, dt, &mut q);
    bodies.finish(model, &kinematics, &mut q, &mut velocity, &mut state)?;
    check_motors(model, &start.broken, &state.frames.orientation, end)?;
    check_finite(topology, &velocity)?;
    state.acceleration = rates(&start.velocity, &velocity, dt);
    state.q = q;
    state.velocity = velocity;
    let made = balance::Made {
        dt,
        force: &force,
        kinematics: &kinematics,
        engine,
    };
    let report = StepReport {
        dt,
        iterations,
        ..contact.report(&state.q, corrections)
    };
    state.ledger = balance::ledger(model, start, &state, &made, contact.frame())?;
    ws.kinematics = kinematics;
    Ok((state, report))
}

/// Changes over the time `dt`, s.
fn rates(from: &[f64], to: &[f64], dt: f64) -> Vec<f64> {
    let change = to.iter().zip(from);
    change.map(|(to, from)| (to - from) / dt).collect()
}

/// Refuses a step of `dt`, s, that is not stable at its start, `at`.
fn check_stable(model: &Model, at: &Trial, weight: &[f64], dt: f64) -> Result<(), StepError> {
    let largest = stability::largest_step(model, at, weight);
    match dt > largest {
        true => Err(StepError::Unstable { dt, largest }),
        false => Ok(()),
    }
}

/// Momentum of nodes by the `force`, N, `(dofs)`, for `dt`, s.
fn kick(topology: &Topology, dt: f64, weight: &[f64], force: &[f64], velocity: &mut [f64]) {
    for dof in topology.node_dof.iter().flat_map(|dof| *dof..dof + 3) {
        // v <- v + dt F/m
        velocity[dof] += dt * weight[dof] * force[dof];
    }
}

/// Positions of nodes by their new velocities: with [`kick`] the symplectic Euler step.
fn drift(topology: &Topology, dt: f64, velocity: &[f64], q: &mut [f64]) {
    for dof in topology.node_dof.iter().flat_map(|dof| *dof..dof + 3) {
        // x <- x + dt v, with the new v
        q[dof] += dt * velocity[dof];
    }
}

/// Gives velocities what the projection `moved`, `(dofs)`; those of the prescribed unknowns `fixed`
/// are those of their way.
fn follow_corrections(
    fixed: &[bool],
    dt: f64,
    before: &[f64],
    q: &[f64],
    moved: &[f64],
    velocity: &mut [f64],
) {
    for dof in 0..q.len() {
        if fixed[dof] {
            velocity[dof] = (q[dof] - before[dof]) / dt;
        } else {
            // Not by differences of positions: so momentum is kept to rounding (decision 0024).
            velocity[dof] += moved[dof] / dt;
        }
    }
}

/// Brings the free angles of `q` to rest under the loads at `time`, s.
fn relax_at(
    model: &Model,
    time: f64,
    velocity: &[f64],
    q: &mut [f64],
    kinematics: &mut Kinematics,
    ws: &mut Workspace,
) -> Result<(), StepError> {
    let mut torque = vec![0.0; model.topology.dofs];
    let at = Trial {
        topology: &model.topology,
        kinematics,
        time,
        q,
        velocity,
        rate: 0.0,
    };
    add_loads(model, Acting::All, &at, &mut torque);
    let angles = Angles {
        model,
        held: model.constraints.fixed(),
        torque: &torque,
    };
    ws.quasistatic.relax(&angles, kinematics, q)?;
    Ok(())
}

/// The state at the end of a step but for unknowns and velocities.
fn ended(
    start: &State,
    end: f64,
    frames: Frames,
    tension: Vec<f64>,
    forces: Vec<PairForce>,
) -> State {
    State {
        time: end,
        step: start.step + 1,
        q: Vec::new(),
        velocity: Vec::new(),
        acceleration: Vec::new(),
        history: None,
        engine: Vec::new(),
        tension,
        broken: Vec::new(),
        strains: StrainMemory::default(),
        frames,
        contact: ContactMemory {
            forces,
            ..start.contact.clone()
        },
        hydrodynamic_force: Vec::new(),
        drag_history: Vec::new(),
        drag_watch: start.drag_watch,
        reactions: Vec::new(),
        control: start.control,
        ledger: start.ledger,
    }
}

fn check_finite(topology: &Topology, velocity: &[f64]) -> Result<(), StepError> {
    match velocity.iter().position(|v| !v.is_finite()) {
        Some(dof) => Err(StepError::NotFinite {
            what: "velocity",
            place: Location::of(topology, dof),
        }),
        None => Ok(()),
    }
}

/// The state with its free angles where the elastic energy and the loads balance: the quasistatic
/// update alone.
///
/// # Errors
/// [`StepError::UnbalancedAngles`], and [`StepError::Kinematics`] if the state has no frames.
pub fn relax_angles(model: &Model, state: &State) -> Result<State, StepError> {
    let mut relaxed = state.clone();
    relaxed.ledger = relaxed.ledger.interrupted();
    let mut kinematics = Kinematics::default();
    kinematics.update(&model.topology, &state.frames, &state.q)?;
    let mut torque = vec![0.0; model.topology.dofs];
    let at = trial(model, &kinematics, state, &state.q);
    add_loads(model, Acting::All, &at, &mut torque);
    let angles = Angles {
        model,
        held: model.constraints.fixed(),
        torque: &torque,
    };
    Quasistatic::default().relax(&angles, &mut kinematics, &mut relaxed.q)?;
    Ok(relaxed)
}

/// Brings a start that another integrator, or a mesh, left a little stretched to the lengths at
/// rest; returns the iterations.
fn lengths_at_start(
    model: &Model,
    start: &State,
    weight: &[f64],
    bodies: &mut Bodies,
    q: &mut [f64],
    ws: &mut Workspace,
) -> Result<u32, StepError> {
    let (edge, stretch) = projection::worst(model, q);
    if stretch > MAX_START {
        let [rod, edge] = model.topology.edge_in_rod(edge);
        return Err(StepError::StartsStretched { rod, edge, stretch });
    }
    if stretch < projection::TOLERANCE && model.joints.is_empty() {
        return Ok(0);
    }
    let mut moved = vec![0.0; q.len()];
    let mut to = Configuration {
        q,
        orientation: &mut bodies.orientation,
        moved: &mut moved,
    };
    ws.projection.begin(model, start.time, &start.broken);
    // `moved` goes nowhere: lengths that are mended give no velocity.
    let iterations = ws.projection.project(model, weight, &mut to)?;
    bodies.settle(model, start, q);
    Ok(iterations)
}

/// Force on every position, N, `(dofs)`, with angles at rest, which those in `q` are first brought
/// to if they are not.
fn forces(
    model: &Model,
    start: &State,
    q: &mut [f64],
    kinematics: &mut Kinematics,
    ws: &mut Workspace,
) -> Result<Vec<f64>, StepError> {
    let mut load = vec![0.0; model.topology.dofs];
    add_loads(
        model,
        Acting::All,
        &trial(model, kinematics, start, q),
        &mut load,
    );
    let angles = Angles {
        model,
        held: model.constraints.fixed(),
        torque: &load,
    };
    let mut gradient = vec![0.0; model.topology.dofs];
    add_bending_and_twisting(model, kinematics, q, &mut gradient, None);
    // This integrator leaves them at rest; another one, or a changed model, does not.
    if angles.residual(&gradient) > AT_REST {
        ws.quasistatic.relax(&angles, kinematics, q)?;
        gradient.fill(0.0);
        add_bending_and_twisting(model, kinematics, q, &mut gradient, None);
    }
    // F - dE/dx at constant angles: at rest that is the total derivative (B08 section 7.1).
    Ok(load.iter().zip(&gradient).map(|(f, g)| f - g).collect())
}

fn trial<'a>(
    model: &'a Model,
    kinematics: &'a Kinematics,
    start: &'a State,
    q: &'a [f64],
) -> Trial<'a> {
    Trial {
        topology: &model.topology,
        kinematics,
        time: start.time,
        q,
        velocity: &start.velocity,
        rate: 0.0,
    }
}

/// Inverse mass of every position of a node, `(dofs)`; 0 where it is prescribed or welded, and for
/// all else.
fn weights(model: &Model) -> Vec<f64> {
    let fixed = model.constraints.fixed();
    let mut weights = vec![0.0; model.topology.dofs];
    for dof in model.topology.node_dof.iter().flat_map(|dof| *dof..dof + 3) {
        if !fixed[dof] {
            weights[dof] = 1.0 / model.mass[dof];
        }
    }
    weights
}
