//! What becomes of a change of the contact stiffness between steps.
//!
//! Contacts that do not touch at the start of a step take the new stiffness as it is. Where some
//! do, their energy would change with it. If that takes energy, or makes no more than is negligible
//! beside the energy of the rods, they take it too. If it makes more, a raise is carried by springs
//! that begin at the present gaps (`contact/hardening.rs`), and a raise too small to matter waits.

use super::error::StepError;
use super::residual::Residual;
use crate::contact::ContactFrame;
use crate::contact_model::hardening::{Hardened, Hardening, Spring, Touch};
use crate::contact_model::policy::AutomaticStiffness;
use crate::forces::{Acting, add_elastic};
use crate::model::Model;
use crate::response::{Response, rods_of};
use crate::rod::Kinematics;
use crate::rod::kinematics::position;
use crate::state::State;

/// Part of the energy at the start of the step that a change of stiffness may make.
const NEGLIGIBLE: f64 = 1e-5;
/// Raises by less than this factor wait until what they change is negligible.
const SMALL_RAISE: f64 = 1.2;

/// The stiffness of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Change {
    /// What contacts without springs have, N m.
    pub stiffness: f64,
    /// What its change did to the energy of contacts, J.
    pub work: f64,
}

/// The start of a step: what touches there, and how much energy there is.
pub(super) struct Start {
    /// The contacts, sorted.
    pub touching: Vec<Touch>,
    /// Elastic and kinetic energy and that of contacts, J, without what bodies have by turning.
    energy: f64,
}

/// Gives the contacts of the step the stiffness `wanted`, N m.
pub(super) fn change_stiffness(
    (model, start): (&Model, &State),
    acting: Acting,
    wanted: f64,
    contact: &mut ContactFrame,
) -> Result<Change, StepError> {
    let (before, hardened) = (start.contact.stiffness, &start.contact.hardened);
    let work = if wanted == before && hardened.is_empty() {
        Some(0.0)
    } else {
        let at = Start::of(model, start, contact)?;
        let work = at.work_at_once(model, acting, wanted);
        if work.is_none() {
            return Ok(at.change_by_contact(model, [before, wanted], contact));
        }
        work
    };
    // At once for all: springs of earlier raises have become part of the common stiffness.
    contact.harden(Hardening::default());
    Ok(Change {
        stiffness: wanted,
        work: work.unwrap_or(0.0),
    })
}

/// Gives the contacts of a step that is being solved another stiffness, N m, as if it had begun with
/// it. The trial is to be evaluated anew.
pub(super) fn change_within(residual: &mut Residual, wanted: f64) -> Result<Change, StepError> {
    let (problem, contact) = (residual.problem, &mut residual.contact);
    // As before the change that the step began with.
    let hardened = problem.start.contact.hardened.clone();
    contact.harden(Hardening(hardened));
    let at = (problem.model, problem.start);
    let change = change_stiffness(at, problem.acting, wanted, contact)?;
    residual.problem.contact_stiffness = change.stiffness;
    Ok(change)
}

impl Start {
    /// Looks at the start of a step.
    pub(super) fn of(
        model: &Model,
        start: &State,
        contact: &ContactFrame,
    ) -> Result<Self, StepError> {
        let mut kinematics = Kinematics::default();
        kinematics.update(&model.topology, &start.frames, &start.q)?;
        let at = start.trial(&model.topology, &kinematics);
        let touching = contact.touching_at_start(model, &at, start.contact.stiffness);
        let stored: f64 = touching.iter().map(|t| t.energy).sum();
        Ok(Self {
            touching,
            energy: stored + energy(model, start, &kinematics),
        })
    }

    /// What the stiffness `wanted`, N m, does to the energy of contacts, J, if all take it at once:
    /// where that makes next to no energy, in search of an equilibrium, which has no history, and
    /// where the rule is C21's or a user's.
    pub(super) fn work_at_once(&self, model: &Model, acting: Acting, wanted: f64) -> Option<f64> {
        // E of the law at `wanted`, less what a contact holds now with its springs.
        let gains = self
            .touching
            .iter()
            .filter_map(|t| t.gain(&model.contact, wanted));
        let work: f64 = gains.sum();
        // C21's rule for k is part of its contact model: carried by springs, its raises would not
        // fall again, and rods hover.
        let automatic = model.contact.policy().automatic_stiffness();
        let by_rule = matches!(automatic, None | Some(AutomaticStiffness::Approach));
        let free = acting == Acting::Conservative || by_rule;
        (free || work <= NEGLIGIBLE * self.energy).then_some(work)
    }

    /// Lets springs carry a raise from `before` to `wanted`, N m, where contacts touch; a small
    /// raise waits. A fall takes energy from all, the last springs first.
    fn change_by_contact(
        &self,
        model: &Model,
        [before, wanted]: [f64; 2],
        contact: &mut ContactFrame,
    ) -> Change {
        let raised = wanted >= SMALL_RAISE * before;
        let old = contact.hardening();
        let mut work = 0.0;
        let hardened = |touch: &Touch| {
            let known = old.of(touch.contact).cloned();
            let mut own = known.unwrap_or(Hardened::new(touch.contact, before));
            // Springs that do not push go outwards with their contact, at no cost.
            own.follow(touch.gap);
            if wanted < before {
                // Negative: a softer law holds less.
                own.soften(wanted);
                work += touch.gain_hardened(&model.contact, &own);
            }
            if raised {
                own.springs.push(Spring {
                    begin: touch.gap,
                    stiffness: wanted - before,
                });
            }
            (!own.springs.is_empty()).then_some(own)
        };
        let hardening = Hardening(self.touching.iter().filter_map(hardened).collect());
        contact.harden(hardening);
        let stiffness = if raised || wanted < before {
            wanted
        } else {
            before
        };
        Change { stiffness, work }
    }
}

/// Elastic and kinetic energy of the rods and bodies, J, without what bodies have by turning.
fn energy(model: &Model, start: &State, kinematics: &Kinematics) -> f64 {
    let mut force = vec![0.0; model.topology.dofs];
    let response = Response::of_state(model, start, false);
    let rods = rods_of(model, response.as_ref());
    let (elastic, _) = add_elastic(rods, kinematics, &start.q, &mut force, None);
    // Unknowns of rods come before those of bodies.
    let rods = model.topology.body_dof.first();
    let rods = rods.map_or(model.topology.dofs, |dof| *dof);
    let nodes = model.mass[..rods].iter().zip(&start.velocity);
    let nodes: f64 = nodes.map(|(m, u)| 0.5 * m * u * u).sum();
    let bodies = model.bodies.list.iter().zip(&model.topology.body_dof);
    let bodies: f64 = bodies
        .map(|(body, dof)| 0.5 * body.mass * position(&start.velocity, *dof).length_squared())
        .sum();
    elastic.total() + nodes + bodies
}
