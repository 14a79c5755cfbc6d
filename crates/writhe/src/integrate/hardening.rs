//! What becomes of a change of the contact stiffness between steps.
//!
//! Contacts that do not touch at the start of a step take the new stiffness as it is. Where some do, their energy would change with it. If that
//! is negligible beside the energy of the rods, they take it too. If not, a raise is carried by springs that begin at the present gaps
//! (`contact/hardening.rs`), and a fall, or a raise too small to matter, waits until it is.

use super::error::StepError;
use super::step::Workspace;
use crate::contact::hardening::{Hardened, Hardening, Spring, Touch};
use crate::forces::{Acting, add_elastic};
use crate::loads::Trial;
use crate::model::Model;
use crate::rod::kinematics::position;
use crate::state::State;

/// Part of the energy at the start of the step that a change of stiffness may make or take.
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

/// Gives the contacts of the step the stiffness `wanted`, N m.
pub(super) fn change_stiffness(
    model: &Model,
    acting: Acting,
    start: &State,
    wanted: f64,
    ws: &mut Workspace,
) -> Result<Change, StepError> {
    let (before, hardened) = (start.contact.stiffness, &start.contact.hardened);
    let same = wanted == before && hardened.is_empty();
    // An equilibrium has no history, and a rule that a user chose is followed.
    if same || !model.contact.stiffness_is_automatic() || acting == Acting::Conservative {
        let touching = match same || acting == Acting::Conservative {
            true => Vec::new(),
            false => touching_at_start(model, start, ws)?,
        };
        ws.contact.harden(Hardening::default());
        return Ok(Change {
            stiffness: wanted,
            work: cost(model, &touching, wanted),
        });
    }
    let touching = touching_at_start(model, start, ws)?;
    let work = cost(model, &touching, wanted);
    let contact: f64 = touching.iter().map(|t| t.energy).sum();
    if work.abs() <= NEGLIGIBLE * (contact + energy(model, start, ws)) {
        ws.contact.harden(Hardening::default());
        return Ok(Change {
            stiffness: wanted,
            work,
        });
    }
    let raise = wanted - before;
    let raised = wanted >= SMALL_RAISE * before;
    let old = ws.contact.hardening();
    let spring = |touch: &Touch| {
        let known = old.of(touch.contact).cloned();
        let mut contact = known.unwrap_or(Hardened::new(touch.contact, before));
        contact.follow(touch.gap);
        if raised {
            contact.springs.push(Spring {
                begin: touch.gap,
                stiffness: raise,
            });
        }
        (!contact.springs.is_empty()).then_some(contact)
    };
    let hardening = Hardening(touching.iter().filter_map(spring).collect());
    ws.contact.harden(hardening);
    Ok(Change {
        stiffness: if raised { wanted } else { before },
        work: 0.0,
    })
}

/// The contacts at the start of the step.
pub(super) fn touching_at_start(
    model: &Model,
    start: &State,
    ws: &mut Workspace,
) -> Result<Vec<Touch>, StepError> {
    ws.kinematics
        .update(&model.topology, &start.frames, &start.q)?;
    let at = Trial {
        topology: &model.topology,
        kinematics: &ws.kinematics,
        time: start.time,
        q: &start.q,
        velocity: &start.velocity,
        rate: 0.0,
    };
    let stiffness = start.contact.stiffness;
    Ok(ws.contact.touching_at_start(model, &at, stiffness))
}

/// What contacts would gain, J, with the law of `stiffness`, N m, in place of theirs.
fn cost(model: &Model, touching: &[Touch], stiffness: f64) -> f64 {
    let gain = |t: &Touch| {
        let law = model.contact.law(t.scale, stiffness)?;
        Some(t.weight * law.evaluate(t.gap).energy - t.energy)
    };
    touching.iter().filter_map(gain).sum()
}

/// Elastic and kinetic energy of the rods and bodies at the start, J, without what bodies have by turning. Its kinematics are those of
/// the workspace.
fn energy(model: &Model, start: &State, ws: &Workspace) -> f64 {
    let mut force = vec![0.0; model.topology.dofs];
    let (elastic, _) = add_elastic(model, &ws.kinematics, &start.q, &mut force, None);
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
