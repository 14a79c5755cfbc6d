"""Run directories: the same as the command line's, byte for byte, and what is read of them."""

import filecmp
import json
import os
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, hanging

import writhe

#: The command line, which `cargo xtask test --python` builds and names.
PROGRAM = os.environ.get("WRITHE")

#: Example and how much of it is run, s.
SCENES = [("flagella", 0.05), ("knot", 2.2), ("drum", 0.05), ("tree-in-wind", 0.1)]


def test_the_command_line_is_there() -> None:
    assert PROGRAM, "WRITHE names the program to compare with: use `cargo xtask test --python`"


def by_command_line(scene: Path, out: Path) -> None:
    assert PROGRAM is not None
    command = [PROGRAM, "run", str(scene), "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)


@pytest.mark.parametrize(("name", "duration"), SCENES, ids=[name for name, _ in SCENES])
def test_runs_are_those_of_the_command_line(name: str, duration: float, tmp_path: Path) -> None:
    scene = writhe.Scene.from_toml(ROOT / f"examples/{name}.toml")
    time = scene.time or writhe.Time()
    time.duration = duration
    # By an accuracy steps of a recorded run go beyond outputs, and those in memory end there.
    time.accuracy = None
    scene.time = time
    scene.output = writhe.Output(every=duration / 4, checkpoint_every=duration / 2)
    file = tmp_path / "scene.toml"
    file.write_text(scene.to_toml())
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    by_command_line(file, theirs)
    sim = scene.simulation()
    run = sim.run(to=ours)
    assert (run.outcome, run.frames) == ("finished", 5)
    same_directories(theirs, ours)
    # The same simulation without a directory.
    alone = scene.simulation()
    assert alone.run() is None
    assert alone.state == sim.state == run.state == writhe.open_run(theirs).state
    for rod, recorded in zip(alone.rods, run.rods, strict=True):
        assert np.array_equal(rod.positions, recorded.positions[-1])


def same_directories(theirs: Path, ours: Path) -> None:
    """All files but what tells how long the work took."""
    files = {path.relative_to(theirs) for path in theirs.rglob("*") if path.is_file()}
    assert files == {path.relative_to(ours) for path in ours.rglob("*") if path.is_file()}
    assert len(files) > 10
    timed = {"summary.json", "checkpoint.bin", "checkpoint.previous.bin"}
    for file in files:
        if file.name not in timed:
            assert filecmp.cmp(theirs / file, ours / file, shallow=False), file
    a, b = (json.loads((place / "summary.json").read_text()) for place in (theirs, ours))
    for key in ("cpu_s", "wall_s", "phases_s"):
        a.pop(key)
        b.pop(key)
    assert a == b


def test_a_run_is_read(scene: writhe.Scene, tmp_path: Path) -> None:
    sim = scene.simulation()
    run = sim.run(to=tmp_path / "run")
    assert run.path == tmp_path / "run" and "5 frames" in repr(run)
    assert np.allclose(run.time, [0, 0.05, 0.1, 0.15, 0.2], atol=1e-15)
    [rod] = run.rods
    assert (rod.nodes, rod.edges, rod.closed) == (21, 20, False)
    assert rod.positions.shape == rod.velocities.shape == (5, 21, 3)
    assert rod.m1.shape == (5, 20, 3)
    assert np.array_equal(rod.positions[-1], sim.rods[0].positions)
    assert np.array_equal(rod.velocities[-1], sim.rods[0].velocities)
    assert run.summary is not None and run.summary["steps"] == sim.statistics["steps"]
    assert run.scene.resolved() == scene.resolved()
    assert run.units["energy_bend"] == "J"
    assert run.observable("energy_bend")[-1] == sim.energies.bend
    with pytest.raises(writhe.SceneError, match="did you mean `energy_bend`"):
        run.observable("energy_bends")


def test_a_run_as_data(scene: writhe.Scene, tmp_path: Path) -> None:
    import pandas
    import xarray

    run = scene.simulation().run(to=tmp_path / "run")
    table = run.observables
    assert isinstance(table, pandas.DataFrame) and table.index.name == "t"
    assert table.attrs["units"]["momentum_z"] == "kg m/s"
    assert np.array_equal(table["energy_kinetic"].to_numpy(), run.observable("energy_kinetic"))
    data = run.to_xarray()
    assert isinstance(data, xarray.Dataset)
    assert data["positions"].dims == ("time", "node", "xyz")
    assert data["positions"].attrs["units"] == "m" and data["energy_bend"].attrs["units"] == "J"
    tip = data["positions"].isel(node=-1).sel(xyz="z")
    assert np.array_equal(tip.values, run.rods[0].positions[:, -1, 2])
    assert data["rod_of_node"].values.tolist() == [0] * 21
    assert np.allclose(data["time"].values, run.time)


def test_curves_have_units(scene: writhe.Scene, tmp_path: Path) -> None:
    run = scene.simulation().run(to=tmp_path / "run")
    figure = run.plot("energy", "rod0_end_distance", "energy_bend")
    energies, distance = figure.axes
    labels = [line.get_label() for line in energies.lines]
    assert labels == [name for name in run.units if name.startswith("energy_")]
    assert energies.get_ylabel() == "[J]"
    assert distance.get_ylabel() == "rod0_end_distance [m]"
    assert distance.get_xlabel() == "t [s]"
    assert np.array_equal(distance.lines[0].get_ydata(), run.observable("rod0_end_distance"))
    figure.savefig(tmp_path / "curves.png")
    for bad in ("t", "energies", "ener"):
        with pytest.raises(writhe.SceneError, match="there is no observable"):
            run.plot(bad)
    with pytest.raises(writhe.SceneError, match="nothing is to be plotted"):
        run.plot()


def test_a_run_goes_on(tmp_path: Path) -> None:
    """A run that failed for its scene's smallest step cannot; one that is whole says so."""
    scene = hanging()
    first = scene.simulation().run(to=tmp_path / "run")
    again = scene.simulation().run(to=tmp_path / "run", resume=True)
    assert again.outcome == "finished" and np.array_equal(first.time, again.time)
    with pytest.raises(writhe.SceneError, match="exists and is not empty") as caught:
        scene.simulation().run(to=tmp_path / "run")
    assert "resume=True" in str(caught.value) and "--" not in str(caught.value)
    assert scene.time is not None
    scene.time.step = "4 ms"
    with pytest.raises(writhe.SceneError, match="time.step"):
        scene.simulation().run(to=tmp_path / "run", resume=True)


def test_what_cannot_be_recorded(scene: writhe.Scene, tmp_path: Path) -> None:
    sim = scene.simulation()
    sim.step()
    with pytest.raises(writhe.SceneError, match="from its start"):
        sim.run(to=tmp_path / "run")
    with pytest.raises(writhe.SceneError, match="ends with its scene"):
        scene.simulation().run(to=tmp_path / "run", until=0.1)  # type: ignore[call-overload]
    with pytest.raises(writhe.SceneError, match="only a run in a directory"):
        scene.simulation().run(resume=True)  # type: ignore[call-overload]
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(writhe.SceneError, match="is a file"):
        scene.simulation().run(to=tmp_path / "file/run")


def test_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(writhe.SceneError):
        writhe.open_run(tmp_path)
    with pytest.raises(writhe.SceneError):
        writhe.open_run(tmp_path / "nowhere")


def test_a_run_that_fails_is_kept(tmp_path: Path) -> None:
    scene = hanging(time=writhe.Time(duration=1, step="5 ms", smallest_step="4 ms"))
    assert scene.rods is not None
    way = np.array([[0, 0, 0, 0], [0.02, 0, 0, 0], [0.021, -300, 0, 0]])
    scene.rods[0].held = [writhe.Held(node="last", motion=writhe.Path(path=way))]
    sim = scene.simulation()
    with pytest.raises(writhe.SimulationError):
        sim.run(to=tmp_path / "run")
    run = writhe.open_run(tmp_path / "run")
    assert run.outcome == "failed" and run.state == sim.state


def test_a_simulation_begins_where_a_run_stood(scene: writhe.Scene, tmp_path: Path) -> None:
    """As the command line's --from: the same state, notes and files."""
    first = scene.simulation().run(to=tmp_path / "first")
    heavier = hanging(gravity=writhe.Gravity(acceleration=[0, 0, -20]))
    sim = heavier.simulation(from_=first)
    assert sim.time == 0.0
    assert np.array_equal(sim.rods[0].positions, first.rods[0].positions[-1])
    assert str(first.path) in sim.start_notes[0] and "does not carry over" in sim.start_notes[-1]
    copied = sim.copy()
    ours = sim.run(to=tmp_path / "ours")
    assert copied.run() is None and copied.state == ours.state
    file = tmp_path / "scene.toml"
    file.write_text(heavier.to_toml())
    assert PROGRAM is not None
    command = [PROGRAM, "run", str(file), "--from", str(first.path), "--out", str(tmp_path / "theirs")]
    subprocess.run(command, check=True, capture_output=True)
    same_directories(tmp_path / "theirs", tmp_path / "ours")
    assert heavier.simulation(from_=f"{first.path}@0.1").time == 0.0
    assert not scene.simulation().start_notes


def test_what_is_no_beginning(scene: writhe.Scene, tmp_path: Path) -> None:
    first = scene.simulation().run(to=tmp_path / "first")
    for other, words in [(hanging(nodes=11), "cannot begin from that state"), (scene, "names no moment")]:
        origin = first.path if other is not scene else f"{first.path}@2 kg"
        with pytest.raises(writhe.SceneError, match=words):
            other.simulation(from_=origin)
    with pytest.raises(writhe.SceneError, match="not a run directory"):
        scene.simulation(from_=tmp_path / "nothing")
    with pytest.raises(writhe.SceneError, match="cannot be pickled"):
        pickle.dumps(scene.simulation(from_=first))
