//! Rest: nothing moves, nor will.
//!
//! At rest is what has no energy of motion left, nor any that a vibration would give back. A vibration
//! of frequency w has the energy `m (v^2 + (a/w)^2) / 2` of its speed v and its acceleration a: the
//! speed alone is zero at each turning point. So every part of the rods and every body must have
//! `v^2 + (a/w)^2 < V^2`, with w the slowest frequency of its rod as a cantilever that carries all
//! moving bodies: each part moves slower than V, and any swing through rest will. V is .001 radii times
//! w unless it is given, for swings of a thousandth of the radius.
//!
//! What creeps to its rest is slow all the way. A drag `c m v` above `w m v` leaves no swing but a
//! creep at the rate w^2/c or more, so V is .001 radii times that; c is told by the power of the drag. And
//! what dashpots in the material still bear will move the rod on: strains, times its length or radius,
//! that must come to less than .001 radii.
//!
//! What stands still before a load begins is not at rest: all that changes in time must have come to
//! its end.

use glam::DVec3;

use super::{Met, Rest};
use crate::assembly::Trial;
use crate::loads::LoadKind;
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::rod::{Kinematics, RodLayout};
use crate::state::State;

/// Swing that is rest, in radii.
const SWING: f64 = 1e-3;

/// Whether everything is at rest.
pub(super) fn resting(model: &Model, state: &State, rest: Rest) -> Option<Met> {
    if state.time < model.changes_until() {
        return None;
    }
    let radius = model.length_scale();
    let swings = model.swings();
    let slowest = swings.iter().copied().fold(f64::INFINITY, f64::min);
    // Bodies first, then rods: how fast, and what would be rest.
    let of_body = |dof: &usize| {
        let speed = swing(state, *dof, slowest).max(radius * swing(state, dof + 3, slowest));
        (speed, SWING * radius * slowest)
    };
    let of_rod = |(index, rod): (usize, &RodLayout)| {
        let frequency = swings[index];
        (
            speed_of(model, state, rod, frequency),
            SWING * radius * frequency,
        )
    };
    let topology = &model.topology;
    let bodies = topology.body_dof.iter().map(of_body);
    let moving = bodies.chain(topology.rods.iter().enumerate().map(of_rod));
    let moving = moving.map(|(speed, limit)| match rest {
        Rest::Automatic => (speed, limit),
        Rest::Speed(limit) => (speed, limit),
    });
    let fastest = moving.reduce(|a, b| if a.0 * b.1 >= b.0 * a.1 { a } else { b });
    let (speed, limit) = fastest?;
    let still = speed < limit;
    if !still || rest == Rest::Automatic && creeps(model, state, &swings) {
        return None;
    }
    Some(Met::Rest { speed, limit })
}

/// Speed of three unknowns with that to which their acceleration leads.
fn swing(state: &State, dof: usize, frequency: f64) -> f64 {
    let speed = position(&state.velocity, dof);
    // An explicit step keeps no acceleration before the first one.
    let acceleration = match state.acceleration.is_empty() {
        true => DVec3::ZERO,
        false => position(&state.acceleration, dof),
    };
    speed.length().hypot(acceleration.length() / frequency)
}

/// Largest speed of a rod, m/s.
fn speed_of(model: &Model, state: &State, rod: &RodLayout, frequency: f64) -> f64 {
    let topology = &model.topology;
    let nodes = &topology.node_dof[rod.first_node..rod.first_node + rod.nodes];
    let edges = &topology.edge_dof[rod.first_edge..rod.first_edge + rod.edges];
    let nodes = nodes.iter().map(|dof| swing(state, *dof, frequency));
    // The spin of an edge bends and moves nothing: its speed alone, at the surface.
    let spins = edges.iter();
    let spins = spins.map(|dof| state.velocity[*dof].abs() * model.length_scale());
    nodes.chain(spins).fold(0.0, f64::max)
}

