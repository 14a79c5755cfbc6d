//! A straight rod clamped at one end, under its own weight or a force on its tip.

use super::Named;
use super::round_rod::RoundRod;
use crate::spec::{
    AmplitudeSpec, ClampSpec, DampingSpec, Defaults, EndRef, ForceSpec, GravitySpec, MotionSpec,
    POISSON, RodSpec, ShapeSpec, StraightSpec, TimeSpec, edges,
};
use crate::tree::{POSITIVE, section, words};
use crate::units::{Density, Force, Length, Number, Pressure};

section! {
    /// Parameters of the cantilever, which lies along +x and is loaded along -z.
    #[derive(Copy)]
    pub struct Cantilever {
        /// Length from the clamp plane to the tip.
        pub length: Length = Length::new(0.2) => POSITIVE,
        /// Radius of the rod.
        pub rod_radius: Length = Length::new(2e-3) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 50 => edges(2),
        /// Young's modulus.
        pub young: Pressure = Pressure::new(1e7) => POSITIVE,
        /// Poisson's ratio.
        pub poisson: Number = Number::new(0.5) => POISSON,
        /// Density.
        pub density: Density = Density::new(1000.0) => POSITIVE,
        /// What bends the rod.
        pub load: CantileverLoad = CantileverLoad::Gravity,
        /// Force on the tip along -z, for `load = "tip"`.
        pub tip_force: Force = Force::new(3e-3),
        /// Whether half of the clamped edge lies behind the clamp plane, so that `length` counts
        /// from that plane.
        pub half_edge: bool = true,
    }
}

words! {
    /// What bends the cantilever.
    pub enum CantileverLoad {
        /// Its own weight.
        Gravity = "gravity",
        /// A dead force on its tip.
        Tip = "tip",
    }
}

impl Cantilever {
    fn round_rod(&self) -> RoundRod {
        RoundRod::new(self.rod_radius, self.young, self.poisson, self.density)
    }
}

impl Named for Cantilever {
    fn defaults(&self) -> Defaults {
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
            damping: DampingSpec::new(0.05),
            time: TimeSpec::new(5.0, 5e-3),
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
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
                amplitude: AmplitudeSpec::one(),
                follows: None,
            }];
        }
        vec![rod]
    }
}
