//! Programs of others read the exports and find the coordinates of the run, of its contacts and of
//! what is around its rods: VTK (ParaView), pygltflib, OpenUSD, trimesh.
//!
//! Runs if `WRITHE_FOREIGN_READERS=1`; `PYTHON` names an interpreter that has the packages (default
//! `python3`).

use crate::common;
use std::fs;
use std::path::Path;
use std::process::Command;

use common::fast_place;
use glam::{DQuat, DVec3};
use writhe_rundir::surroundings::{Kind, Mesh, Pose, Thing};
use writhe_rundir::{
    Axis, Colouring, Contact, ExportOptions, ExtraArray, Frame, RodLayout, RunDirError,
    RunDirectory, RunLayout, RunReader, RunSummary, Surroundings, Touched, export_gltf, export_npz,
    export_obj, export_usd, export_vtk,
};

const SCRIPT: &str = r#"
import sys
import numpy as np
import pygltflib, trimesh
import vtk
from vtk.util.numpy_support import vtk_to_numpy
from pxr import Usd, UsdGeom

folder = sys.argv[1]
with np.load(f"{folder}/run.npz") as run:
    time, positions, directors, radius = (run[name] for name in ["time", "positions", "directors", "radius"])
    bodies = run["body_positions"]
frames, nodes, _ = positions.shape
sides = 12
first = [0, 6]
count = [6, 5]
# The open rod has round ends: a pole and two rings behind its first ring, and the same after its last.
round_end = 1 + 2 * sides
rings = np.concatenate([round_end + np.arange(6 * sides), 2 * round_end + 6 * sides + np.arange(5 * sides)])
points_of = [6 * sides + 2 * round_end, 5 * sides]
# What the test puts around the rods (`around`): a still obstacle, two bodies, a joint that lets go in frame 2, a clamp
# that moves and grows.
half = [0.3, 0.2, 0.1]
def turned(q, v):
    x, w = np.asarray(q)[..., :3], np.asarray(q)[..., 3:]
    return v + 2 * np.cross(x, np.cross(x, v) + w * v)
def body_turn(frame, body):
    angle = 0.3 * frame * (1 + body)
    return np.array([0, 0, np.sin(angle / 2), np.cos(angle / 2)])
# The contact between the rods, and that with the obstacle, which pushes along x.
touch = [0.1 * positions[:, 1] + 0.9 * positions[:, 2], 0.9 * positions[:, 6] + 0.1 * positions[:, 7]]
normal = touch[0] - touch[1]
normal /= np.linalg.norm(normal, axis=1)[:, None]
node_radius = lambda i: 0.5 * (radius[i - 1] + radius[i])
contact_points = np.stack([touch[0] - (node_radius(2) - 0.5e-6) * normal, positions[:, 3] - (node_radius(3) - 1e-6) * np.array([1, 0, 0])], axis=1)
contact_forces = np.stack([0.5 * normal, np.broadcast_to([0.25, 0, 0], normal.shape)], axis=1)

# ---- VTK: the collection, then the blocks of each frame ----
import xml.etree.ElementTree as tree
sets = tree.parse(f"{folder}/vtk/run.pvd").getroot().findall("./Collection/DataSet")
assert [float(s.get("timestep")) for s in sets] == time.tolist()
def blocks(data):
    named = {}
    for i in range(data.GetNumberOfBlocks()):
        named[data.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME())] = data.GetBlock(i)
    return named
def arrays(data):
    return {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}
def texts(data, name):
    array = data.GetFieldData().GetAbstractArray(name)
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())]
def places(data):
    return vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3))
