//! The Python packages `zarr`, `xarray` and `numpy` read what this crate writes.
//!
//! Runs if `WRITHE_FOREIGN_READERS=1`; `PYTHON` names an interpreter that has the three packages
//! (default `python3`).

use crate::common;
use crate::swinging;
use std::path::Path;
use std::process::Command;

use common::{fast_place, run};
use writhe_rundir::{Outputs, Recording, RunReader, export_npz};

const SCRIPT: &str = r#"
import functools, operator, sys, warnings
warnings.simplefilter("error")
import numpy, xarray, zarr

directory, archive = sys.argv[1:]
group = zarr.open_group(f"{directory}/trajectory.zarr", mode="r")
plain = {name: group[name][...] for name in ["time", "positions", "directors", "tension", "body_pose", "dt"]}
assert group["positions"].shape == (8, 7, 3) and group["positions"].chunks == (3, 7, 3)
assert group["rod_closed"][...].tolist() == [0, 1] and group["rod_closed"].dtype == "int8"
assert group["rod_first_node"][...].tolist() == [0, 3] and group["rod_edges"][...].tolist() == [2, 4]
unconsolidated = zarr.open_group(f"{directory}/trajectory.zarr", mode="r", use_consolidated=False)
assert sorted(unconsolidated.array_keys()) == sorted(group.array_keys())
assert unconsolidated["positions"].shape == (8, 7, 3)

data = xarray.open_zarr(f"{directory}/trajectory.zarr")
assert data.positions.dims == ("time", "node", "xyz"), data.positions.dims
assert data.directors.dims == ("time", "edge", "xyz")
assert data.positions.attrs["units"] == "m" and data.time.attrs["units"] == "s"
assert data.time.dtype == "float64" and data.radius.dims == ("edge",)
assert data.sizes["rod"] == 2 and data.sizes["pose"] == 7
last = data.positions.sel(time=7 / 30, method="nearest").values
assert numpy.array_equal(last, plain["positions"][-1])

with numpy.load(archive) as exported:
    for name, array in plain.items():
        assert numpy.array_equal(exported[name], array), name
    assert exported["rod_nodes"].tolist() == [3, 4] and exported["energy_stretch"].shape == (8,)
    assert exported["rod_closed"].dtype == "int8"

for name, array in sorted(plain.items()):
    # Not sum(): since Python 3.12 it compensates the rounding.
    print(name, functools.reduce(operator.add, array.ravel().tolist(), 0.0))
"#;

const STATE_SCRIPT: &str = r#"
import sys, warnings
warnings.simplefilter("error")
import numpy, xarray

data = xarray.open_zarr(f"{sys.argv[1]}/trajectory.zarr")
expected = {
    "velocities": (("time", "node", "xyz"), (2, 6, 3), "m/s"),
    "hydrodynamic_forces": (("time", "node", "xyz"), (2, 6, 3), "N"),
    "body_positions": (("time", "body", "xyz"), (2, 1, 3), "m"),
    "body_orientations": (("time", "body", "quaternion"), (2, 1, 4), "1"),
}
for name, (dims, shape, units) in expected.items():
    array = data[name]
    assert (array.dims, array.shape, array.attrs["units"]) == (dims, shape, units), name
    assert array.attrs["long_name"] and array.dtype == "float64"
    print(name, *map(float, array.values[-1].ravel()))
assert numpy.allclose(numpy.linalg.norm(data.body_orientations.values, axis=2), 1, atol=1e-12)
"#;

fn foreign_readers_are_wanted() -> bool {
    std::env::var_os("WRITHE_FOREIGN_READERS").is_some_and(|value| value == "1")
}

fn said_by_python(script: &str, arguments: &[&Path]) -> String {
    let python = std::env::var_os("PYTHON").unwrap_or("python3".into());
    let mut command = Command::new(python);
    let output = command.args(["-c", script]).args(arguments).output();
    let output = output.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn python_reads_velocities_forces_and_bodies() {
    if !foreign_readers_are_wanted() {
        return;
    }
    let place = fast_place();
    let path = place.path().join("run");
    let outputs = Outputs::new(0.01, 0.0, 0.01);
    let scene = "# a bob\n";
    let mut run = Recording::create(&path, scene, swinging::swinging(), outputs, ()).unwrap();
    run.output().unwrap();
    run.advance(|_, _| true).unwrap();
    run.output().unwrap();
    run.save(&()).unwrap();
    let reader = RunReader::open(&path).unwrap();
    let found = said_by_python(STATE_SCRIPT, &[&path]);
    assert_eq!(found.lines().count(), 4);
    for line in found.lines() {
        let (name, numbers) = line.split_once(' ').unwrap();
        let numbers: Vec<f64> = numbers.split(' ').map(|x| x.parse().unwrap()).collect();
        assert_eq!(numbers, reader.array(name, 1).unwrap(), "{name}");
    }
}

#[test]
fn python_reads_the_trajectory() {
    if !foreign_readers_are_wanted() {
        return;
    }
    let place = fast_place();
    let (path, archive) = (place.path().join("run"), place.path().join("run.npz"));
    run(&path, 3, 8, 4);
    export_npz(&path, &archive).unwrap();

    let found = said_by_python(SCRIPT, &[&path, &archive]);
    let reader = RunReader::open(&path).unwrap();
    for line in found.lines() {
        let (name, sum) = line.split_once(' ').unwrap();
        let values = (0..8).flat_map(|index| reader.array(name, index).unwrap());
        assert_eq!(
            sum.parse::<f64>().unwrap(),
            values.fold(0.0, |sum, value| sum + value),
            "{name}"
        );
    }
    assert_eq!(found.lines().count(), 6);
}
