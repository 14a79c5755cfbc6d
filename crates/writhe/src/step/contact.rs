//! Contact around a step: its penalty stiffness before, crossings and penetration after.

use super::advance::Step;
use super::barrier;
use super::drag::prepare::FluidForce;
use super::error::StepError;
use super::hardening::Start;
use super::phases::{Phase, Phases};
use super::problem::Problem;
use super::residual::Residual;
use super::workspace::Workspace;
use crate::contact::ContactFrame;
use crate::contact::frame::largest_motion;
use crate::contact::obstacle::frame::Instant;
use crate::contact::set::Penetration;
use crate::contact::sweep::Sweep;
use crate::contact_model::Stiffness;
use crate::contact_model::hardening::{Hardened, Spring, Touch};
use crate::contact_model::policy::{AutomaticStiffness, NormalForces};
use crate::forces::Acting;
use crate::kernels::friction::FrictionSolve;
use crate::model::Model;
use crate::model::pairs::nearest::nearest_of;
use crate::response::{Response, rods_of};
use crate::rod::kinematics::position;
use crate::rod::{Kinematics, Topology};
use crate::state::State;

/// Penetration over the radius that automatic stiffness allows.
pub(crate) const MAX_PENETRATION: f64 = 3e-3;
/// Penetration that a raised stiffness aims at.
pub(crate) const AIMED_PENETRATION: f64 = 1.2e-3;
/// Part of the allowed penetration that a contact may use beyond where a raise found it.
const LEAST_ROOM: f64 = 0.05;
/// Least and largest raise of a contact that was compressed already.
const LEAST_RAISE: f64 = 1.25;
const LARGEST_RAISE: f64 = 100.0;

/// The papers' rules for the stiffness look at pairs within so many times the largest motion of a
/// node, ...
const LOOKED_AT_MOTIONS: f64 = 4.0;
/// ... and at least within this, over the radius.
const LOOKED_AT: f64 = 0.2;

/// Penalty stiffness of this step, N m; `nearest` is the smallest distance over the radius, if the
/// rule asks for it.
pub(super) fn contact_stiffness(
    step: &Step,
    predicted: &[f64],
    nearest: Option<f64>,
    contact: &mut ContactFrame,
    fluid: &FluidForce,
    ws: &mut Workspace,
) -> Result<f64, StepError> {
    let Step {
        model,
        start,
        stage,
        ..
    } = *step;
    let policy = model.contact.policy();
    if let NormalForces::OfSmoothedDistance(settings) = &policy.forces {
        let memory = &start.contact;
        let adapted = match step.acting {
            Acting::All => settings.adapted(memory.next(), nearest, memory.nearest),
            // The rule follows motion from step to step: an equilibrium would move with it for
            // ever.
            Acting::Conservative => memory.next(),
        };
        // C21's rule from step to step, with a floor of our own (decision 0016).
        return Ok(adapted.max(model.first_contact_stiffness()));
    }
    match policy.automatic_stiffness() {
        Some(AutomaticStiffness::Load) => {
            return Ok(barrier::stiffness(model, start, stage, predicted, contact));
        }
        Some(AutomaticStiffness::Depth | AutomaticStiffness::Approach) => {
            // What a failed try asked for, otherwise that of the last step.
            return Ok(start.contact.next());
        }
        None => {}
    }
    let Some(Stiffness::LargestForce { scale }) = policy.stiffness.map(|s| s.rule) else {
        return Ok(start.contact.stiffness);
    };
    // T22 Eq. B.4 and B.5: the largest force without contact among nodes of candidates.
    ws.kinematics
        .update(&model.topology, &start.frames, &start.q)?;
    let mut force = vec![0.0; model.topology.dofs];
    let response = Response::of_state(model, start, true);
    let rods = rods_of(model, response.as_ref());
    crate::forces::add_elastic(rods, &ws.kinematics, &start.q, &mut force, None);
    // F = -dE/dq, then loads and drag.
    force.iter_mut().for_each(|f| *f = -*f);
    let at = start.trial(&model.topology, &ws.kinematics);
    crate::forces::add_loads(model, Acting::All, &at, &mut force);
    let drag = fluid
        .lagged()
        .map_or(&start.hydrodynamic_force, |drag| &drag.force);
    for (dof, f) in model.topology.node_dof.iter().zip(drag.chunks_exact(3)) {
        for k in 0..3 {
            force[dof + k] += f[k];
        }
    }
    let largest = looked_at(step, predicted, contact)
        .iter()
        .flat_map(|(i, j)| crate::model::pairs::unknowns::nodes(model, [*i as usize, *j as usize]))
        .map(|node| position(&force, model.topology.node_dof[node]).length())
        .fold(0.0, f64::max);
    // Where nothing acts yet there is nothing to take a stiffness from.
    Ok(if largest > 0.0 {
        scale * largest
    } else {
        start.contact.stiffness
    })
}

