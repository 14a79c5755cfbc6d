//! A closed rod: twisted (Michell's instability) or released from an ellipse.

use super::Named;
use super::round_rod::RoundRod;
use crate::spec::centreline;
use crate::spec::{
    DampingSpec, Defaults, POISSON, Point, RestSpec, RingSpec, RodSpec, ShapeSpec, TimeSpec, edges,
    unit,
};
use crate::tree::{POSITIVE, section, words};
use crate::units::{Angle, Density, Length, Number, Pressure};

section! {
    /// Parameters of the ring, which lies in the plane z = 0 around the origin.
    #[derive(Copy)]
    pub struct Ring {
        /// Radius of the circle through the nodes.
        pub radius: Length = Length::new(0.05) => POSITIVE,
        /// Radius of the rod.
        pub rod_radius: Length = Length::new(1e-3) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 100 => edges(3),
        /// Ratio of the semi-axes at the start; an ellipse has the circle's perimeter.
        pub aspect: Number = Number::new(1.0) => POSITIVE,
        /// Rest shape.
        pub rest: RingRest = RingRest::Straight,
        /// Twist by which the ring was turned before its ends were joined.
        pub twist: Angle = Angle::new(0.0),
        /// Height of a two-fold wave out of the plane at the start; what a perfect ring needs in
        /// order to buckle.
        pub perturbation: Length = Length::new(0.0),
        /// Young's modulus.
        pub young: Pressure = Pressure::new(1e7) => POSITIVE,
        /// Poisson's ratio.
        pub poisson: Number = Number::new(0.5) => POISSON,
        /// Density.
        pub density: Density = Density::new(1000.0) => POSITIVE,
    }
}

words! {
    /// Rest shape of the ring.
    pub enum RingRest {
        /// Bent from a straight rod.
        Straight = "straight",
        /// A circle without stress.
        Circle = "circle",
    }
}

impl Ring {
    fn round_rod(&self) -> RoundRod {
        RoundRod::new(self.rod_radius, self.young, self.poisson, self.density)
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
}

impl Named for Ring {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: if self.twist.si() == 0.0 {
                "Ring"
            } else {
                "Twisted ring"
            }
            .to_owned(),
            damping: DampingSpec::new(0.02),
            time: TimeSpec::new(2.0, 2e-3),
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        let wave = self.perturbation.si();
        let mut nodes = centreline::ring(&self.shape(self.aspect.si()));
        let count = nodes.len() as f64;
        for (i, x) in nodes.iter_mut().enumerate() {
            x.z += wave * (2.0 * std::f64::consts::TAU * i as f64 / count).cos();
        }
        let mut rod = self.round_rod().of_shape(centreline::through(&nodes));
        rod.name = Some("ring".to_owned());
        rod.closed = true;
        rod.twist = self.twist;
        rod.first_director = Some(unit(2));
        rod.rest = match self.rest {
            RingRest::Straight => RestSpec::Straight,
            RingRest::Circle => RestSpec::Shape(ShapeSpec::Ring(self.shape(1.0))),
        };
        vec![rod]
    }
}
