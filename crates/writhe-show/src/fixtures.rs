//! What holds rods, as solids: a nut around a clamped edge, a ring around one whose angle is held,
//! a ball at a node that is held.

use glam::{DMat3, DQuat, DVec3};
use writhe::constraints::Constraint;
use writhe::model::Model;
use writhe::rod::geometry::orthonormalize;
use writhe_render::Solid;
use writhe_rundir::surroundings::Pose;

use crate::joints;

/// Radii of a nut, of a ring and of a ball over that of the rod.
const NUT: f64 = 2.1;
const RING: f64 = 1.7;
const BALL: f64 = 1.6;
/// Least and most length of a nut, over the radius of the rod: edges may be long.
const LENGTHS: [f64; 2] = [3.0, 7.0];
/// Length of a ring over that of a nut.
const RING_LENGTH: f64 = 0.35;
/// Corners of a ring.
const ROUND: u32 = 24;

/// Something that holds a rod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixture {
    /// This edge is clamped.
    Clamp(usize),
    /// This node is held.
    Pin(usize),
    /// The angle of this edge is held.
    Angle(usize),
}

impl Fixture {
    /// The edge that it is around.
    fn edge(self) -> Option<usize> {
        match self {
            Self::Clamp(edge) | Self::Angle(edge) => Some(edge),
            Self::Pin(_) => None,
        }
    }
}

/// All fixtures of a model.
pub fn all(model: &Model) -> Vec<Fixture> {
    let fixture = |constraint: &Constraint| match constraint {
        Constraint::Clamp { edge, .. } => Some(Fixture::Clamp(*edge)),
        Constraint::Node { node, .. } => Some(Fixture::Pin(*node)),
        Constraint::Angle { edge, .. } => Some(Fixture::Angle(*edge)),
        // These hold bodies and no rod.
        Constraint::Body { .. } | Constraint::BodyAxes { .. } => None,
    };
    let all = model.constraints.list().iter();
    all.filter_map(fixture).collect()
}

/// The rods that are held.
#[derive(Debug, Clone, Copy)]
pub struct Rods<'a> {
    /// Both nodes of each edge.
    pub edge_nodes: &'a [[usize; 2]],
    /// Radius of each edge, m.
    pub radius: &'a [f64],
    /// What holds a rod that is thinner than this, m, is as large as for one of this radius.
    pub least: f64,
}

