//! A rod bent at rest, clamped at one end and turned at the other: its curvature holds the twist back (B08 Fig. 5).

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;
use serde::Serialize;

use super::ends;
use super::wire::Wire;
use crate::error::SceneError;
use crate::spec::{DampingSpec, Defaults, RestSpec, RodSpec, TimeSpec, read_edges, unit};
use crate::tree::{At, Keys};
use crate::units::{Angle, Length, Rigidity, Time, Viscosity};

/// Parameters of the rod, which lies in the plane z = 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AsymmetryOfTwist {
    /// Shape at rest.
    pub rest: BentRest,
    /// Length, m.
    pub length: Length,
    /// Number of edges.
    pub edges: usize,
    /// EI against bending out of this plane, N m^2.
    pub bending_across: Rigidity,
    /// Rotation of the last end about its tangent in the end, rad.
    pub turned: Angle,
    /// How long it takes, s.
    pub taking: Time,
    /// The rod; `bending` is in the plane of the rest shape.
    #[serde(flatten)]
    pub wire: Wire,
}

/// Shape of a rod at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BentRest {
    /// Two straight halves at a right angle, joined by a short bend.
    V,
    /// Half a circle.
    Arc,
    /// Straight.
    Straight,
}

const KEYS: &[&str] = &[
    "name",
    "rest",
    "length",
    "edges",
    "bending",
    "bending_across",
    "twisting",
    "turned",
    "taking",
    "rod_radius",
    "mass_per_length",
];

/// EA L^2/EI.
const STIFF: f64 = 1e4;
/// Part of the length over which a V bends.
const BEND: f64 = 0.1;

impl Default for AsymmetryOfTwist {
    fn default() -> Self {
        Self {
            rest: BentRest::V,
            length: Length::new(1.0),
            edges: 48,
            bending_across: Rigidity::new(4.0),
            turned: Angle::new(12.0 * PI),
            taking: Time::new(60.0),
            wire: Wire::new(1.0, 0.1, 0.012, 1.0),
        }
    }
}

impl AsymmetryOfTwist {
    pub(super) fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let d = Self::default();
        let spec = Self {
            rest: keys.at("rest").map_or(Ok(d.rest), |at| {
                at.word(&[
                    ("v", BentRest::V),
                    ("arc", BentRest::Arc),
                    ("straight", BentRest::Straight),
                ])
            })?,
            length: keys.or("length", d.length)?,
            edges: read_edges(&keys, "edges", Some(d.edges), 8)?,
            bending_across: keys.or("bending_across", d.bending_across)?,
            turned: keys.or("turned", d.turned)?,
            taking: keys.or("taking", d.taking)?,
            wire: Wire::read(&keys, d.wire)?,
        };
        keys.positive("length", spec.length.si())?;
        keys.positive("bending_across", spec.bending_across.si())?;
        keys.positive("taking", spec.taking.si())?;
        Ok(spec)
    }

    /// EA, N.
    fn stretching(&self) -> f64 {
        let stiffest = self.wire.bending.si().max(self.bending_across.si());
        STIFF * stiffest / self.length.si().powi(2)
    }

    pub(super) fn defaults(&self) -> Defaults {
        Defaults {
            title: "Asymmetry of twist".to_owned(),
            damping: DampingSpec {
                viscosity: Viscosity::new(20.0),
            },
            time: TimeSpec {
                duration: self.taking,
                step: Time::new(self.taking.si() / 1000.0),
                ..TimeSpec::default()
            },
            ..Defaults::default()
        }
    }

    /// Angle of the tangent to +x at the part `u` of the length.
    fn direction(&self, u: f64) -> f64 {
        match self.rest {
            BentRest::V => {
                let part = ((u - 0.5) / BEND + 0.5).clamp(0.0, 1.0);
                FRAC_PI_2 * (part - 0.5)
            }
            BentRest::Arc => PI * (u - 0.5),
            BentRest::Straight => 0.0,
        }
    }

    pub(super) fn rod(&self) -> RodSpec {
        let n = self.edges as f64;
        let l = self.length.si() / n;
        let mut nodes = vec![DVec3::ZERO];
        for i in 0..self.edges {
            let (sin, cos) = self.direction((i as f64 + 0.5) / n).sin_cos();
            nodes.push(nodes[i] + DVec3::new(cos, sin, 0.0) * l);
        }
        let mut rod = self.wire.anisotropic(
            &nodes,
            RestSpec::Initial,
            self.stretching(),
            self.bending_across,
        );
        rod.name = Some("rod".to_owned());
        rod.first_director = Some(unit(1));
        let turning = ends::turning(&nodes, self.turned, self.taking);
        rod.clamps = ends::clamps(turning);
        rod
    }
}
