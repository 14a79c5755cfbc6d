//! The equation of one step, `g(y) = M u' + dE/dq - F = 0` for its stage y: what it is made of, its
//! value and its derivative at a trial.

use super::advance::Step;
use super::bodies::BodyTrial;
use super::drive::STILL;
use super::error::{Location, StepError};
use super::phases::Phases;
use super::rounding::Rounding;
use super::scheme::Stage;
use super::settings::StepSettings;
use super::unknowns::{
    Inertia, all_finite, all_within, largest_force, largest_motion, norm_of_motion,
};
use crate::assembly::{Blocks, Trial};
use crate::bodies::Assembly;
use crate::contact::pair::HessianPart;
use crate::contact::{ContactFrame, ContactSet};
use crate::forces::{
    Acting, ElasticEnergy, add_elastic, add_loads, add_spin_inertia, add_spin_inertia_stiffness,
    load_potential, loads,
};
use crate::model::{Model, SpinInertia};
use crate::response::StepMaterial;
use crate::rod::Kinematics;
use crate::state::State;
use crate::threads;

/// The step's equation and the trial it was last evaluated at.
#[derive(Debug, Default)]
pub(super) struct Evaluation {
    pub kinematics: Kinematics,
    /// Stage velocity u, `(dofs)`.
    pub velocity: Vec<f64>,
    /// Stage acceleration, `(dofs)`.
    pub acceleration: Vec<f64>,
    /// Residual, N and N m, `(dofs)`, zero at prescribed unknowns.
    pub residual: Vec<f64>,
    /// Residual at prescribed unknowns, which supports exert, N and N m, `(dofs)`, zero at others.
    pub reaction: Vec<f64>,
    /// Elastic energies, J.
    pub energy: ElasticEnergy,
    /// Incremental potential, J, if all forces have one.
    pub potential: Option<f64>,
    /// Sum of the magnitudes in the potential, J: the scale of its rounding.
    pub potential_scale: f64,
    /// Largest single force among those that balance, contact left out, N.
    pub force_scale: f64,
    /// Largest normal force of a contact, N.
    pub contact_scale: f64,
    /// Largest elastic, inertial or applied force on a free unknown, N: what supports and contacts
    /// carry is no part of it.
    pub free_scale: f64,
    /// Rounding of the residual at the trial last assembled.
    pub rounding: Rounding,
    /// Largest force on an unknown that moves as prescribed, N; `None` if none does.
    pub drive_reaction: Option<f64>,
    /// Rigid bodies.
    pub bodies: BodyTrial,
    /// Contacts.
    pub contact: ContactSet,
    /// With drag that is solved for: `u + B F`, how nodes move through the fluid beyond its flow,
    /// m/s, `(3 nodes)`.
    pub slip: Vec<f64>,
    /// Processor time of evaluations.
    pub phases: Phases,
    force: Vec<f64>,
    /// Diagonal of the derivative of inertia, kg/s^2 and kg m^2/s^2, `(dofs)`.
    inertia: Vec<f64>,
}

/// Edges from which on elastic forces and all others are found side by side.
const SHARED: usize = 1 << 11;

/// Largest part of the other forces up to which forces of contact may be out of balance.
const CONTACT_SHARE: f64 = 1e-3;

/// What stays the same during one step.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    pub model: &'a Model,
    pub start: &'a State,
    pub stage: &'a Stage,
    /// End of the step, s.
    pub end_time: f64,
    /// Length that tolerances refer to, m.
    pub length: f64,
    /// Penalty stiffness of contact, N m.
    pub contact_stiffness: f64,
    /// Where the stage is expected, with what is prescribed in its place, `(dofs)`.
    pub target: &'a [f64],
    /// Which loads act.
    pub acting: Acting,
    /// Stiffness and rest shape of the rods.
    pub material: &'a StepMaterial,
}

impl Evaluation {
    /// Zeros of `dofs` unknowns to add to.
    fn reset(&mut self, dofs: usize) {
        for buffer in [
            &mut self.velocity,
            &mut self.acceleration,
            &mut self.residual,
            &mut self.reaction,
            &mut self.force,
        ] {
            buffer.clear();
            buffer.resize(dofs, 0.0);
        }
    }

