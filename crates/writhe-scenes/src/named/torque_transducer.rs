//! Two bodies joined by a rod that twists between them (B08 Fig. 6).

use super::Named;
use super::round_rod::RoundRod;
use crate::spec::{
    Axes, BodySpec, ContactKind, ContactSpec, Defaults, EndRef, GuideSpec, OrientationSpec,
    POISSON, RodSpec, SchemeKind, ShapeSpec, SolidSpec, StraightSpec, TimeSpec, WeldSpec, edges,
    unit,
};
use crate::tree::{POSITIVE, section};
use crate::units::{Angle, AngularSpeed, Density, Length, Mass, Number, Pressure};

section! {
    /// Parameters of the transducer, which lies along x.
    #[derive(Copy)]
    pub struct TorqueTransducer {
        /// Length of the rod that twists: from the middle of its first to that of its last edge,
        /// which are rigid.
        pub length: Length = Length::new(0.2) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 22 => edges(3),
        /// Radius of the rod.
        pub rod_radius: Length = Length::new(2e-3) => POSITIVE,
        /// Young's modulus.
        pub young: Pressure = Pressure::new(1e9) => POSITIVE,
        /// Poisson's ratio.
        pub poisson: Number = Number::new(0.3) => POISSON,
        /// Density of the rod.
        pub density: Density = Density::new(1000.0) => POSITIVE,
        /// Mass of the heavy body, a disc at the first end.
        pub heavy: Mass = Mass::new(1.6) => POSITIVE,
        /// Mass of the light body, a disc at the last end.
        pub light: Mass = Mass::new(0.2) => POSITIVE,
        /// Radius of both discs.
        pub disc_radius: Length = Length::new(0.03) => POSITIVE,
        /// Angular velocity of the light body about x at the start; the heavy body turns the other
        /// way, so that both together have no angular momentum.
        pub spin: AngularSpeed = AngularSpeed::new(10.0),
        /// Whether the bodies turn about x alone; otherwise they are free.
        pub guided: bool = false,
    }
}

/// Thickness of a disc over its radius.
const THICKNESS: f64 = 0.4;

impl TorqueTransducer {
    fn round_rod(&self) -> RoundRod {
        RoundRod::new(self.rod_radius, self.young, self.poisson, self.density)
    }

    /// Rate at which the bodies swing against each other, rad/s: `sqrt(C/L (1/I1 + 1/I2))`, the
    /// rod's own inertia left out.
    pub fn omega(&self) -> f64 {
        let r = self.rod_radius.si();
        let shear = self.young.si() / (2.0 * (1.0 + self.poisson.si()));
        let twisting = shear * 0.5 * std::f64::consts::PI * r.powi(4) / self.length.si();
        let [i1, i2] = self.inertias();
        (twisting * (1.0 / i1 + 1.0 / i2)).sqrt()
    }

    /// Moments of inertia of the heavy and the light body about x, kg m^2.
    pub fn inertias(&self) -> [f64; 2] {
        [self.heavy, self.light].map(|m| 0.5 * m.si() * self.disc_radius.si().powi(2))
    }

    /// Where the rod ends, m.
    fn end(&self) -> f64 {
        self.length.si() * self.edges as f64 / (self.edges - 1) as f64
    }
}

impl Named for TorqueTransducer {
    fn defaults(&self) -> Defaults {
        // Ten periods in 400 steps each.
        let period = std::f64::consts::TAU / self.omega();
        Defaults {
            title: "Torque transducer".to_owned(),
            contact: ContactSpec::of(ContactKind::None),
            time: TimeSpec {
                scheme: SchemeKind::ImplicitMidpoint,
                ..TimeSpec::new(10.0 * period, period / 400.0)
            },
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        let shape = ShapeSpec::Straight(StraightSpec {
            from: [Length::default(); 3],
            to: [self.end(), 0.0, 0.0].map(Length::new),
            edges: self.edges,
        });
        let mut rod = self.round_rod().of_shape(shape);
        rod.name = Some("rod".to_owned());
        vec![rod]
    }

    fn bodies(&self) -> Vec<BodySpec> {
        let thickness = THICKNESS * self.disc_radius.si();
        let body = |name: &str, mass: Mass, edge: EndRef, x: f64, spin: f64| BodySpec {
            name: Some(name.to_owned()),
            mass: Some(mass),
            position: [x, 0.0, 0.0].map(Length::new),
            angular_velocity: [spin, 0.0, 0.0].map(AngularSpeed::new),
            orientation: OrientationSpec {
                axis: unit(1),
                angle: Angle::new(std::f64::consts::FRAC_PI_2),
            },
            solid: Some(SolidSpec::Cylinder {
                radius: self.disc_radius,
                length: Length::new(thickness),
            }),
            welds: vec![WeldSpec::new(0, edge)],
            guide: self.guided.then_some(GuideSpec {
                position: Axes([true; 3]),
                turn: Axes([false, true, true]),
            }),
            ..BodySpec::new()
        };
        let spin = self.spin.si();
        let back = -spin * self.light.si() / self.heavy.si();
        vec![
            body("heavy", self.heavy, EndRef::First, -0.5 * thickness, back),
            body(
                "light",
                self.light,
                EndRef::Last,
                self.end() + 0.5 * thickness,
                spin,
            ),
        ]
    }
}
