//! The twist with which a rod begins, on top of that of its rest shape: its directors are turned about
//! its edges, as much per length everywhere, so that the torque along a uniform rod is even.
//!
//! A closed rod closes only after whole turns. One that is round and straight at rest can have any twist
//! nevertheless: cut and glued together turned, which is a twist of its rest shape. So it has all of it,
//! whole turns too: what is followed in the twist, or begun from another run, would lose them otherwise.

use std::f64::consts::{PI, TAU};

use glam::DVec2;
use writhe::rod::{Rod, Section};

use super::part;
use crate::error::{Problem, SceneError};
use crate::scene::Scene;
use crate::spec::RodSpec;

/// Turns that count as whole, rad: rounding of what is given in degrees or turns.
const WHOLE: f64 = 1e-9;

/// How far directors are turned, and what the rest shape is twisted by.
pub(super) struct InitialTwist {
    /// Of each vertex, rad, `(vertices)`.
    turned: Vec<f64>,
    /// Taken off the twist at rest of each vertex, rad, `(vertices)`.
    at_rest: Vec<f64>,
}

impl InitialTwist {
    /// What the scene says of `rod`, whose lengths and sections are known.
    pub fn of(scene: &Scene, key: &str, spec: &RodSpec, rod: &Rod) -> Result<Self, SceneError> {
        let (total, lengths) = (spec.twist.si(), &rod.rest_lengths);
        let fail = |message: String, remedy: &str| {
            Err(scene.error(&part(key, "twist"), Problem::conflict(message, remedy)))
        };
        let alike = rod.sections.iter().all(is_round) && is_straight(rod);
        let turned = match (rod.closed, alike) {
            (true, true) => 0.0,
            (true, false) => (total / TAU).round() * TAU,
            (false, _) => total,
        };
        let left = total - turned;
        if left.abs() > WHOLE && !alike {
            let message = format!(
                "a closed rod of {} turns does not close: its section is not round, or it is curved at rest",
                total / TAU
            );
            let remedy = "give whole turns, such as \"2 turns\"; a round rod with `rest = \"straight\"` can have any twist";
            return fail(message, remedy);
        }
        let around = |v: usize| 0.5 * (lengths[v] + lengths[(v + 1) % lengths.len()]);
        let parts: Vec<f64> = (0..rod.vertices()).map(around).collect();
        let whole: f64 = parts.iter().sum();
        let spread = |angle: f64| -> Vec<f64> {
            (parts.iter())
                .map(|part| {
                    if angle == 0.0 {
                        0.0
                    } else {
                        angle * part / whole
                    }
                })
                .collect()
        };
        let turned_by = spread(turned);
        let largest = turned_by.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        if largest > PI - WHOLE || (turned != 0.0 && parts.is_empty()) {
            let message = format!(
                "a twist of {} turns is half a turn or more from one edge to the next, which cannot be told from less",
                total / TAU
            );
            let edges = (turned.abs() / PI).ceil() as usize + 2;
            return fail(
                message,
                &format!("take at least {edges} edges of one length"),
            );
        }
        Ok(Self {
            turned: turned_by,
            at_rest: spread(left),
        })
    }

    /// Components along m1 and m2 of what has the components `along` before the directors of a
    /// vertex are turned, which are the mean of those of its edges.
    pub fn seen_turned(&self, vertex: usize, along: [f64; 2]) -> [f64; 2] {
        let before: f64 = self.turned[..vertex].iter().sum();
        let angle = before + 0.5 * self.turned[vertex];
        DVec2::from_angle(-angle)
            .rotate(DVec2::from_array(along))
            .to_array()
    }

    /// Twists the rod.
    pub fn apply(&self, rod: &mut Rod) {
        if self.turned.iter().any(|angle| *angle != 0.0) {
            rod.twist_directors(&self.turned);
        }
        for (rest, angle) in rod.rest_twist.iter_mut().zip(&self.at_rest) {
            *rest -= angle;
        }
    }
}

fn is_round(section: &Section) -> bool {
    (section.ei1 - section.ei2).abs() <= 1e-9 * section.ei1.abs()
}

fn is_straight(rod: &Rod) -> bool {
    (rod.rest_curvature.iter().flatten()).all(|curvature| curvature.abs() <= 1e-9)
}
