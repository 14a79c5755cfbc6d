//! Where a run begins that does not begin where its rods are described: in the configuration that
//! another run has left, with its velocities.
//!
//! What a step remembers beside these (the step before it, stiffness and anchors of contact, forces
//! of a fluid, works and heat) belongs to the forces that acted there, and is left behind.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::constraints::Initial;
use crate::model::builder::{FIRST_INSTANT, check_overlaps};
use crate::model::{Model, ModelError};
use crate::rod::kinematics::{KinematicsError, position};
use crate::rod::{Frames, Kinematics};
use crate::state::State;

/// A configuration and its velocities, whatever the unknowns of a model are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Place {
    /// Positions, m, `(nodes)`.
    pub positions: Vec<DVec3>,
    /// Velocities, m/s, `(nodes)`.
    pub velocities: Vec<DVec3>,
    /// Material directors m1, `(edges)`.
    pub directors: Vec<DVec3>,
    /// Rates of the edges' angles, rad/s, `(edges)`.
    pub spins: Vec<f64>,
    /// Twist of the material directors from edge to edge, rad, `(vertices)`.
    pub twist: Vec<f64>,
    /// The rigid bodies.
    pub bodies: Vec<PlacedBody>,
    /// Whether each joint has let go, `(joints)`; empty where none has.
    pub broken: Vec<bool>,
}

/// Where a rigid body is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlacedBody {
    /// Centre of mass, m.
    pub position: DVec3,
    /// Takes its axes to those of the scene.
    pub orientation: DQuat,
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// Angular velocity in the axes of the scene, rad/s.
    pub spin: DVec3,
}

impl Place {
    /// Where `state` is, one of `model`.
    pub fn of_state(model: &Model, state: &State) -> Self {
        let topology = &model.topology;
        let at = |values: &[f64], dofs: &[usize]| -> Vec<DVec3> {
            dofs.iter().map(|dof| position(values, *dof)).collect()
        };
        let angle = |edge: usize| state.q[topology.edge_dof[edge]];
        let twist = topology.vertex_edges.iter().zip(&state.frames.twist);
        let orientations = topology.body_dof.iter().zip(&state.frames.orientation);
        Self {
            positions: at(&state.q, &topology.node_dof),
            velocities: at(&state.velocity, &topology.node_dof),
            directors: model.directors(state),
            spins: topology
                .edge_dof
                .iter()
                .map(|dof| state.velocity[*dof])
                .collect(),
            // The reference frames' own, and what the angles add.
            twist: twist
                .map(|([a, b], reference)| reference + angle(*b) - angle(*a))
                .collect(),
            bodies: orientations
                .map(|(dof, orientation)| PlacedBody {
                    position: position(&state.q, *dof),
                    orientation: *orientation,
                    velocity: position(&state.velocity, *dof),
                    spin: position(&state.velocity, *dof + 3),
                })
                .collect(),
            broken: state.broken.clone(),
        }
    }

    /// Rods alone, as a frame shows them: edges do not spin, and from one to the next they are
    /// twisted by at most half a turn.
    pub fn of_frame(
        positions: Vec<DVec3>,
        velocities: Vec<DVec3>,
        directors: Vec<DVec3>,
        vertices: usize,
    ) -> Self {
        Self {
            spins: vec![0.0; directors.len()],
            twist: vec![0.0; vertices],
            positions,
            velocities,
            directors,
            ..Self::default()
        }
    }
}

impl Model {
    /// Gives what is prescribed the turns with which its motions begin.
    pub(in crate::model) fn turn_at_start(&self, state: &mut State) {
        let (topology, bodies) = (&self.topology, &self.bodies.list);
        let (frames, q) = (&state.frames, &mut state.q);
        (self.constraints).turn_at_start(topology, frames, bodies, state.time, q);
    }

    /// Begins at `place` instead of where `state`, the first one of this model, is. Supports hold
    /// what they hold where it is now, and their motions lead on from there.
    ///
    /// # Errors
    /// A place of other rods or bodies, an edge without direction there, rods that lie in each
    /// other or in an obstacle.
    pub fn begin_at(&mut self, place: &Place, state: &mut State) -> Result<(), PlaceError> {
        self.check_counts(place)?;
        let topology = &self.topology;
        for (dof, (x, v)) in topology
            .node_dof
            .iter()
            .zip(place.positions.iter().zip(&place.velocities))
        {
            state.q[*dof..dof + 3].copy_from_slice(&x.to_array());
            state.velocity[*dof..dof + 3].copy_from_slice(&v.to_array());
        }
        for (dof, spin) in topology.edge_dof.iter().zip(&place.spins) {
            state.q[*dof] = 0.0;
            state.velocity[*dof] = *spin;
        }
        for (dof, body) in topology.body_dof.iter().zip(&place.bodies) {
            state.q[*dof..dof + 3].copy_from_slice(&body.position.to_array());
            state.velocity[*dof..dof + 3].copy_from_slice(&body.velocity.to_array());
            state.velocity[dof + 3..dof + 6].copy_from_slice(&body.spin.to_array());
        }
        let tangent = |edge: &[usize; 2]| {
            (place.positions[edge[1]] - place.positions[edge[0]]).normalize_or_zero()
        };
        // The reference frames are the material ones, which have this twist.
        let here = Frames {
            tangent: topology.edge_nodes.iter().map(tangent).collect(),
            director: place.directors.clone(),
            twist: place.twist.clone(),
            orientation: place.bodies.iter().map(|body| body.orientation).collect(),
        };
        let mut kinematics = Kinematics::default();
        kinematics.update(topology, &here, &state.q)?;
        state.frames = kinematics.frames();
        state.broken.clone_from(&place.broken);
        let bodies = place.bodies.iter();
        self.constraints.refer_to(Initial {
            positions: place.positions.clone(),
            directors: self.directors(state),
            bodies: bodies.map(|b| (b.position, b.orientation)).collect(),
        });
        self.turn_at_start(state);
        // What is prescribed moves as it is from here on, however it moved before.
        self.constraints.apply_velocity(
            &self.topology,
            &state.frames,
            &state.q,
            0.0,
            FIRST_INSTANT,
            &mut state.velocity,
        );
        check_overlaps(self, state).map_err(PlaceError::Model)
    }

