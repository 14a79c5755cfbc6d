//! glTF 2.0 (binary): tubes on skeletons with a joint at each node, moved in time; what is around
//! them as meshes that move; contacts as arrows. Blender and web viewers play it.
//!
//! Specification: <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>. A joint's pose is
//! that of its node, so each ring of the tube is where it was in the run at every frame; between
//! frames poses are interpolated. Contacts come and go: an arrow that is not there has no size.

mod document;

use std::path::Path;

use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use super::arrow::{Arrows, arrow};
use super::frames::{Frames, Mark, Scale, Vectors};
use super::options::ExportOptions;
use super::place;
use super::surroundings::{Mesh, Pose, Thing, turn_the_short_way};
use super::tube::{NodeFrame, Tube, Tubes, centreline};
use crate::error::{Result, RunDirError};
use document::Document;

/// Joints of a skeleton are counted by 16 bits.
const MOST_JOINTS: usize = 1 << 16;

/// Colour of arrows, linear light.
const ARROW: [f64; 3] = [0.55, 0.02, 0.02];

/// Writes the run in `directory` as `out` (`.glb`), in m and s; z of the scene is up.
///
/// Nodes of things around the rods are called by kind and number, `body0`, and have both in their
/// `extras`; those of contacts `contact0` and so on, as many as a frame has at most. Skinned
/// surfaces cannot change their colours in time: with a colouring, points have those of one frame.
/// The scene's `extras` say units, centreline, colours and the scale of arrows.
///
/// # Errors
/// When the run cannot be read, has no such field or frame, a rod has too many nodes for a
/// skeleton, or the file cannot be written.
pub fn export_gltf(
    directory: impl AsRef<Path>,
    out: impl AsRef<Path>,
    options: &ExportOptions,
) -> Result<()> {
    let frames = Frames::open(directory.as_ref(), options)?;
    let tubes = Tubes::new(frames.layout(), options.smooth);
    for (rod, tube) in tubes.rods.iter().enumerate() {
        if tube.stations.len() > MOST_JOINTS {
            return Err(RunDirError::TooManyJoints {
                rod,
                joints: tube.stations.len(),
                most: MOST_JOINTS,
                smooth: options.smooth && tube.span.rod.nodes <= MOST_JOINTS,
            });
        }
    }
    let mut told = json!({ "units": "m, s", "centreline": centreline(options.smooth) });
    if let Some(first) = frames.times.first() {
        told["time_of_start_s"] = json!(first);
    }
    let colours = colours(&frames, &tubes, options, &mut told)?;
    let mut export = Export {
        frames: &frames,
        tubes: &tubes,
        file: Document::default(),
        nodes: vec![Value::Null],
        meshes: Vec::new(),
        materials: Vec::new(),
        skins: Vec::new(),
        tracks: Vec::new(),
    };
    let shapes = (0..frames.count()).map(|index| frames.shape(index));
    let shapes = shapes.collect::<Result<Vec<_>>>()?;
    export.add_rods(&shapes, colours.as_deref());
    for thing in &options.surroundings.things {
        export.add_thing(thing);
    }
    let marks = shapes.iter().enumerate();
    let marks = marks.map(|(index, (x, _))| frames.marks(index, x, &options.surroundings));
    export.add_contacts(&marks.collect::<Vec<_>>(), &mut told);
    place::single_file(out.as_ref(), &export.finish(&told))
}

/// Colours of the points of all tubes in the frame asked for, if any; says which in `told`.
fn colours(
    frames: &Frames,
    tubes: &Tubes,
    options: &ExportOptions,
    told: &mut Value,
) -> Result<Option<Vec<[f32; 4]>>> {
    let Some(colouring) = &options.colour else {
        return Ok(None);
    };
    let index = frames.nearest(colouring.at)?;
    let scale: Scale = frames.scale(colouring, std::iter::once(index))?;
    let frame = frames.measured(index)?;
    let colour = |value: f64| {
        let [r, g, b] = scale.colour(value).map(|x| x as f32);
        [r, g, b, 1.0]
    };
    told["colour"] = json!(format!(
        "{}, at t = {} s",
        scale.told(),
        frames.times[index]
    ));
    Ok(Some(
        tubes.at_points(frame.of(scale.field)).map(colour).collect(),
    ))
}

