//! A tree of rods joined at T-junctions that stands under gravity and sways in gusts (B08 Fig. 12).

use glam::{DQuat, DVec3};

use super::Named;
use super::round_rod::RoundRod;
use crate::error::SceneError;
use crate::spec::centreline::{place, through};
use crate::spec::{
    AmplitudeSpec, BodySpec, ClampSpec, ContactKind, ContactSpec, DampingSpec, Defaults, EndRef,
    GravitySpec, GustSpec, MotionSpec, OverrideSpec, POISSON, RodSpec, SectionSpec, TimeSpec,
    WeldSpec, WindDragSpec, WindSpec,
};
use crate::tree::{Keys, POSITIVE, section};
use crate::units::{Density, Length, Number, Pressure, Speed, Time};

section! {
    /// Parameters of the tree: a trunk along z, branches on it, twigs on each.
    ///
    /// Trunk and branches run through their joints; a branch begins in the middle of an edge of
    /// what bears it, and both edges are welded to one body without mass.
    #[derive(Copy)]
    pub struct TreeInWind {
        /// Height of the trunk.
        pub height: Length = Length::new(4.0) => POSITIVE,
        /// Radius of the trunk at the ground; all rods taper, and what they bear is thinner.
        pub trunk_radius: Length = Length::new(0.05) => POSITIVE,
        /// Number of branches on the trunk.
        pub branches: usize = 14,
        /// Number of twigs on each branch.
        pub twigs: usize = 8,
        /// Number of nodes of the trunk, of a branch, of a twig.
        pub nodes: [usize; 3] = [44, 23, 16],
        /// Young's modulus.
        pub young: Pressure = Pressure::new(5e8) => POSITIVE,
        /// Poisson's ratio.
        pub poisson: Number = Number::new(0.3) => POISSON,
        /// Density.
        pub density: Density = Density::new(800.0) => POSITIVE,
        /// Speed of the wind along x before gusts.
        pub wind_speed: Speed = Speed::new(12.0),
    }
    check Self::check
}

/// Angle from one branch to the next about what bears them, rad: phyllotaxis.
const GOLDEN_ANGLE: f64 = 2.399_963;
/// Length over what bears it, of branches and twigs.
const SHORTER: [f64; 2] = [0.42, 0.36];
/// Radius at the start over that of what bears it, of branches and twigs.
const THINNER: [f64; 2] = [0.36, 0.4];
/// Radius at the tip over that at the start.
const TAPER: f64 = 0.4;
/// Angle to what bears it at the start, rad.
const SPREAD: f64 = 1.0;
/// How far rods bend towards the light along their length.
const RISE: f64 = 0.5;

/// A rod of the tree: nodes, m, and radius at its start, m.
struct Limb {
    nodes: Vec<DVec3>,
    radius: f64,
    /// What bears it and at which edge.
    parent: Option<(usize, usize)>,
}

impl TreeInWind {
    fn check(&self, keys: &Keys) -> Result<(), SceneError> {
        // Joints lie on every other edge of the outer part, free of the clamp and of the joint that
        // bears the rod.
        let least = [2 * self.branches + 4, 2 * self.twigs + 4, 4];
        let enough = (0..3).all(|k| (least[k]..=100_000).contains(&self.nodes[k]));
        let shown = format!("{:?}", self.nodes);
        let need = format!("at least {least:?} for so many branches and twigs");
        keys.check_shown(&Self::nodes(), &shown, enough, &need)
    }

    /// A rod of this radius, m, at its start.
    fn round_rod(&self, radius: Length) -> RoundRod {
        RoundRod::new(radius, self.young, self.poisson, self.density)
    }

    fn limbs(&self) -> Vec<Limb> {
        let trunk = Limb {
            nodes: grow(DVec3::ZERO, DVec3::Z, self.height.si(), self.nodes[0], 0.0),
            radius: self.trunk_radius.si(),
            parent: None,
        };
        let mut limbs = vec![trunk];
        let mut bearing = 0..1;
        for (level, count) in [self.branches, self.twigs].into_iter().enumerate() {
            let from = limbs.len();
            for parent in bearing {
                for k in 0..count {
                    let limb = offshoot(
                        &limbs[parent],
                        parent,
                        level,
                        k,
                        count,
                        self.nodes[level + 1],
                    );
                    limbs.push(limb);
                }
            }
            bearing = from..limbs.len();
        }
        limbs
    }
}

