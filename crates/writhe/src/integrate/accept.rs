//! From the solved stage to the state at the end of a step.

use super::barrier;
use super::bodies;
use super::drag::{gain, guess};
use super::drive;
use super::error::StepError;
use super::hardening::Change;
use super::newton::{Iterate, NewtonReport};
use super::problem::Problem;
use super::settings::StepSettings;
use super::step::StepReport;
use super::workspace::Workspace;
use crate::state::{ContactMemory, DragWatch, History, State};

/// Where a step ends.
pub(super) struct End {
    /// Unknowns, `(dofs)`.
    pub q: Vec<f64>,
    /// Velocities, `(dofs)`.
    pub velocity: Vec<f64>,
}

/// The end of a step whose stage is solved; obstacles and contact go there too.
pub(super) fn finish(
    problem: &Problem,
    iterate: &Iterate,
    ws: &mut Workspace,
) -> Result<End, StepError> {
    let Problem {
        model,
        start,
        stage,
        end_time,
        ..
    } = *problem;
    let (mut q, mut velocity) = stage.finish(start, &iterate.y, &ws.evaluation.velocity);
    let (constraints, topology) = (&model.constraints, &model.topology);
    constraints.apply(topology, &start.frames, &start.q, end_time, &mut q);
    bodies::follow(model, start, false, &mut q);
    if stage.midpoint {
        // Extrapolated, a velocity that jumped at the start would go on alternating.
        let (frames, dt) = (&start.frames, stage.dt());
        constraints.apply_velocity(topology, frames, &q, end_time, dt, &mut velocity);
    }
    ws.kinematics.update(topology, &start.frames, &q)?;
    ws.contact.arrive(model, &q, &ws.kinematics.orientation);
    Ok(End { q, velocity })
}

/// What the step did; its end is where contact is.
pub(super) fn report(
    problem: &Problem,
    newton: &NewtonReport,
    change: &Change,
    (smallest_gap, penetration): (Option<f64>, f64),
    ws: &Workspace,
) -> StepReport {
    let lagged = ws.lagged_drag.as_ref();
    StepReport {
        dt: problem.stage.dt(),
        iterations: newton.iterations,
        krylov_iterations: newton.krylov_iterations + lagged.map_or(0, |d| d.krylov_iterations),
        shortened: newton.shortened,
        contacts: ws.contact.contacts(),
        largest_contact_force: ws.contact.largest_force(),
        penetration,
        smallest_gap,
        smallest_trial_gap: ws.contact.tightest(),
        stiffness_work: change.work,
    }
}

/// The state at the end of the step; `rate`, 1/s, is how fast lagged drag slows motion, if it lags.
pub(super) fn accept(
    problem: &Problem,
    settings: &StepSettings,
    iterate: &Iterate,
    end: End,
    rate: Option<f64>,
    ws: &mut Workspace,
) -> State {
    let Problem {
        model,
        start,
        stage,
        end_time,
        ..
    } = *problem;
    let End {
        mut q,
        mut velocity,
    } = end;
    let pushed = ws.contact.obstacles().reaction();
    let driven = ws.evaluation.drive_reaction.into_iter().chain(pushed);
    let driven = driven.reduce(f64::max);
    let mut acceleration = ws.evaluation.acceleration.clone();
    bodies::finish(
        model,
        start,
        stage,
        &ws.evaluation.bodies,
        &ws.kinematics,
        &mut velocity,
        &mut acceleration,
    );
    let mut before = start.q.clone();
    bodies::rebase(model, &iterate.y, &mut q, &mut before, &mut velocity);
    let lagged = ws.lagged_drag.take().map(|drag| drag.force);
    let drag = iterate.force.as_ref().or(lagged.as_ref());
    State {
        time: end_time,
        step: start.step + 1,
        drag_watch: watch_drag(problem, iterate, lagged.as_deref(), &velocity, rate, ws),
        velocity,
        acceleration,
        history: Some(History {
            dt: stage.dt(),
            q: before,
            velocity: start.velocity.clone(),
        }),
        engine: Vec::new(),
        tension: Vec::new(),
        frames: ws.kinematics.frames(),
        broken: bodies::broken(model, start, &iterate.y),
        contact: ContactMemory {
            stiffness: problem.stiffness,
            anchors: ws.contact.anchors(),
            obstacle_anchors: ws.contact.obstacles().anchors().to_vec(),
            next_stiffness: barrier::next_stiffness(model, problem.stiffness, ws),
            nearest: None,
            hardened: ws.contact.hardening().0.clone(),
            forces: ws.contact.given().to_vec(),
        },
        hydrodynamic_force: drag.cloned().unwrap_or_default(),
        drag_history: lagged.map_or(Vec::new(), |force| guess::remember(start, force)),
        reactions: drive::remember(start, end_time, driven, settings),
        control: start.control,
        ledger: start.ledger,
        q,
    }
}

/// What is known of drag after the step.
fn watch_drag(
    problem: &Problem,
    iterate: &Iterate,
    lagged: Option<&[f64]>,
    velocity: &[f64],
    rate: Option<f64>,
    ws: &Workspace,
) -> DragWatch {
    let Problem {
        model,
        start,
        stage,
        ..
    } = *problem;
    let (force, solved_at) = match (&iterate.force, lagged) {
        (Some(force), _) => (&force[..], Some(&ws.evaluation.velocity[..])),
        (None, Some(force)) => (force, None),
        (None, None) => return start.drag_watch,
    };
    let mut watch = gain::watch(model, start, force, velocity, solved_at, stage.dt());
    if let Some(rate) = rate.filter(|_| !start.drag_watch.knows_rate(model)) {
        watch.moved -= start.drag_watch.moved;
        watch.rate = rate;
    }
    watch
}
