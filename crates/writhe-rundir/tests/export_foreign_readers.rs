//! Programs of others read the exports and find the coordinates of the run: VTK (ParaView),
//! pygltflib, OpenUSD, trimesh.
//!
//! Runs if `WRITHE_FOREIGN_READERS=1`; `PYTHON` names an interpreter that has the packages (default
//! `python3`).

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::fast_place;
use writhe_rundir::{
    Contact, Frame, RodLayout, RunDirectory, RunLayout, RunSummary, Touched, export_gltf,
    export_npz, export_obj, export_usd, export_vtk,
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
frames, nodes, _ = positions.shape
sides = 12
first = [0, 6]
count = [6, 5]
# Of each rod: nodes before and after a node, and the edges between.
def around(rod, i):
    if rod == 1:
        return (i - 1) % 5, (i + 1) % 5
    return max(i - 1, 0), min(i + 1, 5)

# ---- VTK: the collection, then each surface ----
import xml.etree.ElementTree as tree
sets = tree.parse(f"{folder}/vtk/run.pvd").getroot().findall("./Collection/DataSet")
assert [float(s.get("timestep")) for s in sets] == time.tolist()
for frame, entry in enumerate(sets):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(f"{folder}/vtk/{entry.get('file')}")
    reader.Update()
    surface = reader.GetOutput()
    points = vtk_to_numpy(surface.GetPoints().GetData()).reshape(nodes, sides, 3)
    assert np.abs(points.mean(axis=1) - positions[frame]).max() < 1e-15
    data = {surface.GetPointData().GetArrayName(i): vtk_to_numpy(surface.GetPointData().GetArray(i)) for i in range(surface.GetPointData().GetNumberOfArrays())}
    assert set(data) == {"normal", "curvature", "twist", "stretch", "speed", "contact_force", "radius", "rod", "node", "centre", "m1"}, set(data)
    assert np.array_equal(data["centre"].reshape(nodes, sides, 3)[:, 0], positions[frame])
    away = np.linalg.norm(points - positions[frame][:, None], axis=2)
    assert np.abs(away - data["radius"].reshape(nodes, sides)).max() < 1e-15
    assert np.abs(points[:, 0] - positions[frame] - data["radius"].reshape(nodes, sides)[:, :1] * data["m1"].reshape(nodes, sides, 3)[:, 0]).max() < 1e-15
    assert data["rod"].reshape(nodes, sides)[:, 0].tolist() == [0] * 6 + [1] * 5
    force = data["contact_force"].reshape(nodes, sides)[:, 0]
    assert force[2] == 0.5 and force[6] == 0.5 and np.count_nonzero(force) == 2, force
    # The rest lengths given are those of the first frame over 1.25; later frames are as long.
    assert np.abs(data["stretch"] - 0.25).max() < 1e-12
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(surface)
    edges.FeatureEdgesOff(); edges.ManifoldEdgesOff(); edges.BoundaryEdgesOn(); edges.NonManifoldEdgesOn()
    edges.Update()
    assert edges.GetOutput().GetNumberOfCells() == 0, "the surface is closed"
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
ways, turns = {}, {}
for channel in animation.channels:
    sampler = animation.samplers[channel.sampler]
    assert np.abs(array(sampler.input)[:, 0] - time).max() < 1e-7
    (ways if channel.target.path == "translation" else turns)[channel.target.node] = array(sampler.output)
for node in range(nodes):
    assert np.abs(ways[node + 1] - positions[:, node]).max() < 1e-7
    assert np.abs(np.linalg.norm(turns[node + 1], axis=1) - 1).max() < 1e-6
def turned(q, v):
    x, w = q[..., :3], q[..., 3:]
    return v + 2 * np.cross(x, np.cross(x, v) + w * v)
for rod, mesh in enumerate(gltf.meshes):
    primitive = mesh.primitives[0]
    ring = array(primitive.attributes.POSITION).reshape(count[rod], sides, 3)
    joints = array(primitive.attributes.JOINTS_0).reshape(count[rod], sides, 4)
    assert (joints[..., 0] == np.arange(count[rod])[:, None]).all()
    inverses = array(gltf.skins[rod].inverseBindMatrices).reshape(count[rod], 4, 4).astype(float)
    for i in range(count[rod]):
        joint = gltf.skins[rod].joints[i]
        q = turns[joint][-1].astype(float)
        local = ring[i] @ inverses[i][:3, :3] + inverses[i][3, :3]
        moved = turned(q[None], local) + ways[joint][-1]
        assert np.abs(moved - points[first[rod] + i]).max() < 1e-6, "the last frame is that of VTK"
scene = trimesh.load(f"{folder}/run.glb")
assert len(scene.geometry) == 2 and all(g.is_watertight and g.volume > 0 for g in scene.geometry.values())
print("gltf")

# ---- USD: curves with time samples ----
stage = Usd.Stage.Open(f"{folder}/run.usda")
assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0 and UsdGeom.GetStageUpAxis(stage) == "Z"
for rod in range(2):
    curves = UsdGeom.BasisCurves(stage.GetPrimAtPath(f"/run/rod{rod}"))
    assert curves.GetCurveVertexCountsAttr().Get() == [count[rod]]
    assert curves.GetWrapAttr().Get() == ["pinned", "periodic"][rod]
    assert curves.GetPointsAttr().GetTimeSamples() == list(range(frames))
    span = slice(first[rod], first[rod] + count[rod])
    for frame in range(frames):
        found = np.array(curves.GetPointsAttr().Get(frame))
        assert np.abs(found - positions[frame, span]).max() < 1e-7
    twist = UsdGeom.PrimvarsAPI(curves).GetPrimvar("twist")
    assert twist.GetInterpolation() == "vertex" and len(twist.Get(3)) == count[rod]
    assert np.abs(np.array(twist.Get(frames - 1)) - data["twist"].reshape(nodes, sides)[span, 0]).max() < 1e-5
    widths = 2 * data["radius"].reshape(nodes, sides)[span, 0]
    assert np.array_equal(np.array(curves.GetWidthsAttr().Get(), "f4"), widths.astype("f4"))
print("usd")

# ---- OBJ ----
for frame in range(frames):
    loaded = trimesh.load(f"{folder}/obj/frame_{frame:06}.obj", process=False, maintain_order=True, force="mesh", skip_materials=True)
    reader = vtk.vtkOBJReader()
    reader.SetFileName(f"{folder}/obj/frame_{frame:06}.obj")
    reader.Update()
    rings = vtk_to_numpy(reader.GetOutput().GetPoints().GetData()).reshape(nodes, sides, 3)
    assert np.abs(rings.mean(axis=1) - positions[frame]).max() < 1e-6
    assert len(loaded.faces) == 2 * sides * (5 + 5) + 2 * (sides - 2)
print("obj")
"#;

const FRAMES: usize = 4;

/// An open helix of 6 nodes and a ring of 5 that turn as a whole, touching.
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
        run.append(
            &Frame {
                time: 0.25 * frame as f64,
                positions: &positions,
                directors: &directors,
                extra: &[],
                contacts: &[contact],
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
    export_vtk(at("run"), at("vtk"), Some(rest.clone())).unwrap();
    export_gltf(at("run"), at("run.glb")).unwrap();
    export_usd(at("run"), at("run.usda"), Some(rest)).unwrap();
    export_obj(at("run"), at("obj")).unwrap();

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
    write_run(&at("run"));
    for _ in 0..2 {
        export_vtk(at("run"), at("vtk"), None).unwrap();
        export_obj(at("run"), at("obj")).unwrap();
        export_gltf(at("run"), at("run.glb")).unwrap();
        export_usd(at("run"), at("run.usda"), None).unwrap();
    }
    let files = |folder: &str| fs::read_dir(at(folder)).unwrap().count();
    assert_eq!((files("vtk"), files("obj")), (FRAMES + 1, FRAMES));
    let glb = fs::read(at("run.glb")).unwrap();
    assert_eq!(
        (
            &glb[..4],
            u32::from_le_bytes(glb[8..12].try_into().unwrap()) as usize
        ),
        (&b"glTF"[..], glb.len())
    );
}
