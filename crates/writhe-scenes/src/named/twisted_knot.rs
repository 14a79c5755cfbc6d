//! A loose trefoil, twisted by one of its ends until it jumps into another shape (B08 Fig. 1).

use super::Named;
use super::knot::{Knot, KnotKind, PhaseSpec};
use crate::error::SceneError;
use crate::spec::{ContactSpec, DampingSpec, Defaults, POISSON, RodSpec, TimeSpec, edges};
use crate::tree::{Keys, POSITIVE, section};
use crate::units::{Angle, AngularSpeed, Density, Length, Number, Pressure, Speed, Time};

section! {
    /// Parameters of the knot, whose ends lie along x.
    pub struct TwistedKnot {
        /// Length of the rod.
        pub length: Length = Length::new(1.0) => POSITIVE,
        /// Distance of both ends.
        pub end_distance: Length = Length::new(0.6) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 59 => edges(20),
        /// Rotation of the last end about +x when the run ends; against the knot's handedness if
        /// negative.
        pub turned: Angle = Angle::new(8.0 * std::f64::consts::TAU),
        /// Time that this rotation takes.
        pub taking: Time = Time::new(80.0) => POSITIVE,
        /// Whether the trefoil's crossings are left-handed.
        pub left_handed: bool = false,
        /// Radius of the rod.
        pub rod_radius: Length = Length::new(4e-3) => POSITIVE,
        /// Young's modulus.
        pub young: Pressure = Pressure::new(1e6) => POSITIVE,
        /// Poisson's ratio.
        pub poisson: Number = Number::new(0.5) => POISSON,
        /// Density.
        pub density: Density = Density::new(1000.0) => POSITIVE,
    }
    check Self::check
}

/// How long the knot rests before it is twisted, and after, s.
const REST: f64 = 1.0;

impl TwistedKnot {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        self.knot().check(keys)
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
}

impl Named for TwistedKnot {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: "Trefoil, twisted".to_owned(),
            contact: ContactSpec::default(),
            damping: DampingSpec::new(0.1),
            time: TimeSpec {
                step: Time::new(1e-2),
                ..self.knot().defaults().time
            },
            ..self.knot().defaults()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        self.knot().rods()
    }
}
