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
    /// What joints, pins of bodies and what holds rods look like.
    pub meshes: Vec<Mesh>,
    /// What holds rods.
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

/// What joints, pins of bodies and what holds rods look like, around the origin.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mesh {
    /// Corners, m.
    pub vertices: Vec<[f32; 3]>,
    /// Unit normal at each corner.
    pub normals: Vec<[f32; 3]>,
    /// Indices of corners.
    pub triangles: Vec<[u32; 3]>,
}

/// What holds a rod. It stands in the middle between two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fixture {
    /// What it looks like, among the meshes; the rod lies along z.
    pub mesh: usize,
    /// The nodes, of all rods; the same one twice for a node that is held.
    pub nodes: [usize; 2],
    /// How it follows the edge between these; `None` for one of a node.
    pub collar: Option<Collar>,
}

/// How long a mesh of length 1 is around an edge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Collar {
    /// Least and most length that counts of the edge, m.
    pub lengths: [f64; 2],
    /// Length over that.
    pub part: f64,
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
    /// A pin through what is round, which shows how it turns: among the meshes.
    pub pin: Option<usize>,
}

/// Where rods meet on a body, or bodies are joined.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Joint {
    /// What it looks like, among the meshes; its axis lies along z.
    pub mesh: usize,
    /// The pose that it moves with, among those of a frame; `None` for one that stands still.
    pub pose: Option<usize>,
    /// Its place in that pose, m.
    pub at: [f64; 3],
    /// How it is turned there, quaternion x, y, z, w.
    pub turn: [f64; 4],
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
