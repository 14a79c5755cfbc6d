//! A loose trefoil, twisted by one of its ends until it jumps into another shape (B08 Fig. 1).

use serde::Serialize;

use super::knot::{Knot, KnotKind, PhaseSpec};
use crate::error::SceneError;
use crate::spec::{ContactSpec, DampingSpec, Defaults, RodSpec, TimeSpec};
use crate::tree::{At, Keys};
use crate::units::{
    Angle, AngularSpeed, Density, Length, Number, Pressure, Speed, Time, Viscosity,
};

/// Parameters of the knot, whose ends lie along x.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwistedKnot {
    /// Contour, m.
    pub length: Length,
    /// Distance of both ends, m.
    pub end_distance: Length,
    /// Number of edges.
    pub edges: usize,
    /// Rotation of the last end about +x in the end, rad; against the knot's handedness if negative.
    pub turned: Angle,
    /// How long it takes, s.
    pub taking: Time,
    /// Whether the trefoil's crossings are left-handed.
    pub left_handed: bool,
    /// Radius of the rod, m.
    pub rod_radius: Length,
    /// Young's modulus, Pa.
    pub young: Pressure,
    /// Poisson's ratio.
    pub poisson: Number,
    /// Density, kg/m^3.
    pub density: Density,
}

const KEYS: &[&str] = &[
    "name",
    "length",
    "end_distance",
    "edges",
    "turned",
    "taking",
    "left_handed",
    "rod_radius",
    "young",
    "poisson",
    "density",
];

/// How long the knot rests before it is twisted, and after, s.
const REST: f64 = 1.0;

impl Default for TwistedKnot {
    fn default() -> Self {
        Self {
            length: Length::new(1.0),
            end_distance: Length::new(0.6),
            edges: 59,
            turned: Angle::new(8.0 * std::f64::consts::TAU),
            taking: Time::new(80.0),
            left_handed: false,
            rod_radius: Length::new(4e-3),
            young: Pressure::new(1e6),
            poisson: Number::new(0.5),
            density: Density::new(1000.0),
        }
    }
}

impl TwistedKnot {
    pub(super) fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let d = Self::default();
        let spec = Self {
            length: keys.or("length", d.length)?,
            end_distance: keys.or("end_distance", d.end_distance)?,
            edges: crate::spec::read_edges(&keys, "edges", Some(d.edges), 20)?,
            turned: keys.or("turned", d.turned)?,
            taking: keys.or("taking", d.taking)?,
            left_handed: keys.or("left_handed", d.left_handed)?,
            rod_radius: keys.or("rod_radius", d.rod_radius)?,
            young: keys.or("young", d.young)?,
            poisson: keys.or("poisson", d.poisson)?,
            density: keys.or("density", d.density)?,
        };
        keys.positive("taking", spec.taking.si())?;
        spec.knot().check(&keys)?;
        Ok(spec)
    }

    fn knot(&self) -> Knot {
        let phase = |lasts: f64, twist: f64| PhaseSpec {
            lasts: Time::new(lasts),
            speed: Speed::new(0.0),
            twist: AngularSpeed::new(twist),
            tip: None,
        };
        let taking = self.taking.si();
        Knot {
            kind: KnotKind::Overhand,
            unknotting_number: Some(1),
            p: None,
            q: None,
            left_handed: Some(self.left_handed),
            length: self.length,
            end_distance: Some(self.end_distance),
            rod_radius: self.rod_radius,
            edges: self.edges,
            young: self.young,
            poisson: self.poisson,
            density: self.density,
            schedule: Some(vec![
                phase(REST, 0.0),
                phase(taking, self.turned.si() / taking),
                phase(REST, 0.0),
            ]),
        }
    }

    pub(super) fn defaults(&self) -> Defaults {
        Defaults {
            title: "Trefoil, twisted".to_owned(),
            contact: ContactSpec::default(),
            damping: DampingSpec {
                viscosity: Viscosity::new(0.1),
            },
            time: TimeSpec {
                step: Time::new(1e-2),
                ..self.knot().defaults().time
            },
            ..self.knot().defaults()
        }
    }

    pub(super) fn rods(&self) -> Vec<RodSpec> {
        self.knot().rods()
    }
}
