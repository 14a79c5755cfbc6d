//! What ends a run before its time: a force, a loop, a strain, rest.

mod rest;

use std::fmt;

use crate::model::Model;
use crate::observe::observe;
use crate::rod::RodLayout;
use crate::rod::kinematics::position;
use crate::state::State;
use crate::step::StepReport;

/// Steps between two looks at loops of knots, each of which costs half a step.
const STEPS_BETWEEN_LOOKS: u64 = 10;
/// Force that a step found over the limit from which on it is looked at as outputs tell it.
const NEAR: f64 = 0.8;

/// Conditions of which any ends a run. They are looked at after each step, loops after every tenth.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stop {
    /// A support exerts more than this force, N.
    pub force: Option<f64>,
    /// The loop of a knot (see [`crate::observe::Observables::loops`]) has a smaller radius than
    /// this, its length over 2 pi, m.
    pub loop_radius: Option<f64>,
    /// A rod is longer than at rest by more than this part of its length.
    pub stretch: Option<f64>,
    /// Everything is at rest, and nothing is to come that would move it.
    pub at_rest: Option<Rest>,
}

/// What counts as rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rest {
    /// What moves has a thousandth of the radius to go at most.
    Automatic,
    /// Everything moves slower than this, m/s, the surface of an edge that spins too.
    Speed(f64),
}

/// The condition that ended a run.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Met {
    /// The force of a support.
    Force {
        /// Index of the constraint.
        constraint: usize,
        /// Its force, N.
        force: f64,
        /// The limit, N.
        limit: f64,
    },
    /// The loop of a rod.
    Loop {
        /// The rod.
        rod: usize,
        /// Its radius, m.
        radius: f64,
        /// The limit, m.
        limit: f64,
    },
    /// The strain of a rod.
    Stretch {
        /// The rod.
        rod: usize,
        /// Its strain.
        strain: f64,
        /// The limit.
        limit: f64,
    },
    /// Rest.
    Rest {
        /// Largest speed, that to which accelerations lead included, m/s.
        speed: f64,
        /// The limit, m/s.
        limit: f64,
    },
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Force {
                constraint,
                force,
                limit,
            } => write!(
                f,
                "support {constraint} exerts {force:.4e} N, more than the {limit:e} N of `stop.force`"
            ),
            Self::Loop { rod, radius, limit } => write!(
                f,
                "the loop of rod {rod} has a radius of {radius:.4e} m, less than the {limit:e} m of `stop.loop_radius`"
            ),
            Self::Stretch { rod, strain, limit } => write!(
                f,
                "rod {rod} is stretched by {strain:.4e} of its length, more than the {limit:e} of `stop.stretch`"
            ),
            Self::Rest { speed, limit } => write!(
                f,
                "all is at rest: nothing moves, or would swing, faster than {speed:.1e} m/s, less than the {limit:.4e} m/s of `stop.at_rest`"
            ),
        }
    }
}

impl Stop {
    /// Whether there is any condition.
    pub(crate) fn is_any(&self) -> bool {
        *self != Self::default()
    }

    /// The condition that a state meets, if any. After a step its `report` tells where nothing has to be
    /// looked at, which changes no answer.
    pub fn met(&self, model: &Model, state: &State, report: Option<&StepReport>) -> Option<Met> {
        if !self.is_any() || state.step == 0 {
            return None;
        }
        let stretched = self
            .stretch
            .and_then(|limit| stretched(model, state, limit));
        // These cost little; the other conditions need all observables.
        let cheap = stretched.or_else(|| rest::resting(model, state, self.at_rest?));
        let found = report.and_then(|report| report.support_force);
        let pulls = |limit: &f64| found.is_none_or(|force| force > NEAR * limit);
        let (force, loop_radius) = (
            self.force.filter(pulls),
            self.loop_radius
                .filter(|_| state.step.is_multiple_of(STEPS_BETWEEN_LOOKS)),
        );
        if cheap.is_some() || (force.is_none() && loop_radius.is_none()) {
            return cheap;
        }
        // No accepted state fails to show itself; if one did, its frame would tell.
        let seen = observe(model, state).ok()?;
        let of_force = force.and_then(|limit| {
            let forces = seen.reactions.iter().map(|r| r.force.length());
            let (constraint, force) = forces.enumerate().find(|(_, force)| *force > limit)?;
            Some(Met::Force {
                constraint,
                force,
                limit,
            })
        });
        let of_loop = || {
            let limit = loop_radius?;
            let radii = seen
                .loops
                .iter()
                .map(|l| l.map(|l| l / std::f64::consts::TAU));
            let (rod, radius) = radii
                .enumerate()
                .find_map(|(rod, radius)| Some((rod, radius.filter(|r| *r < limit)?)))?;
            Some(Met::Loop { rod, radius, limit })
        };
        of_force.or_else(of_loop)
    }
}

