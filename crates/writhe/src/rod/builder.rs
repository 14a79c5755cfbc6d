//! A rod as a user describes it: initial shape, sections, rest shape.

use glam::DVec3;

use super::Section;
use super::geometry::{any_normal, orthonormalize, parallel_transport};
use super::kinematics::{Frames, Kinematics, KinematicsError, MAX_FOLD_COSINE};
use super::section::SectionError;
use super::strain::{AVERAGED, VertexGeometry};
use super::topology::Topology;

/// One rod: initial configuration, sections and rest shape, each independent of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Rod {
    /// Initial node positions, m, `(nodes)`.
    pub positions: Vec<DVec3>,
    /// Initial material directors m1, unit and normal to their edge, `(edges)`.
    pub directors: Vec<DVec3>,
    /// Section of each edge, `(edges)`.
    pub sections: Vec<Section>,
    /// Rest length of each edge, m, `(edges)`.
    pub rest_lengths: Vec<f64>,
    /// Integrated rest curvature along m1 and m2 at each vertex, `2 tan(angle/2)`, with the mean of
    /// the two edges' directors at rest, dimensionless, `(vertices)`.
    pub rest_curvature: Vec<[f64; 2]>,
    /// Rest twist at each vertex, rad, `(vertices)`.
    pub rest_twist: Vec<f64>,
    /// Whether the last node is joined to the first.
    pub closed: bool,
}

/// A rod that cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RodError {
    /// An open rod needs 2 nodes, a closed one 3.
    #[error("a rod with {nodes} node(s): an open rod needs at least 2, a closed one 3")]
    TooFewNodes {
        /// How many there are.
        nodes: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("node {node} is at {position}: every coordinate must be a finite number")]
    NotFinite {
        /// Node of the rod.
        node: usize,
        /// Position of the node, m.
        position: DVec3,
    },
    /// Two neighbouring nodes in one place.
    #[error("nodes {node} and {next} are in one place ({position}): move one or remove it")]
    Coincident {
        /// First of the two.
        node: usize,
        /// The next one.
        next: usize,
        /// Where they are, m.
        position: DVec3,
    },
    /// Consecutive edges point in opposite directions.
    #[error(
        "the rod is folded flat at node {node}: consecutive edges point in opposite directions"
    )]
    Folded {
        /// Node of the rod.
        node: usize,
    },
    /// Edges at rest twisted so far that the mean of their directors is nothing.
    #[error(
        "the rest twist of vertex {vertex} is {twist} rad, an odd multiple of pi: the mean of the directors of its edges then tells nothing of its rest curvature"
    )]
    RestTwist {
        /// Vertex of the rod.
        vertex: usize,
        /// Its rest twist, rad.
        twist: f64,
    },
    /// A section that no edge can have.
    #[error("edge {edge}: {source}")]
    Section {
        /// Edge of the rod.
        edge: usize,
        /// The fault.
        source: SectionError,
    },
    /// An array of the wrong length.
    #[error("{name} has {length} entries, but the rod needs {expected}")]
    Length {
        /// Name of the array.
        name: &'static str,
        /// Its length.
        length: usize,
        /// Requirement on it, in words.
        expected: usize,
    },
    /// A rest length that is not positive, or a director along its edge.
    #[error("{name} of edge {edge} is {value}: it must be finite and {need}")]
    EdgeValue {
        /// Name of the quantity.
        name: &'static str,
        /// Edge of the rod.
        edge: usize,
        /// Value that was given.
        value: f64,
        /// Requirement on it, in words.
        need: &'static str,
    },
}

impl Rod {
    /// An open rod of one section through `positions` (m), at rest in this shape, with frames that
    /// do not twist.
    ///
    /// # Errors
    /// See [`RodError`].
    pub fn open(positions: Vec<DVec3>, section: Section) -> Result<Self, RodError> {
        Self::at_rest(positions, section, false, None)
    }

    /// A closed rod (ring) of one section through `positions` (m); the last node is joined to the
    /// first. What frames without twist miss of closing (the loop's holonomy) is spread over its
    /// whole length; the ring is at rest.
    ///
    /// # Errors
    /// See [`RodError`].
    pub fn closed(positions: Vec<DVec3>, section: Section) -> Result<Self, RodError> {
        Self::at_rest(positions, section, true, None)
    }

