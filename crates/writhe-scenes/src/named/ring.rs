//! A closed rod: twisted (Michell's instability) or released from an ellipse.

use serde::Serialize;

use super::round_rod::RoundRod;
use crate::error::SceneError;
use crate::shapes;
use crate::spec::{
    DampingSpec, Defaults, Point, RestSpec, RingSpec, RodSpec, ShapeSpec, TimeSpec, read_edges,
    unit,
};
use crate::tree::{At, Keys};
use crate::units::{Angle, Density, Length, Number, Pressure, Time, Viscosity};

/// Parameters of the ring, which lies in the plane z = 0 around the origin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ring {
    /// Radius of the circle through the nodes, m.
    pub radius: Length,
    /// Radius of the rod, m.
    pub rod_radius: Length,
    /// Number of edges.
    pub edges: usize,
    /// Ratio of the semi-axes at the start; an ellipse has the circle's perimeter.
    pub aspect: Number,
    /// Rest shape.
    pub rest: RingRest,
    /// Twist by which the ring was turned before its ends were joined, rad.
    pub twist: Angle,
    /// Height of a two-fold wave out of the plane at the start, m; what a perfect ring needs in order to buckle.
    pub perturbation: Length,
    /// Young's modulus, Pa.
    pub young: Pressure,
    /// Poisson's ratio.
    pub poisson: Number,
    /// Density, kg/m^3.
    pub density: Density,
}

/// Rest shape of the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RingRest {
    /// Bent from a straight rod.
    Straight,
    /// A circle without stress.
    Circle,
}

const KEYS: &[&str] = &[
    "name",
    "radius",
    "rod_radius",
    "edges",
    "aspect",
    "rest",
    "twist",
    "perturbation",
    "young",
    "poisson",
    "density",
];

impl Default for Ring {
    fn default() -> Self {
        Self {
            radius: Length::new(0.05),
            rod_radius: Length::new(1e-3),
            edges: 100,
            aspect: Number::new(1.0),
            rest: RingRest::Straight,
            twist: Angle::new(0.0),
            perturbation: Length::new(0.0),
            young: Pressure::new(1e7),
            poisson: Number::new(0.5),
            density: Density::new(1000.0),
        }
    }
}

impl Ring {
    pub(super) fn read(at: &At) -> Result<Self, SceneError> {
        let keys = Keys::new(at, KEYS)?;
        let d = Self::default();
        let spec = Self {
            radius: keys.or("radius", d.radius)?,
            rod_radius: keys.or("rod_radius", d.rod_radius)?,
            edges: read_edges(&keys, "edges", Some(d.edges), 3)?,
            aspect: keys.or("aspect", d.aspect)?,
            rest: keys.at("rest").map_or(Ok(d.rest), |at| {
                at.word(&[
                    ("straight", RingRest::Straight),
                    ("circle", RingRest::Circle),
                ])
            })?,
            twist: keys.or("twist", d.twist)?,
            perturbation: keys.or("perturbation", d.perturbation)?,
            young: keys.or("young", d.young)?,
            poisson: keys.or("poisson", d.poisson)?,
            density: keys.or("density", d.density)?,
        };
        for (name, value) in [("radius", spec.radius.si()), ("aspect", spec.aspect.si())] {
            keys.positive(name, value)?;
        }
        spec.round_rod().check(&keys)?;
        Ok(spec)
    }

    fn round_rod(&self) -> RoundRod {
        RoundRod::new(self.rod_radius, self.young, self.poisson, self.density)
    }

    pub(super) fn defaults(&self) -> Defaults {
        Defaults {
            title: if self.twist.si() == 0.0 {
                "Ring"
            } else {
                "Twisted ring"
            }
            .to_owned(),
            damping: DampingSpec {
                viscosity: Viscosity::new(0.02),
            },
            time: TimeSpec {
                duration: Time::new(2.0),
                step: Time::new(2e-3),
                ..TimeSpec::default()
            },
            ..Defaults::default()
        }
    }

    fn shape(&self, aspect: f64) -> RingSpec {
        RingSpec {
            center: Point::default(),
            axis: unit(2),
            start: unit(0),
            radius: self.radius,
            aspect: Number::new(aspect),
            edges: self.edges,
        }
    }

    pub(super) fn rod(&self) -> RodSpec {
        let wave = self.perturbation.si();
        let mut nodes = shapes::ring(&self.shape(self.aspect.si()));
        let count = nodes.len() as f64;
        for (i, x) in nodes.iter_mut().enumerate() {
            x.z += wave * (2.0 * std::f64::consts::TAU * i as f64 / count).cos();
        }
        let nodes = nodes
            .iter()
            .map(|x| x.to_array().map(Length::new))
            .collect();
        let mut rod = self.round_rod().of_shape(ShapeSpec::Nodes(nodes));
        rod.name = Some("ring".to_owned());
        rod.closed = true;
        rod.twist = self.twist;
        rod.first_director = Some(unit(2));
        rod.rest = match self.rest {
            RingRest::Straight => RestSpec::Straight,
            RingRest::Circle => RestSpec::Shape(ShapeSpec::Ring(self.shape(1.0))),
        };
        rod
    }
}