impl Rods<'_> {
    /// What a fixture looks like around the origin, the rod along z, of length 1 where it follows
    /// an edge; `None` for one of a rod that is not there.
    pub fn solid(&self, fixture: Fixture) -> Option<Solid> {
        let r = self.radius_at(fixture)?;
        let collar =
            |outer: f64, sides: u32| Solid::ring([0.0, outer * r], 0.5, sides, joints::color());
        Some(match fixture {
            Fixture::Clamp(_) => collar(NUT, 6),
            Fixture::Angle(_) => collar(RING, ROUND),
            Fixture::Pin(_) => Solid::bead(BALL * r, joints::color()),
        })
    }

    /// Where it is with the nodes at `positions`, m, and the directors m1 of edges; it turns with
    /// its rod.
    pub fn pose(
        &self,
        fixture: Fixture,
        positions: &[[f64; 3]],
        directors: &[[f64; 3]],
    ) -> Option<Pose> {
        let at = |node: usize| positions.get(node).copied().map(DVec3::from);
        let [a, b] = self.nodes(fixture)?.map(at);
        let (a, b) = (a?, b?);
        let Some((edge, ([least, most], part))) = fixture.edge().zip(self.collar(fixture)) else {
            return Some(Pose {
                position: a,
                ..Pose::IDENTITY
            });
        };
        let tangent = (b - a).try_normalize()?;
        let m1 = orthonormalize(DVec3::from(*directors.get(edge)?), tangent);
        let axes = DMat3::from_cols(m1, tangent.cross(m1), tangent);
        Some(Pose {
            position: 0.5 * (a + b),
            rotation: DQuat::from_mat3(&axes),
            length: part * a.distance(b).clamp(least, most),
        })
    }

    /// The nodes that it stands in the middle of; the same one twice for one that is held. `None`
    /// for one of a rod that is not there.
    pub fn nodes(&self, fixture: Fixture) -> Option<[usize; 2]> {
        match fixture {
            Fixture::Clamp(edge) | Fixture::Angle(edge) => self.edge_nodes.get(edge).copied(),
            Fixture::Pin(node) => Some([node; 2]),
        }
    }

    /// Of one around an edge: the least and the most length, m, that counts of the edge, and how
    /// long it is over that.
    pub fn collar(&self, fixture: Fixture) -> Option<([f64; 2], f64)> {
        let part = match fixture {
            Fixture::Clamp(_) => 1.0,
            Fixture::Angle(_) => RING_LENGTH,
            Fixture::Pin(_) => return None,
        };
        let r = self.radius_at(fixture)?;
        Some((LENGTHS.map(|over| over * r), part))
    }

    fn radius_at(&self, fixture: Fixture) -> Option<f64> {
        let edge = match fixture {
            Fixture::Clamp(edge) | Fixture::Angle(edge) => edge,
            Fixture::Pin(node) => {
                let mut edges = self.edge_nodes.iter();
                edges.position(|ends| ends.contains(&node))?
            }
        };
        Some(self.radius.get(edge)?.max(self.least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use writhe_scenes::Scene;

    #[test]
    fn what_holds_a_rod_follows_it() {
        let text = r#"
[[rods]]
shape = { straight = { from = [0, 0, 0], to = ["1 m", 0, 0], edges = 4 } }
section = { circle = { radius = "2 mm" } }
material = { young = "1 GPa", poisson = 0.3, density = "1000 kg/m^3" }
clamps = [{ edge = "first" }]
held = [{ node = "last" }]
        "#;
        let model = Scene::parse(text, "test").unwrap().build().unwrap().model;
        let held = all(&model);
        let (clamp, pin) = (Fixture::Clamp(0), Fixture::Pin(4));
        assert!(held.len() == 2 && held.contains(&clamp) && held.contains(&pin));
        // Upright and half as long again.
        let positions: Vec<[f64; 3]> = (0..5).map(|i| [0.0, 0.0, 0.375 * f64::from(i)]).collect();
        let directors = [DVec3::Y.to_array(); 4];
        let rods = |least: f64| Rods {
            edge_nodes: &model.topology.edge_nodes,
            radius: &model.radius,
            least,
        };
        let pose = |least, fixture| rods(least).pose(fixture, &positions, &directors).unwrap();
        let nut = pose(0.0, clamp);
        assert!((nut.position - 0.1875 * DVec3::Z).length() < 1e-12);
        assert!((nut.rotation * DVec3::Z - DVec3::Z).length() < 1e-12);
        assert!((nut.rotation * DVec3::X - DVec3::Y).length() < 1e-12);
        // The edge is longer than a nut gets.
        assert!((nut.length - LENGTHS[1] * 2e-3).abs() < 1e-12);
        assert!((pose(0.01, clamp).length - LENGTHS[1] * 0.01).abs() < 1e-12);
        assert!((pose(0.0, pin).position - 1.5 * DVec3::Z).length() < 1e-12);
        // Closed: its volume is that of a hexagon, 3 sqrt(3) r^2 / 2 with r to its corners.
        let solid = rods(0.0).solid(clamp).unwrap();
        let part = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| solid.vertices[v as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        let volume: f64 = solid.triangles.iter().map(part).sum();
        let exact = 1.5 * 3.0_f64.sqrt() * (NUT * 2e-3).powi(2);
        assert!((volume / exact - 1.0).abs() < 1e-12, "{volume} {exact}");
        let reach = |least, fixture| {
            let solid = rods(least).solid(fixture).unwrap();
            let across = solid.vertices.iter().map(|v| v.truncate().length());
            across.fold(0.0, f64::max)
        };
        assert!((reach(0.0, clamp) - NUT * 2e-3).abs() < 1e-12);
        assert!((reach(0.01, pin) - BALL * 0.01).abs() < 1e-12);
        assert!(rods(0.0).solid(Fixture::Clamp(4)).is_none());
        assert!(
            rods(0.0)
                .pose(Fixture::Pin(5), &positions, &directors)
                .is_none()
        );
    }
}
