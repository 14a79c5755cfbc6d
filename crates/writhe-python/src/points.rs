//! Point loads: where they are, and those whose components a function of time says.

use std::sync::{Arc, Mutex, PoisonError};

use glam::DVec3;
use writhe::assembly::{Blocks, Trial};
use writhe::loads::{Load, PointForce, PointMoment};
use writhe::rod::Topology;
use writhe::schedule::Schedule;

use crate::force::NAME;
use crate::motion::Function;

/// What is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A node, flat, with a force along the frame of an edge if one is given.
    Node(usize, Option<usize>),
    /// An edge, flat, with a moment along its frame, or along the axes of the scene.
    Edge(usize, bool),
}

/// A force on a node, N, or a moment on an edge, N m.
#[derive(Debug)]
pub struct Followed {
    pub place: Place,
    pub function: Arc<Function>,
    /// The time that it was asked for last, s, and what it said: every trial of a step asks.
    said: Mutex<Option<(f64, DVec3)>>,
}

impl Place {
    /// A constant load here, N or N m.
    pub fn load(self, value: DVec3) -> Box<dyn Load> {
        let amplitude = Schedule::Constant(1.0);
        match self {
            Self::Node(node, follows) => Box::new(PointForce {
                node,
                force: value,
                amplitude,
                follows,
            }),
            Self::Edge(edge, follows) => Box::new(PointMoment {
                edge,
                moment: value,
                amplitude,
                follows,
            }),
        }
    }
}

impl Followed {
    pub fn new(place: Place, function: Arc<Function>) -> Self {
        let said = Mutex::new(None);
        Self {
            place,
            function,
            said,
        }
    }

    /// As it is at `time`, s.
    fn at(&self, time: f64) -> Box<dyn Load> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let value = match *said {
            Some((then, value)) if then == time => value,
            _ => self.function.vector_within(time),
        };
        *said = Some((time, value));
        self.place.load(value)
    }
}

impl Load for Followed {
    fn name(&self) -> &'static str {
        NAME
    }

    fn add_force(&self, at: &Trial, force: &mut [f64]) {
        self.at(at.time).add_force(at, force);
    }

    fn add_stiffness(&self, at: &Trial, blocks: &mut dyn Blocks) {
        self.at(at.time).add_stiffness(at, blocks);
    }

    fn potential(&self, at: &Trial) -> Option<f64> {
        self.at(at.time).potential(at)
    }

    fn couplings(&self, topology: &Topology) -> Vec<Vec<usize>> {
        self.place.load(DVec3::ZERO).couplings(topology)
    }
}
