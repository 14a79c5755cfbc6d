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
//!
//! Obstacles are touched by the same programme: their gaps are rows of it, and what is part of a
//! body is moved with the body by the same response. Their friction is that of the step's end
//! (`friction.rs`).

use std::time::Duration;

use glam::DQuat;

use super::coupling::displace;
use super::friction::Rubbing;
use super::projection::{Configuration, Projection};
use crate::assembly::Trial;
use crate::contact::frame::Approach;
use crate::contact::set::add_friction_of_forces;
use crate::contact::sweep::Sweep;
use crate::contact::{Beginning, ContactFrame, ContactSet};
use crate::contact_model::policy::NormalForces;
use crate::contact_model::{ObstacleForce, PairForce};
use crate::model::Model;
use crate::obstacle::surface::Instants;
use crate::rod::rotation::cayley_vector;
use crate::state::State;
use crate::step::Phases;
use crate::step::StepError;
use crate::step::contact::check_crossings;
use crate::step::impulses::gaps::{closed, correct};
use crate::step::phases::Clock;
use crate::step::report::StepReport;

/// Corrections of the contact forces before they are given up.
const MAX_ROUNDS: u32 = 60;
/// Motion within a step, over the radius, beyond which gaps are first taken from its start.
const FAR: f64 = 0.1;

