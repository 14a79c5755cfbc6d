//! What stays the same over a run.

use serde::Serialize;

use crate::plane::Plane;

/// The rods, what surrounds them, and what is told about the run beside the picture.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Setting {
    /// Title of the page.
    pub title: String,
    /// Name of the run.
    pub name: String,
    /// What is up in the picture; zero where nothing says so.
    pub up: [f64; 3],
    /// The rods, in the order of their nodes in a frame.
    pub rods: Vec<Rod>,
    /// Radius of each edge of all rods, m, `(edges)`.
    pub radius: Vec<f64>,
    /// Where rods are held.
    pub fixtures: Vec<Fixture>,
    /// Obstacles and other bodies.
    pub obstacles: Vec<Obstacle>,
    /// Joints of bodies.
    pub joints: Vec<Joint>,
    /// Number of poses in a frame: of obstacles, bodies and what joints stand on.
    pub poses: usize,
    /// Planes on which some frames give the velocity of a fluid; empty without one.
    pub planes: Vec<Plane>,
    /// Scalars given at the nodes of each frame.
    pub fields: Vec<Field>,
    /// Scalars of each output time.
    pub columns: Vec<Column>,
    /// The scene's parameters.
    pub parameters: Vec<Section>,
    /// How the run went.
    pub summary: Vec<(String, String)>,
    /// What a reader should know about the page, such as frames left out.
    pub notice: Option<String>,
    /// Whether frames are asked for from the server that sent the page.
    pub live: bool,
    /// What is seen on opening, as in a link: what stands after its `#`.
    pub opens: Option<String>,
}

/// One rod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rod {
    /// Number of nodes.
    pub nodes: usize,
    /// Whether an edge joins the last node to the first.
    pub closed: bool,
}

/// Where a rod is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Fixture {
    /// How.
    pub kind: FixtureKind,
    /// The edge or node, of all rods.
    pub index: usize,
}

/// How a rod is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FixtureKind {
    /// Both nodes and the angle of an edge.
    Clamp,
    /// A node.
    Pin,
    /// The angle of an edge.
    Angle,
}

/// An obstacle or a body, in its own frame; each frame of the run gives its pose.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Obstacle {
    /// Its shape.
    pub shape: Shape,
    /// Whether rods move it: a rigid body.
    pub body: bool,
    /// Whether it is a thin wall, whose triangles face inwards: one sees into it.
    pub hollow: bool,
    /// Its pose among those of a frame.
    pub pose: usize,
}

/// Where rods meet on a body, or bodies are joined.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Joint {
    /// What it is.
    pub kind: JointKind,
    /// The pose that it moves with, among those of a frame; `None` for one that stands still.
    pub pose: Option<usize>,
    /// Its place in that pose, m.
    pub at: [f64; 3],
    /// Direction of its axis there, unit; zero for one without.
    pub axis: [f64; 3],
    /// Radius of its mark, m.
    pub radius: f64,
    /// Half length of the pin along its axis, m.
    pub half_length: f64,
}

/// What a joint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JointKind {
    /// Of rods.
    Rods,
    /// A ball joint.
    Ball,
    /// Of bodies that do not move against each other.
    Weld,
    /// A hinge.
    Hinge,
    /// A hinge that is driven.
    Motor,
}

/// A shape around the origin; axes lie along z. Lengths in m.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// All points below z = 0.
    Plane,
    /// A ball.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A cylinder with round ends.
    Capsule {
        /// Radius.
        radius: f64,
        /// Half the distance of the ends' centres.
        half_length: f64,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half the distance of the ends.
        half_length: f64,
    },
    /// A box.
    Box {
        /// Half sides.
        half: [f64; 3],
    },
    /// Triangles.
    Mesh {
        /// Corners.
        vertices: Vec<[f64; 3]>,
        /// Indices of corners.
        triangles: Vec<[u32; 3]>,
    },
}

/// A scalar at the nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Short name, used in links.
    pub name: String,
    /// Name for the reader.
    pub label: String,
    /// Unit; `1` for a pure number.
    pub unit: String,
    /// Whether its sign matters: then colours diverge from zero.
    pub signed: bool,
}

/// A scalar of each output time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Unit; `1` for a pure number.
    pub unit: String,
}

/// Parameters that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Heading; may be empty.
    pub name: String,
    /// Names and values.
    pub entries: Vec<(String, String)>,
}
