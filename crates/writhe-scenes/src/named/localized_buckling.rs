//! A straight rod, twisted, whose ends come together: it buckles into a helix of modulated amplitude (B08 Fig. 7).

use glam::DVec3;
use serde::Serialize;

use super::ends;
use super::wire::Wire;
use crate::error::SceneError;
use crate::spec::{
    DampingSpec, Defaults, MotionSpec, RestSpec, RodSpec, ShapeSpec, StraightSpec, TimeSpec,
    read_edges,
};
use crate::tree::{At, Keys};
use crate::units::{Angle, Force, Length, Time, Viscosity};

/// Parameters of the rod, which lies along +x between the middles of its clamped end edges.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LocalizedBuckling {
    /// Length between the middles of the end edges, where their clamps act, m.
    pub length: Length,
    /// Number of edges.
    pub edges: usize,
    /// Rotation of one end against the other, rad, there from the start.
    pub turned: Angle,
    /// Tension at the start, N; a twisted rod is straight above `(GJ turned / length)^2 / (4 EI)`.
    pub tension: Force,
    /// By how much the ends are nearer than the rod is long in the end, m.
    pub shortening: Length,
    /// How long they take, s.
    pub taking: Time,
    /// Height of a bump in the middle at the start, m: a straight rod would not know where to buckle.
    pub perturbation: Length,
    /// The rod.
    #[serde(flatten)]
    pub wire: Wire,
}

const KEYS: &[&str] = &[
    "name",
    "length",
    "edges",
    "bending",
    "twisting",
    "turned",
    "tension",
    "shortening",
    "taking",
    "perturbation",
    "rod_radius",
    "mass_per_length",
];

/// Stretching stiffness over the tension at the start.
const STIFF: f64 = 1e3;

impl Default for LocalizedBuckling {
    fn default() -> Self {
        Self {
            length: Length::new(9.29),
            edges: 180,
            turned: Angle::new(27.0 * std::f64::consts::TAU),
            tension: Force::new(60.0),
            shortening: Length::new(0.3),
            taking: Time::new(40.0),
            perturbation: Length::new(0.01),
            wire: Wire::new(1.345, 0.789, 0.02, 1.0),
        }
    }
}

impl LocalizedBuckling {
    pub(super) fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let d = Self::default();
        let spec = Self {
            length: keys.or("length", d.length)?,
            edges: read_edges(&keys, "edges", Some(d.edges), 4)?,
            turned: keys.or("turned", d.turned)?,
            tension: keys.or("tension", d.tension)?,
            shortening: keys.or("shortening", d.shortening)?,
            taking: keys.or("taking", d.taking)?,
            perturbation: keys.or("perturbation", d.perturbation)?,
            wire: Wire::read(&keys, d.wire)?,
        };
        keys.positive("length", spec.length.si())?;
        keys.positive("tension", spec.tension.si())?;
        keys.positive("taking", spec.taking.si())?;
        let (way, length) = (spec.shortening.si(), spec.length.si());
        let need = format!("not negative, and less than the length, {length} m");
        keys.check("shortening", way, (0.0..length).contains(&way), &need)?;
        Ok(spec)
    }

    /// EA, N.
    fn stretching(&self) -> f64 {
        STIFF * self.tension.si()
    }

    pub(super) fn defaults(&self) -> Defaults {
        Defaults {
            title: "Localized helical buckling".to_owned(),
            damping: DampingSpec {
                viscosity: Viscosity::new(5.0),
            },
            time: TimeSpec {
                duration: Time::new(1.5 * self.taking.si()),
                step: Time::new(0.02),
                ..TimeSpec::default()
            },
            ..Defaults::default()
        }
    }

    pub(super) fn rod(&self) -> RodSpec {
        let stretch = 1.0 / STIFF;
        let (length, edges) = (self.length.si(), self.edges as f64);
        let l = length / (edges - 1.0);
        let node = |i: usize| {
            let x = l * (i as f64 - 0.5);
            let across = 10.0 * (x / length - 0.5);
            let inner = i > 1 && i + 1 < self.edges;
            let bump = self.perturbation.si() * (-across * across).exp();
            DVec3::new((1.0 + stretch) * x, if inner { bump } else { 0.0 }, 0.0)
        };
        let nodes: Vec<DVec3> = (0..=self.edges).map(node).collect();
        let zero = Length::default();
        let rest = ShapeSpec::Straight(StraightSpec {
            from: [zero; 3],
            to: [Length::new(l * edges), zero, zero],
            edges: self.edges,
        });
        let mut rod = self
            .wire
            .through(&nodes, RestSpec::Shape(rest), self.stretching());
        rod.name = Some("rod".to_owned());
        rod.twist = self.turned;
        let way = self.shortening.si() + stretch * length;
        let path = vec![[0.0; 4], [self.taking.si(), -way, 0.0, 0.0]];
        rod.clamps = ends::clamps(MotionSpec::Path(path));
        rod
    }
}
