//! A straight rod bent into a ring whose ends were twisted before they were joined: it leaves its
//! plane beyond 2 pi sqrt(3) EI/GJ (Michell's instability; B08 Fig. 8).

use std::f64::consts::TAU;

use glam::DVec3;

use super::Named;
use super::wire::Wire;
use crate::spec::{DampingSpec, Defaults, RestSpec, RodSpec, TimeSpec, edges, unit};
use crate::tree::{POSITIVE, section};
use crate::units::{Angle, Length};

section! {
    /// Parameters of the ring, which lies in the plane z = 0 around the origin.
    #[derive(Copy)]
    pub struct MichellRing {
        /// Length over 2 pi.
        pub radius: Length = Length::new(1.0) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 50 => edges(3),
        /// Twist of the ends before they were joined.
        pub twist: Angle = Angle::new(14.0),
        /// Height of a two-fold wave out of the plane at the start.
        pub perturbation: Length = Length::new(1e-3),
    }
    /// The rod.
    with wire: Wire = Wire::new(1.0, 1.0, 0.05, 1.0);
}

/// EA R^2/EI.
const STIFF: f64 = 1e5;

impl MichellRing {
    /// EA, N.
    fn stretching(&self) -> f64 {
        STIFF * self.wire.bending.si() / self.radius.si().powi(2)
    }
}

impl Named for MichellRing {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: "Michell's ring".to_owned(),
            damping: DampingSpec::new(2.0),
            time: TimeSpec::new(20.0, 0.05),
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        let n = self.edges as f64;
        // The regular polygon whose perimeter is 2 pi R.
        let half = 0.5 * TAU / n;
        let corner = self.radius.si() * half / half.sin();
        let node = |i: usize| {
            let angle = TAU * i as f64 / n;
            let (sin, cos) = angle.sin_cos();
            let wave = self.perturbation.si() * (2.0 * angle).cos();
            DVec3::new(corner * cos, corner * sin, wave)
        };
        let nodes: Vec<DVec3> = (0..self.edges).map(node).collect();
        let mut rod = self
            .wire
            .through(&nodes, RestSpec::Straight, self.stretching());
        rod.name = Some("ring".to_owned());
        rod.closed = true;
        rod.twist = self.twist;
        rod.first_director = Some(unit(2));
        vec![rod]
    }
}
