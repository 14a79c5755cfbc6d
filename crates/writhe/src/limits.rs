//! Where a run leaves what rods are a model of: largest strain, largest turn from edge to edge,
//! largest speed, each with its place and time; and what leaving out costs that a spin is turned.

mod spin;

use std::f64::consts::SQRT_2;

use serde::{Deserialize, Serialize};

use crate::model::{Elastic, Model};
use crate::response::{Response, rods_of};
use crate::rod::kinematics::{EdgeGeometry, position};
use crate::rod::strain::VertexGeometry;
use crate::state::State;
pub use spin::TurnedSpin;

/// Relative rounding of what is compared with a bound, far more than it has.
const ROUNDING: f64 = 1e-9;
/// Turn that rounding of a cosine hides, rad: the root of some units in its last place.
const HIDDEN: f64 = 1e-7;

/// A value with its place and time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Extreme {
    /// The value.
    pub value: f64,
    /// When, s.
    pub time: f64,
    /// Rod.
    pub rod: usize,
    /// Node or edge of the rod.
    pub at: usize,
}

/// The largest values that a run has seen, of each kind; `None` before the first state.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Extremes {
    /// Relative change of an edge's length, by magnitude; `at` is the edge.
    pub stretch: Option<Extreme>,
    /// Strain at the surface by bending, `h |kappa - kappa_rest|`; `at` is the node.
    pub bending: Option<Extreme>,
    /// Strain at the surface by twist, `h |tau - tau_rest|`; `at` is the node.
    pub twist: Option<Extreme>,
    /// Angle by which a rod bends from one edge to the next beyond its rest shape, rad; `at` is the
    /// node between them.
    pub turn: Option<Extreme>,
    /// Angle by which it twists, likewise, where that makes bending inexact: not with bending per
    /// edge; `at` is the node between them.
    pub twist_turn: Option<Extreme>,
    /// Speed of a node times the radius of its thicker edge, m^2/s: Reynolds' number is that over
    /// the kinematic viscosity.
    pub speed_radius: Option<Extreme>,
    /// What turning the spins of each rod would take, `(rods)`; empty where it is not left out.
    #[serde(default)]
    pub spins: Vec<TurnedSpin>,
}

impl Extremes {
    /// Takes in a state. Most vertices of most states are no larger than those before, which a bound
    /// tells that takes no directors.
    pub fn see(&mut self, model: &Model, state: &State) {
        let response = Response::of_state(model, state, false);
        let rods = rods_of(model, response.as_ref());
        self.include_edges(model, state, &rods);
        for rod in 0..model.topology.rods.len() {
            let moment = self.include_vertices(model, state, &rods, rod);
            spin::include(&mut self.spins, model, state, (rod, moment));
        }
    }

    fn include_edges(&mut self, model: &Model, state: &State, rods: &Elastic) {
        let topology = &model.topology;
        for edge in 0..topology.edges() {
            let rod = topology.edge_rod[edge];
            let layout = &topology.rods[rod];
            let found = |value, at| Extreme {
                value,
                time: state.time,
                rod,
                at,
            };
            let [a, b] = topology.at_ends(&state.q, edge);
            let stretch = ((b - a).length() / rods.rest_length[edge] - 1.0).abs();
            raise(&mut self.stretch, found(stretch, edge - layout.first_edge));
            for node in topology.edge_nodes[edge] {
                let speed = position(&state.velocity, topology.node_dof[node]);
                let radius = model.radius[edge];
                // Squares tell those that are not near the largest.
                let square = speed.length_squared() * radius * radius;
                let known = self.speed_radius.map_or(0.0, |known| known.value);
                if square >= (1.0 - ROUNDING) * known * known {
                    let at = node - layout.first_node;
                    raise(&mut self.speed_radius, found(speed.length() * radius, at));
                }
            }
        }
    }

    /// Takes in the vertices of a rod; returns the largest bending moment, N m, if it is more than
    /// the torque that is known to act.
    fn include_vertices(
        &mut self,
        model: &Model,
        state: &State,
        rods: &Elastic,
        rod: usize,
    ) -> f64 {
        let (topology, frames) = (&model.topology, &state.frames);
        let layout = &topology.rods[rod];
        let mut largest = spin::known_torque(&self.spins, model, rod);
        for vertex in layout.first_vertex..layout.first_vertex + layout.vertices {
            let edges = topology.vertex_edges[vertex];
            let found = |value| Extreme {
                value,
                time: state.time,
                rod,
                at: topology.vertex_nodes[vertex][1] - layout.first_node,
            };
            let [l, k] = edges.map(|e| model.rest_length[e]);
            let [h, g] = edges.map(|e| model.radius[e]);
            // Curvature and twist are integrated over dl: per length, times the thicker radius.
            let over = h.max(g) / (0.5 * (l + k));
            let elasticity = rods.elasticity(vertex);
            let [minus, plus] = edges.map(|e| state.q[topology.edge_dof[e]]);
            let tau = plus - minus + frames.twist[vertex];
            let twisted = (tau - elasticity.rest_twist()).abs();
            raise(&mut self.twist, found(over * twisted));
            if elasticity.is_averaged() {
                raise(&mut self.twist_turn, found(twisted));
            }

            let [t, u] = edges.map(|e| frames.tangent[e]);
            let bound = turned_at_most(t.dot(u)) + elasticity.largest_rest_curvature();
            let [stiffness, _] = elasticity.largest_stiffness();
            let moment_bound = SQRT_2 * stiffness * bound.max(twisted);
            let rises = |known: Option<Extreme>, bound: f64| {
                known.is_none_or(|known| (1.0 + ROUNDING) * bound > known.value)
            };
            if !rises(self.bending, over * bound)
                && !rises(self.turn, bound)
                && moment_bound * (1.0 + ROUNDING) <= largest
            {
                continue;
            }
            let [minus, plus] =
                edges.map(|e| EdgeGeometry::of_frame(frames, topology, &state.q, e));
            let geometry = VertexGeometry::new(&minus, &plus);
            let ([bent, _], [moment, _]) = elasticity.strain_and_moments(&geometry, tau);
            largest = largest.max(moment);
            raise(&mut self.bending, found(over * bent));
            // A turn is no larger than its curvature, and takes longer to find.
            if self.turn.is_none_or(|turn| bent > turn.value) {
                raise(&mut self.turn, found(elasticity.turn(bent)));
            }
        }
        largest
    }
}

