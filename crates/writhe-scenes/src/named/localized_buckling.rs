//! A straight rod, twisted, whose ends come together: it buckles into a helix of modulated
//! amplitude (B08 Fig. 7).

use glam::DVec3;

use super::Named;
use super::ends;
use super::wire::Wire;
use crate::error::SceneError;
use crate::spec::{
    DampingSpec, Defaults, MotionSpec, RestSpec, RodSpec, ShapeSpec, StraightSpec, TimeSpec, edges,
};
use crate::tree::{Keys, POSITIVE, section};
use crate::units::{Angle, Force, Length, Time};

section! {
    /// Parameters of the rod, which lies along +x between the middles of its clamped end edges.
    #[derive(Copy)]
    pub struct LocalizedBuckling {
        /// Length between the middles of the end edges, where their clamps act.
        pub length: Length = Length::new(9.29) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 180 => edges(4),
        /// Rotation of one end against the other, there from the start.
        pub turned: Angle = Angle::new(27.0 * std::f64::consts::TAU),
        /// Tension at the start; a twisted rod is straight above
        /// `(GJ turned / length)^2 / (4 EI)`.
        pub tension: Force = Force::new(60.0) => POSITIVE,
        /// Length of the rod less the distance of its ends when the run ends.
        pub shortening: Length = Length::new(0.3),
        /// Time that the ends take to come together.
        pub taking: Time = Time::new(40.0) => POSITIVE,
        /// Height of a bump in the middle at the start: a straight rod would not know where to
        /// buckle.
        pub perturbation: Length = Length::new(0.01),
    }
    /// The rod.
    with wire: Wire = Wire::new(1.345, 0.789, 0.02, 1.0);
    check Self::check
}

/// Stretching stiffness over the tension at the start.
const STIFF: f64 = 1e3;

impl LocalizedBuckling {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let (way, length) = (self.shortening.si(), self.length.si());
        let need = format!("not negative, and less than the length, {length} m");
        let good = (0.0..length).contains(&way);
        keys.check(&Self::shortening(), way, good, &need)
    }

    /// EA, N.
    fn stretching(&self) -> f64 {
        STIFF * self.tension.si()
    }
}

impl Named for LocalizedBuckling {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: "Localized helical buckling".to_owned(),
            damping: DampingSpec::new(5.0),
            time: TimeSpec::new(1.5 * self.taking.si(), 0.02),
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
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
        vec![rod]
    }
}
