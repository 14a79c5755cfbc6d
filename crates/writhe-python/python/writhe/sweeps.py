"""Runs of a scene over values of its keys, on this machine or on a cluster."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from writhe import _core
from writhe.errors import SceneError, SimulationError
from writhe.scene import Scene
from writhe.simulation import Simulation

if TYPE_CHECKING:
    import xarray

#: A pool of processes that breaks so often, because one of them was killed, is given up.
_BREAKS = 5
#: Between two looks at a run that another process still writes, s.
_WAIT = 0.5


@dataclass(frozen=True)
class _Work:
    """A run to make: all that a process on another machine needs."""

    index: int
    text: str
    folder: str
    changes: list[str]
    directory: str
    threads: int


def sweep(
    scene: Scene,
    parameters: Mapping[str, Any],
    *,
    to: str | os.PathLike[str],
    workers: int | None = None,
    client: Any = None,
) -> xarray.Dataset:
    """Runs a scene with all combinations of values, each into a run directory of its own below a
    folder, as ``writhe sweep`` does: with the same names, and the same bytes in them.

    What is over is not run again, and what was begun goes on from its last checkpoint: after a kill
    of this process or of a worker, the same call does what is missing.

    Arguments:
        scene: What is simulated.
        parameters: Lists of values by dotted key of the scene file:
            ``{"contact.friction": [0.1, 0.2], "rods[0].section.circle.radius": ["1 mm", "2 mm"]}``.
        to: Folder of the sweep; new, empty, or of the same sweep. Workers on other machines need it
            under the same name.
        workers: Processes on this machine; one for each core unless given.
        client: A ``dask.distributed.Client`` that runs them instead, on whatever cluster it is
            connected to.

    Returns:
        A dataset with the parameters as dimensions, numbers in SI with units (``"1 MPa"`` is 1e6),
        words as they are; in it ``outcome`` (``finished``, ``stopped``, ``failed``, ``damaged`` or
        ``missing``), ``reason``, ``run`` (the name of the run directory), counts, and each observable
        at the last moment of its run, with units; what a run lacks is NaN. The same as tables is in
        ``results.csv`` and ``results.json`` in the folder.

    Raises:
        ModuleNotFoundError: Without xarray: ``pip install "writhe[sweep]"``.
        SceneError: When a key is not there, a list is empty, or the folder is of something else. A
            single point that cannot be run is no error: its ``outcome`` and ``reason`` say so.
    """
    import xarray  # noqa: F401, PLC0415  before hours of work: the extra `sweep` brings it

    if workers is not None and workers < 1:
        raise SceneError(f"workers is {workers}", "workers", "take 1 or more")
    if not isinstance(scene, Scene):
        raise SceneError(
            f"{scene!r} is no scene", "scene", 'read the file with writhe.Scene.from_toml(..) or take writhe.named("knot")'
        )
    if client is not None and not hasattr(client, "map"):
        raise SceneError(
            f"{client!r} is no client", "client", "give a dask.distributed.Client, or leave it out and give `workers`"
        )
    folder = Path(to).resolve()
    text = scene.to_toml()
    files = "" if scene.folder is None else os.path.abspath(scene.folder)
    lists = {key: _list(key, values) for key, values in parameters.items()}
    points = _core.sweep_points(_core.Scene(text, "", files), lists, os.fspath(folder))
    count = workers or os.cpu_count() or 1
    threads = 1 if client is not None else max(1, (os.cpu_count() or 1) // count)
    missing = [
        _Work(index, text, files, changes, os.fspath(folder / name), threads)
        for index, (name, changes, over) in enumerate(points)
        if not over
    ]
    failures: dict[int, str] = {}
    if missing:
        done = _by_dask(client, missing) if client is not None else _by_pool(count, missing)
        failures.update((index, why) for index, why in done if why is not None)
    return _dataset(json.loads(_core.sweep_results(os.fspath(folder), failures)), lists)


def _list(key: str, values: Any) -> list[Any]:
    """The values of a key as a list of what a scene file holds."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise SceneError(f"{values!r} is no list of values", key, "give a list, such as [0.1, 0.2]")
    # NumPy's numbers are none of Python's.
    return [value.item() if hasattr(value, "item") else value for value in values]