/// A file in the making. Node 0 is the root; then come joints, rods, things and contacts.
struct Export<'a> {
    frames: &'a Frames,
    tubes: &'a Tubes,
    file: Document,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    skins: Vec<Value>,
    tracks: Vec<Track>,
}

/// What of a node changes in time, by frame.
struct Track {
    node: usize,
    course: Course,
    /// Whether it leaps from frame to frame.
    leaps: bool,
}

/// Values of what changes, `(frames)`.
enum Course {
    Translation(Vec<DVec3>),
    Rotation(Vec<DQuat>),
    Scale(Vec<DVec3>),
}

impl Export<'_> {
    /// Rods on their skeletons, bound to the first frame. Programs that know no skeletons show them
    /// there.
    fn add_rods(&mut self, shapes: &[(Vectors, Vectors)], colours: Option<&[[f32; 4]]>) {
        let poses = shapes.iter().map(|(x, m1)| self.tubes.frames(x, m1));
        let poses: Vec<Vec<NodeFrame>> = poses.collect();
        let first_joint = self.nodes.len();
        for (rod, tube) in self.tubes.rods.iter().enumerate() {
            for (k, station) in tube.stations.clone().enumerate() {
                let way = poses.iter().map(|all| all[station].position).collect();
                let turn = poses.iter().map(|all| all[station].rotation).collect();
                let node = self.add_node(json!({ "name": format!("rod{rod}_node{k}") }));
                self.track(node, Course::Translation(way), false);
                self.track(node, Course::Rotation(turn), false);
            }
        }
        let bound = poses.first();
        for (rod, tube) in self.tubes.rods.iter().enumerate() {
            let bound = bound.map_or(&[][..], |all| &all[tube.stations.clone()]);
            let material = match colours {
                Some(_) => [1.0; 3],
                None => super::rod_colour(rod),
            };
            self.add_material(&format!("rod{rod}"), material, 1.0);
            self.add_tube(rod, tube, bound, colours);
            self.skins.push(json!({
                "joints": tube.stations.clone().map(|s| first_joint + s).collect::<Vec<_>>(),
                "inverseBindMatrices": self.file.inverses(bound),
            }));
            let (name, mesh) = (format!("rod{rod}"), self.meshes.len() - 1);
            let extras = json!({ "kind": "rod", "number": rod });
            self.add_node(json!({ "name": name, "mesh": mesh, "skin": rod, "extras": extras }));
        }
    }

    /// The tube of a rod as it is bound to its joints; its material is the last one.
    fn add_tube(
        &mut self,
        rod: usize,
        tube: &Tube,
        bound: &[NodeFrame],
        colours: Option<&[[f32; 4]]>,
    ) {
        let points = &self.tubes.points[tube.points.clone()];
        let pose = |station: usize| bound.get(station - tube.stations.start);
        let placed = points.iter().filter_map(|p| Some((p, pose(p.station)?)));
        let places: Vec<DVec3> = placed
            .clone()
            .map(|(p, f)| f.position + f.rotation * p.local)
            .collect();
        let normals: Vec<DVec3> = placed.map(|(p, f)| f.rotation * p.normal).collect();
        let first = tube.points.start;
        let fan = |face: &Vec<usize>| {
            let corners = face.iter().map(|i| (i - first) as u32).collect::<Vec<_>>();
            (1..corners.len() - 1)
                .map(|i| [corners[0], corners[i], corners[i + 1]])
                .collect::<Vec<_>>()
        };
        let triangles: Vec<u32> = tube.faces.iter().flat_map(fan).flatten().collect();
        let joint = |p: &super::tube::Point| [(p.station - tube.stations.start) as u16, 0, 0, 0];
        let joints: Vec<[u16; 4]> = points.iter().map(joint).collect();
        let mut attributes = json!({
            "POSITION": self.file.vectors(&places, true),
            "NORMAL": self.file.vectors(&normals, false),
            "JOINTS_0": self.file.joints(&joints),
            "WEIGHTS_0": self.file.fours(&vec![[1.0, 0.0, 0.0, 0.0]; joints.len()]),
        });
        if let Some(colours) = colours {
            attributes["COLOR_0"] = json!(self.file.fours(&colours[tube.points.clone()]));
        }
        self.meshes.push(json!({
            "name": format!("rod{rod}"),
            "primitives": [{
                "attributes": attributes,
                "indices": self.file.scalars(triangles),
                "material": self.materials.len() - 1,
            }],
        }));
    }

    /// A mesh with its way through the frames.
    fn add_thing(&mut self, thing: &Thing) {
        let name = thing.name();
        self.add_material(&name, thing.colour, thing.opacity);
        let mesh = self.add_mesh(&name, &thing.mesh);
        let extras =
            json!({ "kind": thing.kind.name(), "number": thing.index, "label": thing.label });
        let node = self.add_node(json!({ "name": name, "mesh": mesh, "extras": extras }));
        // Where it is not there it stays where it was last, and has no size.
        let mut last = thing
            .poses
            .iter()
            .flatten()
            .next()
            .copied()
            .unwrap_or(Pose::IDENTITY);
        let (mut ways, mut turns, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        for pose in &thing.poses {
            last = pose.unwrap_or(last);
            ways.push(last.position);
            turns.push(last.rotation);
            sizes.push(match pose {
                Some(_) => DVec3::new(1.0, 1.0, last.length),
                None => DVec3::ZERO,
            });
        }
        let leaps = thing.poses.iter().any(Option::is_none);
        self.track(node, Course::Translation(ways), false);
        self.track(node, Course::Rotation(turns), false);
        self.track(node, Course::Scale(sizes), leaps);
    }

    /// An arrow for each contact of the frame that has most.
    fn add_contacts(&mut self, marks: &[Vec<Mark>], told: &mut Value) {
        let most = self.frames.most_contacts();
        if most == 0 {
            return;
        }
        let radius = &self.frames.layout().radius;
        let thickest = radius.iter().copied().fold(0.0, f64::max);
        let arrows = Arrows::new(thickest, self.frames.largest_force());
        told["arrows_metres_per_newton"] = json!(arrows.length_per_force);
        self.add_material("contact", ARROW, 1.0);
        let mesh = self.add_mesh("contact", &arrow());
        for k in 0..most {
            let extras = json!({ "kind": "contact", "number": k });
            let node = self
                .add_node(json!({ "name": format!("contact{k}"), "mesh": mesh, "extras": extras }));
            let here = |frame: &Vec<Mark>| frame.get(k).copied();
            let point = |mark: Mark| mark.point;
            let turn =
                |mark: Mark| DQuat::from_rotation_arc(DVec3::Z, mark.normal.normalize_or(DVec3::Z));
            let size = |mark: Mark| {
                let length = arrows.length_per_force * mark.contact.force;
                match mark.normal == DVec3::ZERO || length <= 0.0 {
                    true => DVec3::ZERO,
                    false => DVec3::new(arrows.width, arrows.width, length),
                }
            };
            let all = || marks.iter().map(here);
            let points = all().map(|mark| mark.map_or(DVec3::ZERO, point)).collect();
            let turns = all()
                .map(|mark| mark.map_or(DQuat::IDENTITY, turn))
                .collect();
            let sizes = all().map(|mark| mark.map_or(DVec3::ZERO, size)).collect();
            self.track(node, Course::Translation(points), true);
            self.track(node, Course::Rotation(turns), true);
            self.track(node, Course::Scale(sizes), true);
        }
    }

    fn add_node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// A mesh of the last material.
    fn add_mesh(&mut self, name: &str, mesh: &Mesh) -> usize {
        let indices = mesh.triangles.iter().flatten().copied().collect();
        self.meshes.push(json!({
            "name": name,
            "primitives": [{
                "attributes": {
                    "POSITION": self.file.vectors(&mesh.vertices, true),
                    "NORMAL": self.file.vectors(&mesh.normals, false),
                },
                "indices": self.file.scalars(indices),
                "material": self.materials.len() - 1,
            }],
        }));
        self.meshes.len() - 1
    }

    /// A material, seen from both sides: walls are thin.
    fn add_material(&mut self, name: &str, [r, g, b]: [f64; 3], opacity: f64) {
        let mut material = json!({
            "name": name,
            "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, opacity], "metallicFactor": 0.0, "roughnessFactor": 0.5 },
            "doubleSided": true,
        });
        if opacity < 1.0 {
            material["alphaMode"] = json!("BLEND");
        }
        self.materials.push(material);
    }

    /// Lets a node follow what it does in the frames; what never changes is said once.
    fn track(&mut self, node: usize, mut course: Course, leaps: bool) {
        if let Course::Rotation(turns) = &mut course {
            turn_the_short_way(turns);
        }
        if let Some((key, first)) = course.first() {
            self.nodes[node][key] = first;
        }
        if course.changes() {
            self.tracks.push(Track {
                node,
                course,
                leaps,
            });
        }
    }

    fn finish(mut self, told: &Value) -> Vec<u8> {
        // The root turns z up into glTF's y up.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        self.nodes[0] = json!({
            "name": "run",
            "rotation": [-half, 0.0, 0.0, half],
            "children": (1..self.nodes.len()).collect::<Vec<_>>(),
        });
        let mut root = json!({
            "asset": { "version": "2.0", "generator": concat!("writhe ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "name": "run", "nodes": [0], "extras": told }],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "skins": self.skins,
            "materials": self.materials,
        });
        if !self.tracks.is_empty() {
            let start = self.frames.times.first().copied().unwrap_or(0.0);
            let since = self.frames.times.iter().map(|time| (time - start) as f32);
            let input = self.file.times(&since.collect::<Vec<_>>());
            let (mut samplers, mut channels) = (Vec::new(), Vec::new());
            for Track {
                node,
                course,
                leaps,
            } in &self.tracks
            {
                let (name, output) = course.write(&mut self.file);
                channels.push(
                    json!({ "sampler": samplers.len(), "target": { "node": node, "path": name } }),
                );
                let between = if *leaps { "STEP" } else { "LINEAR" };
                samplers
                    .push(json!({ "input": input, "output": output, "interpolation": between }));
            }
            root["animations"] =
                json!([{ "name": "run", "samplers": samplers, "channels": channels }]);
        }
        self.file.finish(root)
    }
}

impl Course {
    fn first(&self) -> Option<(&'static str, Value)> {
        Some(match self {
            Self::Translation(all) => ("translation", json!(all.first()?.to_array())),
            Self::Rotation(all) => ("rotation", json!(all.first()?.to_array())),
            Self::Scale(all) => ("scale", json!(all.first()?.to_array())),
        })
    }

    fn changes(&self) -> bool {
        match self {
            Self::Translation(all) | Self::Scale(all) => all.iter().any(|x| *x != all[0]),
            Self::Rotation(all) => all.iter().any(|x| *x != all[0]),
        }
    }

    /// Name and accessor.
    fn write(&self, file: &mut Document) -> (&'static str, usize) {
        match self {
            Self::Translation(all) => ("translation", file.vectors(all, false)),
            Self::Scale(all) => ("scale", file.vectors(all, false)),
            Self::Rotation(all) => {
                let turn = |q: &DQuat| q.to_array().map(|x| x as f32);
                (
                    "rotation",
                    file.fours(&all.iter().map(turn).collect::<Vec<_>>()),
                )
            }
        }
    }
}