    /// A rod as by [`Rod::open`] or [`Rod::closed`], with the first edge's material director m1
    /// near `first_director`.
    ///
    /// # Errors
    /// See [`RodError`].
    pub fn at_rest(
        positions: Vec<DVec3>,
        section: Section,
        closed: bool,
        first_director: Option<DVec3>,
    ) -> Result<Self, RodError> {
        let tangents = tangents(&positions, closed)?;
        let first = tangents[0];
        let mut director = match first_director {
            Some(d) if orthonormalize(d, first).is_finite() => orthonormalize(d, first),
            // Along the tangent: nothing of it is left across the edge.
            Some(_) => {
                return Err(RodError::EdgeValue {
                    name: "the first director's sine to the tangent",
                    edge: 0,
                    value: 0.0,
                    need: "greater than zero: choose a direction that is not along the edge",
                });
            }
            None => any_normal(first),
        };
        let mut directors = vec![director];
        // Carried along by parallel transport, so no vertex has a twist.
        for pair in tangents.windows(2) {
            director = orthonormalize(parallel_transport(director, pair[0], pair[1]), pair[1]);
            directors.push(director);
        }
        let edges = tangents.len();
        let mut rod = Self {
            positions,
            directors,
            sections: vec![section; edges],
            rest_lengths: Vec::new(),
            rest_curvature: Vec::new(),
            rest_twist: Vec::new(),
            closed,
        };
        if closed {
            rod.spread_closure()?;
        }
        rod.set_rest_shape_here()?;
        rod.check()?;
        Ok(rod)
    }

    /// Turns directors without twist so that the angle which they miss of closing, at the seam, is
    /// twist everywhere, as much per length: a uniform rod that is straight at rest has the same torque
    /// along itself then.
    fn spread_closure(&mut self) -> Result<(), RodError> {
        let Shape { lengths, twist, .. } = self.shape()?;
        let edges = lengths.len();
        let at_seam = twist[edges - 1];
        // Plane loops close but for rounding.
        if at_seam.abs() > 1e-12 * edges as f64 {
            let per_length = at_seam / lengths.iter().sum::<f64>();
            let around = |vertex| 0.5 * (lengths[vertex] + lengths[(vertex + 1) % edges]);
            let twist: Vec<f64> = (0..edges).map(|v| per_length * around(v)).collect();
            self.twist_directors(&twist);
        }
        Ok(())
    }

    /// Makes the present positions and directors the rest shape.
    ///
    /// # Errors
    /// See [`RodError`].
    pub fn set_rest_shape_here(&mut self) -> Result<(), RodError> {
        let shape = self.shape()?;
        self.rest_lengths = shape.lengths;
        self.rest_curvature = shape.curvature;
        self.rest_twist = shape.twist;
        Ok(())
    }

    /// Makes the rest shape straight and untwisted with the present edge lengths.
    ///
    /// # Errors
    /// See [`RodError`].
    pub fn straight_at_rest(mut self) -> Result<Self, RodError> {
        self.set_rest_shape_here()?;
        self.rest_curvature.fill([0.0; 2]);
        self.rest_twist.fill(0.0);
        Ok(self)
    }

    /// Takes the rest shape of another rod with as many nodes.
    ///
    /// # Errors
    /// See [`RodError`].
    pub fn with_rest_shape_of(mut self, other: &Rod) -> Result<Self, RodError> {
        let shape = other.shape()?;
        self.rest_lengths = shape.lengths;
        self.rest_curvature = shape.curvature;
        self.rest_twist = shape.twist;
        self.check()?;
        Ok(self)
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        if self.closed {
            self.positions.len()
        } else {
            self.positions.len().saturating_sub(1)
        }
    }

    /// Number of vertices (pairs of consecutive edges).
    pub fn vertices(&self) -> usize {
        if self.closed {
            self.edges()
        } else {
            self.edges().saturating_sub(1)
        }
    }

    /// Checks every array and value.
    ///
    /// # Errors
    /// See [`RodError`].
    pub fn check(&self) -> Result<(), RodError> {
        tangents(&self.positions, self.closed)?;
        let (edges, vertices) = (self.edges(), self.vertices());
        for (name, length, expected) in [
            ("directors", self.directors.len(), edges),
            ("sections", self.sections.len(), edges),
            ("rest_lengths", self.rest_lengths.len(), edges),
            ("rest_curvature", self.rest_curvature.len(), vertices),
            ("rest_twist", self.rest_twist.len(), vertices),
        ] {
            if length != expected {
                return Err(RodError::Length {
                    name,
                    length,
                    expected,
                });
            }
        }
        for (edge, section) in self.sections.iter().enumerate() {
            section
                .check()
                .map_err(|source| RodError::Section { edge, source })?;
        }
        for (edge, &value) in self.rest_lengths.iter().enumerate() {
            if !(value.is_finite() && value > 0.0) {
                return Err(RodError::EdgeValue {
                    name: "rest length",
                    edge,
                    value,
                    need: "greater than zero",
                });
            }
        }
        let finite = self.rest_curvature.iter().flatten().chain(&self.rest_twist);
        for (i, &value) in finite.enumerate() {
            if !value.is_finite() {
                return Err(RodError::EdgeValue {
                    name: "rest curvature or twist",
                    edge: i,
                    value,
                    need: "a number",
                });
            }
        }
        // What is left, folds and directors along their edge, shows when the shape is evaluated.
        self.shape().map(|_| ())
    }