def _run(work: _Work) -> tuple[int, str | None]:
    """Makes a run, or goes on with it; why there is none, if so. Any process can do it."""
    # Before the first loop that is parallel: several runs share the cores.
    os.environ.setdefault("RAYON_NUM_THREADS", str(work.threads))
    while True:
        try:
            made = _core.Scene(work.text, "", work.folder).changed(work.changes)
            sim = Simulation._of(_core.Simulation(made), made.resolved)
            sim.run(to=work.directory, resume=True, progress=False)
        except SimulationError as error:
            # If it was recorded, its summary says so, too.
            return work.index, str(error)
        except SceneError as error:
            if "is being written by another process" not in str(error):
                return work.index, str(error)
            # By a worker that was left behind: it ends, or dies, and its run goes on here.
            time.sleep(_WAIT)
        else:
            return work.index, None


def _by_pool(count: int, missing: list[_Work]) -> Iterator[tuple[int, str | None]]:
    """Runs on processes of this machine. A process that is killed takes the pool with it; a new one
    goes on."""
    left = {work.index: work for work in missing}
    for _ in range(_BREAKS):
        with _pool(min(count, len(left))) as pool:
            futures: list[Future[tuple[int, str | None]]] = []
            try:
                futures = [pool.submit(_run, work) for work in left.values()]
                for future in as_completed(futures):
                    index, why = future.result()
                    del left[index]
                    yield index, why
            except BrokenProcessPool:
                continue
        return
    for index in left:
        yield index, (
            f"its process ended {_BREAKS} times without a word: it was killed, say out of memory, or a script"
            ' without the guard if __name__ == "__main__" began anew in it'
        )


@contextmanager
def _pool(count: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that begin anew: a fork would copy threads that are not there. Ctrl-C leaves out what
    is not begun."""
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _by_dask(client: Any, missing: list[_Work]) -> Iterator[tuple[int, str | None]]:
    """Runs on a cluster. A worker that dies loses what it had begun to another one."""
    from dask import distributed  # noqa: PLC0415

    # Some of its releases have types, not for this.
    completed: Any = distributed.as_completed

    # Not pure: a run that was made and deleted is made again.
    futures = client.map(_run, missing, pure=False, retries=_BREAKS, key="writhe-sweep")
    index_of = {future.key: work.index for future, work in zip(futures, missing, strict=True)}
    for future in completed(futures):
        if future.status == "error":
            yield index_of[future.key], f"its worker failed: {future.exception()}"
        else:
            yield future.result()


def _dataset(results: dict[str, Any], lists: dict[str, list[Any]]) -> xarray.Dataset:
    """The table of results over the parameters."""
    import numpy as np  # noqa: PLC0415
    import xarray  # noqa: PLC0415

    shape = tuple(len(values) for values in lists.values())
    rows = results["rows"]

    def array(values: list[Any], kind: Any) -> Any:
        made = np.empty(len(rows), dtype=kind)
        made[:] = values
        return made.reshape(shape)

    dims = tuple(lists)
    texts = ("outcome", "reason", "run")
    data = {name: (dims, array([row[name] for row in rows], object)) for name in texts}
    for name, unit in results["units"].items():
        of = [row["values"].get(name) for row in rows]
        numbers = [np.nan if value is None else value for value in of]
        data[name] = (dims, array(numbers, float), {"units": unit})  # type: ignore[assignment]
    coords: dict[str, Any] = {}
    for key, values in lists.items():
        axis = results["axes"].get(key)
        if axis is not None:
            coords[key] = (key, axis["values"], {"units": axis["unit"]})
        elif all(isinstance(value, int | float | str) for value in values):
            coords[key] = values
        else:
            # Lists, say of a position, are no labels: their numbers are.
            coords[key] = range(len(values))
    return xarray.Dataset(data, coords=coords)
