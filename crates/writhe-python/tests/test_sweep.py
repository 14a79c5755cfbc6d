"""Sweeps: a pool of processes, a cluster of dask, kills; runs that are those of the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, hanging

import writhe

pytest.importorskip("xarray")

PROGRAM = os.environ.get("WRITHE")


def small(**more: object) -> writhe.Scene:
    return hanging(11, time=writhe.Time(duration=0.1, step="5 ms"), **more)


def same(one: Path, other: Path) -> None:
    """Both sweeps left the same results, and runs with the same bytes."""
    assert (one / "results.csv").read_text() == (other / "results.csv").read_text()
    runs = sorted(path.name for path in one.iterdir() if path.is_dir())
    assert runs == sorted(path.name for path in other.iterdir() if path.is_dir())
    for run in runs:
        for file in ["scene.toml", "observables.csv", "trajectory.zarr/positions/c/0/0/0"]:
            assert (one / run / file).read_bytes() == (other / run / file).read_bytes(), (run, file)


def test_coordinates_are_numbers_with_units(tmp_path: Path) -> None:
    young = "rods[0].material.young"
    parameters = {young: ["1 MPa", "2 MPa"], "contact.model": ["imc", "ipc"], "rods[0].shape.straight.edges": [4, 5]}
    scene = hanging(5, time=writhe.Time(duration=0.01, step="5 ms"))
    data = writhe.sweep(scene, parameters, to=tmp_path / "s", workers=2)
    assert list(data[young].values) == [1e6, 2e6]
    assert data[young].attrs == {"units": "Pa"}
    # Words and whole numbers stay what they are.
    assert list(data["contact.model"].values) == ["imc", "ipc"]
    assert list(data["rods[0].shape.straight.edges"].values) == [4, 5]
    one = data.energy_bend.sel({young: 1e6, "contact.model": "imc"})
    assert one.shape == (2,)
    assert np.isfinite(data.rod0_tip_z).all()


def test_what_is_no_scene_and_no_client_is_told(tmp_path: Path) -> None:
    with pytest.raises(writhe.SceneError, match="is no scene"):
        writhe.sweep("my.toml", {"time.step": [0.01]}, to=tmp_path / "s")  # type: ignore[arg-type]
    with pytest.raises(writhe.SceneError, match="3 is no client"):
        writhe.sweep(small(), {"time.step": [0.01]}, to=tmp_path / "s", client=3)
    assert not (tmp_path / "s").exists()


def test_a_pool_of_processes_gives_a_dataset(tmp_path: Path) -> None:
    parameters = {"damping.viscosity": [0.0, 0.02], "time.step": np.array([0.002, 0.005])}
    data = writhe.sweep(small(), parameters, to=tmp_path / "s", workers=2)
    assert dict(data.sizes) == {"damping.viscosity": 2, "time.step": 2}
    assert (data.outcome == "finished").all()
    assert data.energy_bend.attrs["units"] == "J"
    run = writhe.open_run(tmp_path / "s" / str(data.run.values[1, 0]))
    assert data.energy_bend.values[1, 0] == run.observable("energy_bend")[-1]
    assert data.steps.values.tolist() == [[50, 20], [50, 20]]
    # What is over is not run again.
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "s").glob("*/checkpoint.bin")}
    again = writhe.sweep(small(), parameters, to=tmp_path / "s", workers=2)
    assert again.identical(data) and len(before) == 4
    assert all(path.stat().st_mtime_ns == at for path, at in before.items())


def test_points_and_names_are_those_of_the_command_line(tmp_path: Path) -> None:
    assert PROGRAM is not None
    scene = small()
    (tmp_path / "scene.toml").write_text(scene.to_toml())
    vary = ["--vary", "damping.viscosity=0.0,0.02", "--vary", "rods[0].material.young=1 MPa,2 MPa"]
    command = [PROGRAM, "sweep", "scene.toml", *vary, "-j", "2", "--out", "theirs"]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    lists = {"damping.viscosity": [0.0, 0.02], "rods[0].material.young": ["1 MPa", "2 MPa"]}
    writhe.sweep(scene, lists, to=tmp_path / "ours", workers=1)
    same(tmp_path / "theirs", tmp_path / "ours")
    theirs, ours = ((tmp_path / s / "sweep.json").read_text() for s in ("theirs", "ours"))
    assert json.loads(theirs)["parameters"] == json.loads(ours)["parameters"]


def test_the_page_on_sweeps_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs/book/src/sweeps.md").read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    assert len(blocks) == 1
    (tmp_path / "page.py").write_text(blocks[0])
    ran = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "energy_bend" in ran.stdout


def test_what_fails_is_a_row(tmp_path: Path) -> None:
    parameters = {"rods[0].material.young": ["1 MPa", -1]}
    data = writhe.sweep(small(), parameters, to=tmp_path / "s", workers=1)
    assert data.outcome.values.tolist() == ["finished", "failed"]
    assert "must be greater than zero" in data.reason.values[1]
    assert np.isnan(data.energy_bend.values[1])


def test_what_cannot_be_swept_is_told(tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, object], str]] = [
        ({"contact.frictoin": [1, 2]}, "did you mean `friction`"),
        ({"contact.friction": []}, "has no values to sweep over"),
        ({"contact.friction": 0.1}, "is no list of values"),
        ({}, "there is no key to sweep over"),
    ]
    for parameters, words in wrong:
        with pytest.raises(writhe.SceneError) as told:
            writhe.sweep(small(), parameters, to=tmp_path / "s")
        assert words in f"{told.value} {told.value.remedy}"
    with pytest.raises(writhe.SceneError, match="workers is 0"):
        writhe.sweep(small(), {"time.step": [0.01]}, to=tmp_path / "s", workers=0)
    writhe.sweep(small(), {"time.step": [0.01]}, to=tmp_path / "t", workers=1)
    with pytest.raises(writhe.SceneError, match="holds another sweep"):
        writhe.sweep(small(), {"time.step": [0.02]}, to=tmp_path / "t", workers=1)


def runs_over(folder: Path) -> int:
    return len(list(folder.glob("*/summary.json")))


def wait_for(condition: object, seconds: float = 120.0) -> None:
    start = time.monotonic()
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < start + seconds, "nothing happened"
        time.sleep(0.01)




def longer() -> writhe.Scene:
    """Long enough to be killed in its middle."""
    output = writhe.Output(every=0.05, checkpoint_every=0.1)
    return hanging(41, time=writhe.Time(duration=0.6, step="1 ms"), output=output)


#: 24 points.
SWEPT: dict[str, list[object]] = {
    "damping.viscosity": [0.0, 0.01, 0.02, 0.03, 0.04, 0.05],
    "rods[0].material.young": ["1 MPa", "2 MPa", "3 MPa", "4 MPa"],
}


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 runs, one after the other."""
    folder = tmp_path_factory.mktemp("serial") / "s"
    data = writhe.sweep(longer(), SWEPT, to=folder, workers=1)
    assert data.outcome.size == 24 and (data.outcome == "finished").all()
    return folder