for frame, entry in enumerate(sets):
    reader = vtk.vtkXMLMultiBlockDataReader()
    reader.SetFileName(f"{folder}/vtk/{entry.get('file')}")
    reader.Update()
    named = blocks(reader.GetOutput())
    assert set(named) == {"rods", "centrelines", "contacts", "body_centres", "obstacles", "bodies", "joints", "clamps"}, set(named)
    for data in named.values():
        assert texts(data, "units")[0].startswith("SI")
    # Centrelines: every number is exact.
    lines = named["centrelines"]
    assert np.array_equal(places(lines), positions[frame])
    exact = arrays(lines.GetPointData())
    fields = {"curvature [1/m]", "twist [rad/m]", "stretch", "speed [m/s]", "contact_force [N]", "radius [m]", "rod"}
    assert set(exact) == fields | {"node", "arc [m]", "m1"}, set(exact)
    assert lines.GetFieldData().GetArray("TimeValue").GetValue(0) == time[frame]
    assert lines.GetNumberOfLines() == 2
    ids = vtk.vtkIdList()
    for rod, expected in enumerate([list(range(6)), [6, 7, 8, 9, 10, 6]]):
        lines.GetCellPoints(rod, ids)
        assert [ids.GetId(i) for i in range(ids.GetNumberOfIds())] == expected
    assert exact["rod"].tolist() == [0] * 6 + [1] * 5 and exact["node"].tolist() == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4]
    rest = np.linalg.norm(np.diff(positions[frame, :6], axis=0), axis=1) / 1.25
    assert np.abs(exact["arc [m]"][:6] - np.concatenate([[0], np.cumsum(rest)])).max() < 1e-12
    force = exact["contact_force [N]"]
    assert force[2] == 0.5 and force[6] == 0.5 and force[3] == 0.25 and np.count_nonzero(force) == 3, force
    # The rest lengths given are those of the first frame over 1.25; later frames are as long.
    assert np.abs(exact["stretch"] - 0.25).max() < 1e-12
    # Tubes around them, whose fields are those of their nodes.
    surface = named["rods"]
    assert texts(surface, "centreline") == ["straight edges between nodes, as simulated"]
    points = places(surface)[rings].reshape(nodes, sides, 3)
    assert np.abs(points.mean(axis=1) - positions[frame]).max() < 1e-6
    data = arrays(surface.GetPointData())
    assert set(data) == fields | {"normal"}, set(data)
    for name in fields:
        ring = data[name][rings].reshape(nodes, sides)
        assert np.array_equal(ring, np.repeat(exact[name].astype(ring.dtype)[:, None], sides, 1)), name
    away = points - positions[frame][:, None]
    assert np.abs(np.linalg.norm(away, axis=2) - exact["radius [m]"][:, None]).max() < 1e-6
    assert np.abs(away[:, 0] - exact["radius [m]"][:, None] * exact["m1"]).max() < 1e-6
    assert np.abs(data["normal"][rings].reshape(nodes, sides, 3) - away / exact["radius [m]"][:, None, None]).max() < 2e-4
    # The ends are round: the poles stand a radius beyond.
    before = (positions[frame, 0] - positions[frame, 1]) / np.linalg.norm(positions[frame, 0] - positions[frame, 1])
    assert np.abs(places(surface)[0] - positions[frame, 0] - exact["radius [m]"][0] * before).max() < 1e-6
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(surface)
    edges.FeatureEdgesOff(); edges.ManifoldEdgesOff(); edges.BoundaryEdgesOn(); edges.NonManifoldEdgesOn()
    edges.Update()
    assert edges.GetOutput().GetNumberOfCells() == 0, "the surface is closed"
    # Contacts with their forces.
    contacts = named["contacts"]
    assert np.abs(places(contacts) - contact_points[frame]).max() < 1e-12
    touching = arrays(contacts.GetPointData())
    assert np.abs(touching["force [N]"] - contact_forces[frame]).max() < 1e-12
    assert touching["normal_force [N]"].tolist() == [0.5, 0.25] and touching["gap [m]"].tolist() == [-1e-6, -2e-6]
    assert touching["rod"].tolist() == [0, 0] and touching["other_rod"].tolist() == [1, -1]
    assert touching["obstacle"].tolist() == [-1, 4] and touching["body"].tolist() == [-1, -1]
    # What is around the rods.
    centres = named["body_centres"]
    assert texts(centres, "names") == ["body0_lower_bob", "body1"]
    assert np.array_equal(places(centres), bodies[frame])
    turns = arrays(centres.GetPointData())["quaternion (x, y, z, w)"]
    assert np.abs(turns - [body_turn(frame, 0), body_turn(frame, 1)]).max() < 1e-12
    both = named["bodies"]
    assert arrays(both.GetCellData())["number"].tolist() == [0] * 6 + [1] * 6
    corners = places(both).reshape(2, 24, 3)
    for body in range(2):
        assert np.abs(corners[body].mean(axis=0) - bodies[frame, body]).max() < 1e-6
        local = turned(body_turn(frame, body) * [-1, -1, -1, 1], corners[body] - bodies[frame, body])
        assert np.abs(np.abs(local) - half).max() < 1e-6
    assert texts(named["obstacles"], "names") == ["obstacle4_plate"]
    assert np.abs(places(named["obstacles"]).mean(axis=0) - [0, 0, -2]).max() < 1e-6
    assert named["joints"].GetNumberOfPolys() == (0 if frame == 2 else 6)
    grown = places(named["clamps"])
    assert np.abs(grown.mean(axis=0) - positions[frame, 0]).max() < 1e-6
    assert abs(np.ptp(grown[:, 2]) - 2 * half[2] * (1 + frame)) < 1e-6
