//! A rod that hangs in a parabola between its ends, twisted at one of them: it winds about itself
//! (B08 Fig. 9).

use glam::DVec3;

use super::Named;
use super::ends;
use super::wire::Wire;
use crate::spec::{
    CertifySpec, DampingSpec, Defaults, GravitySpec, RestSpec, RodSpec, TimeSpec, edges,
};
use crate::tree::{NOT_NEGATIVE, POSITIVE, section};
use crate::units::{Acceleration, Angle, Length, Time};

section! {
    /// Parameters of the rod, which hangs along -z between ends on the axis x.
    #[derive(Copy)]
    pub struct Plectoneme {
        /// Distance of the ends.
        pub span: Length = Length::new(1.0) => POSITIVE,
        /// Depth of the parabola.
        pub sag: Length = Length::new(0.5) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 274 => edges(8),
        /// Rotation of the last end about its tangent when the run ends.
        pub turned: Angle = Angle::new(16.0 * std::f64::consts::TAU),
        /// Time that this rotation takes.
        pub taking: Time = Time::new(8.0) => POSITIVE,
        /// Gravity along -z.
        pub gravity: Acceleration = Acceleration::new(1.0) => NOT_NEGATIVE,
        /// Height of waves across the parabola's plane at the start: a plane rod would not
        /// know where to buckle.
        pub perturbation: Length = Length::new(3e-3),
    }
    /// The rod.
    with wire: Wire = Wire::new(1e-4, 1e-4, 4e-3, 0.02);
}

/// EA span^2/EI.
const STIFF: f64 = 1e5;

impl Plectoneme {
    /// EA, N.
    fn stretching(&self) -> f64 {
        STIFF * self.wire.bending.si() / self.span.si().powi(2)
    }

    /// Nodes of equal edges on the parabola, with waves across it.
    fn nodes(&self) -> Vec<DVec3> {
        const PARTS: usize = 20_000;
        let (span, sag) = (self.span.si(), self.sag.si());
        let at = |u: f64| DVec3::new(span * u, 0.0, -4.0 * sag * u * (1.0 - u));
        let point = |i: usize| at(i as f64 / PARTS as f64);
        let mut arc = vec![0.0];
        for i in 0..PARTS {
            arc.push(arc[i] + point(i).distance(point(i + 1)));
        }
        let length = arc[PARTS];
        (0..=self.edges)
            .map(|k| {
                let part = k as f64 / self.edges as f64;
                let i = arc.partition_point(|s| *s < part * length).clamp(1, PARTS);
                let within = (part * length - arc[i - 1]) / (arc[i] - arc[i - 1]);
                let x = point(i - 1).lerp(point(i), within);
                // Waves of no common period: no place is preferred by symmetry.
                let wave = (7.0 * part + 0.3).sin() + (17.0 * part + 1.1).sin();
                let inner = (16.0 * (part * (1.0 - part)).powi(2)).min(1.0);
                x + DVec3::Y * (self.perturbation.si() * wave * inner)
            })
            .collect()
    }
}

impl Named for Plectoneme {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: "Plectonemes".to_owned(),
            gravity: GravitySpec::down(self.gravity),
            damping: DampingSpec::new(0.05),
            time: TimeSpec::new(2.0 * self.taking.si(), 5e-3),
            certify: CertifySpec::Given(true),
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        let nodes = self.nodes();
        let mut rod = self
            .wire
            .through(&nodes, RestSpec::Straight, self.stretching());
        rod.name = Some("rod".to_owned());
        let turning = ends::turning(&nodes, self.turned, self.taking);
        rod.clamps = ends::clamps(turning);
        vec![rod]
    }
}
