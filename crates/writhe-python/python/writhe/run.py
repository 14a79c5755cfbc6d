"""Run directories: what a run has written, read when it is asked for."""

from __future__ import annotations

import difflib
import json
import operator
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from writhe import _core
from writhe._check import number, whole
from writhe._rod import RodLayout
from writhe._size import pixels
from writhe.errors import SceneError
from writhe.page import TALLEST, Page
from writhe.scene import Scene

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]


class RecordedRod(RodLayout):
    """A rod of a run directory. Arrays are read from the disk each time; vectors are in the axes of
    the scene."""

    def __init__(self, core: _core.Run, first: tuple[int, int], layout: tuple[int, int, bool]) -> None:
        """The rod with these first node and edge."""
        self._core = core
        self._first = first
        self._layout = layout

    @property
    def positions(self) -> Floats:
        """Positions of the nodes, m, shape (frames, nodes, 3)."""
        return self._of("positions", self._first[0], self.nodes)

    @property
    def velocities(self) -> Floats:
        """Velocities of the nodes, m/s, shape (frames, nodes, 3).

        Raises:
            SceneError: When the run, of an older version, did not record them.
        """
        return self._of("velocities", self._first[0], self.nodes)

    @property
    def m1(self) -> Floats:
        """First material director of the edges, unit vectors, shape (frames, edges, 3)."""
        return self._of("directors", self._first[1], self.edges)

    def _of(self, name: str, first: int, count: int) -> Floats:
        flat = self._core.array(name)
        return flat.reshape(len(flat), -1, 3)[:, first : first + count].copy()

    def __repr__(self) -> str:
        """Its size."""
        closed = ", closed" if self.closed else ""
        return f"RecordedRod({self.nodes} nodes{closed})"