def test_a_cluster_whose_worker_is_killed_does_all(serial: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    import threading

    folder = tmp_path / "s"
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options) as cluster,
        distributed.Client(cluster) as client,
    ):
        killed: list[int] = []

        def kill() -> None:
            wait_for(lambda: runs_over(folder) >= 5)
            victim = next(iter(cluster.workers.values())).process.pid
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

        killer = threading.Thread(target=kill)
        killer.start()
        data = writhe.sweep(longer(), SWEPT, to=folder, client=client)
        killer.join()
    assert killed
    assert (data.outcome == "finished").all()
    same(serial, folder)


def test_a_client_that_is_killed_and_begins_again_runs_what_is_missing(
    serial: Path, tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    folder = tmp_path / "s"
    (tmp_path / "scene.toml").write_text(longer().to_toml())
    program = tmp_path / "client.py"
    program.write_text(
        "import sys, writhe\n"
        "from distributed import Client, LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    scene = writhe.Scene.from_toml('scene.toml')\n"
        "    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)\n"
        f"    data = writhe.sweep(scene, {SWEPT!r}, to='s', client=Client(cluster))\n"
        "    assert (data.outcome == 'finished').all()\n"
    )
    child = subprocess.Popen([sys.executable, program], cwd=tmp_path, start_new_session=True)
    wait_for(lambda: runs_over(folder) >= 5)
    child.kill()
    child.wait()
    # Workers of a client that died end by themselves, when their nannies see it.
    time.sleep(1)
    done = {path: path.stat().st_mtime_ns for path in folder.glob("*/summary.json")}
    subprocess.run([sys.executable, program], cwd=tmp_path, check=True, timeout=300)
    assert 5 <= len(done) < 24, len(done)
    assert all(path.stat().st_mtime_ns == at for path, at in done.items())
    same(serial, folder)
