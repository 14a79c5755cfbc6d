//! Why a step failed.

use super::symplectic::NotExplicit;
use crate::bodies::EngineError;
use crate::rod::kinematics::KinematicsError;
use crate::solve::SolveError;

/// How far Newton's method came.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "no convergence after {iterations} iterations at t = {time:.6e} s with a step of {dt:.3e} s: last correction {correction:.1e} \
     radii (wanted {wanted_correction:.1e}), residual {residual:.3e} N (wanted {wanted:.3e} N), largest at {place}"
)]
pub struct NotConverged {
    /// Iterations done.
    pub iterations: u32,
    /// Time at the start of the step, s.
    pub time: f64,
    /// Step size, s.
    pub dt: f64,
    /// Largest displacement of the last correction, in radii.
    pub correction: f64,
    /// Largest one that counts as none, in radii.
    pub wanted_correction: f64,
    /// Largest residual, N.
    pub residual: f64,
    /// Largest residual that counts as balanced, N.
    pub wanted: f64,
    /// Where it is largest.
    pub place: Location,
}

/// Why a step failed; the state it started from is untouched.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// Newton's method did not converge.
    #[error("{0}")]
    NotConverged(Box<NotConverged>),
    /// An accuracy is given where nothing tells the error of a step.
    #[error(
        "an accuracy needs BDF2 (plain or fitted) and implicit drag: the error of {0} is not known"
    )]
    NoEstimate(&'static str),
    /// The step is too long for the accuracy that is wanted.
    #[error("a step of {dt:.3e} s is {times:.1} times too long for the accuracy that is wanted")]
    Inaccurate {
        /// Step size, s.
        dt: f64,
        /// Size over what would do.
        times: f64,
    },
    /// A trial configuration has no frames.
    #[error("the iteration reached a state that no rod can have: {0}")]
    Kinematics(#[from] KinematicsError),
    /// A rigid body spins so fast that the step hardly tells which way.
    #[error("body {body} turned by more than 160 degrees in one step")]
    BodyTurned {
        /// Index of the body.
        body: usize,
    },
    /// A motor turns its joint so far that the step could not tell where it comes to stand.
    #[error(
        "the motor of joint {joint} has to turn it by {degrees:.1} degrees in one step, and 89 are the most"
    )]
    MotorTurned {
        /// Index of the joint.
        joint: usize,
        /// How far.
        degrees: f64,
    },
    /// The linear system could not be solved.
    #[error("the linear system could not be solved: {0}")]
    Solve(#[source] SolveError),
    /// Nothing determines an unknown: the matrix is singular.
    #[error("{}", undetermined(*place))]
    Undetermined {
        /// Unknown that nothing determines.
        place: Location,
    },
    /// A [`Poll`](crate::solve::Poll) said stop.
    #[error("stopped on request")]
    Interrupted,
    /// A number is not finite.
    #[error("the {what} is not a finite number at {place}")]
    NotFinite {
        /// Name of the quantity.
        what: &'static str,
        /// Unknown at which it appeared.
        place: Location,
    },
    /// Two edges passed through each other during the step.
    #[error("edges {} of rod {} and {} of rod {} crossed within the step", edges[0].1, edges[0].0, edges[1].1, edges[1].0)]
    Crossed {
        /// Rod and local edge of both.
        edges: [(usize, usize); 2],
    },
    /// A body came near to another obstacle.
    #[error(
        "body {body} came near to obstacle {obstacle}: contact of bodies with anything but rods is not computed by implicit steps"
    )]
    BodyMeets {
        /// The body.
        body: usize,
        /// Index of the obstacle.
        obstacle: usize,
    },
    /// A rod went into or through an obstacle during the step.
    #[error("edge {} of rod {} went into obstacle {obstacle} within the step", edge.1, edge.0)]
    Entered {
        /// Rod and local edge.
        edge: (usize, usize),
        /// The obstacle.
        obstacle: usize,
    },
    /// A midpoint step balances in its middle but penetrates at its end.
    #[error(
        "the end of a midpoint step penetrates by {:.2} % of the radius (allowed {:.2} %)",
        100.0 * depth,
        100.0 * allowed
    )]
    EndPenetration {
        /// Depth over the radius.
        depth: f64,
        /// Allowed depth over the radius.
        allowed: f64,
        /// Stiffness to go on with, N m, together with a shorter step.
        stiffness: f64,
    },
    /// A barrier is too soft for the force that presses on it.
    #[error("no balance was found: gaps fell to {gap:.1e} of the barrier's range")]
    SoftBarrier {
        /// Smallest gap over its range.
        gap: f64,
        /// Stiffness to try next, N m.
        stiffness: f64,
    },
    /// A barrier is pressed together to almost nothing, and made no stiffer.
    #[error("a gap is {gap:.1e} of the barrier's range: too small for the force to be computed")]
    TightBarrier {
        /// Smallest gap over its range.
        gap: f64,
    },
    /// A step with a barrier starts from rods that touch: a state that another contact model made,
    /// say.
    #[error(
        "rods touch at the start of the step (gap {gap:.3e} m) and ipc needs a gap to start from"
    )]
    StartsInContact {
        /// Smallest gap, m.
        gap: f64,
    },
    /// A midpoint step with a contact model that needs the end of the step.
    #[error(
        "this contact model checks gaps in the middle of a midpoint step, but the end of the step is extrapolated and may overlap"
    )]
    ExtrapolatedEnd,
    /// A midpoint step with dashpots beside springs.
    #[error(
        "the midpoint scheme would compute the strain rates of viscous rods to first order only: choose backward Euler or BDF2"
    )]
    RatesInMiddle,
    /// An implicit step with forces of contact that are found by solving it again, and something
    /// besides rods to touch.
    #[error(
        "with the contact model spillmann-teschner, implicit steps compute contact between rods only, but there are obstacles or rigid bodies"
    )]
    OnlyRodsTouch,
    /// No contact forces were found that end the step with rods touching.
    #[error(
        "no contact forces were found that keep rods apart: after {iterations} iterations they penetrate by {:.3} % of their radius \
         (allowed {:.3} %)",
        100.0 * depth,
        100.0 * allowed
    )]
    NotKeptApart {
        /// Iterations done.
        iterations: u32,
        /// Depth over the radius.
        depth: f64,
        /// Allowed depth over the radius.
        allowed: f64,
    },
    /// Normal forces of obstacles and friction by them, corrected in turn, did not come to rest.
    #[error(
        "friction on obstacles and the normal forces there did not converge in {iterations} rounds"
    )]
    FrictionUnsettled {
        /// Rounds done.
        iterations: u32,
    },
    /// The material frame of a rod found no balance.
    #[error(
        "the angles of rod {rod} did not converge (residual torque {residual:.1e} N m): if a moment turns the rod freely, hold one of its angles"
    )]
    UnbalancedAngles {
        /// Rod.
        rod: usize,
        /// Largest residual torque, N m.
        residual: f64,
    },
    /// The projection left an edge stretched.
    #[error(
        "edge {edge} of rod {rod} is stretched by {:.1e} of its length after {iterations} iterations of the projection that keeps lengths: two held \
         nodes may be farther apart than the rod between them is long",
        0.5 * stretch
    )]
    StretchRemains {
        /// Rod.
        rod: usize,
        /// Its edge.
        edge: usize,
        /// `|e.e / l^2 - 1|`.
        stretch: f64,
        /// Iterations done.
        iterations: u32,
    },
    /// The projection left a joint of bodies apart.
    #[error(
        "joint {joint} is {apart:.1e} of its size apart after {iterations} iterations of the projection that keeps joints; check whether other joints, rods or prescribed motions pull its bodies apart"
    )]
    JointApart {
        /// Its place among the joints.
        joint: usize,
        /// How far its points are apart over the size of its bodies, or the cosine of directions
        /// that must stay at right angles.
        apart: f64,
        /// Iterations done.
        iterations: u32,
    },
    /// The step starts from a rod that is not as long as at rest.
    #[error(
        "edge {edge} of rod {rod} starts stretched by {:.1e} of its length, but symplectic-projected keeps every edge at its rest length",
        0.5 * stretch
    )]
    StartsStretched {
        /// Rod.
        rod: usize,
        /// Its edge.
        edge: usize,
        /// `|e.e / l^2 - 1|`.
        stretch: f64,
    },
    /// An explicit step beyond its limit of stability.
    #[error(
        "a step of {dt:.3e} s is not stable with symplectic-projected: forces need steps below {largest:.3e} s"
    )]
    Unstable {
        /// Its size, s.
        dt: f64,
        /// Largest stable one, s.
        largest: f64,
    },
    /// A step beyond the limit of stability of lagged drag.
    #[error(
        "a step of {dt:.3e} s is not stable with lagged drag: as the rods are now it needs steps of at most {largest:.1e} s"
    )]
    LaggedDrag {
        /// Its size, s.
        dt: f64,
        /// Largest one that is allowed, s.
        largest: f64,
        /// Whether this model could solve for drag instead.
        solvable: bool,
    },
    /// The step ends with energy that no work explains.
    #[error(
        "the step would create {gain:.3e} J of energy without any work, {:.2} % of the largest energy and the works of the step",
        100.0 * part
    )]
    MadeEnergy {
        /// That energy, J.
        gain: f64,
        /// That over the largest energy so far and the sizes of the works of the step.
        part: f64,
    },
    /// The rigid-body engine failed.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// Something in the model that the integrator does not know.
    #[error("the integrator symplectic-projected cannot be used with {0}")]
    Unsupported(NotExplicit),
    /// Rods penetrate deeper than the contact model allows.
    #[error("rods penetrate by {:.2} % of their radius (allowed {:.2} %)", 100.0 * depth, 100.0 * allowed)]
    Penetration {
        /// Depth over the radius.
        depth: f64,
        /// Allowed depth over the radius.
        allowed: f64,
        /// Stiffness that should hold it, N m.
        stiffness: f64,
    },
}

