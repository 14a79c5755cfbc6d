//! A bob on a helical spring that trades bounces for turns (B08 Fig. 11; Wilberforce 1894, Phil.
//! Mag. 38, 386).

use std::f64::consts::TAU;

use super::Named;
use super::round_rod::RoundRod;
use crate::spec::{
    Axes, BodySpec, ClampSpec, ContactKind, ContactSpec, Defaults, EndRef, GravitySpec, GuideSpec,
    HelixSpec, MotionSpec, POISSON, RodSpec, SchemeKind, ShapeSpec, SolidSpec, TimeSpec, WeldSpec,
    edges, unit,
};
use crate::tree::{POSITIVE, section};
use crate::units::{Density, Inertia, Length, Mass, Number, Pressure, Speed};

section! {
    /// Parameters of the pendulum, which hangs along -z.
    ///
    /// The clamp acts at the middle of the first edge and the bob at the middle of the last one:
    /// between these the wire makes `turns` turns.
    #[derive(Copy)]
    pub struct Wilberforce {
        /// Radius of the coil (centreline).
        pub coil_radius: Length = Length::new(0.015) => POSITIVE,
        /// Advance per turn of the spring at rest.
        pub pitch: Length = Length::new(6e-3) => POSITIVE,
        /// Turns of the wire that is free to bend.
        pub turns: Number = Number::new(20.0) => POSITIVE,
        /// Number of edges.
        pub edges: usize = 480 => edges(3),
        /// Radius of the wire.
        pub rod_radius: Length = Length::new(1e-3) => POSITIVE,
        /// Young's modulus.
        pub young: Pressure = Pressure::new(1e9) => POSITIVE,
        /// Poisson's ratio; the coupling vanishes at 0.
        pub poisson: Number = Number::new(0.3) => POISSON,
        /// Density of the wire; low, as theory has a wire without mass.
        pub density: Density = Density::new(8.0) => POSITIVE,
        /// Mass of the bob.
        pub mass: Mass = Mass::new(0.05) => POSITIVE,
        /// Moment of inertia of the bob about the axis.
        // Tuned about the stretched equilibrium, from the compliances of the discrete spring there.
        pub inertia: Inertia = Inertia::new(1.313e-5) => POSITIVE,
        /// Upward velocity with which the bob starts.
        pub speed: Speed = Speed::new(0.1),
        /// Whether the bob moves along and about z alone, without gravity.
        pub guided: bool = false,
    }
}

/// Radius and length of the bob in pictures, in radii of the coil.
const BOB: (f64, f64) = (1.3, 1.2);

impl Wilberforce {
    fn round_rod(&self) -> RoundRod {
        RoundRod::new(self.rod_radius, self.young, self.poisson, self.density)
    }
}

impl Named for Wilberforce {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: "Wilberforce pendulum".to_owned(),
            gravity: if self.guided {
                GravitySpec::default()
            } else {
                GravitySpec::earth()
            },
            contact: ContactSpec::of(ContactKind::None),
            time: TimeSpec {
                // Damps the wire's own waves, which the midpoint rule would keep until steps fail.
                scheme: SchemeKind::Bdf2,
                settle: true,
                ..TimeSpec::new(40.0, 0.01)
            },
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        // Half of the first and half of the last edge are rigid.
        let free = (self.edges - 1) as f64;
        let shape = ShapeSpec::Helix(HelixSpec {
            center: [Length::default(); 3],
            axis: unit(2).map(|x| Number::new(-x.si())),
            start: unit(0),
            radius: self.coil_radius,
            pitch: self.pitch,
            turns: Number::new(self.turns.si() * self.edges as f64 / free),
            left_handed: false,
            edges: self.edges,
        });
        let mut rod = self.round_rod().of_shape(shape);
        rod.name = Some("spring".to_owned());
        rod.clamps = vec![ClampSpec::new(EndRef::First, MotionSpec::Still)];
        vec![rod]
    }

    fn bodies(&self) -> Vec<BodySpec> {
        let coil = self.coil_radius.si();
        let length = BOB.1 * coil;
        let height = self.pitch.si() * self.turns.si() + 0.5 * length + 2.0 * self.rod_radius.si();
        let guide = GuideSpec {
            position: Axes([true, true, false]),
            turn: Axes([true, true, false]),
        };
        vec![BodySpec {
            name: Some("bob".to_owned()),
            mass: Some(self.mass),
            inertia: Some([self.inertia; 3]),
            position: [0.0, 0.0, -height].map(Length::new),
            velocity: [Speed::default(), Speed::default(), self.speed],
            solid: Some(SolidSpec::Cylinder {
                radius: Length::new(BOB.0 * coil),
                length: Length::new(length),
            }),
            welds: vec![WeldSpec::new(0, EndRef::Last)],
            guide: self.guided.then_some(guide),
            ..BodySpec::new()
        }]
    }
}

/// What the linear theory of a massless inextensible spring says (CATALOGUE 2.3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringTheory {
    /// Stiffness along the axis, N/m.
    pub k_zz: f64,
    /// Its coupling with the rotation, N.
    pub k_zt: f64,
    /// Stiffness of the rotation, N m.
    pub k_tt: f64,
}

impl Wilberforce {
    /// Stiffness of the spring at rest: the inverse of the compliances
    /// `c_FF = l r^2 (cos^2 a/C + sin^2 a/B)`, `c_TT = l (sin^2 a/C + cos^2 a/B)`,
    /// `c_FT = l r sin a cos a (1/C - 1/B)` with the wire's length l, pitch angle a, B = EI and C =
    /// GJ.
    pub fn theory(&self) -> SpringTheory {
        let (r, h) = (self.coil_radius.si(), self.rod_radius.si());
        let b = self.young.si() * std::f64::consts::PI / 4.0 * h.powi(4);
        let c = b / (1.0 + self.poisson.si());
        let rise = self.pitch.si() / TAU;
        let (sin, cos) = (rise / rise.hypot(r), r / rise.hypot(r));
        let l = TAU * self.turns.si() * rise.hypot(r);
        let c_ff = l * r * r * (cos * cos / c + sin * sin / b);
        let c_tt = l * (sin * sin / c + cos * cos / b);
        let c_ft = l * r * sin * cos * (1.0 / c - 1.0 / b);
        let det = c_ff * c_tt - c_ft * c_ft;
        SpringTheory {
            k_zz: c_tt / det,
            k_zt: -c_ft / det,
            k_tt: c_ff / det,
        }
    }
}