print("vtk")

# ---- glTF: poses of joints, and the ring of a node as its joint moves it ----
gltf = pygltflib.GLTF2().load(f"{folder}/run.glb")
blob = gltf.binary_blob()
def array(index):
    accessor = gltf.accessors[index]
    view = gltf.bufferViews[accessor.bufferView]
    kind = {5126: "<f4", 5125: "<u4", 5123: "<u2"}[accessor.componentType]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor.type]
    start = view.byteOffset + (accessor.byteOffset or 0)
    return np.frombuffer(blob, kind, accessor.count * width, start).reshape(accessor.count, width)
animation = gltf.animations[0]
moves, leaps = {}, set()
for channel in animation.channels:
    sampler = animation.samplers[channel.sampler]
    assert np.abs(array(sampler.input)[:, 0] - time).max() < 1e-7
    moves[channel.target.node, channel.target.path] = array(sampler.output)
    if sampler.interpolation == "STEP":
        leaps.add(channel.target.node)
ways = {node: way for (node, path), way in moves.items() if path == "translation"}
turns = {node: turn for (node, path), turn in moves.items() if path == "rotation"}
for node in range(nodes):
    assert np.abs(ways[node + 1] - positions[:, node]).max() < 1e-7
    assert np.abs(np.linalg.norm(turns[node + 1], axis=1) - 1).max() < 1e-6
named = {node.name: i for i, node in enumerate(gltf.nodes)}
assert [n for n in named if not n.startswith("rod")] == ["run", "obstacle4_plate", "body0_lower_bob", "body1", "joint0_hinge", "clamp0", "contact0", "contact1"]
start = 0
for rod in range(2):
    node = gltf.nodes[named[f"rod{rod}"]]
    skin, primitive = gltf.skins[node.skin], gltf.meshes[node.mesh].primitives[0]
    rest = array(primitive.attributes.POSITION)
    bound = array(primitive.attributes.JOINTS_0)[:, 0]
    assert np.array_equal(np.unique(bound), np.arange(count[rod]))
    inverses = array(skin.inverseBindMatrices).reshape(count[rod], 4, 4).astype(float)
    moved = np.empty(rest.shape)
    for i, point in enumerate(rest):
        joint, inverse = skin.joints[bound[i]], inverses[bound[i]]
        moved[i] = turned(turns[joint][-1].astype(float), point @ inverse[:3, :3] + inverse[3, :3]) + ways[joint][-1]
    assert np.abs(moved - places(surface)[start:start + points_of[rod]]).max() < 2e-6, "the last frame is that of VTK"
    start += points_of[rod]
