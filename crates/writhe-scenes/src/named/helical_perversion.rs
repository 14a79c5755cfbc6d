//! A helical rod, pulled straight without twist, whose ends come together again: two helices of
//! opposite handedness (B08 Fig. 2).

use std::f64::consts::TAU;

use glam::DVec3;

use super::Named;
use super::ends;
use super::wire::Wire;
use crate::spec::{
    ContactKind, ContactSpec, DampingSpec, Defaults, HelixSpec, MotionSpec, RestSpec, RodSpec,
    ShapeSpec, TimeSpec, edges, unit,
};
use crate::tree::{Bound, POSITIVE, section};
use crate::units::{Length, Number, Time};

section! {
    /// Parameters of the rod, which begins as a straight, untwisted rod along +x.
    #[derive(Copy)]
    pub struct HelicalPerversion {
        /// Radius of the helix at rest.
        pub radius: Length = Length::new(1.0) => POSITIVE,
        /// Pitch of the helix at rest.
        pub pitch: Length = Length::new(0.3) => POSITIVE,
        /// Number of turns.
        pub turns: Number = Number::new(5.0) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 120 => edges(8),
        /// Distance of the ends over the length of the rod when the run ends.
        pub closeness: Number = Number::new(0.4) => Bound::within(0.05, 0.9).open([false, true]),
        /// Time that the ends take to come together.
        pub taking: Time = Time::new(1500.0) => POSITIVE,
    }
    /// The rod.
    with wire: Wire = Wire::new(1.0, 0.8, 0.15, 1.0);
}

/// EA R^2/EI.
const STIFF: f64 = 1e3;
/// Stretch at the start. A rod of natural curvature 1/R is straight under a tension of more than
/// EI/R^2.
const STRETCH: f64 = 4e-3;
/// Way of the end over the length, and when, over all its time: slow while the rod leaves the
/// straight line, so that it does so in its first mode.
const SLOW: [[f64; 2]; 2] = [[0.1, 0.5 * STRETCH], [0.5, 0.05]];

impl HelicalPerversion {
    /// EA, N.
    fn stretching(&self) -> f64 {
        STIFF * self.wire.bending.si() / self.radius.si().powi(2)
    }

    /// Contour, m.
    fn length(&self) -> f64 {
        self.turns.si() * (TAU * self.radius.si()).hypot(self.pitch.si())
    }
}

impl Named for HelicalPerversion {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: "Helical perversion".to_owned(),
            contact: ContactSpec::of(ContactKind::None),
            damping: DampingSpec::new(0.05),
            time: TimeSpec::new(
                self.taking.si() + 0.1 * self.taking.si(),
                self.taking.si() / 3000.0,
            ),
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        let n = self.edges as f64;
        let rest = HelixSpec {
            center: [Length::default(); 3],
            axis: unit(0),
            start: unit(1),
            radius: self.radius,
            pitch: self.pitch,
            turns: self.turns,
            left_handed: false,
            edges: self.edges,
        };
        let nodes: Vec<DVec3> = (0..=self.edges)
            .map(|i| DVec3::X * ((1.0 + STRETCH) * self.length() * i as f64 / n))
            .collect();
        let mut rod = self.wire.through(
            &nodes,
            RestSpec::Shape(ShapeSpec::Helix(rest)),
            self.stretching(),
        );
        rod.name = Some("rod".to_owned());
        // From the first node of the helix to its axis, and across the straight rod.
        rod.first_director = Some(unit(1));
        let ways = SLOW.into_iter().chain([[1.0, 1.0 - self.closeness.si()]]);
        let row = |[part, way]: [f64; 2]| [part * self.taking.si(), -way * self.length(), 0.0, 0.0];
        let path = std::iter::once([0.0; 4]).chain(ways.map(row)).collect();
        rod.clamps = ends::clamps(MotionSpec::Path(path));
        vec![rod]
    }
}