/// Takes from the start of the step what friction needs: the normal forces if it lags, its
/// directions if it is solved for.
pub(super) fn friction_from_start(
    step: &Step,
    contact: &mut ContactFrame,
    kinematics: &mut Kinematics,
) -> Result<(), StepError> {
    let (model, start) = (step.model, step.start);
    let implicit = contact.friction_solve() == FrictionSolve::Implicit;
    if implicit && contact.candidates().is_empty() {
        return Ok(());
    }
    kinematics.update(&model.topology, &start.frames, &start.q)?;
    let at = start.trial(&model.topology, kinematics);
    // The one with which forces at the start were in balance (decision 0011).
    let stiffness = start.contact.stiffness;
    if implicit {
        contact.take_directions(model, &at, stiffness);
    } else {
        contact.lag_normal_forces(model, &at, stiffness, Instant::Start);
    }
    Ok(())
}

/// Smallest distance of the centrelines at the start over the radius, where a rule for the
/// stiffness asks for it.
pub(super) fn nearest_distance(
    step: &Step,
    predicted: &[f64],
    contact: &mut ContactFrame,
) -> Option<f64> {
    let (model, start) = (step.model, step.start);
    let NormalForces::OfSmoothedDistance(_) = model.contact.policy().forces else {
        return None;
    };
    let pairs = looked_at(step, predicted, contact);
    let gap = nearest_of(model, &start.q, &pairs).map(|pair| pair.gap);
    let obstacles = contact.obstacles();
    let gap = gap
        .into_iter()
        .chain(obstacles.smallest_gap(model, &start.q, false))
        .min_by(f64::total_cmp)?;
    // With the radius as unit centrelines of touching rods are 2 apart.
    Some(2.0 + gap / model.length_scale())
}

/// Pairs that the papers' rules for the stiffness look at: those near at the start, as far as rods
/// move in the step.
fn looked_at(step: &Step, predicted: &[f64], contact: &mut ContactFrame) -> Vec<(u32, u32)> {
    let (model, start) = (step.model, step.start);
    let motion = largest_motion(model, &start.q, predicted);
    let margin = (LOOKED_AT_MOTIONS * motion).max(LOOKED_AT * model.length_scale());
    contact.pairs_around(model, &start.q, margin)
}

/// Refuses a step from `start` to the unknowns `q`, `(dofs)`, on whose way anything passed through
/// anything.
pub(super) fn check_crossings(
    model: &Model,
    start: &State,
    q: &[f64],
    contact: &ContactFrame,
    (sweep, phases): (&mut Sweep, &mut Phases),
) -> Result<(), StepError> {
    if !model.contact.policy().acts() {
        return Ok(());
    }
    let clock = phases.start();
    // An engine with contacts of its own keeps bodies apart.
    let meeting = contact.obstacles().meeting(model);
    if let Some((body, obstacle)) = meeting.filter(|_| !model.engine.acts()) {
        return Err(StepError::BodyMeets { body, obstacle });
    }
    let crossing = sweep.crossing(model, &start.q, q);
    phases.stop(Phase::Crossings, clock);
    match crossing {
        Some(edges) => {
            let edges = edges.map(|edge| local(&model.topology, edge));
            Err(StepError::Crossed { edges })
        }
        None => match contact.obstacles().entering(model, &start.q, q) {
            Some((edge, obstacle)) => Err(StepError::Entered {
                edge: local(&model.topology, edge),
                obstacle,
            }),
            None => Ok(()),
        },
    }
}

/// Rod of an edge, and its index there.
fn local(topology: &Topology, edge: usize) -> (usize, usize) {
    let rod = topology.edge_rod[edge];
    (rod, edge - topology.rods[rod].first_edge)
}

/// Deepest penetration over the radius; an error when automatic stiffness did not hold it.
///
/// A midpoint step balances forces in its middle; its end may lie deeper, by overshoot (a shorter
/// step helps) or because undamped impact goes that deep (a larger stiffness helps).
pub(super) fn check_penetration(
    residual: &Residual,
    smallest_gap: Option<f64>,
) -> Result<f64, StepError> {
    let Problem {
        model,
        stage,
        contact_stiffness,
        ..
    } = residual.problem;
    let depth = residual.at.contact.deepest();
    let automatic = model.contact.policy().automatic_stiffness();
    // A barrier lets nothing in.
    let automatic = automatic.is_some_and(|a| a != AutomaticStiffness::Load);
    if depth > MAX_PENETRATION {
        hold(residual)?;
    }
    if !stage.midpoint {
        return Ok(depth);
    }
    let at_end = smallest_gap.map_or(0.0, |gap| -gap / model.length_scale());
    // Springs let contacts in a little beyond the allowed depth (decision 0041).
    let allowed = match residual.contact.hardening().0.is_empty() {
        true => MAX_PENETRATION,
        false => (1.0 + LEAST_ROOM) * MAX_PENETRATION,
    };
    if automatic && at_end > allowed {
        return Err(StepError::EndPenetration {
            depth: at_end,
            allowed,
            stiffness: 2.0 * contact_stiffness,
        });
    }
    Ok(depth.max(at_end))
}

