//! Helical flagella side by side on a regular polygon, each turned by its first edge (T22, section
//! 4.3).

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::Named;
use super::round_rod::RoundRod;
use crate::error::SceneError;
use crate::shapes::{place, through};
use crate::spec::{
    ClampSpec, ContactSpec, Defaults, EndRef, FluidKind, FluidSpec, MotionSpec, RodSpec,
    RotationSpec, SchemeKind, TimeSpec, edges, poisson_ratio, unit,
};
use crate::tree::{Keys, positive, section};
use crate::units::{AngularSpeed, Density, Length, Mass, Number, Pressure, Time, Viscosity};

section! {
    /// Parameters of the flagella.
    ///
    /// Each has a clamped edge along the axis +x, a lead-in of two edges at 45 degrees, and a
    /// helix. The clamp turns by `-speed` about +x. One flagellum stands on the axis; more stand on
    /// the corners of a regular polygon.
    #[derive(Copy)]
    pub struct Flagella {
        /// Number of flagella.
        pub count: usize = 2,
        /// Side of the polygon: distance of neighbouring axes, m.
        pub side: Length = Length::new(0.03) => positive,
        /// Radius of the rods, m.
        pub rod_radius: Length = Length::new(1e-3) => positive,
        /// Radius of the helix (centreline), m.
        pub helix_radius: Length = Length::new(0.01) => positive,
        /// Advance of the helix per turn, m.
        pub pitch: Length = Length::new(0.05) => positive,
        /// Length of the helix along its axis, m.
        pub axial_length: Length = Length::new(0.2) => positive,
        /// Number of edges of the helix; three more lead to it.
        pub edges: usize = 64 => edges(1),
        /// Rotation speed, rad/s.
        pub speed: AngularSpeed = AngularSpeed::new(15.0 * (TAU / 60.0)),
        /// Young's modulus, Pa.
        pub young: Pressure = Pressure::new(3e6) => positive,
        /// Poisson's ratio.
        pub poisson: Number = Number::new(0.5) => poisson_ratio,
        /// Density of the rods, kg/m^3.
        pub density: Density = Density::new(1e4) => positive,
        /// Whether every edge has the same mass, as in the authors' program, instead of density
        /// times its own volume.
        pub equal_masses: bool = false,
    }
    check Self::check
}

/// More than this is rather a typing error.
const MAX_TOTAL_EDGES: usize = 10_000_000;

impl Flagella {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let good = (1..=10_000).contains(&self.count);
        keys.check_shown("count", &self.count.to_string(), good, "from 1 to 10000")?;
        let good = self.count.saturating_mul(self.edges) <= MAX_TOTAL_EDGES;
        let need = "such that all rods together have at most 1e7 edges";
        keys.check_shown("edges", &self.edges.to_string(), good, need)?;
        let speed = self.speed.si();
        keys.check("speed", speed, speed != 0.0, "different from zero")
    }

    /// As the authors ran it: 15 rpm, 1e4 kg/m^3.
    pub fn as_run() -> Self {
        Self::default()
    }

    /// As printed in the paper: 15 rad/s, 1000 kg/m^3.
    pub fn as_printed() -> Self {
        Self {
            speed: AngularSpeed::new(15.0),
            density: Density::new(1000.0),
            ..Self::as_run()
        }
    }

    fn round_rod(&self) -> RoundRod {
        RoundRod::new(self.rod_radius, self.young, self.poisson, self.density)
    }

    pub(super) fn defaults_as_printed(&self) -> Defaults {
        let run = self.defaults();
        Defaults {
            title: format!("{} (numbers as printed)", run.title),
            fluid: FluidSpec {
                viscosity: Some(Viscosity::new(0.1)),
                ..run.fluid
            },
            time: TimeSpec {
                step: Time::new(0.005),
                ..run.time
            },
            ..run
        }
    }

    /// Length of the smooth helix, m.
    pub fn helix_contour(&self) -> f64 {
        let (a, b) = (self.helix_radius.si(), self.pitch.si() / TAU);
        self.axial_length.si() / b * a.hypot(b)
    }

    /// Contour of one flagellum, m: clamped edge, lead-in and smooth helix.
    pub fn contour(&self) -> f64 {
        let helix = self.helix_contour();
        helix + helix / self.edges as f64 + self.helix_radius.si() * 2_f64.sqrt()
    }

    /// Where the axis of each flagellum crosses x = 0, m. The first is at the origin.
    pub fn axes(&self) -> Vec<DVec3> {
        let m = self.count as f64;
        if self.count == 1 {
            return vec![DVec3::ZERO];
        }
        let r = 0.5 * self.side.si() / ((m - 2.0) * PI / (2.0 * m)).cos();
        let corner = |i: usize| {
            let angle = TAU * i as f64 / m;
            DVec3::new(0.0, r - r * angle.cos(), r * angle.sin())
        };
        (0..self.count).map(corner).collect()
    }

    /// Nodes of the flagellum whose axis is the x axis, m.
    pub fn nodes(&self) -> Vec<DVec3> {
        let (a, b) = (self.helix_radius.si(), self.pitch.si() / TAU);
        let turns = self.axial_length.si() / b;
        let clamped = self.helix_contour() / self.edges as f64;
        let mut nodes = vec![
            DVec3::new(-clamped - a, 0.0, 0.0),
            DVec3::new(-a, 0.0, 0.0),
            DVec3::new(-0.5 * a, 0.5 * a, 0.0),
        ];
        nodes.extend((0..=self.edges).map(|k| {
            let s = turns * k as f64 / self.edges as f64;
            DVec3::new(b * s, a * s.cos(), a * s.sin())
        }));
        nodes
    }

    /// The first edge turns by `-speed` about +x through its own axis.
    fn clamp(&self, offset: DVec3) -> ClampSpec {
        let turning = MotionSpec::Rotation(RotationSpec {
            point: place(offset),
            axis: unit(0),
            speed: Some(AngularSpeed::new(-self.speed.si())),
            angle: None,
        });
        ClampSpec::new(EndRef::First, turning)
    }
}

impl Named for Flagella {
    fn defaults(&self) -> Defaults {
        let plural = if self.count == 1 {
            "flagellum"
        } else {
            "flagella"
        };
        Defaults {
            title: format!("{} rotating {plural}", self.count),
            fluid: FluidSpec {
                model: FluidKind::StokesletSegments,
                viscosity: Some(Viscosity::new(1.0)),
                regularisation: Number::new(1.02),
                ..FluidSpec::default()
            },
            contact: ContactSpec::default(),
            time: TimeSpec {
                scheme: SchemeKind::FittedBdf2,
                ..TimeSpec::new(250.0, 0.02)
            },
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        let nodes = self.nodes();
        let area = PI * self.rod_radius.si().powi(2);
        let edges = (nodes.len() - 1) as f64;
        let mass = self.density.si() * area * self.contour() / edges;
        let rod = |(i, offset): (usize, DVec3)| {
            let moved: Vec<DVec3> = nodes.iter().map(|x| *x + offset).collect();
            let mut rod = self.round_rod().of_shape(through(&moved));
            rod.name = Some(format!("flagellum {i}"));
            rod.edge_mass = self.equal_masses.then(|| Mass::new(mass));
            rod.clamps = vec![self.clamp(offset)];
            rod
        };
        self.axes().into_iter().enumerate().map(rod).collect()
    }

    fn rate(&self) -> Option<f64> {
        Some(self.speed.si().abs())
    }
}