class Run:
    """A run directory, of this package or of the command line; `open_run` opens one. It shows the
    frames that were whole when it was opened."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """The run in this directory.

        Raises:
            SceneError: When there is none, or it is damaged.
        """
        self._path = Path(path)
        self._core = _core.Run(os.fspath(path))
        self._rods = []
        node = edge = 0
        for layout in self._core.rods:
            self._rods.append(RecordedRod(self._core, (node, edge), layout))
            node, edge = node + layout[0], edge + layout[1]

    @property
    def path(self) -> Path:
        """The directory."""
        return self._path

    @property
    def frames(self) -> int:
        """Number of frames."""
        return self._core.frames

    @property
    def time(self) -> Floats:
        """Simulated time of the frames, s, shape (frames,)."""
        return self._column(0)

    @property
    def rods(self) -> Sequence[RecordedRod]:
        """The rods, in the order of the scene."""
        return self._rods

    @property
    def scene(self) -> Scene:
        """The scene, with every default."""
        return Scene.from_toml(self._core.scene)

    @property
    def state(self) -> bytes:
        """The state of the last checkpoint, to which `Simulation.state` can be set.

        Raises:
            SceneError: When there is no checkpoint that is whole.
        """
        return self._core.state()

    @property
    def summary(self) -> dict[str, Any] | None:
        """How the run ended and what it took: ``summary.json``; ``None`` while it goes on, or after a
        kill."""
        try:
            found = json.loads((self._path / "summary.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return dict(found)

    @property
    def outcome(self) -> str | None:
        """How it ended: finished, stopped, interrupted or failed; ``None`` while it goes on."""
        summary = self.summary
        return None if summary is None else str(summary["outcome"])

    @property
    def units(self) -> dict[str, str]:
        """Observables by name, with their units."""
        return dict(self._core.columns)

    def observable(self, name: str) -> Floats:
        """An observable in every frame, shape (frames,), in SI; `units` lists them.

        Raises:
            SceneError: When there is none of this name.
        """
        names = list(self.units)
        if not isinstance(name, str):
            remedy = "give the name of an observable; `units` lists them"
            raise SceneError(f"{name!r} is no name of an observable", "name", remedy)
        if name not in names:
            raise self._unknown(name)
        return self._column(names.index(name))

    def _unknown(self, name: str) -> SceneError:
        near = difflib.get_close_matches(name, list(self.units), n=1)
        guess = f"did you mean `{near[0]}`? " if near else ""
        remedy = f"{guess}(`units` lists the observables of this run)"
        return SceneError(f"there is no observable `{name}`", "name", remedy)

    def _column(self, place: int) -> Floats:
        column = self._core.column(place)
        assert column is not None, "the place of a column that there is"
        return column

    def plot(self, *names: str) -> Figure:
        """Curves of observables over time, one pair of axes for each unit. ``plot("energy")`` shows all
        whose names begin so. Needs matplotlib: ``pip install "writhe[notebook]"``.

        Raises:
            SceneError: When a name stands for no observable, or there is none.
        """
        from matplotlib.figure import Figure

        wanted: dict[str, list[str]] = {}
        for name in names:
            if not isinstance(name, str):
                remedy = 'give names of observables, such as plot("energy")'
                raise SceneError(f"{name!r} is no name of an observable", "names", remedy)
            found = [known for known in self.units if f"{known}_".startswith(f"{name}_")]
            if not found or name == "t":
                raise self._unknown(name)
            for known in found:
                shown = wanted.setdefault(self.units[known], [])
                if known not in shown:
                    shown.append(known)
        if not wanted:
            raise SceneError("nothing is to be plotted", "names", 'write plot("energy")')
        figure = Figure(figsize=(6.4, 2.4 * len(wanted) + 1.2), layout="constrained")
        all_axes = figure.subplots(len(wanted), sharex=True, squeeze=False)[:, 0]
        for axes, (unit, shown) in zip(all_axes, wanted.items(), strict=True):
            for name in shown:
                axes.plot(self.time, self.observable(name), label=name)
            axes.set_ylabel(f"{shown[0]} [{unit}]" if len(shown) == 1 else f"[{unit}]")
            axes.legend()
        all_axes[-1].set_xlabel("t [s]")
        return figure

    def view(self, *, megabytes: float = 2.0, flow: bool = True, height: int = 480) -> Page:
        """The run as a page to turn, zoom and play, the same as ``writhe view`` makes. A notebook
        shows it in place of the run.

        Arguments:
            megabytes: Size of the frames in the page, at most about; frames are left out for it.
            flow: Whether it shows the flow of a fluid.
            height: Of the page in a notebook, pixels.

        Raises:
            SceneError: When the run has no frame yet, or ``megabytes`` or ``height`` is no size.
        """
        if number(megabytes, "megabytes", "such as 2.0") <= 0.0:
            remedy = "give megabytes, such as 2.0"
            raise SceneError(f"{megabytes!r} is no size of a page", "megabytes", remedy)
        whole(height, "height", 1, TALLEST)
        if self.frames == 0:
            remedy = "wait for its first checkpoint, and open it again"
            raise SceneError(f"the run in {str(self._path)!r} has no frame yet", None, remedy)
        # A page holds three bytes as four letters.
        return Page(self._core.page(round(0.75e6 * megabytes), flow), height)

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()

    def render(
        self,
        frame: int = -1,
        size: tuple[int, int] = (800, 600),
        *,
        colour: str | None = None,
        contacts: bool = False,
        legend: bool = True,
    ) -> bytes:
        """A frame as a picture, with obstacles, bodies, joints and clamps, as ``writhe render`` draws
        it: the bytes of a PNG file of ``size`` pixels, width and height.

        Arguments:
            frame: Which frame, from 0, or from the end, -1 being the last.
            size: Width and height, pixels.
            colour: What colours show: ``"rod"``, ``"one"``, ``"curvature"``, ``"twist"``, ``"stretch"``,
                ``"speed"`` or ``"force"``; by default the rod, and one colour beyond 12 rods.
            contacts: Whether arrows show the forces of contact.
            legend: Whether time, colours, arrows and a length are told below the picture.

        Raises:
            SceneError: When there is no such frame, no picture has such a size, nothing is coloured
                by what is asked, or the run records no contacts.
        """
        try:
            place = operator.index(frame)
        except TypeError as error:
            remedy = "give a number of a frame, such as -1 for the last"
            raise SceneError(f"{frame!r} is no frame", "frame", remedy) from error
        if not -self.frames <= place < self.frames:
            remedy = f"give a number from 0 to {self.frames - 1}, or from the end"
            raise SceneError(f"there is no frame {frame}", "frame", remedy)
        return self._core.picture(place % self.frames, list(pixels(size)), (colour, contacts, legend))

    @property
    def observables(self) -> pandas.DataFrame:
        """All observables, a row a frame, by time in s; ``attrs["units"]`` has their units. Needs
        pandas: ``pip install "writhe[data]"``."""
        import pandas

        columns = {
            name: self._column(place) for place, (name, _) in enumerate(self._core.columns)
        }
        table = pandas.DataFrame(columns).set_index("t")
        table.attrs["units"] = self.units
        return table

    def to_xarray(self) -> xarray.Dataset:
        """The trajectory and the observables as a dataset whose arrays are read when they are used.
        Dimensions are time, node, edge, rod and xyz, with bodies' where there are some; node and edge
        know their rod; every array has its units. Needs xarray and zarr:
        ``pip install "writhe[data]"``."""
        import xarray

        stored = self._path / "trajectory.zarr"
        data = xarray.open_dataset(stored, engine="zarr", chunks=None)
        # A run in progress adds frames first, then rows.
        data = data.isel(time=slice(0, self.frames))
        rods = np.arange(len(self._rods))
        data = data.assign_coords(
            xyz=["x", "y", "z"],
            rod_of_node=("node", np.repeat(rods, [rod.nodes for rod in self._rods])),
            rod_of_edge=("edge", np.repeat(rods, [rod.edges for rod in self._rods])),
        )
        for place, (name, unit) in enumerate(self._core.columns):
            if place > 0 and name not in data:
                data[name] = ("time", self._column(place), {"units": unit})
        return data

    def __repr__(self) -> str:
        """Where it is and how far."""
        return f"Run({str(self._path)!r}, {self.frames} frames)"


def open_run(path: str | os.PathLike[str]) -> Run:
    """The run in a directory, of this package or of the command line.

    Raises:
        SceneError: When there is none, or it is damaged.
    """
    return Run(path)
