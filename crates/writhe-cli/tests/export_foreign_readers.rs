//! Programs of others read exports of runs with bodies, obstacles and contacts, and find as many of
//! them as the scene has, where the run has them: VTK (ParaView), trimesh and pygltflib, OpenUSD.
//!
//! Runs if `WRITHE_FOREIGN_READERS=1`; `PYTHON` names an interpreter that has the packages (default
//! `python3`).

mod common;

use std::process::Command;

use common::{Place, text};

const SCRIPT: &str = r#"
import csv, os, sys
import numpy as np
import pygltflib, trimesh, vtk
from vtk.util.numpy_support import vtk_to_numpy
from pxr import Usd, UsdGeom

run, counts = sys.argv[1], dict(word.split("=") for word in sys.argv[2:])
counts = {kind: int(count) for kind, count in counts.items()}
with np.load(f"{run}/trajectory.npz") as arrays:
    time = arrays["time"]
    bodies = arrays["body_positions"] if "body_positions" in arrays else np.zeros((len(time), 0, 3))
    turns = arrays["body_orientations"] if "body_orientations" in arrays else np.zeros((len(time), 0, 4))
rows = [[] for _ in time]
if os.path.exists(f"{run}/contacts.csv"):
    with open(f"{run}/contacts.csv") as file:
        for row in csv.DictReader(file):
            rows[int(row["frame"])].append(row)

def blocks(data):
    return {data.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME()): data.GetBlock(i) for i in range(data.GetNumberOfBlocks())}
def meshes(block):
    parts = [block] if isinstance(block, vtk.vtkPolyData) else list(blocks(block).values())
    return {name: part for part in parts for name in [part.GetFieldData().GetAbstractArray("names").GetValue(i) for i in range(part.GetFieldData().GetAbstractArray("names").GetNumberOfValues())]}
def places(data):
    return vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3))
def array(data, name):
    return vtk_to_numpy(data.GetPointData().GetArray(name))
names = {}
for frame in range(len(time)):
    reader = vtk.vtkXMLMultiBlockDataReader()
    reader.SetFileName(f"{run}/vtk/frame_{frame:06}.vtm")
    reader.Update()
    named = blocks(reader.GetOutput())
    names = {kind: sorted(meshes(named[kind])) if kind in named else [] for kind in ["obstacles", "bodies", "joints", "clamps"]}
    assert {kind: len(all) for kind, all in names.items()} == {kind: counts[kind] for kind in names}, names
    if "body_centres" in named:
        shown = array(named["body_centres"], "number")
        assert np.array_equal(places(named["body_centres"]), bodies[frame][shown])
        assert np.abs(array(named["body_centres"], "quaternion (x, y, z, w)") - turns[frame][shown]).max() < 1e-12
    if "contacts" in named:
        contacts = named["contacts"]
        assert contacts.GetNumberOfPoints() == len(rows[frame])
        if rows[frame]:
            forces = np.array([float(row["force [N]"]) for row in rows[frame]])
            assert np.abs(np.linalg.norm(array(contacts, "force [N]"), axis=1) - forces).max() < 1e-12 * max(1, forces.max())
            if "drum" in run:
                # The drum lies along y: contacts are on it, and push away from its axis.
                x = places(contacts) * [1, 0, 1]
                away = np.linalg.norm(x, axis=1)
                assert np.abs(away - 0.02).max() < 2e-4, away
                assert np.abs(array(contacts, "normal") - x / away[:, None]).max() < 1e-4

gltf = pygltflib.GLTF2().load(f"{run}/run.glb")
extras = [node.extras for node in gltf.nodes if node.extras]
for kind, singular in [("obstacles", "obstacle"), ("bodies", "body"), ("joints", "joint"), ("clamps", "clamp")]:
    assert sorted(node.name for node in gltf.nodes if node.extras.get("kind") == singular) == names[kind]
assert sum(extra["kind"] == "contact" for extra in extras) == max(map(len, rows))
scene = trimesh.load(f"{run}/run.glb")
stage = Usd.Stage.Open(f"{run}/run.usda")
for kind in names:
    scope = stage.GetPrimAtPath(f"/run/{kind}")
    assert sorted(prim.GetName() for prim in scope.GetChildren()) == names[kind] if names[kind] else not scope
for name in names["bodies"]:
    body = stage.GetPrimAtPath(f"/run/bodies/{name}")
    number = body.GetCustomDataByKey("number")
    for frame in range(len(time)):
        matrix = np.array(UsdGeom.XformCache(frame).GetLocalToWorldTransform(body))
        assert np.abs(matrix[3, :3] - bodies[frame, number]).max() < 1e-12
    x, y, z = bodies[0, number]
    assert np.abs(scene.graph.get(name)[0][:3, 3] - [x, z, -y]).max() < 1e-6, "y is up in glTF"
for frame in range(len(time)):
    points = UsdGeom.Points(stage.GetPrimAtPath("/run/contacts"))
    assert not points or len(points.GetPointsAttr().Get(frame) or []) == len(rows[frame])
print("read", len(time), "frames")
"#;

/// Runs a scene and lets others look for so many obstacles, bodies, joints and clamps.
fn check(scene: &str, sets: &[&str], [obstacles, bodies, joints, clamps]: [usize; 4]) {
    if std::env::var_os("WRITHE_FOREIGN_READERS").is_none_or(|value| value != "1") {
        return;
    }
    let place = Place::new();
    let example = format!("{}/../../examples/{scene}.toml", env!("CARGO_MANIFEST_DIR"));
    let sets = sets.iter().flat_map(|set| ["--set", *set]);
    let args: Vec<&str> = ["run", &example, "--out", scene]
        .into_iter()
        .chain(sets)
        .collect();
    place.succeeds(&args);
    for format in ["npz", "vtk", "gltf", "usd"] {
        place.succeeds(&["export", scene, "--to", format]);
    }
    let python = std::env::var_os("PYTHON").unwrap_or("python3".into());
    let counts = [
        ("obstacles", obstacles),
        ("bodies", bodies),
        ("joints", joints),
        ("clamps", clamps),
    ];
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(place.path(scene))
        .args(counts.map(|(kind, count)| format!("{kind}={count}")))
        .output()
        .unwrap();
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{scene}: {errors}");
    assert!(text(&output.stdout).starts_with("read "), "{scene}");
}

#[test]
fn a_string_over_a_drum() {
    check("drum", &["time.duration=0.2"], [1, 0, 0, 1]);
}

#[test]
fn an_arm_with_three_bodies_a_motor_and_a_joint() {
    check("motor-arm", &["time.duration=0.2"], [0, 3, 2, 0]);
}

#[test]
fn a_bob_on_a_spring() {
    let short = ["scene.edges=60", "scene.turns=3", "time.duration=0.5"];
    check("wilberforce", &short, [0, 1, 0, 1]);
}

#[test]
fn rods_on_a_slope() {
    check("slope", &[], [1, 0, 0, 0]);
}