def pose(name, frame, path):
    still = getattr(gltf.nodes[named[name]], path)
    return moves.get((named[name], path), np.broadcast_to(still, (frames, len(still))))[frame]
assert gltf.nodes[named["body1"]].extras == {"kind": "body", "number": 1, "label": ""}
assert not any(node == named["obstacle4_plate"] for node, _ in moves), "what is still has no tracks"
for frame in range(frames):
    assert np.abs(pose("obstacle4_plate", frame, "translation") - [0, 0, -2]).max() == 0
    for body, name in enumerate(["body0_lower_bob", "body1"]):
        assert np.abs(pose(name, frame, "translation") - bodies[frame, body]).max() < 1e-6
        q, expected = pose(name, frame, "rotation"), body_turn(frame, body)
        assert min(np.abs(q - expected).max(), np.abs(q + expected).max()) < 1e-6
    assert pose("joint0_hinge", frame, "scale").tolist() == ([0, 0, 0] if frame == 2 else [1, 1, 1])
    assert pose("clamp0", frame, "scale").tolist() == [1, 1, 1 + frame]
    # Arrows along the forces, the longest 20 radii of the thickest rod.
    for contact in range(2):
        name = f"contact{contact}"
        assert named[name] in leaps
        assert np.abs(pose(name, frame, "translation") - contact_points[frame, contact]).max() < 1e-6
        tip = turned(pose(name, frame, "rotation").astype(float), np.array([0, 0, 1.0])) * pose(name, frame, "scale")[2]
        assert np.abs(tip - contact_forces[frame, contact] / 0.5 * 20 * radius.max()).max() < 1e-6
told = gltf.scenes[0].extras
assert told["units"] == "m, s" and abs(told["arrows_metres_per_newton"] - 20 * radius.max() / 0.5) < 1e-12
colour = lambda rod: np.array(gltf.materials[rod].pbrMetallicRoughness.baseColorFactor[:3])
assert np.abs(colour(0) - colour(1)).max() > 0.1
scene = trimesh.load(f"{folder}/run.glb")
assert len(scene.geometry) == 2 + 5 + 1, scene.geometry.keys()
tubes = [scene.geometry[f"rod{rod}"] for rod in range(2)]
assert all(g.is_watertight and g.volume > 0 for g in tubes)
bob = scene.graph.get("body0_lower_bob")[0][:3, 3]
up = np.array([bodies[0, 0, 0], bodies[0, 0, 2], -bodies[0, 0, 1]])
assert np.abs(bob - up).max() < 1e-6, "z is up"

# The same coloured by twist in the frame at 0.5 s.
painted = pygltflib.GLTF2().load(f"{folder}/twist.glb")
gltf, blob = painted, painted.binary_blob()
assert "twist [rad/m], from" in painted.scenes[0].extras["colour"] and "at t = 0.5 s" in painted.scenes[0].extras["colour"]
seen = np.concatenate([array(painted.meshes[rod].primitives[0].attributes.COLOR_0) for rod in range(2)])
reader.SetFileName(f"{folder}/vtk/{sets[2].get('file')}")
reader.Update()
twist = arrays(blocks(reader.GetOutput())["rods"].GetPointData())["twist [rad/m]"]
largest = np.abs(twist).max()
# The test's map has the value itself as red.
assert np.abs(seen[:, 0] - (0.5 + 0.5 * twist / largest)).max() < 1e-6
assert np.array_equal(seen[:, 1:], np.broadcast_to(np.array([0, 1, 1], "f4"), (len(seen), 3)))
print("gltf")