impl Named for TreeInWind {
    fn defaults(&self) -> Defaults {
        let still = Speed::default();
        Defaults {
            title: "Tree in wind".to_owned(),
            gravity: GravitySpec::earth(),
            damping: DampingSpec::new(0.02),
            wind: Some(WindSpec {
                velocity: [self.wind_speed, still, still],
                amplitude: AmplitudeSpec::Table {
                    table: vec![
                        (Time::new(1.0), Number::new(0.0)),
                        (Time::new(3.0), Number::new(1.0)),
                    ],
                },
                gusts: Some(GustSpec {
                    strength: Number::new(0.5),
                    period: Time::new(4.0),
                }),
                drag: WindDragSpec::default(),
            }),
            contact: ContactSpec::of(ContactKind::None),
            time: TimeSpec {
                settle: true,
                ..TimeSpec::new(12.0, 0.02)
            },
            ..Defaults::default()
        }
    }

    fn rods(&self) -> Vec<RodSpec> {
        let limbs = self.limbs();
        let rods = limbs.iter().enumerate().map(|(index, limb)| {
            let round = self.round_rod(Length::new(limb.radius));
            let mut rod = round.of_shape(through(&limb.nodes));
            let edges = limb.nodes.len() - 1;
            rod.overrides = (0..edges)
                .map(|edge| OverrideSpec {
                    edges: [edge, edge],
                    section: Some(SectionSpec::Circle {
                        radius: Length::new(taper(limb.radius, edge, edges)),
                    }),
                    material: None,
                })
                .collect();
            if index == 0 {
                rod.name = Some("trunk".to_owned());
                rod.clamps = vec![ClampSpec::new(EndRef::First, MotionSpec::Still)];
            }
            rod
        });
        rods.collect()
    }

    fn bodies(&self) -> Vec<BodySpec> {
        let limbs = self.limbs();
        let joint = |(index, limb): (usize, &Limb)| {
            let (parent, edge) = limb.parent?;
            let weld = |rod: usize, edge: usize| WeldSpec::new(rod, EndRef::Index(edge));
            let welds = vec![weld(parent, edge), weld(index, 0)];
            Some(BodySpec::of_joint(place(limb.nodes[0]), welds))
        };
        limbs.iter().enumerate().filter_map(joint).collect()
    }
}

/// Nodes of a rod that leaves `from` along `direction` and turns towards z by `rise`.
fn grow(from: DVec3, direction: DVec3, length: f64, nodes: usize, rise: f64) -> Vec<DVec3> {
    let edges = nodes - 1;
    let mut all = vec![from];
    let mut x = from;
    for edge in 0..edges {
        let part = edge as f64 / edges as f64;
        let along = (direction + DVec3::Z * (rise * part)).normalize_or(DVec3::Z);
        x += along * (length / edges as f64);
        all.push(x);
    }
    all
}

/// Radius of an edge, m.
fn taper(radius: f64, edge: usize, edges: usize) -> f64 {
    let part = (edge as f64 + 0.5) / edges as f64;
    radius * (1.0 - (1.0 - TAPER) * part)
}

/// The k-th of `count` rods on the limb `parent`, the lowest first.
fn offshoot(
    limb: &Limb,
    parent: usize,
    level: usize,
    k: usize,
    count: usize,
    nodes: usize,
) -> Limb {
    let edges = limb.nodes.len() - 1;
    let edge = edges - 2 * (count - k);
    let (a, b) = (limb.nodes[edge], limb.nodes[edge + 1]);
    let along = (b - a).normalize_or(DVec3::Z);
    let about = k as f64 * GOLDEN_ANGLE + parent as f64;
    let out = DQuat::from_axis_angle(along, about) * along.any_orthonormal_vector();
    let direction = along * SPREAD.cos() + out * SPREAD.sin();
    let bearer: f64 = limb.nodes.windows(2).map(|x| x[0].distance(x[1])).sum();
    // Longest at the bottom of the crown.
    let size = 1.0 - 0.5 * k as f64 / count as f64;
    Limb {
        nodes: grow(
            0.5 * (a + b),
            direction,
            bearer * SHORTER[level] * size,
            nodes,
            RISE,
        ),
        radius: taper(limb.radius, edge, edges) * THINNER[level] * (0.5 + 0.5 * size),
        parent: Some((parent, edge)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_has_as_many_vertices_as_the_papers() {
        let tree = TreeInWind::default();
        let limbs = tree.limbs();
        assert_eq!(limbs.iter().map(|l| l.nodes.len()).sum::<usize>(), 2158);
        assert_eq!(limbs.len(), 1 + 14 + 14 * 8);
        assert_eq!(tree.bodies().len(), limbs.len() - 1);
    }
}