impl StepError {
    /// The same error of a search along the correction of this iteration, which does not count them
    /// itself.
    pub(super) fn after(mut self, done: u32) -> Self {
        if let Self::NotConverged(found) = &mut self {
            found.iterations = done;
        }
        self
    }
}

fn undetermined(place: Location) -> String {
    match place {
        Location::Joint(_) => {
            format!(
                "{place} holds what supports or other joints hold already: nothing tells how they share their forces"
            )
        }
        _ => format!("the forces do not determine {place}: the matrix is singular"),
    }
}

impl From<SolveError> for StepError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Interrupted => Self::Interrupted,
            error => Self::Solve(error),
        }
    }
}

/// An unknown named as a user knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// A coordinate of a node of a rod.
    Node {
        /// Rod.
        rod: usize,
        /// Node of the rod.
        node: usize,
    },
    /// The angle of an edge of a rod.
    Angle {
        /// Rod.
        rod: usize,
        /// Edge of the rod.
        edge: usize,
    },
    /// Location or turn of a rigid body.
    Body(usize),
    /// What a joint between bodies exerts.
    Joint(usize),
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Node { rod, node } => write!(f, "node {node} of rod {rod}"),
            Self::Angle { rod, edge } => write!(f, "the angle of edge {edge} of rod {rod}"),
            Self::Body(body) => write!(f, "body {body}"),
            Self::Joint(joint) => write!(f, "joint {joint}"),
        }
    }
}