/// An error with the stiffness that should hold contacts which penetrate too deep, if there are
/// any.
fn hold(residual: &Residual) -> Result<(), StepError> {
    let contacts: Vec<_> = residual.at.contact.penetrations().collect();
    match too_deep(residual, &contacts)? {
        Some(Deep {
            depth,
            allowed,
            stiffness,
        }) => Err(StepError::Penetration {
            depth,
            allowed,
            stiffness,
        }),
        None => Ok(()),
    }
}

/// A contact that penetrates too deep.
pub(super) struct Deep {
    /// Its depth, and the one that it may have, over the radius.
    pub depth: f64,
    pub allowed: f64,
    /// Stiffness of contact that should hold it, N m.
    pub stiffness: f64,
}

/// Whether any of these contacts of the step is too deep, where the stiffness is automatic and
/// follows the depth.
///
/// A contact that was compressed at the start of the step is held by a spring that begins there, so
/// it may use what is left of the allowed depth, and always a little beyond its last spring.
pub(super) fn too_deep(
    residual: &Residual,
    contacts: &[Penetration],
) -> Result<Option<Deep>, StepError> {
    let problem = residual.problem;
    let (model, start) = (problem.model, problem.start);
    let automatic = model.contact.policy().automatic_stiffness();
    // A barrier lets nothing in.
    let automatic = automatic.is_some_and(|a| a != AutomaticStiffness::Load);
    let depth = contacts.iter().map(|c| c.depth).fold(0.0, f64::max);
    if !automatic || depth <= MAX_PENETRATION {
        return Ok(None);
    }
    let at_start = Start::of(model, start, &residual.contact)?;
    let stiffness = problem.contact_stiffness * model.contact.raise(depth, AIMED_PENETRATION);
    // A raise that makes next to no energy will act at once, in all contacts.
    if (at_start.work_at_once(model, problem.acting, stiffness)).is_some() {
        return Ok(Some(Deep {
            depth,
            allowed: MAX_PENETRATION,
            stiffness,
        }));
    }
    let mut worst: Option<Deep> = None;
    // Otherwise springs carry it: the largest raise that any of the contacts asks for.
    for contact in contacts.iter().filter(|p| p.depth > MAX_PENETRATION) {
        let touch = (at_start.touching).binary_search_by_key(&contact.contact, |t| t.contact);
        let compressed = touch.ok().map(|k| at_start.touching[k]);
        let (allowed, stiffness) = match compressed {
            None => (
                MAX_PENETRATION,
                problem.contact_stiffness * model.contact.raise(contact.depth, AIMED_PENETRATION),
            ),
            Some(touch) => stiffer_spring(&problem, &touch, contact),
        };
        let largest = worst.as_ref().map_or(0.0, |deep| deep.stiffness);
        if contact.depth > allowed && stiffness > largest {
            worst = Some(Deep {
                depth: contact.depth,
                allowed,
                stiffness,
            });
        }
    }
    Ok(worst)
}

/// The depth that a contact may have which touched at the start of the step, over the radius, and
/// the stiffness, N m, with which a spring that begins where it was lets it carry its force at
/// less.
fn stiffer_spring(problem: &Problem, touch: &Touch, contact: &Penetration) -> (f64, f64) {
    let (model, start) = (problem.model, problem.start);
    // The law may see another gap than that of the surfaces.
    let depth_at = |gap: f64| contact.depth - (gap - contact.gap) / touch.scale;
    let least_room = LEAST_ROOM * MAX_PENETRATION;
    // The contact as it is held now, springs that do not push moved out to where it is.
    let mut known = start.contact.hardened.iter();
    let mut own = (known.find(|h| h.contact == touch.contact).cloned())
        .unwrap_or(Hardened::new(touch.contact, start.contact.stiffness));
    own.follow(touch.gap);
    let deepest = own.springs.iter().map(|s| depth_at(s.begin) + least_room);
    let allowed = deepest.fold(MAX_PENETRATION, f64::max);
    let depth = depth_at(touch.gap).max(0.0);
    let room = (MAX_PENETRATION - depth).max(least_room);
    // As far into the room as AIMED_PENETRATION is into MAX_PENETRATION.
    let aimed = depth + AIMED_PENETRATION / MAX_PENETRATION * room;
    let gap = contact.gap + (contact.depth - aimed) * touch.scale;
    let force = |contact: &Hardened| model.contact.hardened(contact, touch.scale, gap).force;
    let mut spring = Hardened::new(touch.contact, 0.0);
    spring.springs.push(Spring {
        begin: touch.gap,
        stiffness: 1.0,
    });
    // K from F_own(gap) + K F_spring(gap) = F at the gap aimed at, F what the contact bears now.
    let wanted = start.contact.stiffness + (contact.force - force(&own)) / force(&spring);
    let [least, most] = [LEAST_RAISE, LARGEST_RAISE].map(|raise| raise * problem.contact_stiffness);
    let stiffness = if wanted.is_finite() {
        wanted.clamp(least, most)
    } else {
        least
    };
    (allowed, stiffness)
}