/// The first rod that is stretched by more than `limit`.
fn stretched(model: &Model, state: &State, limit: f64) -> Option<Met> {
    let topology = &model.topology;
    let length = |edge: usize| {
        let [a, b] = topology.edge_nodes[edge].map(|n| position(&state.q, topology.node_dof[n]));
        a.distance(b)
    };
    let strain = |(index, rod): (usize, &RodLayout)| {
        let edges = rod.first_edge..rod.first_edge + rod.edges;
        edges.map(length).sum::<f64>() / model.rod_length[index] - 1.0
    };
    let strains = topology.rods.iter().enumerate().map(strain);
    let (rod, strain) = strains.enumerate().find(|(_, strain)| *strain > limit)?;
    Some(Met::Stretch { rod, strain, limit })
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::model::ModelBuilder;
    use crate::rod::{Material, Rod, Section};
    use crate::schedule::{Motion, Schedule};
    use crate::simulation::Simulation;
    use crate::step::StepSettings;

    /// A cantilever that falls under its weight, damped or not.
    fn falling(damping: f64) -> Simulation {
        let x = |i: usize| DVec3::new(0.01 * i as f64, 0.0, 0.0);
        let section = Section::circle(Material::new(1e7, 0.5, 1e3), 2e-3);
        let rod = Rod::open((0..11).map(x).collect(), section).unwrap();
        let mut builder = ModelBuilder::new()
            .rod(rod)
            .clamp(0, 0, Motion::Still)
            .gravity(DVec3::new(0.0, 0.0, -9.81));
        if damping > 0.0 {
            builder = builder.viscous_damping(damping);
        }
        let (model, state) = builder.build().unwrap();
        let settings = StepSettings {
            dt: 2e-3,
            ..StepSettings::default()
        };
        Simulation::new(model, state, settings)
    }

    fn ends(mut simulation: Simulation, rest: Rest, until: f64) -> (Simulation, bool) {
        let stop = Stop {
            at_rest: Some(rest),
            ..Stop::default()
        };
        let mut met = None;
        simulation
            .run_until(until, |now, report| {
                met = stop.met(&now.model, &now.state, Some(report));
                met.is_none()
            })
            .unwrap();
        (simulation, met.is_some())
    }

    /// It swings to its rest, or creeps there as through syrup.
    #[test]
    fn a_damped_fall_ends_where_the_rod_hangs() {
        for damping in [0.5, 500.0] {
            let (mut ended, met) = ends(falling(damping), Rest::Automatic, 1e4);
            assert!(met);
            let tip = |s: &Simulation| s.model.positions(&s.state)[10];
            let seen = tip(&ended);
            ended.settle().unwrap();
            let off = tip(&ended).distance(seen);
            // A thousandth of the radius.
            assert!(off < 2.5e-6, "{damping}: {off}");
            assert!(seen.z < -1e-3);
        }
    }

    /// The first step past the limit is the last, and looks that are left out change nothing.
    #[test]
    fn a_pull_ends_with_the_step_that_passes_its_limit() {
        let x = |i: usize| DVec3::new(0.01 * i as f64, 0.0, 0.0);
        let section = Section::circle(Material::new(1e7, 0.5, 1e3), 2e-3);
        let rod = Rod::open((0..11).map(x).collect(), section).unwrap();
        let (model, state) = ModelBuilder::new()
            .rod(rod)
            .clamp(0, 0, Motion::Still)
            .clamp(0, 9, Motion::Velocity(DVec3::X * 1e-2))
            .viscous_damping(10.0)
            .build()
            .unwrap();
        let settings = StepSettings {
            dt: 2e-3,
            ..StepSettings::default()
        };
        let mut simulation = Simulation::new(model, state, settings);
        let stop = Stop {
            force: Some(0.47),
            ..Stop::default()
        };
        let (mut before, mut last) = (0.0, None);
        simulation
            .run_until(10.0, |now, report| {
                let met = stop.met(&now.model, &now.state, Some(report));
                assert_eq!(met, stop.met(&now.model, &now.state, None));
                let seen = observe(&now.model, &now.state).unwrap();
                let forces = seen.reactions.iter().map(|r| r.force.length());
                let force = forces.fold(0.0, f64::max);
                let found = report.support_force.unwrap();
                assert!((found / force - 1.0).abs() < 1e-6, "{found} {force}");
                assert_eq!(met.is_some(), force > 0.47);
                if met.is_none() {
                    before = force;
                }
                last = met.map(|_| force);
                met.is_none()
            })
            .unwrap();
        assert!(last.is_some_and(|force| before < 0.47 && force < 1.2 * before));
        assert!(!simulation.state.step.is_multiple_of(10));
    }

    /// A force that begins later is waited for, and what it moves comes to rest again; one that changes
    /// for ever leaves no rest.
    #[test]
    fn rest_waits_for_what_is_to_come() {
        let ended = |amplitude| {
            let x = |i: usize| DVec3::new(0.01 * i as f64, 0.0, 0.0);
            let section = Section::circle(Material::new(1e7, 0.5, 1e3), 2e-3);
            let rod = Rod::open((0..11).map(x).collect(), section).unwrap();
            let (model, state) = ModelBuilder::new()
                .rod(rod)
                .clamp(0, 0, Motion::Still)
                .force(0, 10, DVec3::Z * 1e-3, amplitude)
                .viscous_damping(0.5)
                .build()
                .unwrap();
            let settings = StepSettings {
                dt: 2e-3,
                ..StepSettings::default()
            };
            let simulation = Simulation::new(model, state, settings);
            let (ended, met) = ends(simulation, Rest::Automatic, 4.0);
            let tip = ended.model.positions(&ended.state)[10].z;
            (ended.state.time, met, tip)
        };
        let table = |end| Schedule::Table(vec![(0.5, 0.0), (0.6, 1.0), (end, 1.0)]);
        let (time, met, tip) = ended(table(4.0));
        assert!(met && (0.6..3.9).contains(&time), "{time}");
        // F L^3 / 3 EI from the middle of the clamped edge.
        let stiffness = 1e7 * std::f64::consts::PI * 2e-3_f64.powi(4) / 4.0;
        let bent = 1e-3 * 0.095_f64.powi(3) / (3.0 * stiffness);
        assert!((tip / bent - 1.0).abs() < 0.02, "{tip} {bent}");
        let endless = Schedule::Rate {
            value: 0.0,
            rate: 1e-6,
        };
        assert!(!ended(endless).1);
    }

    /// A swing stands still at each turning point; it is no rest.
    #[test]
    fn a_swing_has_no_rest_at_its_turning_points() {
        let speed = |s: &Simulation| {
            let dofs = s.model.topology.node_dof.iter();
            let speeds = dofs.map(|dof| position(&s.state.velocity, *dof).length());
            speeds.fold(0.0, f64::max)
        };
        let mut swinging = falling(0.0);
        let (mut slowest, mut fastest) = (f64::INFINITY, 0.0_f64);
        swinging
            .run_until(0.5, |now, _| {
                fastest = fastest.max(speed(now));
                if now.state.step > 20 {
                    slowest = slowest.min(speed(now));
                }
                true
            })
            .unwrap();
        assert!(slowest < 0.2 * fastest, "{slowest} {fastest}");
        let (_, met) = ends(falling(0.0), Rest::Speed(1.5 * slowest), 0.5);
        assert!(!met);
        let (_, met) = ends(falling(0.0), Rest::Speed(10.0 * fastest), 0.5);
        assert!(met);
    }
}