impl StepError {
    /// The same with unknowns named as a user knows them.
    pub(super) fn in_terms_of(self, topology: &crate::rod::Topology) -> Self {
        match self {
            Self::Solve(SolveError::Singular { row }) => Self::Undetermined {
                place: Location::of(topology, row),
            },
            other => other,
        }
    }
}

impl Location {
    /// The place of an unknown.
    pub fn of(topology: &crate::rod::Topology, dof: usize) -> Self {
        let last = |firsts: &[usize]| firsts.partition_point(|first| *first <= dof).checked_sub(1);
        // Unknowns of rods come first, then those of bodies, then those of joints.
        if let Some(joint) = last(&topology.joint_dof) {
            return Self::Joint(joint);
        }
        if let Some(body) = last(&topology.body_dof) {
            return Self::Body(body);
        }
        let rod = topology
            .rods
            .partition_point(|r| r.first_dof <= dof)
            .saturating_sub(1);
        let local = dof - topology.rods.get(rod).map_or(0, |r| r.first_dof);
        // [x0, th0, x1, th1, ..] within a rod.
        match local % 4 {
            3 => Self::Angle {
                rod,
                edge: local / 4,
            },
            _ => Self::Node {
                rod,
                node: local / 4,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rod::Topology;

    #[test]
    fn unknowns_are_named_within_their_rod_or_as_bodies_and_joints() {
        let mut topology = Topology::default();
        topology.push(11, false);
        topology.push(5, true);
        topology.push_body();
        topology.push_body();
        topology.push_joint(3);
        let second = topology.rods[1].first_dof;
        let told = |dof: usize| Location::of(&topology, dof).to_string();
        assert_eq!(told(2), "node 0 of rod 0");
        assert_eq!(told(second - 1), "node 10 of rod 0");
        assert_eq!(told(second), "node 0 of rod 1");
        assert_eq!(told(second + 19), "the angle of edge 4 of rod 1");
        assert_eq!(told(topology.body_dof[1]), "body 1");
        assert_eq!(told(topology.body_dof[1] - 1), "body 0");
        assert_eq!(told(topology.joint_dof[0]), "joint 0");
        assert_eq!(told(topology.dofs - 1), "joint 0");
    }
}
