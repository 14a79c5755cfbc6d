//! glTF 2.0 (binary): tubes on skeletons with a joint at each node, moved in time. Blender and web
//! viewers play it.
//!
//! Specification: <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>. A joint's pose is
//! that of its node, so each ring of the tube is where it was in the run at every frame; between
//! frames poses are interpolated.

use std::path::Path;

use glam::{DMat4, DQuat, DVec3};
use serde_json::{Value, json};

use super::frames::Frames;
use super::tube::{NodeFrame, SIDES, Tubes, rings};
use crate::atomic;
use crate::bytes::joined;
use crate::error::Result;

/// Okabe and Ito's colours, as sRGB.
const COLORS: [[u8; 3]; 7] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [213, 94, 0],
    [86, 180, 233],
    [204, 121, 167],
    [240, 228, 66],
];

/// Writes the run in `directory` as `out` (`.glb`), in m and s; z of the scene is up.
pub fn export_gltf(directory: impl AsRef<Path>, out: impl AsRef<Path>) -> Result<()> {
    let frames = Frames::open(directory.as_ref(), None)?;
    let tubes = Tubes::new(frames.layout());
    let poses = (0..frames.count())
        .map(|index| {
            let (positions, directors) = frames.shape(index)?;
            Ok(tubes.frames(&positions, &directors))
        })
        .collect::<Result<Vec<_>>>()?;
    let mut file = Document::default();
    let nodes = tubes.radius.len();
    // The root turns z up into glTF's y up; nodes 1.. are joints, in the order of the run's nodes;
    // the tubes come after. Programs that know no skeletons show the tubes where they are in the
    // first frame.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut scene_nodes = vec![json!({
        "name": "run",
        "rotation": [-half, 0.0, 0.0, half],
        "children": (1..=nodes + tubes.spans.len()).collect::<Vec<_>>(),
    })];
    for (rod, span) in tubes.spans.iter().enumerate() {
        scene_nodes.extend((0..span.rod.nodes).map(|node| {
            let pose = poses.first().map(|all| all[span.first_node + node]);
            let mut joint = json!({ "name": format!("rod{rod}_node{node}") });
            if let Some(NodeFrame { position, rotation }) = pose {
                joint["translation"] = json!(position.to_array());
                joint["rotation"] = json!(rotation.to_array());
            }
            joint
        }));
    }
    let (mut meshes, mut skins, mut materials) = (Vec::new(), Vec::new(), Vec::new());
    let faces = tubes.faces();
    for (rod, span) in tubes.spans.iter().enumerate() {
        let of_rod = span.first_node..span.first_node + span.rod.nodes;
        let bound: &[NodeFrame] = poses.first().map_or(&[], |all| &all[of_rod.clone()]);
        meshes.push(mesh(&mut file, &tubes, rod, bound, &faces));
        skins.push(json!({
            "joints": of_rod.map(|node| node + 1).collect::<Vec<_>>(),
            "inverseBindMatrices": file.inverses(bound),
        }));
        materials.push(material(rod));
        scene_nodes.push(json!({ "name": format!("rod{rod}"), "mesh": rod, "skin": rod }));
    }
    let mut root = json!({
        "asset": { "version": "2.0", "generator": concat!("writhe ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": scene_nodes,
        "meshes": meshes,
        "skins": skins,
        "materials": materials,
    });
    if !poses.is_empty() {
        root["animations"] = json!([animation(&mut file, &frames.times, poses, nodes)]);
    }
    atomic::write_anew(out.as_ref(), &file.finish(root))
}

/// The tube of a rod as it is bound to its joints, in the first frame.
fn mesh(
    file: &mut Document,
    tubes: &Tubes,
    rod: usize,
    bound: &[NodeFrame],
    faces: &[Vec<usize>],
) -> Value {
    let span = &tubes.spans[rod];
    let nodes = span.first_node..span.first_node + span.rod.nodes;
    let (points, normals): (Vec<DVec3>, Vec<DVec3>) =
        rings(bound, &tubes.radius[nodes.clone()]).unzip();
    let first = SIDES * nodes.start;
    let triangles = faces
        .iter()
        .filter(|face| nodes.contains(&(face[0] / SIDES)))
        .flat_map(|face| (1..face.len() - 1).flat_map(move |i| [face[0], face[i], face[i + 1]]))
        .map(|point| (point - first) as u32);
    let indices = file.scalars(triangles.collect());
    let joints: Vec<[u16; 4]> = (0..span.rod.nodes)
        .flat_map(|node| std::iter::repeat_n([node as u16, 0, 0, 0], SIDES))
        .collect();
    let weights = vec![[1.0, 0.0, 0.0, 0.0]; joints.len()];
    json!({
        "name": format!("rod{rod}"),
        "primitives": [{
            "attributes": {
                "POSITION": file.vectors(&points, true),
                "NORMAL": file.vectors(&normals, false),
                "JOINTS_0": file.joints(&joints),
                "WEIGHTS_0": file.fours(&weights),
            },
            "indices": indices,
            "material": rod,
        }],
    })
}

fn material(rod: usize) -> Value {
    let linear = COLORS[rod % COLORS.len()].map(|byte| {
        let x = f64::from(byte) / 255.0;
        if x <= 0.04045 {
            x / 12.92
        } else {
            ((x + 0.055) / 1.055).powf(2.4)
        }
    });
    let [r, g, b] = linear;
    json!({
        "name": format!("rod{rod}"),
        "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.5 },
    })
}

/// Translation and rotation of each joint at each frame.
fn animation(
    file: &mut Document,
    times: &[f64],
    mut poses: Vec<Vec<NodeFrame>>,
    nodes: usize,
) -> Value {
    // Of the two quaternions of a rotation that which is nearer to the one before.
    for node in 0..nodes {
        let mut before = DQuat::IDENTITY;
        for frame in &mut poses {
            let here = &mut frame[node].rotation;
            if before.dot(*here) < 0.0 {
                *here = -*here;
            }
            before = *here;
        }
    }
    let start = times.first().copied().unwrap_or(0.0);
    let input = file.times(
        &times
            .iter()
            .map(|time| (time - start) as f32)
            .collect::<Vec<_>>(),
    );
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for node in 0..nodes {
        let way: Vec<DVec3> = poses.iter().map(|all| all[node].position).collect();
        let turn = |q: DQuat| q.to_array().map(|x| x as f32);
        let turns: Vec<[f32; 4]> = poses.iter().map(|all| turn(all[node].rotation)).collect();
        for (path, output) in [
            ("translation", file.vectors(&way, false)),
            ("rotation", file.fours(&turns)),
        ] {
            channels.push(
                json!({ "sampler": samplers.len(), "target": { "node": node + 1, "path": path } }),
            );
            samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
        }
    }
    json!({ "name": "run", "samplers": samplers, "channels": channels })
}

/// The binary part with the accessors into it.
#[derive(Debug, Default)]
struct Document {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Document {
    fn vectors(&mut self, vectors: &[DVec3], bounded: bool) -> usize {
        let bytes = vectors
            .iter()
            .flat_map(|v| v.to_array())
            .flat_map(|x| (x as f32).to_le_bytes());
        let index = self.push(bytes.collect(), 5126, vectors.len(), "VEC3");
        if bounded {
            let over = |f: fn(DVec3, DVec3) -> DVec3| {
                let bound = vectors.iter().copied().reduce(f).unwrap_or_default();
                bound.to_array().map(|x| f64::from(x as f32))
            };
            self.accessors[index]["min"] = json!(over(DVec3::min));
            self.accessors[index]["max"] = json!(over(DVec3::max));
        }
        index
    }

    fn fours(&mut self, values: &[[f32; 4]]) -> usize {
        let bytes = joined(values.as_flattened(), f32::to_le_bytes);
        self.push(bytes, 5126, values.len(), "VEC4")
    }

    /// The inverses of poses, column by column.
    fn inverses(&mut self, poses: &[NodeFrame]) -> usize {
        let matrix = |pose: &NodeFrame| {
            let inverse = DMat4::from_rotation_translation(pose.rotation, pose.position).inverse();
            inverse.to_cols_array().map(|x| (x as f32).to_le_bytes())
        };
        let bytes = poses.iter().flat_map(matrix).flatten().collect();
        self.push(bytes, 5126, poses.len(), "MAT4")
    }

    fn joints(&mut self, values: &[[u16; 4]]) -> usize {
        let bytes = joined(values.as_flattened(), u16::to_le_bytes);
        self.push(bytes, 5123, values.len(), "VEC4")
    }

    fn scalars(&mut self, values: Vec<u32>) -> usize {
        let bytes = joined(&values, u32::to_le_bytes);
        self.push(bytes, 5125, values.len(), "SCALAR")
    }

    fn times(&mut self, times: &[f32]) -> usize {
        let bytes = joined(times, f32::to_le_bytes);
        let index = self.push(bytes, 5126, times.len(), "SCALAR");
        self.accessors[index]["min"] = json!([times.first()]);
        self.accessors[index]["max"] = json!([times.last()]);
        index
    }

    fn push(&mut self, bytes: Vec<u8>, component: u32, count: usize, kind: &str) -> usize {
        let offset = self.bytes.len();
        self.views
            .push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }));
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1,
            "componentType": component,
            "count": count,
            "type": kind,
        }));
        self.accessors.len() - 1
    }

    /// The file: header, JSON, binary part.
    fn finish(self, mut root: Value) -> Vec<u8> {
        root["accessors"] = json!(self.accessors);
        root["bufferViews"] = json!(self.views);
        root["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
        let mut text = root.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + text.len() + 8 + self.bytes.len();
        let mut file = b"glTF".to_vec();
        let word = |x: usize| (x as u32).to_le_bytes();
        for bytes in [word(2), word(length), word(text.len()), *b"JSON"] {
            file.extend(bytes);
        }
        file.extend(text);
        file.extend(word(self.bytes.len()));
        file.extend(b"BIN\0");
        file.extend(self.bytes);
        file
    }
}