# ---- USD: curves, meshes and points with time samples ----
stage = Usd.Stage.Open(f"{folder}/run.usda")
assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0 and UsdGeom.GetStageUpAxis(stage) == "Z"
assert stage.GetRootLayer().customLayerData["centreline"] == "straight edges between nodes, as simulated"
smooth = Usd.Stage.Open(f"{folder}/twist.usda")
assert smooth.GetRootLayer().customLayerData["centreline"].startswith("smooth")
for rod in range(2):
    curves = UsdGeom.BasisCurves(stage.GetPrimAtPath(f"/run/rod{rod}"))
    assert curves.GetCurveVertexCountsAttr().Get() == [count[rod]]
    assert curves.GetTypeAttr().Get() == "linear" and curves.GetWrapAttr().Get() == ["nonperiodic", "periodic"][rod]
    other = UsdGeom.BasisCurves(smooth.GetPrimAtPath(f"/run/rod{rod}"))
    assert other.GetTypeAttr().Get() == "cubic" and other.GetBasisAttr().Get() == "catmullRom"
    assert other.GetWrapAttr().Get() == ["pinned", "periodic"][rod]
    assert curves.GetPointsAttr().GetTimeSamples() == list(range(frames))
    span = slice(first[rod], first[rod] + count[rod])
    for frame in range(frames):
        found = np.array(curves.GetPointsAttr().Get(frame))
        assert np.abs(found - positions[frame, span]).max() < 1e-7
    twist = UsdGeom.PrimvarsAPI(curves).GetPrimvar("twist")
    assert twist.GetInterpolation() == "vertex" and len(twist.Get(3)) == count[rod]
    assert twist.GetAttr().GetCustomDataByKey("unit") == "rad/m"
    assert np.abs(np.array(twist.Get(frames - 1)) - exact["twist [rad/m]"][span]).max() < 1e-5
    widths = 2 * exact["radius [m]"][span]
    assert np.array_equal(np.array(curves.GetWidthsAttr().Get(), "f4"), widths.astype("f4"))
    painted = np.array(other.GetDisplayColorPrimvar().Get(1.0))
    assert painted.shape == (count[rod], 3) and np.array_equal(painted[:, 2], np.ones(count[rod]))
for frame in range(frames):
    at = lambda path: UsdGeom.XformCache(frame).GetLocalToWorldTransform(stage.GetPrimAtPath(path))
    for body, name in enumerate(["body0_lower_bob", "body1"]):
        matrix = np.array(at(f"/run/bodies/{name}"))
        assert np.abs(matrix[3, :3] - bodies[frame, body]).max() < 1e-12
        # Rows of vectors: p' = p M.
        for axis in np.eye(3):
            assert np.abs(axis @ matrix[:3, :3] - turned(body_turn(frame, body), axis)).max() < 1e-6
    assert np.abs(np.array(at("/run/obstacles/obstacle4_plate"))[3, :3] - [0, 0, -2]).max() == 0
    assert abs(np.array(at("/run/clamps/clamp0"))[2, 2] - 1 - frame) < 1e-12
    shown = UsdGeom.Imageable(stage.GetPrimAtPath("/run/joints/joint0_hinge")).ComputeVisibility(frame)
    assert shown == ("invisible" if frame == 2 else "inherited")
    contacts = UsdGeom.Points(stage.GetPrimAtPath("/run/contacts"))
    assert np.abs(np.array(contacts.GetPointsAttr().Get(frame)) - contact_points[frame]).max() < 1e-6
    force = UsdGeom.PrimvarsAPI(contacts).GetPrimvar("force")
    assert np.abs(np.array(force.Get(frame)) - contact_forces[frame]).max() < 1e-6
    assert force.GetAttr().GetCustomDataByKey("unit") == "N"
    arrows = UsdGeom.BasisCurves(stage.GetPrimAtPath("/run/contact_forces"))
    ends = np.array(arrows.GetPointsAttr().Get(frame)).reshape(2, 2, 3)
    assert np.abs(ends[:, 1] - ends[:, 0] - contact_forces[frame] / 0.5 * 20 * radius.max()).max() < 1e-6
mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/run/bodies/body1/mesh"))
assert len(mesh.GetPointsAttr().Get()) == 24 and len(mesh.GetFaceVertexCountsAttr().Get()) == 12
assert stage.GetPrimAtPath("/run/bodies/body0_lower_bob").GetCustomDataByKey("label") == "lower bob"
print("usd")

# ---- OBJ ----
for frame in range(frames):
    loaded = trimesh.load(f"{folder}/obj/frame_{frame:06}.obj", process=False, maintain_order=True, force="mesh", skip_materials=True)
    reader = vtk.vtkOBJReader()
    reader.SetFileName(f"{folder}/obj/frame_{frame:06}.obj")
    reader.Update()
    all = places(reader.GetOutput())
    assert np.abs(all[rings].reshape(nodes, sides, 3).mean(axis=1) - positions[frame]).max() < 1e-6
    things = 5 - (frame == 2)
    assert len(all) == sum(points_of) + 24 * things
    assert np.abs(all[sum(points_of) + 24:][:24].mean(axis=0) - bodies[frame, 0]).max() < 1e-6
    assert len(loaded.faces) == 2 * sides * (9 + 5) + 2 * sides + 12 * things
print("obj")
"#;

const FRAMES: usize = 4;

const BODIES: usize = 2;

fn bodies(name: &str, last: Axis) -> ExtraArray {
    ExtraArray {
        name: name.into(),
        axes: vec![other("body", BODIES), last],
        unit: "1".into(),
        description: name.into(),
    }
}

fn other(name: &str, length: usize) -> Axis {
    Axis::Other {
        name: name.into(),
        length,
    }
}

/// Where a body is in a frame.
fn body_pose(frame: usize, body: usize) -> Pose {
    let (t, b) = (frame as f64, body as f64);
    Pose {
        position: DVec3::new(0.1 * t, 2.0 + b, (0.7 * t).sin()),
        rotation: DQuat::from_rotation_z(0.3 * t * (1.0 + b)),
        length: 1.0,
    }
}

/// A box with a face at each of its sides, each with its own corners.
fn block() -> Mesh {
    let half = DVec3::new(0.3, 0.2, 0.1);
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let normal = side * DVec3::AXES[axis];
            let (u, v) = (
                DVec3::AXES[(axis + 1) % 3],
                side * DVec3::AXES[(axis + 2) % 3],
            );
            let first = mesh.vertices.len() as u32;
            mesh.vertices
                .extend([-u - v, u - v, u + v, v - u].map(|c| half * (normal + c)));
            mesh.normals.extend([normal; 4]);
            mesh.triangles
                .extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|i| first + i)));
        }
    }
    mesh
}

/// A still obstacle, the bodies, a joint that lets go in frame 2, a clamp that follows a node and
/// grows.
fn around(run: &Path) -> Surroundings {
    let reader = RunReader::open(run).unwrap();
    let thing = |kind, index, label: &str, pose: &dyn Fn(usize) -> Option<Pose>| Thing {
        kind,
        index,
        label: label.into(),
        mesh: block(),
        colour: [0.2, 0.4, 0.6],
        opacity: if kind == Kind::Obstacle { 0.5 } else { 1.0 },
        poses: (0..FRAMES).map(pose).collect(),
    };
    let still = Pose {
        position: DVec3::new(0.0, 0.0, -2.0),
        ..Pose::IDENTITY
    };
    let clamp = |frame: usize| Pose {
        position: DVec3::from(reader.positions(frame).unwrap()[0]),
        length: 1.0 + frame as f64,
        ..Pose::IDENTITY
    };
    Surroundings {
        things: vec![
            thing(Kind::Obstacle, 4, "plate", &|_| Some(still)),
            thing(Kind::Body, 0, "lower bob", &|frame| {
                Some(body_pose(frame, 0))
            }),
            thing(Kind::Body, 1, "", &|frame| Some(body_pose(frame, 1))),
            thing(Kind::Joint, 0, "hinge", &|frame| {
                (frame != 2).then_some(Pose::IDENTITY)
            }),
            thing(Kind::Clamp, 0, "", &|frame| Some(clamp(frame))),
        ],
        normals: vec![vec![DVec3::ZERO, DVec3::X]; FRAMES],
    }
}

