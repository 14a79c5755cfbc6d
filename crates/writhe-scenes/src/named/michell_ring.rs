//! A straight rod bent into a ring whose ends were twisted before they were joined: it leaves its plane beyond
//! 2 pi sqrt(3) EI/GJ (Michell's instability; B08 Fig. 8).

use std::f64::consts::TAU;

use glam::DVec3;
use serde::Serialize;

use super::wire::Wire;
use crate::error::SceneError;
use crate::spec::{DampingSpec, Defaults, RestSpec, RodSpec, TimeSpec, read_edges, unit};
use crate::tree::{At, Keys};
use crate::units::{Angle, Length, Time, Viscosity};

/// Parameters of the ring, which lies in the plane z = 0 around the origin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MichellRing {
    /// Length over 2 pi, m.
    pub radius: Length,
    /// Number of edges.
    pub edges: usize,
    /// Twist of the ends before they were joined, rad.
    pub twist: Angle,
    /// Height of a two-fold wave out of the plane at the start, m.
    pub perturbation: Length,
    /// The rod.
    #[serde(flatten)]
    pub wire: Wire,
}

const KEYS: &[&str] = &[
    "name",
    "radius",
    "edges",
    "bending",
    "twisting",
    "twist",
    "perturbation",
    "rod_radius",
    "mass_per_length",
];

/// EA R^2/EI.
const STIFF: f64 = 1e5;

impl Default for MichellRing {
    fn default() -> Self {
        Self {
            radius: Length::new(1.0),
            edges: 50,
            twist: Angle::new(14.0),
            perturbation: Length::new(1e-3),
            wire: Wire::new(1.0, 1.0, 0.05, 1.0),
        }
    }
}

impl MichellRing {
    pub(super) fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let d = Self::default();
        let spec = Self {
            radius: keys.or("radius", d.radius)?,
            edges: read_edges(&keys, "edges", Some(d.edges), 3)?,
            twist: keys.or("twist", d.twist)?,
            perturbation: keys.or("perturbation", d.perturbation)?,
            wire: Wire::read(&keys, d.wire)?,
        };
        keys.positive("radius", spec.radius.si())?;
        Ok(spec)
    }

    /// EA, N.
    fn stretching(&self) -> f64 {
        STIFF * self.wire.bending.si() / self.radius.si().powi(2)
    }

    pub(super) fn defaults(&self) -> Defaults {
        Defaults {
            title: "Michell's ring".to_owned(),
            damping: DampingSpec {
                viscosity: Viscosity::new(2.0),
            },
            time: TimeSpec {
                duration: Time::new(20.0),
                step: Time::new(0.05),
                ..TimeSpec::default()
            },
            ..Defaults::default()
        }
    }

    pub(super) fn rod(&self) -> RodSpec {
        let n = self.edges as f64;
        // The regular polygon whose perimeter is 2 pi R.
        let half = 0.5 * TAU / n;
        let corner = self.radius.si() * half / half.sin();
        let node = |i: usize| {
            let angle = TAU * i as f64 / n;
            let (sin, cos) = angle.sin_cos();
            let wave = self.perturbation.si() * (2.0 * angle).cos();
            DVec3::new(corner * cos, corner * sin, wave)
        };
        let nodes: Vec<DVec3> = (0..self.edges).map(node).collect();
        let mut rod = self
            .wire
            .through(&nodes, RestSpec::Straight, self.stretching());
        rod.name = Some("ring".to_owned());
        rod.closed = true;
        rod.twist = self.twist;
        rod.first_director = Some(unit(2));
        rod
    }
}