    /// The trial `y` as loads and contact see it, once evaluated.
    pub fn trial<'a>(&'a self, model: &'a Model, stage: &Stage, y: &'a [f64]) -> Trial<'a> {
        Trial {
            topology: &model.topology,
            kinematics: &self.kinematics,
            time: stage.time,
            q: y,
            velocity: &self.velocity,
            rate: stage.rate,
        }
    }

    /// Moves the residual at the prescribed unknowns `fixed` to the reactions.
    fn take_reactions(&mut self, fixed: &[bool]) {
        let reactions = self.residual.iter_mut().zip(&mut self.reaction);
        for ((g, reaction), fixed) in reactions.zip(fixed) {
            if *fixed {
                *reaction = *g;
                *g = 0.0;
            }
        }
    }
}

impl<'a> Problem<'a> {
    /// Of a step with this stiffness of contact, N m, and prescribed unknowns as in `target`,
    /// `(dofs)`.
    pub fn new(step: &Step<'a>, contact_stiffness: f64, target: &'a [f64]) -> Self {
        Self {
            model: step.model,
            start: step.start,
            stage: step.stage,
            end_time: step.end_time,
            length: step.model.length_scale(),
            contact_stiffness,
            target,
            acting: step.acting,
            material: step.material,
        }
    }
}