fn options(run: &Path, rest: Vec<f64>) -> ExportOptions {
    ExportOptions {
        rest: Some(rest),
        surroundings: around(run),
        ..ExportOptions::default()
    }
}

/// Coloured by twist at 0.5 s, in colours whose red is the value.
fn by(field: &str, at: Option<f64>) -> Option<Colouring> {
    Some(Colouring {
        field: field.into(),
        at,
        sequential: |x| [x, 1.0, 0.0],
        diverging: |x| [x, 0.0, 1.0],
    })
}

/// An open helix of 6 nodes and a ring of 5 that turn as a whole, touching each other and an
/// obstacle, with bodies that move.
fn write_run(path: &Path) -> Vec<f64> {
    let rods = vec![
        RodLayout {
            nodes: 6,
            closed: false,
        },
        RodLayout {
            nodes: 5,
            closed: true,
        },
    ];
    let layout = RunLayout {
        rods,
        radius: (0..10).map(|i| 1e-3 * f64::from(10 + i)).collect(),
        extra: vec![
            bodies("body_positions", Axis::Xyz),
            bodies("body_orientations", other("quaternion", 4)),
        ],
        contacts: true,
        ..RunLayout::default()
    };
    let mut run = RunDirectory::create(path, &layout, "# a scene\n").unwrap();
    let mut rest = Vec::new();
    for frame in 0..FRAMES {
        let turn = 0.7 * frame as f64;
        let around = |angle: f64, height: f64| [(angle + turn).cos(), (angle + turn).sin(), height];
        let mut positions: Vec<[f64; 3]> = (0..6)
            .map(|i| around(0.9 * f64::from(i), 0.3 * f64::from(i)))
            .collect();
        positions.extend((0..5).map(|i| around(std::f64::consts::TAU * f64::from(i) / 5.0, -1.0)));
        let directors: Vec<[f64; 3]> = (0..10)
            .map(|i| {
                let (s, c) = (0.2 * f64::from(i)).sin_cos();
                // Any direction that is not along the edge; readers make it orthogonal.
                [0.3 * c, 0.3 * s, 1.0]
            })
            .collect();
        if frame == 0 {
            let ends = (0..5)
                .map(|i| [i, i + 1])
                .chain((0..5).map(|i| [6 + i, 6 + (i + 1) % 5]));
            rest = ends
                .map(|[a, b]| {
                    let d: f64 = (0..3)
                        .map(|k| (positions[a][k] - positions[b][k]).powi(2))
                        .sum();
                    d.sqrt() / 1.25
                })
                .collect();
        }
        let contact = Contact {
            rod: 0,
            arc: rest[0] + 0.9 * rest[1],
            with: Touched::Rod {
                rod: 1,
                arc: 0.1 * rest[5],
            },
            gap: -1e-6,
            force: 0.5,
        };
        let on_obstacle = Contact {
            arc: rest[0] + rest[1] + rest[2],
            with: Touched::Obstacle(4),
            gap: -2e-6,
            force: 0.25,
            ..contact
        };
        let poses = (0..BODIES).map(|body| body_pose(frame, body));
        let (places, turns): (Vec<_>, Vec<_>) = poses
            .map(|pose| (pose.position.to_array(), pose.rotation.to_array()))
            .unzip();
        run.append(
            &Frame {
                time: 0.25 * frame as f64,
                positions: &positions,
                directors: &directors,
                extra: &[places.as_flattened(), turns.as_flattened()],
                contacts: &[contact, on_obstacle],
            },
            &[],
        )
        .unwrap();
    }
    let summary = RunSummary {
        outcome: "finished".into(),
        ..RunSummary::default()
    };
    run.finish(&summary).unwrap();
    rest
}