/// Part of the tolerance within which gaps are closed where there are obstacles. What lies on them
/// does not bounce: a gap that is left is a speed of gap/dt, and forces tremble by m gap/dt^2.
const AT_OBSTACLES: f64 = 1e-3;
/// Gap over the radius below which closing it would be rounding.
const LEAST_TOLERANCE: f64 = 1e-9;

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
    /// Whether rods or obstacles move far.
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
    /// Processor time of the projection alone; it enters no result.
    pub projecting: Duration,
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
        let frame = ContactFrame::new(model, &beginning);
        let mut tolerance = settings.tolerance;
        if !model.obstacles.is_empty() {
            tolerance = tolerance.min((AT_OBSTACLES * tolerance).max(LEAST_TOLERANCE));
        }
        contact.tolerance = tolerance * model.length_scale();
        contact.far = frame.largest_motion(model, &start.q, q) > FAR * model.length_scale();
        contact.frame = Some(frame);
        contact
    }

    /// Pushes with the forces of the last step, from where the step starts.
    pub fn push(
        &mut self,
        at: &Trial,
        to: &mut Configuration,
        velocity: &mut [f64],
        projection: &mut Projection,
    ) {
        let Some(frame) = &mut self.frame else {
            return;
        };
        let mut force = vec![0.0; to.q.len()];
        ContactSet::default().find(frame, self.model, at, 0.0, &mut force);
        if self.model.bodies.is_empty() {
            for (dof, force) in force.iter().enumerate() {
                // v <- v + dt W f, x <- x + dt^2 W f
                let change = self.dt * self.weight[dof] * force;
                velocity[dof] += change;
                to.q[dof] += self.dt * change;
            }
        } else {
            projection.take_bodies(self.model, to);
            projection.respond_freely(self.model, (self.weight, self.dt), &mut force);
            displace(self.model, to, &force);
        }
        // Corrections add only what changes of this friction.
        self.rubbed = vec![0.0; to.q.len()];
        add_friction_of_forces(frame, self.model, at.q, &mut self.rubbed);
    }

    /// Moves nodes and bodies until no edge is stretched, no joint apart, no gap open or closed
    /// that must not be, and friction holds what it can.
    pub fn project(
        &mut self,
        to: &mut Configuration,
        projection: &mut Projection,
    ) -> Result<Corrections, StepError> {
        let (model, weight, tolerance) = (self.model, self.weight, self.tolerance);
        let mut done = Corrections::default();
        let mut pairs = Vec::new();
        for round in 0..MAX_ROUNDS {
            let clock = Clock::start();
            done.iterations += projection.project(model, weight, to)?;
            done.projecting += clock.elapsed();
            let Some(reach) = self.approaches(to, &mut pairs) else {
                return Ok(done);
            };
            // In the first round after a long way gaps are those of the start, and how the way
            // changes them: at its end pairs that went through each other are on the wrong side.
            let on_the_way = self.far && round == 0 && !pairs.is_empty();
            let all_closed = pairs.iter().all(|pair| closed(pair, tolerance));
            if on_the_way || !all_closed {
                let mut motion = vec![0.0; to.q.len()];
                if on_the_way {
                    motion = self.motion(to);
                    self.approaches_at_start(reach, &mut pairs);
                }
                done.responses += self.correct(&mut pairs, motion, to, projection)?;
                self.approaches(to, &mut pairs);
            }
            let responses = self.rub(&mut pairs, round, to, projection)?;
            done.responses += responses;
            if !on_the_way && all_closed && responses == 0 {
                return Ok(done);
            }
        }
        if pairs.iter().all(|pair| closed(pair, tolerance)) {
            return Err(StepError::FrictionUnsettled {
                iterations: MAX_ROUNDS,
            });
        }
        let depth = pairs.iter().fold(0.0, |d: f64, pair| d.max(-pair.gap));
        Err(StepError::NotKeptApart {
            iterations: MAX_ROUNDS,
            depth: depth / model.length_scale(),
            allowed: tolerance / model.length_scale(),
        })
    }

    /// What may touch where everything is now; returns how far was looked, m, `None` without
    /// contact.
    fn approaches(&mut self, to: &Configuration, out: &mut Vec<Approach>) -> Option<f64> {
        let frame = self.frame.as_mut()?;
        frame.ride(self.model, to.q, to.orientation);
        frame.cover(self.model, to.q);
        let reach = frame.margin();
        frame.approaches(self.model, (to.q, false), reach, out);
        Some(reach)
    }

    /// The same at the start of the step.
    fn approaches_at_start(&self, reach: f64, out: &mut Vec<Approach>) {
        if let Some(frame) = &self.frame {
            frame.approaches(self.model, (&self.start.q, true), reach, out);
        }
    }

    /// Displacements since the start of the step, `(dofs)`; of bodies' turns by spin.
    fn motion(&self, to: &Configuration) -> Vec<f64> {
        let way = to.q.iter().zip(&self.start.q).map(|(q, start)| q - start);
        let mut motion: Vec<f64> = way.collect();
        let before = &self.start.frames.orientation;
        for (body, dof) in self.model.topology.body_dof.iter().enumerate() {
            let turn = cayley_vector(to.orientation[body] * before[body].conjugate());
            motion[dof + 3..dof + 6].copy_from_slice(&turn.to_array());
        }
        motion
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

    /// Forces of obstacles at its end, N, sorted by what touches.
    pub fn obstacle_forces(&self) -> Vec<ObstacleForce> {
        let obstacles = self.frame.as_ref().map(ContactFrame::obstacles);
        obstacles.map_or(Vec::new(), |obstacles| obstacles.forces().to_vec())
    }

    /// Refuses a step to the unknowns `q`, `(dofs)`, with bodies at these orientations, on whose
    /// way anything passed through anything.
    pub fn check_crossings(
        &mut self,
        (q, orientation): (&[f64], &[DQuat]),
        sweep: &mut Sweep,
        phases: &mut Phases,
    ) -> Result<(), StepError> {
        let Some(frame) = &mut self.frame else {
            return Ok(());
        };
        frame.end_obstacles(self.model, q, orientation);
        check_crossings(self.model, self.start, q, frame, (sweep, phases))
    }

    /// What the contact of the step came to, at its end.
    pub fn report(&self, q: &[f64], corrections: Corrections) -> StepReport {
        let Some(frame) = &self.frame else {
            return StepReport::default();
        };
        let of_obstacles = frame.obstacles().forces().iter().map(|given| given.force);
        let given = frame
            .forces()
            .iter()
            .map(|pair| pair.force)
            .chain(of_obstacles);
        let smallest_gap = frame.smallest_gap(self.model, q, true);
        let depth = smallest_gap.map_or(0.0, |gap| -gap / self.model.length_scale());
        StepReport {
            krylov_iterations: corrections.responses,
            contacts: given.clone().count(),
            largest_contact_force: given.fold(0.0, f64::max),
            penetration: depth.max(0.0),
            smallest_gap,
            ..StepReport::default()
        }
    }

    /// Corrects the forces of `pairs`, whose gaps change by `motion` before, and moves nodes and
    /// bodies by the change and that of friction between rods.
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
        projection.linearise(model, weight, to)?;
        // The response by masses alone, dt^2 W: edges and joints only make it stiffer.
        let masses = projection.mass_compliance(model, (weight, dt));
        let responses = correct(pairs, &masses, &mut motion, self.tolerance, |x| {
            projection.poll.check()?;
            projection.respond(model, (weight, dt), false, x)
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
            // What lets go rubs no more; friction of the others is corrected by `rub`.
            if let Some(surface) = pair.surface.filter(|_| pair.force <= 0.0) {
                surface.push(-surface.friction, &mut force);
            }
        }
        // This response moves nodes, so what edges pull at in it counts.
        projection.respond(model, (weight, dt), true, &mut force)?;
        displace(model, to, &force);
        Ok(responses + 1)
    }

    /// Corrects the friction on obstacles in a round, and moves nodes and bodies by the change;
    /// returns the number of responses, 0 where it was right.
    fn rub(
        &mut self,
        approaches: &mut [Approach],
        round: u32,
        to: &mut Configuration,
        projection: &mut Projection,
    ) -> Result<usize, StepError> {
        let (model, weight, dt) = (self.model, self.weight, self.dt);
        let rubs = |a: &Approach| a.surface.is_some_and(|s| s.rubs(a.force));
        if !approaches.iter().any(rubs) {
            return Ok(0);
        }
        let travelled = self.motion(to);
        let Some(frame) = &mut self.frame else {
            return Ok(0);
        };
        projection.linearise(model, weight, to)?;
        let masses = projection.mass_compliance(model, (weight, dt));
        let in_round = (model.length_scale(), round);
        let mut rubbing = Rubbing::new(approaches, &masses, &travelled, in_round);
        if rubbing.is_settled() {
            return Ok(0);
        }
        let (mut force, products) = rubbing.correct(approaches, weight.len(), |x| {
            projection.poll.check()?;
            projection.respond(model, (weight, dt), false, x)
        })?;
        frame.set_forces(approaches);
        projection.respond(model, (weight, dt), true, &mut force)?;
        displace(model, to, &force);
        Ok(products + 1)
    }
}
