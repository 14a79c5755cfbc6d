//! Helical flagella side by side on a regular polygon, each turned by its first edge (T22, section
//! 4.3).

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::Named;
use super::round_rod::RoundRod;
use crate::error::SceneError;
use crate::spec::centreline::{place, through};
use crate::spec::{
    ClampSpec, ContactSpec, Defaults, EndRef, FluidKind, FluidSpec, MotionSpec, POISSON, RodSpec,
    RotationSpec, SchemeKind, TimeSpec, edges, unit,
};
use crate::tree::{Bound, Keys, POSITIVE, section};
use crate::units::{AngularSpeed, Density, Length, Mass, Number, Pressure, Time, Viscosity};

section! {
    /// Parameters of the flagella.
    ///
    /// Each has a root along the axis +x, a straight lead-in from the axis to the helix, and the
    /// helix, which begins at x = 0. The clamp holds the root in a plane across the axis, wherever
    /// the mesh has its nodes, and turns by `-speed` about +x. One flagellum stands on the axis;
    /// more stand on the corners of a regular polygon.
    #[derive(Copy)]
    pub struct Flagella {
        /// Number of flagella.
        pub count: usize = 2 => Bound::within(1.0, 10_000.0),
        /// Side of the polygon: distance of neighbouring axes.
        pub side: Length = Length::new(0.03) => POSITIVE,
        /// Radius of the rods.
        pub rod_radius: Length = Length::new(1e-3) => POSITIVE,
        /// Radius of the helix (centreline).
        pub helix_radius: Length = Length::new(0.01) => POSITIVE,
        /// Advance of the helix per turn.
        pub pitch: Length = Length::new(0.05) => POSITIVE,
        /// Length of the helix along its axis.
        pub axial_length: Length = Length::new(0.2) => POSITIVE,
        /// Length of the lead-in along the axis; unless given the radius of the helix, so that the
        /// lead-in leaves the axis at 45 degrees.
        pub lead_in: Option<Length> = None => POSITIVE,
        /// Coordinate x at which the clamp holds the root, before the lead-in; unless given 1/128 of
        /// the length of the helix before the lead-in, as in T22.
        pub clamp_plane: Option<Length> = None,
        /// Number of edges of the helix.
        pub edges: usize = 64 => edges(1),
        /// Number of edges of the lead-in; unless given, one for each 32 of the helix, as in T22.
        pub lead_in_edges: Option<usize> = None => Bound::within(1.0, 1e7),
        /// Rotation speed.
        pub speed: AngularSpeed = AngularSpeed::new(15.0 * (TAU / 60.0)),
        /// Young's modulus.
        pub young: Pressure = Pressure::new(3e6) => POSITIVE,
        /// Poisson's ratio.
        pub poisson: Number = Number::new(0.5) => POISSON,
        /// Density of the rods.
        pub density: Density = Density::new(1e4) => POSITIVE,
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
        let edges = self.edges + self.edges_of_lead_in();
        let good = self.count.saturating_mul(edges) <= MAX_TOTAL_EDGES;
        let need = "such that all rods together have at most 1e7 edges";
        keys.check_shown(&Self::edges(), &self.edges.to_string(), good, need)?;
        let speed = self.speed.si();
        keys.check(&Self::speed(), speed, speed != 0.0, "different from zero")?;
        self.check_root(keys)
    }

    /// Refuses a lead-in that is longer than the helix and a clamp that is not on the root.
    fn check_root(&self, keys: &Keys) -> Result<(), SceneError> {
        let (lead_in, length) = (self.lead_in_length(), self.axial_length.si());
        let need = format!("at most axial_length = {length} m, the length of the helix");
        keys.check(&Self::lead_in(), lead_in, lead_in <= length, &need)?;
        let plane = self.plane_of_clamp();
        let good = plane < -lead_in && plane >= -lead_in - length;
        let need = format!(
            "on the root: below {} m, where the lead-in begins, by at most axial_length = {length} m",
            -lead_in
        );
        keys.check(&Self::clamp_plane(), plane, good, &need)
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

    /// Contour of one flagellum, m: root from its first node on, lead-in and smooth helix.
    pub fn contour(&self) -> f64 {
        let lead_in = self.lead_in_length().hypot(self.helix_radius.si());
        self.helix_contour() + lead_in - self.lead_in_length() - self.root()[0]
    }

    /// Length of the lead-in along the axis, m.
    pub fn lead_in_length(&self) -> f64 {
        self.lead_in.map_or(self.helix_radius.si(), |l| l.si())
    }

    /// Number of edges of the lead-in.
    pub fn edges_of_lead_in(&self) -> usize {
        self.lead_in_edges.unwrap_or(self.edges.div_ceil(32))
    }

    /// Where the clamp holds the root, x in m.
    pub fn plane_of_clamp(&self) -> f64 {
        let unless_given = -self.lead_in_length() - self.helix_contour() / 128.0;
        self.clamp_plane.map_or(unless_given, |x| x.si())
    }

    /// Nodes of the root, x in m, up to the lead-in, which it does not have. A clamp acts in the
    /// middle of its edge, so that lies half before the plane and half beyond it; the rest of the
    /// root, if there is any, has edges of the same length, about that of the helix'.
    fn root(&self) -> Vec<f64> {
        let (plane, end) = (self.plane_of_clamp(), -self.lead_in_length());
        let over = (end - plane) / (self.helix_contour() / self.edges as f64);
        let beyond = (over - 0.5).round().max(0.0);
        let edge = (end - plane) / (beyond + 0.5);
        let node = |k: usize| end - edge * (beyond + 1.0 - k as f64);
        (0..=beyond as usize).map(node).collect()
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
        let (lead_in, edges) = (self.lead_in_length(), self.edges_of_lead_in());
        let on_axis = |x: f64| DVec3::new(x, 0.0, 0.0);
        let mut nodes: Vec<DVec3> = self.root().into_iter().map(on_axis).collect();
        nodes.extend((0..edges).map(|k| {
            let part = k as f64 / edges as f64;
            DVec3::new(-lead_in * (1.0 - part), a * part, 0.0)
        }));
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