    fn check_counts(&self, place: &Place) -> Result<(), PlaceError> {
        let topology = &self.topology;
        let joints = self.joints.len();
        for (what, found, expected) in [
            ("nodes", place.positions.len(), topology.nodes()),
            ("nodes that move", place.velocities.len(), topology.nodes()),
            ("edges", place.directors.len(), topology.edges()),
            ("edges that spin", place.spins.len(), topology.edges()),
            ("vertices", place.twist.len(), topology.vertices()),
            ("bodies", place.bodies.len(), self.bodies.list.len()),
        ] {
            if found != expected {
                return Err(PlaceError::Count {
                    what,
                    found,
                    expected,
                });
            }
        }
        match place.broken.len() {
            found if found == 0 || found == joints => Ok(()),
            found => Err(PlaceError::Count {
                what: "joints",
                found,
                expected: joints,
            }),
        }
    }
}

/// Why a model cannot begin at a place.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlaceError {
    /// It is that of other rods or bodies.
    #[error("it has {found} {what}, the model has {expected}")]
    Count {
        /// Of what.
        what: &'static str,
        /// As many as the place has.
        found: usize,
        /// As many as the model has.
        expected: usize,
    },
    /// It has no frames.
    #[error("{0}")]
    Frames(#[from] KinematicsError),
    /// It lies where the model has something else.
    #[error("{0}")]
    Model(ModelError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelBuilder;
    use crate::rod::{Material, Rod, Section};
    use crate::schedule::Motion;
    use crate::simulation::Simulation;
    use crate::step::StepSettings;

    /// A rod whose first edge is clamped and whose last one is turned.
    fn turned(speed: f64) -> Simulation {
        let x = |i: usize| DVec3::new(0.1 * i as f64, 0.0, 0.0);
        let section = Section::circle(Material::new(1e6, 0.5, 1e3), 0.01);
        let rod = Rod::open((0..6).map(x).collect(), section).unwrap();
        let turn = Motion::spin(DVec3::ZERO, DVec3::X, speed);
        let (model, state) = ModelBuilder::new()
            .rod(rod)
            .clamp(0, 0, Motion::Still)
            .clamp(0, 4, turn)
            .build()
            .unwrap();
        let settings = StepSettings {
            dt: 0.01,
            ..StepSettings::default()
        };
        Simulation::new(model, state, settings)
    }

    #[test]
    fn a_run_begins_where_another_ended_and_supports_hold_it_there() {
        // More than half a turn from edge to edge.
        let mut first = turned(8.0);
        first.run_until(2.0, |_, _| true).unwrap();
        let place = Place::of_state(&first.model, &first.state);
        assert!(place.twist.iter().sum::<f64>() > 15.9);
        let Simulation {
            mut model,
            mut state,
            settings,
            ..
        } = turned(0.0);
        model.begin_at(&place, &mut state).unwrap();
        let energy = |model: &Model, state: &State| {
            let mut kinematics = Kinematics::default();
            kinematics
                .update(&model.topology, &state.frames, &state.q)
                .unwrap();
            crate::forces::elastic_energy(model, &kinematics, &state.q).total()
        };
        let (before, now) = (energy(&first.model, &first.state), energy(&model, &state));
        assert!((now - before).abs() < 1e-9 * before, "{before} {now}");
        let mut second = Simulation::new(model, state, settings);
        second.run_until(1.0, |_, _| true).unwrap();
        let last = second.model.directors(&second.state)[4];
        assert!(last.distance(place.directors[4]) < 1e-9);
        let twist = Place::of_state(&second.model, &second.state).twist;
        assert!((twist.iter().sum::<f64>() - 16.0).abs() < 1e-6, "{twist:?}");
    }

    #[test]
    fn other_rods_are_refused() {
        let mut one = turned(0.0);
        let mut place = Place::of_state(&one.model, &one.state);
        place.positions.pop();
        let refused = one.model.begin_at(&place, &mut one.state).unwrap_err();
        assert_eq!(refused.to_string(), "it has 5 nodes, the model has 6");
    }
}
