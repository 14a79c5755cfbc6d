//! Contact in an explicit step: Spillmann and Teschner's (2008), B08's own.
//!
//! Forces of pairs are part of the state and push with their friction from where the step starts,
//! as other forces do. After the projection they are corrected: with W the inverse masses and J the
//! derivatives of the constraints that keep lengths, a force at a node moves the rods over the step
//! by
//!
//! ```text
//! dt^2 (W - W J^T (J W J^T)^-1 J W) f
//! ```
//!
//! so `step/impulses/gaps.rs` finds the change of forces that closes the gaps without stretching an
//! edge, and the projection mends what is left to second order, until both hold. Where rods move
//! far in the step, gaps are first taken as they change from its start on: at its end those on
//! their way through each other are on the wrong side.

use super::projection::{Configuration, Projection};
use crate::assembly::Trial;
use crate::contact::frame::{Approach, largest_motion};
use crate::contact::set::add_friction_of_forces;
use crate::contact::sweep::Sweep;
use crate::contact::{Beginning, ContactFrame, ContactSet};
use crate::contact_model::PairForce;
use crate::contact_model::policy::NormalForces;
use crate::model::Model;
use crate::obstacle::surface::Instants;
use crate::state::State;
use crate::step::Phases;
use crate::step::StepError;
use crate::step::contact::check_crossings;
use crate::step::impulses::gaps::{closed, correct};
use crate::step::report::StepReport;

/// Corrections of the contact forces before they are given up.
const MAX_ROUNDS: u32 = 60;
/// Motion within a step, over the radius, beyond which gaps are first taken from its start.
const FAR: f64 = 0.1;

/// The contact of one step.
pub(super) struct Contact<'a> {
    model: &'a Model,
    start: &'a State,
    /// Inverse masses, `(dofs)`.
    weight: &'a [f64],
    dt: f64,
    /// What is near, with the forces of pairs; `None` without contact.
    frame: Option<ContactFrame>,
    /// How near to touching pairs must end, m.
    tolerance: f64,
    /// Whether rods move far.
    far: bool,
    /// Friction that has pushed so far, N, `(dofs)`.
    rubbed: Vec<f64>,
}

/// What corrections took.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corrections {
    /// Iterations of the projection.
    pub iterations: u32,
    /// Responses to forces.
    pub responses: usize,
}

impl<'a> Contact<'a> {
    /// For a step of `dt`, s, at whose end the unknowns are predicted to be `q`.
    pub fn begin(
        model: &'a Model,
        start: &'a State,
        weight: &'a [f64],
        dt: f64,
        q: &[f64],
    ) -> Self {
        let mut contact = Self {
            model,
            start,
            weight,
            dt,
            frame: None,
            tolerance: 0.0,
            far: false,
            rubbed: Vec::new(),
        };
        let NormalForces::Impulses(settings) = &model.contact.policy().forces else {
            return contact;
        };
        let end = start.time + dt;
        let beginning = Beginning {
            predicted: q,
            ..Beginning::new(model, start, Instants::ending(end, dt))
        };
        contact.frame = Some(ContactFrame::new(model, &beginning));
        contact.tolerance = settings.tolerance * model.length_scale();
        contact.far = largest_motion(model, &start.q, q) > FAR * model.length_scale();
        contact
    }

    /// Pushes with the forces of the last step, from where the step starts.
    pub fn push(&mut self, at: &Trial, q: &mut [f64], velocity: &mut [f64]) {
        let Some(frame) = &mut self.frame else {
            return;
        };
        let mut force = vec![0.0; q.len()];
        ContactSet::default().find(frame, self.model, at, 0.0, &mut force);
        for (dof, force) in force.iter().enumerate() {
            // v <- v + dt W f, x <- x + dt^2 W f
            let change = self.dt * self.weight[dof] * force;
            velocity[dof] += change;
            q[dof] += self.dt * change;
        }
        // Corrections add only what changes of this friction.
        self.rubbed = vec![0.0; q.len()];
        add_friction_of_forces(frame, self.model, at.q, &mut self.rubbed);
    }