/// Upper bound of the curvature of a vertex whose edges have this cosine between them: that by
/// `2 tan(phi/2)`, and what rounding of the cosine may hide.
fn turned_at_most(cos: f64) -> f64 {
    // Folded back, rounding may make of the cosine a little less than -1.
    2.0 * ((1.0 - cos).max(0.0) / (1.0 + cos).max(0.0)).sqrt() + HIDDEN
}

fn raise(known: &mut Option<Extreme>, found: Extreme) {
    // What is not a number raises nothing.
    if known.is_none_or(|known| found.value > known.value) && found.value.is_finite() {
        *known = Some(found);
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::forces::twist;
    use crate::kernels::elastic::bend::BendingModel;
    use crate::model::ModelBuilder;
    use crate::rod::{Kinematics, Material, Rod, Section};
    use crate::schedule::Motion;
    use crate::simulation::Simulation;
    use crate::step::StepSettings;

    /// Largest strains by bending and twist, and largest turn, of a state, vertex by vertex.
    fn by_all(model: &Model, state: &State) -> [f64; 3] {
        let mut at = Kinematics::default();
        at.update(&model.topology, &state.frames, &state.q).unwrap();
        let mut largest = [0.0_f64; 3];
        for vertex in 0..model.topology.vertices() {
            let edges = model.topology.vertex_edges[vertex];
            let [minus, plus] = edges.map(|e| at.edge(e));
            let geometry = VertexGeometry::new(&minus, &plus);
            let tau = twist(model, &at, &state.q, vertex);
            let elasticity = model.elasticity(vertex);
            let [bent, twisted] = elasticity.strain(&geometry, tau);
            let [l, k] = edges.map(|e| model.rest_length[e]);
            let [h, g] = edges.map(|e| model.radius[e]);
            let over = h.max(g) / (0.5 * (l + k));
            let all = [over * bent, over * twisted.abs(), elasticity.turn(bent)];
            for (largest, found) in largest.iter_mut().zip(all) {
                *largest = largest.max(found);
            }
        }
        largest
    }

    /// A bent and twisted rod that springs back: what is left out by a bound was no larger, and how
    /// a moment beside the bound of it counts, too.
    #[test]
    fn nothing_larger_is_passed_over() {
        for bending in [
            BendingModel::HalfEdges,
            BendingModel::Averaged,
            BendingModel::PerEdge,
        ] {
            let section = Section::circle(Material::new(1e6, 0.5, 1e3), 2e-3);
            let node = |i: usize| {
                let (sin, cos) = (0.15 * i as f64).sin_cos();
                DVec3::new(0.06 * cos, 0.06 * sin, 2e-3 * i as f64)
            };
            let rod = Rod::open((0..21).map(node).collect(), section).unwrap();
            let builder = ModelBuilder::new().bending(bending).rod(rod);
            let builder = builder.clamp(0, 0, Motion::Still);
            let (model, mut state) = builder.gravity(DVec3::Z * -9.81).build().unwrap();
            // Twisted more and more towards its free end.
            for (edge, dof) in model.topology.edge_dof.iter().enumerate().skip(1) {
                state.q[*dof] += 1e-3 * (edge * edge) as f64;
            }
            let settings = StepSettings {
                dt: 1e-3,
                ..StepSettings::default()
            };
            let mut simulation = Simulation::new(model, state, settings);
            let (mut seen, mut known) = (Extremes::default(), [0.0_f64; 3]);
            for step in 0..60 {
                seen.see(&simulation.model, &simulation.state);
                let now = by_all(&simulation.model, &simulation.state);
                for (known, now) in known.iter_mut().zip(now) {
                    *known = known.max(now);
                }
                let found = [seen.bending, seen.twist, seen.turn].map(|e| e.unwrap().value);
                for (found, known) in found.into_iter().zip(known) {
                    let off = (found - known).abs();
                    assert!(off <= 1e-11 * known, "{step}: {found} for {known}");
                }
                // Afresh, everything is looked at.
                if step > 0 && step % 20 == 0 {
                    let (mut fresh, torque) = (Extremes::default(), seen.spins[0].torque);
                    fresh.see(&simulation.model, &simulation.state);
                    assert!(fresh.spins[0].torque <= torque * (1.0 + 1e-12));
                }
                simulation.step(1e-3).unwrap();
            }
        }
    }
}