impl Problem<'_> {
    /// Evaluates residual and potential at `y`, with the nodal force `drag` (3 nodes) when there is
    /// a fluid.
    pub fn evaluate(
        &self,
        y: &[f64],
        drag: Option<&[f64]>,
        contact: &mut ContactFrame,
        out: &mut Evaluation,
    ) -> Result<(), StepError> {
        let model = self.model;
        // u and u' at the stage y, as the scheme takes them from y; bodies turn by spins.
        out.kinematics
            .update(&model.topology, &self.start.frames, y)?;
        out.reset(model.topology.dofs);
        self.stage.velocity(y, &mut out.velocity);
        self.stage
            .acceleration(&out.velocity, &mut out.acceleration);
        self.spin(y, &mut out.velocity);

        // What forces a free unknown has to bear is taken from each part before others cancel it.
        let (kinematics, residual) = (&out.kinematics, &mut out.residual);
        let mut elastic = || {
            // g = dE/dq.
            let (energy, scale) =
                add_elastic(self.material.rods(model), kinematics, y, residual, None);
            (energy, scale, self.largest(residual))
        };
        let at = Trial {
            topology: &model.topology,
            kinematics,
            time: self.stage.time,
            q: y,
            velocity: &out.velocity,
            rate: self.stage.rate,
        };
        let (force, set) = (&mut out.force, &mut out.contact);
        let acceleration = &out.acceleration;
        let mut outer = || {
            // F: loads, drag, contact.
            let (free, energy) = self.add_outer(&at, drag, acceleration, force);
            set.find(contact, model, &at, self.contact_stiffness, force);
            (free, energy)
        };
        let (of_elastic, of_outer) = match model.topology.edges() >= SHARED {
            true => threads::join(elastic, outer),
            false => (elastic(), outer()),
        };
        let ((energy, scale, free), (largest, load_energy)) = (of_elastic, of_outer);
        let mut free = free.max(largest);
        out.energy = energy;
        out.contact_scale = out.contact.largest_force();

        // g = dE/dq + M u' - F, and for bodies d(J omega)/dt less the torques on them.
        let (mut inertia, largest) =
            self.add_inertia(&out.acceleration, &out.force, &mut out.residual);
        free = free.max(largest);
        if !model.bodies.is_empty() {
            let (potential, torque) =
                self.add_bodies(y, &out.kinematics, &mut out.residual, &mut out.bodies)?;
            inertia += potential;
            free = free.max(torque);
        }

        self.add_potentials(inertia, load_energy, drag.is_some(), out);
        out.force_scale = scale.max(free);
        out.free_scale = free;
        out.drive_reaction = self.drive_reaction(&out.residual);
        // What is left at prescribed unknowns is what supports exert.
        out.take_reactions(model.constraints.fixed());
        if all_finite(&out.residual) {
            return Ok(());
        }
        let dof = out.residual.iter().position(|g| !g.is_finite());
        Err(StepError::NotFinite {
            what: "residual",
            place: Location::of(&model.topology, dof.unwrap_or(0)),
        })
    }

    /// Adds the forces of loads, of a fluid, and of edges that spin; returns the largest on a free
    /// unknown, N, and the energy of the loads, J, if all have one.
    fn add_outer(
        &self,
        at: &Trial,
        drag: Option<&[f64]>,
        acceleration: &[f64],
        force: &mut [f64],
    ) -> (f64, Option<f64>) {
        let model = self.model;
        add_loads(model, self.acting, at, force);
        let energy = load_potential(model, self.acting, at);
        if let Some(drag) = drag {
            for (dof, f) in model.topology.node_dof.iter().zip(drag.chunks_exact(3)) {
                for (sum, f) in force[*dof..].iter_mut().zip(f) {
                    *sum += f;
                }
            }
        }
        if self.turns_spins() {
            add_spin_inertia(model, at, acceleration, force);
        }
        // Before contact: what contacts carry must not hide the rest (decision 0042).
        (self.largest(force), energy)
    }

    /// The incremental potential, whose gradient is g where all forces have one:
    /// `E + u' M u' / (2 a^2)`, loads and contact.
    fn add_potentials(
        &self,
        inertia: f64,
        loads: Option<f64>,
        has_drag: bool,
        out: &mut Evaluation,
    ) {
        let (model, elastic) = (self.model, out.energy.total());
        // None where a contact has friction that is solved for, or a given force.
        let contact = out.contact.potential();
        // Constraints make saddles, and the inertia of a body that turns has no potential, nor has
        // that of an edge that spins.
        let has_potential = !has_drag
            && !self.turns_spins()
            && (model.bodies.is_empty()
                || (model.joints.is_empty() && self.acting == Acting::Conservative));
        out.potential = match (loads, contact) {
            (Some(l), Some(c)) if has_potential => Some(elastic + inertia + l + c),
            _ => None,
        };
        out.potential_scale =
            elastic + inertia + loads.unwrap_or(0.0).abs() + contact.unwrap_or(0.0);
    }

    /// Whether edges that spin and turn exert forces: towards an equilibrium nothing moves.
    fn turns_spins(&self) -> bool {
        self.model.spin_inertia == SpinInertia::Full && self.acting == Acting::All
    }

    /// Adds inertia less the forces to the residual; returns its part of the incremental potential,
    /// J, and the largest force of inertia on a free unknown, N.
    fn add_inertia(&self, acceleration: &[f64], force: &[f64], residual: &mut [f64]) -> (f64, f64) {
        let (energy, largest) = Inertia {
            masses: &self.model.mass,
            acceleration,
            force,
            levers: &self.model.lever,
            fixed: self.model.constraints.fixed(),
            residual,
        }
        .add();
        (energy / (self.stage.rate * self.stage.rate), largest)
    }

    /// Adds the derivative `dg/dy` at the trial last evaluated, and of contact so much of the
    /// Hessians of pairs as is given.
    pub fn add_tangent(
        &self,
        y: &[f64],
        evaluation: &mut Evaluation,
        contact: Option<(&ContactFrame, HessianPart)>,
        blocks: &mut dyn Blocks,
    ) {
        let mut rounding = std::mem::take(&mut evaluation.rounding);
        rounding.begin(self.model, y);
        if self.model.bodies.is_empty() {
            self.add_rods(y, evaluation, contact, (&mut rounding, blocks));
        } else {
            // On its way in, K of welded unknowns becomes p K c of their bodies (reduction.rs).
            let trial = std::mem::take(&mut evaluation.bodies);
            let mut sink = trial.reduction.sink(&self.model.topology, blocks);
            self.add_rods(y, evaluation, contact, (&mut rounding, &mut sink));
            rounding.reduce(self.model, &trial.reduction);
            let mut weighed = rounding.others(blocks);
            self.add_body_stiffness(y, &evaluation.kinematics, &trial, &mut weighed);
            evaluation.bodies = trial;
        }
        evaluation.rounding = rounding;
    }

    /// The derivative as if nothing were welded to bodies.
    fn add_rods(
        &self,
        y: &[f64],
        evaluation: &mut Evaluation,
        contact: Option<(&ContactFrame, HessianPart)>,
        (rounding, blocks): (&mut Rounding, &mut dyn Blocks),
    ) {
        // dg/dy = d2E/dq2 - dF/dq + a^2 M with u' = a^2 y + ..
        let model = self.model;
        evaluation.force.fill(0.0);
        let mut others = rounding.others(blocks);
        add_elastic(
            self.material.rods(model),
            &evaluation.kinematics,
            y,
            &mut evaluation.force,
            Some(&mut others),
        );
        let at = evaluation.trial(self.model, self.stage, y);
        for load in loads(model, self.acting) {
            load.add_stiffness(&at, &mut others);
        }
        if self.turns_spins() {
            add_spin_inertia_stiffness(model, &at, &evaluation.acceleration, &mut others);
        }
        if let Some((contact, part)) = contact {
            let mut blocks = rounding.contact(blocks);
            (evaluation.contact).add_stiffness(contact, model, &at, part, &mut blocks);
        }
        let inertia = self.stage.rate * self.stage.rate;
        evaluation.inertia.clear();
        (evaluation.inertia).extend(model.mass.iter().map(|m| m * inertia));
        rounding.others(blocks).diagonal(&evaluation.inertia);
    }

    /// Largest of the residuals of unknowns that are on their way as prescribed, N.
    fn drive_reaction(&self, residual: &[f64]) -> Option<f64> {
        let fixed = self.model.constraints.fixed().iter().enumerate();
        let moves = |dof: usize| {
            // A length: an angle moves the surface by its lever.
            let way = (self.target[dof] - self.start.q[dof]) * self.model.lever[dof];
            way.abs() > STILL * self.length
        };
        fixed
            .filter(|(dof, fixed)| **fixed && !self.model.bodies.follows(*dof) && moves(*dof))
            .map(|(dof, _)| self.as_force(dof, residual[dof]).abs())
            .reduce(f64::max)
    }

    /// Residual of an unknown up to which forces balance, N: that of `settings` and, if it counts,
    /// what rounding leaves.
    ///
    /// Contact is allowed for only up to a part of the largest other force. A barrier that is
    /// pressed together to almost nothing has forces and slopes beyond all others, and must not
    /// hide that these do not balance (decision 0042).
    fn allowed(
        &self,
        settings: &StepSettings,
        evaluation: &Evaluation,
        rounding: bool,
        dof: usize,
    ) -> f64 {
        let Evaluation {
            force_scale,
            contact_scale,
            free_scale,
            rounding: digits,
            ..
        } = evaluation;
        let tolerance = settings.residual_tolerance;
        let (mut others, mut contact) = (tolerance * force_scale, tolerance * contact_scale);
        if rounding {
            others += self.as_force(dof, digits.of_others(dof));
            contact += self.as_force(dof, digits.of_contact(dof));
        }
        others + contact.min(CONTACT_SHARE * free_scale)
    }

    /// Whether no residual is beyond what is allowed, rounding left out.
    pub fn balances_without_rounding(
        &self,
        settings: &StepSettings,
        evaluation: &Evaluation,
    ) -> bool {
        let allowed = self.allowed(settings, evaluation, false, 0);
        all_within(&evaluation.residual, &self.model.lever, allowed)
    }

    /// Where the residual is farthest beyond what is allowed, or nearest to it: the residual and
    /// what it may be, N, and the unknown.
    pub fn imbalance(
        &self,
        settings: &StepSettings,
        evaluation: &Evaluation,
        rounding: bool,
    ) -> (f64, f64, usize) {
        let mut worst = (0.0, f64::MAX, 0);
        for (dof, g) in evaluation.residual.iter().enumerate() {
            let force = self.as_force(dof, *g).abs();
            let allowed = self.allowed(settings, evaluation, rounding, dof);
            // Negated, to hold for NaN too.
            let within = force - allowed <= worst.0 - worst.1;
            if !within {
                worst = (force, allowed, dof);
            }
        }
        worst
    }

    /// Change of the potential that rounding of its terms and of the positions can make at the
    /// trial last assembled, J.
    pub fn potential_rounding(&self, y: &[f64], evaluation: &Evaluation) -> f64 {
        let force = 8.0 * evaluation.force_scale.max(evaluation.contact_scale);
        // At rest forces are rounding themselves.
        1e-13 * evaluation.potential_scale
            + f64::EPSILON * self.reach(y) * force
            + evaluation.rounding.work()
    }

    /// Largest coordinate, m.
    fn reach(&self, y: &[f64]) -> f64 {
        let topology = &self.model.topology;
        let points = topology.node_dof.iter().chain(&topology.body_dof);
        let bodies = self.model.bodies.list.iter().map(Assembly::size);
        points
            .flat_map(|dof| &y[*dof..dof + 3])
            .fold(bodies.fold(0.0, f64::max), |a, x| a.max(x.abs()))
    }

    /// Largest force on a free unknown, N.
    pub fn largest(&self, values: &[f64]) -> f64 {
        largest_force(values, &self.model.lever, self.model.constraints.fixed())
    }

    /// A torque on an angle counts as the force that it needs at the angle's lever.
    fn as_force(&self, dof: usize, value: f64) -> f64 {
        value / self.model.lever[dof]
    }

    /// Largest displacement of a correction, in radii; an angle counts as motion of the surface.
    pub fn size(&self, dq: &[f64]) -> f64 {
        largest_motion(dq, &self.model.lever) / self.length
    }

    /// Euclidean norm of a correction, in radii.
    pub fn norm(&self, dq: &[f64]) -> f64 {
        norm_of_motion(dq, &self.model.lever) / self.length
    }
}
