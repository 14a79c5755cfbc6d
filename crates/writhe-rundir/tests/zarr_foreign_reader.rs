//! The Python packages `zarr`, `xarray` and `numpy` read what this crate writes.
//!
//! Runs if `WRITHE_FOREIGN_READERS=1`; `PYTHON` names an interpreter that has the three packages (default `python3`).

mod common;

use std::process::Command;

use common::{fast_place, run};
use writhe_rundir::{RunReader, export_npz};

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

#[test]
fn python_reads_the_trajectory() {
    if std::env::var_os("WRITHE_FOREIGN_READERS").is_none_or(|value| value != "1") {
        return;
    }
    let place = fast_place();
    let (path, archive) = (place.path().join("run"), place.path().join("run.npz"));
    run(&path, 3, 8, 4);
    export_npz(&path, &archive).unwrap();

    let python = std::env::var_os("PYTHON").unwrap_or("python3".into());
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .args([&path, &archive])
        .output()
        .unwrap();
    let (found, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{errors}");

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
