//! A chain of links, each a rod bent at rest, that hangs from its ends and is pulled until a link
//! opens, or breaks (B08 Fig. 10).

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::Named;
use super::wire::Wire;
use crate::error::SceneError;
use crate::spec::centreline::place;
use crate::spec::{
    Axes, BodySpec, DampingSpec, Defaults, EndRef, GravitySpec, HeldSpec, JointSpec, MotionSpec,
    RestSpec, RodRef, RodSpec, TimeSpec, WeldSpec, edges,
};
use crate::tree::{Bound, Keys, NOT_NEGATIVE, POSITIVE, section};
use crate::units::{Acceleration, Angle, Force, Length, Speed, Time};

section! {
    /// Parameters of the chain, which lies along +x at the start.
    #[derive(Copy)]
    pub struct HangingChain {
        /// Number of links.
        pub links: usize = 7 => Bound::within(2.0, 1000.0),
        /// Radius of a link.
        pub radius: Length = Length::new(1.0) => POSITIVE,
        /// Angle that a link is open.
        pub open: Angle = Angle::new(20.0 * (TAU / 360.0)) => LESS_THAN_HALF_A_TURN,
        /// Edges of a link.
        pub edges: usize = 30 => edges(8),
        /// Largest force that a link bears where a joint closes its opening; links stay open unless
        /// given.
        pub strength: Option<Force> = None => POSITIVE,
        /// How much nearer the ends come to each other at first.
        pub slack: Length = Length::new(1.5),
        /// Time that the ends take for this, and time that the chain hangs afterwards.
        pub hanging: Time = Time::new(6.0) => POSITIVE,
        /// Speed at which the last end is pulled away after that.
        pub speed: Speed = Speed::new(0.4),
        /// Gravity along -z.
        pub gravity: Acceleration = Acceleration::new(0.05) => NOT_NEGATIVE,
    }
    /// The rod.
    with wire: Wire = Wire::new(2.0, 2.0, 0.06, 1.0);
    check Self::check
}

/// An angle that leaves half of a link.
const LESS_THAN_HALF_A_TURN: Bound = Bound::within(0.0, PI).open([true, true]).why("half a turn");
/// EA R^2/EI.
const STIFF: f64 = 1e3;
/// Distance of the surfaces of neighbouring links at the start, over the radius of the rods.
const APART: f64 = 0.5;
/// How long the last end is pulled, s.
const PULLING: f64 = 20.0;

impl HangingChain {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        let (thin, radius) = (self.wire.rod_radius.si(), self.radius.si());
        let need = format!("at most an eighth of the links' radius, {radius} m");
        keys.check(&Wire::rod_radius(), thin, 8.0 * thin <= radius, &need)
    }

    /// EA, N.
    fn stretching(&self) -> f64 {
        STIFF * self.wire.bending.si() / self.radius.si().powi(2)
    }

    /// Nodes of a link; even links stand, odd ones lie, each open in the middle of one side.
    fn nodes(&self, link: usize) -> Vec<DVec3> {
        let (radius, thick) = (self.radius.si(), 2.0 * self.wire.rod_radius.si());
        // The inner sides of neighbours are to be apart: 2 R less what both rods and the space
        // between take.
        let pitch = 2.0 * radius - (2.0 + 0.5 * APART) * thick;
        let node = |i: usize| {
            let closed = TAU - self.open.si();
            let angle = 0.25 * TAU + 0.5 * self.open.si() + closed * i as f64 / self.edges as f64;
            let (sin, cos) = angle.sin_cos();
            let side = if link.is_multiple_of(2) {
                DVec3::Z
            } else {
                DVec3::Y
            };
            DVec3::X * (pitch * link as f64 + radius * cos) + side * (radius * sin)
        };
        (0..=self.edges).map(node).collect()
    }

    /// Whether links are closed.
    fn closed(&self) -> usize {
        self.strength.map_or(0, |_| self.links)
    }
}

impl Named for HangingChain {
    fn defaults(&self) -> Defaults {
        Defaults {
            title: "Hanging chain".to_owned(),
            gravity: GravitySpec::down(self.gravity),
            damping: DampingSpec::new(0.5),
            time: TimeSpec::new(2.0 * self.hanging.si() + PULLING, 0.01),
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        (0..self.links)
            .map(|link| {
                let nodes = self.nodes(link);
                let mut rod = self
                    .wire
                    .through(&nodes, RestSpec::Initial, self.stretching());
                rod.name = Some(format!("link {link}"));
                let by_x = |a: &usize, b: &usize| nodes[*a].x.total_cmp(&nodes[*b].x);
                let held = |node: Option<usize>, motion| HeldSpec {
                    node: EndRef::Index(node.unwrap_or(0)),
                    axes: Axes([true; 3]),
                    motion,
                };
                if link == 0 {
                    let first = (0..nodes.len()).min_by(by_x);
                    rod.held.push(held(first, MotionSpec::Still));
                }
                if link + 1 == self.links {
                    let last = (0..nodes.len()).max_by(by_x);
                    let (hanging, slack) = (self.hanging.si(), self.slack.si());
                    let path = vec![
                        [0.0; 4],
                        [hanging, -slack, 0.0, 0.0],
                        [2.0 * hanging, -slack, 0.0, 0.0],
                        [
                            2.0 * hanging + PULLING,
                            self.speed.si() * PULLING - slack,
                            0.0,
                            0.0,
                        ],
                    ];
                    rod.held.push(held(last, MotionSpec::Path(path)));
                }
                rod
            })
            .collect()
    }

    /// The two ends of each closed link.
    fn bodies(&self) -> Vec<BodySpec> {
        let end = |link: usize, edge: EndRef, at: DVec3| {
            let weld = WeldSpec::new(link, edge);
            BodySpec::of_joint(place(at), vec![weld])
        };
        (0..self.closed())
            .flat_map(|link| {
                let nodes = self.nodes(link);
                [
                    end(link, EndRef::First, nodes[0]),
                    end(link, EndRef::Last, nodes[self.edges]),
                ]
            })
            .collect()
    }

    /// What closes each link in the middle of its opening.
    fn joints(&self) -> Vec<JointSpec> {
        (0..self.closed())
            .map(|link| {
                let nodes = self.nodes(link);
                let middle = 0.5 * (nodes[0] + nodes[self.edges]);
                JointSpec {
                    bodies: vec![RodRef::Index(2 * link), RodRef::Index(2 * link + 1)],
                    at: place(middle),
                    hinge: None,
                    weld: true,
                    strength: self.strength,
                }
            })
            .collect()
    }
}
