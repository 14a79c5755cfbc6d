//! From the solved stage to the state at the end of a step.

use super::barrier;
use super::bodies;
use super::drag::prepare::FluidForce;
use super::drag::{gain, guess};
use super::drive;
use super::error::StepError;
use super::newton::Iterate;
use super::problem::Problem;
use super::residual::Residual;
use super::settings::StepSettings;
use super::softening;
use crate::contact_model::policy::AutomaticStiffness;
use crate::response::StepMaterial;
use crate::rod::Kinematics;
use crate::state::{ContactMemory, DragWatch, History, State};
use crate::viscoelastic::StrainMemory;

/// Where a step ends.
pub(super) struct End {
    /// Unknowns, `(dofs)`.
    pub q: Vec<f64>,
    /// Velocities, `(dofs)`.
    pub velocity: Vec<f64>,
}

/// The end of a step whose stage is solved; obstacles and contact go there too.
pub(super) fn finish(
    residual: &mut Residual,
    iterate: &Iterate,
    kinematics: &mut Kinematics,
) -> Result<End, StepError> {
    let Problem {
        model,
        start,
        stage,
        end_time,
        ..
    } = residual.problem;
    let (mut q, mut velocity) = stage.finish(start, &iterate.y, &residual.at.velocity);
    let (constraints, topology) = (&model.constraints, &model.topology);
    // Prescribed exactly: a midpoint stage only extrapolates to there.
    let span = [start.time, end_time];
    constraints.apply(topology, &start.frames, &start.q, span, &mut q);
    bodies::follow(model, start, false, &mut q);
    if stage.midpoint {
        // Extrapolated, a velocity that jumped at the start would go on alternating.
        let (frames, dt) = (&start.frames, stage.dt());
        constraints.apply_velocity(topology, frames, &q, end_time, dt, &mut velocity);
    }
    // The stage is the end of all schemes but the midpoint rule, and was evaluated last.
    if q == iterate.y {
        kinematics.clone_from(&residual.at.kinematics);
    } else {
        kinematics.update(topology, &start.frames, &q)?;
    }
    (residual.contact).end_obstacles(model, &q, &kinematics.orientation);
    Ok(End { q, velocity })
}

/// The state at the end of the step, where `kinematics` are.
pub(super) fn accept(
    residual: &Residual,
    settings: &StepSettings,
    iterate: &Iterate,
    end: End,
    kinematics: &Kinematics,
) -> State {
    let Problem {
        model,
        start,
        stage,
        end_time,
        contact_stiffness,
        ..
    } = residual.problem;
    let (contact, touching) = (&residual.contact, &residual.at.contact);
    let End {
        mut q,
        mut velocity,
    } = end;
    // Drives are prescribed unknowns and obstacles that move (drive.rs).
    let pushed = (touching.obstacles()).reaction(contact.obstacles(), model);
    let driven = residual.at.drive_reaction.into_iter().chain(pushed);
    let driven = driven.reduce(f64::max);
    let strains = match residual.problem.material {
        StepMaterial::Step(step) => {
            let stage = (&residual.at.kinematics, &iterate.y[..]);
            step.memory(model, start, end_time, (kinematics, &q), stage)
        }
        StepMaterial::Own | StepMaterial::Rest(_) => StrainMemory::default(),
    };
    let mut acceleration = residual.at.acceleration.clone();
    bodies::finish(
        model,
        start,
        stage,
        &residual.at.bodies,
        kinematics,
        &mut velocity,
        &mut acceleration,
    );
    let mut before = start.q.clone();
    bodies::rebase(model, &iterate.y, &mut q, &mut before, &mut velocity);
    let lagged = residual.fluid.lagged().map(|drag| &drag.force);
    let solved = iterate.drag.as_ref().map(|drag| &drag.force);
    let drag = solved.or(lagged);
    State {
        time: end_time,
        step: start.step + 1,
        drag_watch: watch_drag(residual, iterate, &velocity),
        velocity,
        acceleration,
        history: Some(History {
            dt: stage.dt(),
            q: before,
            velocity: start.velocity.clone(),
        }),
        engine: Vec::new(),
        tension: Vec::new(),
        frames: kinematics.frames(),
        broken: bodies::broken(model, start, &iterate.y),
        strains,
        contact: ContactMemory {
            obstacle_forces: residual.contact.obstacles().forces().to_vec(),
            stiffness: contact_stiffness,
            anchors: touching.anchors(),
            obstacle_anchors: touching.obstacles().anchors().to_vec(),
            next_stiffness: next_stiffness(residual),
            nearest: None,
            hardened: contact.hardening().0.clone(),
            forces: contact.forces().to_vec(),
        },
        hydrodynamic_force: drag.cloned().unwrap_or_default(),
        drag_history: match (solved, lagged) {
            (Some(force), _) => guess::remember(start, stage.time, force.clone()),
            (None, Some(force)) => guess::remember(start, start.time, force.clone()),
            (None, None) => Vec::new(),
        },
        reactions: drive::remember(start, end_time, driven, settings),
        control: start.control,
        ledger: start.ledger,
        q,
    }
}

/// Stiffness of contact to go on with, N m; 0 for the same.
fn next_stiffness(residual: &Residual) -> f64 {
    match residual
        .problem
        .model
        .contact
        .policy()
        .automatic_stiffness()
    {
        Some(AutomaticStiffness::Load) => barrier::next_stiffness(residual),
        Some(AutomaticStiffness::Depth) => softening::next_stiffness(residual),
        Some(AutomaticStiffness::Approach) | None => 0.0,
    }
}

/// What is known of drag after the step.
fn watch_drag(residual: &Residual, iterate: &Iterate, velocity: &[f64]) -> DragWatch {
    let Problem {
        model,
        start,
        stage,
        ..
    } = residual.problem;
    let (force, solved_at, rate) = match (&iterate.drag, &residual.fluid) {
        (Some(drag), _) => (&drag.force[..], Some(&residual.at.velocity[..]), None),
        (None, FluidForce::Lagged { force, rate }) => (&force.force[..], None, Some(*rate)),
        (None, FluidForce::Absent | FluidForce::Solved { .. }) => return start.drag_watch,
    };
    let mut watch = gain::watch(model, start, force, velocity, solved_at, stage.dt());
    if let Some(rate) = rate.filter(|_| !start.drag_watch.knows_rate(model)) {
        // The rate was found at the start of this step: ways before it no longer count.
        watch.moved -= start.drag_watch.moved;
        watch.rate = rate;
    }
    watch
}
