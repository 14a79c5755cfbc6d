//! Whether a run cannot go on because a rod is crushed: two obstacles press on it from opposite
//! sides until there is no room for it.
//!
//! What fails then is whatever gives way first, an edge that turns over or an iteration without
//! balance, which says nothing to a user.

use writhe::model::Model;
use writhe::observe::{ObstaclePoint, observe};
use writhe::state::State;

use crate::format::{length, number};

/// Cosine of the angle between the directions of two forces that press against each other.
const OPPOSED: f64 = -0.7;
/// Normal force over a rod's stiffness EA from which on it is crushed: no elastic rod stands that.
const CRUSHING: f64 = 0.05;

/// A rod between two obstacles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crush {
    /// The rod.
    pub rod: usize,
    /// Rest arc length from its first node, m.
    pub arc: f64,
    /// Its diameter, m.
    pub diameter: f64,
    /// The obstacles.
    pub obstacles: [usize; 2],
    /// Normal force of each, N.
    pub forces: [f64; 2],
}

impl Crush {
    /// That of a state, if a rod is crushed in it: where it is pressed hardest.
    pub fn of(model: &Model, state: &State) -> Option<Self> {
        let points = observe(model, state).ok()?.obstacle_points;
        let pairs = points.iter().enumerate();
        let pairs = pairs.flat_map(|(i, a)| points[i + 1..].iter().map(move |b| (a, b)));
        pairs
            .filter_map(|(a, b)| Self::between(model, a, b))
            .max_by(|a, b| a.force().total_cmp(&b.force()))
    }

    fn between(model: &Model, a: &ObstaclePoint, b: &ObstaclePoint) -> Option<Self> {
        let rod = &model.topology.rods[a.rod];
        let edges = rod.first_edge..rod.first_edge + rod.edges;
        let near = |edge: &usize| (model.edge_arc[*edge] - a.arc).abs();
        let edge = edges.min_by(|x, y| near(x).total_cmp(&near(y)))?;
        let diameter = 2.0 * model.radius[edge];
        let crush = Self {
            rod: a.rod,
            arc: a.arc,
            diameter,
            obstacles: [a.obstacle, b.obstacle],
            forces: [a.force, b.force],
        };
        let beside = (a.arc - b.arc).abs() <= diameter + model.rest_length[edge];
        let one_place = a.rod == b.rod && a.obstacle != b.obstacle && beside;
        let opposed = a.normal.dot(b.normal) < OPPOSED;
        let hard = crush.force() > CRUSHING * model.stretching[edge];
        (one_place && opposed && hard).then_some(crush)
    }

    /// The smaller of both forces, N.
    fn force(&self) -> f64 {
        self.forces[0].min(self.forces[1])
    }

    /// What happens.
    pub fn cause(&self) -> String {
        let Self {
            rod,
            obstacles: [a, b],
            forces: [f, g],
            ..
        } = self;
        format!(
            "rod {rod} is crushed {} from its first node: obstacle {a} and obstacle {b} press on it from both sides with {} N and {} N",
            length(self.arc),
            number(*f, 3),
            number(*g, 3)
        )
    }

    /// What may help.
    pub fn remedy(&self) -> String {
        format!(
            "to leave the rod's diameter, {}, between them",
            length(self.diameter)
        )
    }
}
