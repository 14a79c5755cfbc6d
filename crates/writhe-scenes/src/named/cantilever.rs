//! A straight rod clamped at one end, under its own weight or a force on its tip.

use serde::Serialize;

use super::round_rod::RoundRod;
use crate::error::SceneError;
use crate::spec::{
    AmplitudeSpec, ClampSpec, DampingSpec, Defaults, EndRef, ForceSpec, GravitySpec, MotionSpec,
    RodSpec, ShapeSpec, StraightSpec, TimeSpec, read_edges,
};
use crate::tree::{At, Keys};
use crate::units::{Density, Force, Length, Number, Pressure, Time, Viscosity};

/// Parameters of the cantilever, which lies along +x and is loaded along -z.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cantilever {
    /// Length from the clamp plane to the tip, m.
    pub length: Length,
    /// Radius, m.
    pub rod_radius: Length,
    /// Number of edges.
    pub edges: usize,
    /// Young's modulus, Pa.
    pub young: Pressure,
    /// Poisson's ratio.
    pub poisson: Number,
    /// Density, kg/m^3.
    pub density: Density,
    /// What bends it.
    pub load: CantileverLoad,
    /// Force on the tip along -z, N, for `load = "tip"`.
    pub tip_force: Force,
    /// Whether half of the clamped edge lies behind the clamp plane, so that `length` counts from that plane.
    pub half_edge: bool,
}

/// What bends the cantilever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CantileverLoad {
    /// Its own weight.
    Gravity,
    /// A dead force on its tip.
    Tip,
}

const KEYS: &[&str] = &[
    "name",
    "length",
    "rod_radius",
    "edges",
    "young",
    "poisson",
    "density",
    "load",
    "tip_force",
    "half_edge",
];

impl Default for Cantilever {
    fn default() -> Self {
        Self {
            length: Length::new(0.2),
            rod_radius: Length::new(2e-3),
            edges: 50,
            young: Pressure::new(1e7),
            poisson: Number::new(0.5),
            density: Density::new(1000.0),
            load: CantileverLoad::Gravity,
            tip_force: Force::new(3e-3),
            half_edge: true,
        }
    }
}

impl Cantilever {
    pub(super) fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let d = Self::default();
        let spec = Self {
            length: keys.or("length", d.length)?,
            rod_radius: keys.or("rod_radius", d.rod_radius)?,
            edges: read_edges(&keys, "edges", Some(d.edges), 2)?,
            young: keys.or("young", d.young)?,
            poisson: keys.or("poisson", d.poisson)?,
            density: keys.or("density", d.density)?,
            load: keys.at("load").map_or(Ok(d.load), |at| {
                at.word(&[
                    ("gravity", CantileverLoad::Gravity),
                    ("tip", CantileverLoad::Tip),
                ])
            })?,
            tip_force: keys.or("tip_force", d.tip_force)?,
            half_edge: keys.or("half_edge", d.half_edge)?,
        };
        keys.positive("length", spec.length.si())?;
        spec.round_rod().check(&keys)?;
        Ok(spec)
    }

    fn round_rod(&self) -> RoundRod {
        RoundRod::new(self.rod_radius, self.young, self.poisson, self.density)
    }

    pub(super) fn defaults(&self) -> Defaults {
        let gravity = self.load == CantileverLoad::Gravity;
        Defaults {
            title: if gravity {
                "Heavy cantilever"
            } else {
                "Cantilever with a tip force"
            }
            .to_owned(),
            gravity: if gravity {
                GravitySpec::earth()
            } else {
                GravitySpec::default()
            },
            damping: DampingSpec {
                viscosity: Viscosity::new(0.05),
            },
            time: TimeSpec {
                duration: Time::new(5.0),
                step: Time::new(5e-3),
                ..TimeSpec::default()
            },
            ..Defaults::default()
        }
    }

    pub(super) fn rod(&self) -> RodSpec {
        let zero = Length::default();
        let shape = ShapeSpec::Straight(StraightSpec {
            from: [zero; 3],
            to: [self.length, zero, zero],
            edges: self.edges,
        });
        let mut rod = self.round_rod().of_shape(shape);
        rod.name = Some("cantilever".to_owned());
        rod.clamps = vec![ClampSpec {
            edge: EndRef::First,
            motion: MotionSpec::Still,
            half_edge: self.half_edge,
        }];
        if self.load == CantileverLoad::Tip {
            rod.forces = vec![ForceSpec {
                node: EndRef::Last,
                force: [0.0, 0.0, -self.tip_force.si()].map(Force::new),
                amplitude: AmplitudeSpec::Constant(Number::new(1.0)),
                follows: None,
            }];
        }
        rod
    }
}