#[test]
fn foreign_programs_read_the_exports() {
    if std::env::var_os("WRITHE_FOREIGN_READERS").is_none_or(|value| value != "1") {
        return;
    }
    let place = fast_place();
    let at = |name: &str| place.path().join(name);
    let rest = write_run(&at("run"));
    export_npz(at("run"), at("run.npz")).unwrap();
    let options = options(&at("run"), rest);
    export_vtk(at("run"), at("vtk"), &options).unwrap();
    export_gltf(at("run"), at("run.glb"), &options).unwrap();
    export_usd(at("run"), at("run.usda"), &options).unwrap();
    export_obj(at("run"), at("obj"), &options).unwrap();
    let painted = ExportOptions {
        colour: by("twist", Some(0.5)),
        ..options
    };
    export_gltf(at("run"), at("twist.glb"), &painted).unwrap();
    let smooth = ExportOptions {
        smooth: true,
        ..painted
    };
    export_usd(at("run"), at("twist.usda"), &smooth).unwrap();

    let python = std::env::var_os("PYTHON").unwrap_or("python3".into());
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(place.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let found = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        found.split_whitespace().collect::<Vec<_>>(),
        ["vtk", "gltf", "usd", "obj"]
    );
}

#[test]
fn exports_leave_no_other_files_and_replace_their_own() {
    let place = fast_place();
    let at = |name: &str| place.path().join(name);
    let options = options(&at("run"), write_run(&at("run")));
    for _ in 0..2 {
        export_vtk(at("run"), at("vtk"), &options).unwrap();
        export_obj(at("run"), at("obj"), &options).unwrap();
        export_gltf(at("run"), at("run.glb"), &options).unwrap();
        export_usd(at("run"), at("run.usda"), &options).unwrap();
    }
    let files = |folder: &str| fs::read_dir(at(folder)).unwrap().count();
    // The collection and the obstacle; for each frame its blocks and the file that names them.
    let blocks = [
        "rods",
        "centrelines",
        "contacts",
        "body_centres",
        "bodies",
        "joints",
        "clamps",
    ];
    assert_eq!(files("vtk"), 2 + FRAMES * (1 + blocks.len()));
    assert!(at("vtk/obstacles_still.vtp").is_file());
    assert_eq!(files("obj"), FRAMES);
    let glb = fs::read(at("run.glb")).unwrap();
    assert_eq!(
        (
            &glb[..4],
            u32::from_le_bytes(glb[8..12].try_into().unwrap()) as usize
        ),
        (&b"glTF"[..], glb.len())
    );
}

#[test]
fn a_field_or_a_frame_that_is_not_there_is_told() {
    let place = fast_place();
    let at = |name: &str| place.path().join(name);
    write_run(&at("run"));
    let coloured = |colour| ExportOptions {
        colour,
        ..ExportOptions::default()
    };
    let unknown = coloured(by("tension", None));
    for result in [
        export_vtk(at("run"), at("vtk"), &unknown),
        export_gltf(at("run"), at("a.glb"), &unknown),
        export_usd(at("run"), at("a.usda"), &unknown),
        export_obj(at("run"), at("obj"), &unknown),
    ] {
        let told = result.unwrap_err().to_string();
        let known = "`tension`: choose one of curvature, twist, stretch, speed, contact_force";
        assert!(told.contains(known), "{told}");
    }
    // Frames go from 0 to 0.75 s, a quarter of a second apart.
    for (time, there) in [(-0.2, false), (0.8, true), (0.9, false), (f64::NAN, false)] {
        let result = export_gltf(at("run"), at("a.glb"), &coloured(by("speed", Some(time))));
        match result {
            Ok(()) => assert!(there, "{time}"),
            Err(error) => {
                assert!(
                    !there && matches!(error, RunDirError::NoFrameAt { .. }),
                    "{error}"
                );
                assert!(error.to_string().contains("from 0 to 0.75 s"), "{error}");
            }
        }
    }
}
