//! Where a run leaves what rods are a model of: largest strain, largest turn from edge to edge,
//! largest speed, each with its place and time; and what leaving out costs that a spin is turned.

mod spin;

use serde::{Deserialize, Serialize};

use crate::forces::twist;
use crate::model::{Elastic, Model};
use crate::response::{Response, rods_of};
use crate::rod::Kinematics;
use crate::rod::kinematics::{EdgeGeometry, KinematicsError, position};
use crate::rod::strain::VertexGeometry;
use crate::state::State;
pub use spin::TurnedSpin;

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
    /// Takes in a state.
    ///
    /// # Errors
    /// When the state has an edge without direction, which no accepted state has.
    pub fn see(&mut self, model: &Model, state: &State) -> Result<(), KinematicsError> {
        let mut kinematics = Kinematics::default();
        kinematics.update(&model.topology, &state.frames, &state.q)?;
        let response = Response::of_state(model, state, false);
        let rods = rods_of(model, response.as_ref());
        self.include_edges(model, state, &kinematics, &rods);
        for rod in 0..model.topology.rods.len() {
            let moment = self.include_vertices(model, (state, &kinematics), &rods, rod);
            spin::include(&mut self.spins, model, (state, &kinematics), (rod, moment));
        }
        Ok(())
    }

    fn include_edges(
        &mut self,
        model: &Model,
        state: &State,
        kinematics: &Kinematics,
        rods: &Elastic,
    ) {
        let topology = &model.topology;
        for edge in 0..kinematics.len() {
            let rod = topology.edge_rod[edge];
            let layout = &topology.rods[rod];
            let found = |value, at| Extreme {
                value,
                time: state.time,
                rod,
                at,
            };
            let stretch = (kinematics.length(edge) / rods.rest_length[edge] - 1.0).abs();
            raise(&mut self.stretch, found(stretch, edge - layout.first_edge));
            for node in topology.edge_nodes[edge] {
                let speed = position(&state.velocity, topology.node_dof[node]).length();
                let value = speed * model.radius[edge];
                raise(
                    &mut self.speed_radius,
                    found(value, node - layout.first_node),
                );
            }
        }
    }

    /// Takes in the vertices of a rod; returns the largest bending moment, N m.
    fn include_vertices(
        &mut self,
        model: &Model,
        (state, at): (&State, &Kinematics),
        rods: &Elastic,
        rod: usize,
    ) -> f64 {
        let topology = &model.topology;
        let layout = &topology.rods[rod];
        let mut largest = 0.0_f64;
        // Along a rod the edge after a vertex is the one before the next.
        let mut known: Option<(usize, EdgeGeometry)> = None;
        for vertex in layout.first_vertex..layout.first_vertex + layout.vertices {
            let edges = topology.vertex_edges[vertex];
            let minus = match known {
                Some((edge, geometry)) if edge == edges[0] => geometry,
                _ => at.edge(edges[0]),
            };
            let plus = at.edge(edges[1]);
            known = Some((edges[1], plus));
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
            let geometry = VertexGeometry::new(&minus, &plus);
            let elasticity = rods.elasticity(vertex);
            let tau = twist(model, at, &state.q, vertex);
            let ([bent, twisted], [moment, _]) = elasticity.strain_and_moments(&geometry, tau);
            largest = largest.max(moment);
            let twisted = twisted.abs();
            raise(&mut self.bending, found(over * bent));
            raise(&mut self.twist, found(over * twisted));
            // A turn is no larger than its curvature, and takes longer to find.
            if self.turn.is_none_or(|turn| bent > turn.value) {
                raise(&mut self.turn, found(elasticity.turn(bent)));
            }
            if elasticity.is_averaged() {
                raise(&mut self.twist_turn, found(twisted));
            }
        }
        largest
    }
}

fn raise(known: &mut Option<Extreme>, found: Extreme) {
    // What is not a number raises nothing.
    if known.is_none_or(|known| found.value > known.value) && found.value.is_finite() {
        *known = Some(found);
    }
}