/// Whether a drag or dashpots let anything move on slowly, for farther than counts as rest, with the
/// frequency of each rod, 1/s, `(rods)`.
fn creeps(model: &Model, state: &State, swings: &[f64]) -> bool {
    let mut rods = model.topology.rods.iter().enumerate();
    if rods.any(|(index, rod)| left_in_dashpots(model, state, index, rod) > left(model)) {
        return true;
    }
    let Some(drag) = drag(model, state) else {
        return false;
    };
    let mut rods = model.topology.rods.iter().enumerate();
    rods.any(|(index, rod)| {
        let frequency = swings[index];
        let dofs = &model.topology.node_dof[rod.first_node..rod.first_node + rod.nodes];
        let (mut power, mut motion, mut fastest) = (0.0, 0.0, 0.0_f64);
        for dof in dofs {
            let speed = position(&state.velocity, *dof);
            power -= position(&drag, *dof).dot(speed);
            motion += model.mass[*dof] * speed.length_squared();
            fastest = fastest.max(speed.length());
        }
        // v over w^2/c is what is left, where c exceeds w.
        power > frequency * motion && fastest * power > left(model) * frequency * frequency * motion
    })
}

/// What may be left to go, m.
fn left(model: &Model) -> f64 {
    SWING * model.length_scale()
}

/// Force at nodes of all that drags by their motion, `(dofs)`; `None` without any.
fn drag(model: &Model, state: &State) -> Option<Vec<f64>> {
    let drags = |kind| matches!(kind, LoadKind::Damping | LoadKind::Drag);
    let loads = || model.loads.iter().filter(|load| drags(load.kind()));
    if loads().next().is_none() && state.hydrodynamic_force.is_empty() {
        return None;
    }
    let topology = &model.topology;
    let mut kinematics = Kinematics::default();
    // No accepted state lacks directions.
    kinematics.update(topology, &state.frames, &state.q).ok()?;
    let at: Trial = state.trial(topology, &kinematics);
    let mut force = vec![0.0; topology.dofs];
    loads().for_each(|load| load.add_force(&at, &mut force));
    // Less what a wind exerts on what stands still, which is no drag.
    let mut pushed = vec![0.0; topology.dofs];
    let still = Trial {
        velocity: &vec![0.0; topology.dofs],
        ..at
    };
    loads().for_each(|load| load.add_force(&still, &mut pushed));
    force.iter_mut().zip(pushed).for_each(|(f, p)| *f -= p);
    let fluid = state.hydrodynamic_force.chunks_exact(3);
    for (dof, f) in topology.node_dof.iter().zip(fluid) {
        for (sum, f) in force[*dof..].iter_mut().zip(f) {
            *sum += f;
        }
    }
    Some(force)
}

/// How far a rod goes at most when its dashpots bear nothing any more, m: those beside springs bear
/// `tau e'`, those in series what their springs are strained by, which with their share g moves the rest by
/// `g/(1 - g)` of that.
fn left_in_dashpots(model: &Model, state: &State, index: usize, rod: &RodLayout) -> f64 {
    let Some(Some(viscous)) = model.viscoelasticity.get(index) else {
        return 0.0;
    };
    let (tau, shares) = (viscous.retardation, viscous.shares());
    let (memory, dt) = (&state.strains, state.history.as_ref().map_or(0.0, |h| h.dt));
    let goes_on = |part: usize, [before, rate, dashpot]: [f64; 3]| {
        let spring = before + rate * dt - dashpot;
        let relaxes = match shares[part] {
            0.0 => 0.0,
            share => share / (1.0 - share) * spring.abs(),
        };
        tau[part] * rate.abs() + relaxes
    };
    let sets = [&memory.before, &memory.rate, &memory.dashpot];
    let mut left = 0.0;
    for vertex in rod.first_vertex..rod.first_vertex + rod.vertices {
        let strains = sets.map(|set| set.vertex(vertex));
        let of = |part: usize, k: usize| goes_on(part, strains.map(|strain| strain[k]));
        left += of(0, 0).hypot(of(0, 1)) * model.rod_length[index];
        left += of(1, 2) * model.length_scale();
    }
    for edge in rod.first_edge..rod.first_edge + rod.edges {
        left += goes_on(2, sets.map(|set| set.edge(edge))) * model.rest_length[edge];
    }
    left
}