    /// Frames at the initial configuration: the material directors are the first reference
    /// directors, so every theta starts at 0.
    pub(crate) fn frames(&self) -> Result<Frames, RodError> {
        self.shape().map(|s| s.frames)
    }

    fn shape(&self) -> Result<Shape, RodError> {
        let tangent = tangents(&self.positions, self.closed)?;
        let director: Vec<DVec3> = self
            .directors
            .iter()
            .zip(&tangent)
            .map(|(d, t)| orthonormalize(*d, *t))
            .collect();
        for (edge, d) in director.iter().enumerate() {
            if !d.is_finite() {
                return Err(RodError::EdgeValue {
                    name: "the director's component normal to the edge",
                    edge,
                    value: d.x,
                    need: "greater than zero",
                });
            }
        }
        let mut topology = Topology::default();
        topology.push(self.positions.len(), self.closed);
        // Frames at the shape itself: with q of the same shape, transport in time does nothing.
        let start = Frames {
            twist: vec![0.0; topology.vertices()],
            orientation: Vec::new(),
            tangent,
            director,
        };
        let mut q = vec![0.0; topology.dofs];
        for (x, dof) in self.positions.iter().zip(&topology.node_dof) {
            q[*dof..dof + 3].copy_from_slice(&x.to_array());
        }
        let mut kinematics = Kinematics::default();
        kinematics
            .update(&topology, &start, &q)
            .map_err(|e| match e {
                KinematicsError::Folded { node: [_, node] } => RodError::Folded { node },
                KinematicsError::Degenerate {
                    edge: [_, edge], ..
                }
                | KinematicsError::TurnedTooFar { edge: [_, edge] } => RodError::Coincident {
                    node: edge,
                    next: topology.edge_nodes[edge][1],
                    position: self.positions[edge],
                },
            })?;
        let curvature = topology
            .vertex_edges
            .iter()
            .map(|[a, b]| {
                VertexGeometry::new(&kinematics.edge(*a), &kinematics.edge(*b))
                    // Averaged at rest, also with bending per edge (decision 0023).
                    .curvature(AVERAGED)
            })
            .collect();
        Ok(Shape {
            lengths: kinematics.edges().map(|e| e.length).collect(),
            curvature,
            twist: kinematics.twist.clone(),
            frames: kinematics.frames(),
        })
    }

    /// Turns every initial material director about its tangent so that the twist of vertex `i`
    /// changes by `twist[i]`, rad.
    pub fn twist_directors(&mut self, twist: &[f64]) {
        let Ok(tangents) = tangents(&self.positions, self.closed) else {
            return;
        };
        let mut angle = 0.0;
        for (edge, t) in tangents.iter().enumerate() {
            if edge > 0 {
                // Edge i is turned by the sum of the twists of the vertices before it.
                angle += twist.get(edge - 1).copied().unwrap_or(0.0);
            }
            let d = self.directors[edge];
            self.directors[edge] = d * f64::cos(angle) + t.cross(d) * f64::sin(angle);
        }
    }
}

struct Shape {
    lengths: Vec<f64>,
    curvature: Vec<[f64; 2]>,
    twist: Vec<f64>,
    frames: Frames,
}

fn tangents(positions: &[DVec3], closed: bool) -> Result<Vec<DVec3>, RodError> {
    let nodes = positions.len();
    if nodes < if closed { 3 } else { 2 } {
        return Err(RodError::TooFewNodes { nodes });
    }
    if let Some((node, &position)) = positions.iter().enumerate().find(|(_, x)| !x.is_finite()) {
        return Err(RodError::NotFinite { node, position });
    }
    let edges = if closed { nodes } else { nodes - 1 };
    let tangents: Vec<DVec3> = (0..edges)
        .map(|node| {
            let next = (node + 1) % nodes;
            let e = positions[next] - positions[node];
            // Nearer than rounding of the coordinates allows, an edge has no direction.
            let scale = positions[node].abs().max_element().max(f64::MIN_POSITIVE);
            if e.length() <= 1e-12 * scale {
                return Err(RodError::Coincident {
                    node,
                    next,
                    position: positions[node],
                });
            }
            Ok(e.normalize())
        })
        .collect::<Result<_, _>>()?;
    let vertices = if closed {
        edges
    } else {
        edges.saturating_sub(1)
    };
    let folded = |&i: &usize| tangents[i].dot(tangents[(i + 1) % edges]) < MAX_FOLD_COSINE;
    match (0..vertices).find(folded) {
        Some(i) => Err(RodError::Folded {
            node: (i + 1) % nodes,
        }),
        None => Ok(tangents),
    }
}
