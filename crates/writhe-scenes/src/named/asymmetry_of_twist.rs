//! A rod bent at rest, clamped at one end and turned at the other: its curvature holds the twist
//! back (B08 Fig. 5).

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;

use super::Named;
use super::ends;
use super::wire::Wire;
use crate::spec::{DampingSpec, Defaults, RestSpec, RodSpec, TimeSpec, edges, unit};
use crate::tree::{POSITIVE, section, words};
use crate::units::{Angle, Length, Rigidity, Time};

section! {
    /// Parameters of the rod, which lies in the plane z = 0.
    #[derive(Copy)]
    pub struct AsymmetryOfTwist {
        /// Shape of the rod at rest.
        pub rest: BentRest = BentRest::V,
        /// Length of the rod.
        pub length: Length = Length::new(1.0) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 48 => edges(8),
        /// EI against bending out of that plane.
        pub bending_across: Rigidity = Rigidity::new(4.0) => POSITIVE,
        /// Rotation of the last end about its tangent when the run ends.
        pub turned: Angle = Angle::new(12.0 * PI),
        /// Time that this rotation takes.
        pub taking: Time = Time::new(60.0) => POSITIVE,
    }
    /// The rod; `bending` is in the plane of the rest shape.
    with wire: Wire = Wire::new(1.0, 0.1, 0.012, 1.0);
}

words! {
    /// Shape of a rod at rest.
    pub enum BentRest {
        /// Two straight halves at a right angle, joined by a short bend.
        V = "v",
        /// Half a circle.
        Arc = "arc",
        /// Straight.
        Straight = "straight",
    }
}

/// EA L^2/EI.
const STIFF: f64 = 1e4;
/// Part of the length over which a V bends.
const BEND: f64 = 0.1;

impl AsymmetryOfTwist {
    /// EA, N.
    fn stretching(&self) -> f64 {
        let stiffest = self.wire.bending.si().max(self.bending_across.si());
        STIFF * stiffest / self.length.si().powi(2)
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
}

impl Named for AsymmetryOfTwist {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: "Asymmetry of twist".to_owned(),
            damping: DampingSpec::new(20.0),
            time: TimeSpec::new(self.taking.si(), self.taking.si() / 1000.0),
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
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
        vec![rod]
    }
}
