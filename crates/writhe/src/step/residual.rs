//! The residual of a step with all that it is evaluated with: the problem, contact, the fluid, and
//! the trial last evaluated.

use super::drag::prepare::FluidForce;
use super::drag::{Drag, ForceAndFlow};
use super::error::StepError;
use super::newton::Iterate;
use super::phases::Phase;
use super::problem::{Evaluation, Problem};
use super::settings::StepSettings;
use crate::assembly::{Blocks, Trial};
use crate::contact::ContactFrame;
use crate::contact::pair::HessianPart;
use crate::solve::Poll;

/// Largest turn of an edge angle in one correction, rad.
const MAX_ANGLE: f64 = 1.0;
/// Largest change of an edge vector in one correction, relative to its length.
const MAX_EDGE_CHANGE: f64 = 0.5;

/// The equation `g(y) = 0` of one step; with drag that is solved for, `u(y) + B F = 0` too.
pub(super) struct Residual<'a> {
    pub problem: Problem<'a>,
    pub contact: ContactFrame,
    pub fluid: FluidForce,
    /// With drag that is solved for.
    pub mobility: &'a Drag,
    /// The trial last evaluated.
    pub at: &'a mut Evaluation,
    pub poll: &'a Poll,
}

impl Residual<'_> {
    /// Goes on unless the step should stop.
    pub fn check_poll(&self) -> Result<(), StepError> {
        Ok(self.poll.check()?)
    }

    /// Evaluates residual, potential and the drag equation at the iterate.
    pub fn evaluate(&mut self, iterate: &Iterate) -> Result<(), StepError> {
        self.check_poll()?;
        let (problem, clock) = (self.problem, self.at.phases.start());
        self.contact.move_obstacles(problem.model, iterate.progress);
        // The force of this trial where it is solved for, otherwise that of the start of the step.
        let lagged = self.fluid.lagged().map(|drag| &drag.force[..]);
        let solved = iterate.drag.as_ref().map(|drag| &drag.force[..]);
        let drag = solved.or(lagged);
        problem.evaluate(&iterate.y, drag, &mut self.contact, self.at)?;
        self.at.phases.stop(Phase::Forces, clock);
        if let Some(drag) = &iterate.drag {
            self.evaluate_slip(&drag.flow);
        }
        Ok(())
    }

    /// u + B F, given B F.
    fn evaluate_slip(&mut self, flow: &[f64]) {
        self.at.slip.clear();
        self.at.slip.extend_from_slice(flow);
        let nodes = &self.problem.model.topology.node_dof;
        for (slip, dof) in self.at.slip.chunks_exact_mut(3).zip(nodes) {
            for (slip, u) in slip.iter_mut().zip(&self.at.velocity[*dof..]) {
                *slip += u;
            }
        }
    }

    /// Finds the flow of the force of the iterate, which is evaluated, exactly where it may be off by
    /// more than `allowed`, in radii; returns whether it may.
    pub fn confirm_flow(&mut self, iterate: &mut Iterate, allowed: f64) -> Result<bool, StepError> {
        let rough = |drag: &&mut ForceAndFlow| drag.error() > allowed;
        let Some(drag) = iterate.drag.as_mut().filter(rough) else {
            return Ok(false);
        };
        let clock = self.at.phases.start();
        self.mobility.velocity(&drag.force, &mut drag.flow)?;
        drag.changed = 0.0;
        self.evaluate_slip(&drag.flow);
        self.at.phases.stop(Phase::Drag, clock);
        Ok(true)
    }

    /// Adds the derivative `dg/dy` at the trial last evaluated, the local resistance of the fluid
    /// included, and of contact so much of the Hessians of pairs as is given.
    pub fn add_tangent(
        &mut self,
        y: &[f64],
        contact: Option<HessianPart>,
        blocks: &mut dyn Blocks,
    ) {
        let contact = contact.map(|part| (&self.contact, part));
        self.problem.add_tangent(y, self.at, contact, blocks);
        if self.solves_drag() {
            let (model, rate) = (self.problem.model, self.problem.stage.rate);
            self.mobility.add_resistance(model, rate, blocks);
        }
    }

    /// Whether the force of a fluid is among the unknowns.
    pub fn solves_drag(&self) -> bool {
        matches!(self.fluid, FluidForce::Solved { .. })
    }

    /// The trial last evaluated, whose unknowns are `y`, as loads and contact see it.
    pub fn trial<'a>(&'a self, y: &'a [f64]) -> Trial<'a> {
        self.at.trial(self.problem.model, self.problem.stage, y)
    }

    /// As [`Problem::imbalance`], at the trial last evaluated.
    pub fn imbalance(&self, settings: &StepSettings, rounding: bool) -> (f64, f64, usize) {
        self.problem.imbalance(settings, self.at, rounding)
    }

    /// Whether forces balance, up to rounding if that counts, and, with a fluid, nodes move with
    /// it.
    pub fn is_balanced(&self, settings: &StepSettings, iterate: &Iterate, rounding: bool) -> bool {
        // Most often within what rounding adds nothing to.
        if !(self.problem).balances_without_rounding(settings, self.at) {
            let (residual, allowed, _) = self.imbalance(settings, rounding);
            if residual > allowed {
                return false;
            }
        }
        if iterate.drag.is_none() {
            return true;
        }
        let largest = |values: &mut dyn Iterator<Item = &f64>| {
            values.fold(0.0_f64, |largest, v| largest.max(v.abs()))
        };
        let nodes = self.problem.model.topology.node_dof.iter();
        let speed = largest(&mut nodes.flat_map(|dof| &self.at.velocity[*dof..dof + 3]));
        // Velocities are differences of positions, whose last digits are lost in them.
        let floor = 8.0 * f64::EPSILON * self.problem.stage.rate * largest(&mut iterate.y.iter());
        largest(&mut self.at.slip.iter()) <= settings.residual_tolerance * speed + floor
    }

    /// Spreads the contacts of nearly parallel edges at the trial last evaluated, `iterate`, over
    /// their overlap for the rest of the step, and evaluates it again; returns whether there are
    /// any.
    pub fn spread_parallel_contacts(&mut self, iterate: &Iterate) -> Result<bool, StepError> {
        let model = self.problem.model;
        let at = self.at.trial(model, self.problem.stage, &iterate.y);
        let pairs = self.at.contact.pairs();
        let spread = self.contact.spread_parallel(model, &at, pairs);
        if spread {
            self.evaluate(iterate)?;
        }
        Ok(spread)
    }

    /// Spreads them before any correction where rods lie along each other; returns whether they do.
    pub fn spread_where_rods_lie_along(&mut self, iterate: &Iterate) -> Result<bool, StepError> {
        let model = self.problem.model;
        let at = self.at.trial(model, self.problem.stage, &iterate.y);
        let along = (self.contact).lie_along(model, &at, self.at.contact.pairs());
        if along {
            self.spread_parallel_contacts(iterate)?;
        }
        Ok(along)
    }

    /// Largest step along the correction `dq` from `y` that keeps edges from turning over, angles
    /// from running away and rods from flying off by more than their length within one correction,
    /// and the gaps of a barrier open.
    pub fn longest_step(&mut self, y: &[f64], dq: &[f64]) -> f64 {
        let model = self.problem.model;
        let topology = &model.topology;
        let farthest = model.rod_length.iter().copied().fold(0.0, f64::max);
        // Squares of: changes of edges over what they may be, flights of nodes; turns of edges.
        let (mut change_sq, mut flight_sq, mut turn) = (0.0_f64, 0.0_f64, 0.0_f64);
        for edge in 0..topology.edges() {
            let [a, b] = topology.at_ends(dq, edge);
            let most = MAX_EDGE_CHANGE * self.at.kinematics.length(edge);
            raise(&mut change_sq, (b - a).length_squared() / (most * most));
            raise(&mut flight_sq, a.length_squared());
            raise(&mut turn, dq[topology.edge_dof[edge]].abs());
        }
        let flight = flight_sq.sqrt() / farthest;
        let worst = change_sq.sqrt().max(flight).max(turn / MAX_ANGLE);
        if worst > 1.0 {
            // Gaps bound what is left of the correction; obstacles go the same part of their way.
            let shorter: Vec<f64> = dq.iter().map(|d| d / worst).collect();
            self.contact.max_step(model, y, &shorter, 1.0 / worst) / worst
        } else {
            self.contact.max_step(model, y, dq, 1.0)
        }
    }
}

/// Makes `largest` a value that is larger: compared, since the maximum of a library makes a detour for
/// what is no number.
#[inline(always)]
fn raise(largest: &mut f64, value: f64) {
    *largest = if value > *largest { value } else { *largest };
}