    /// Moves nodes until no edge is stretched and no gap is open or closed that must not be.
    pub fn project(
        &mut self,
        to: &mut Configuration,
        projection: &mut Projection,
    ) -> Result<Corrections, StepError> {
        let (model, weight, tolerance) = (self.model, self.weight, self.tolerance);
        let mut done = Corrections::default();
        let mut pairs = Vec::new();
        for round in 0..MAX_ROUNDS {
            done.iterations += projection.project(model, weight, to)?;
            let Some(frame) = &mut self.frame else {
                return Ok(done);
            };
            frame.cover(model, to.q);
            let reach = frame.margin();
            frame.approaches(model, to.q, reach, &mut pairs);
            // In the first round after a long way gaps are those of the start, and how the way
            // changes them: at its end pairs that went through each other are on the wrong side.
            let on_the_way = self.far && round == 0 && !pairs.is_empty();
            if !on_the_way && pairs.iter().all(|pair| closed(pair, tolerance)) {
                return Ok(done);
            }
            let mut motion = vec![0.0; to.q.len()];
            if on_the_way {
                frame.approaches(model, &self.start.q, reach, &mut pairs);
                for ((motion, q), start) in motion.iter_mut().zip(&*to.q).zip(&self.start.q) {
                    *motion = q - start;
                }
            }
            done.responses += self.correct(&mut pairs, motion, to, projection)?;
        }
        let depth = pairs.iter().fold(0.0, |d: f64, pair| d.max(-pair.gap));
        Err(StepError::NotKeptApart {
            iterations: MAX_ROUNDS,
            depth: depth / model.length_scale(),
            allowed: tolerance / model.length_scale(),
        })
    }

    /// Contact of the step, if there is any.
    pub fn frame(&mut self) -> Option<&mut ContactFrame> {
        self.frame.as_mut()
    }

    /// Forces of the pairs that push at its end, N, sorted by pair.
    pub fn forces(&self) -> Vec<PairForce> {
        let frame = self.frame.as_ref();
        frame.map_or(Vec::new(), |frame| frame.forces().to_vec())
    }

    /// Refuses a step to the unknowns `q`, `(dofs)`, on whose way anything passed through anything.
    pub fn check_crossings(
        &self,
        q: &[f64],
        sweep: &mut Sweep,
        phases: &mut Phases,
    ) -> Result<(), StepError> {
        match &self.frame {
            Some(frame) => check_crossings(self.model, self.start, q, frame, (sweep, phases)),
            None => Ok(()),
        }
    }

    /// What the contact of the step came to, at its end.
    pub fn report(&self, q: &[f64], corrections: Corrections) -> StepReport {
        let Some(frame) = &self.frame else {
            return StepReport::default();
        };
        let given = frame.forces();
        let smallest_gap = frame.smallest_gap(self.model, q, true);
        let depth = smallest_gap.map_or(0.0, |gap| -gap / self.model.length_scale());
        StepReport {
            krylov_iterations: corrections.responses,
            contacts: given.len(),
            largest_contact_force: given.iter().fold(0.0, |f, pair| f.max(pair.force)),
            penetration: depth.max(0.0),
            smallest_gap,
            ..StepReport::default()
        }
    }

    /// Corrects the forces of `pairs`, whose gaps change by `motion` before, and moves nodes by the
    /// change and that of friction.
    fn correct(
        &mut self,
        pairs: &mut [Approach],
        mut motion: Vec<f64>,
        to: &mut Configuration,
        projection: &mut Projection,
    ) -> Result<usize, StepError> {
        let (model, weight, dt) = (self.model, self.weight, self.dt);
        let Some(frame) = &mut self.frame else {
            return Ok(0);
        };
        let before: Vec<f64> = pairs.iter().map(|pair| pair.force).collect();
        // The response by masses alone, dt^2 W: edges only make it stiffer.
        let mass_compliance: Vec<f64> = weight.iter().map(|w| dt * dt * w).collect();
        projection.linearise(model, weight, to.q);
        let responses = correct(pairs, &mass_compliance, &mut motion, self.tolerance, |x| {
            projection.poll.check()?;
            projection.respond(model, weight, dt, false, x);
            Ok(())
        })?;
        frame.set_forces(pairs);
        let mut rubbing = vec![0.0; weight.len()];
        add_friction_of_forces(frame, model, to.q, &mut rubbing);
        // df of friction, then C^T dF of the normal forces.
        let change = rubbing.iter().zip(&self.rubbed).map(|(now, was)| now - was);
        let mut force: Vec<f64> = change.collect();
        self.rubbed = rubbing;
        for (pair, before) in pairs.iter().zip(before) {
            for (dof, direction) in pair.dofs.iter().zip(&pair.direction) {
                force[*dof] += direction * (pair.force - before);
            }
        }
        // This response moves nodes, so what edges pull at in it counts.
        projection.respond(model, weight, dt, true, &mut force);
        for ((q, moved), by) in to.q.iter_mut().zip(&mut *to.moved).zip(&force) {
            *q += by;
            *moved += by;
        }
        Ok(responses + 1)
    }
}
