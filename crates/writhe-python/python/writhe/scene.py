"""A scene: all that a simulation begins with."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from writhe import _core
from writhe._part import Part, Quantity
from writhe._read import SCENE, parts
from writhe.bodies import Body, Joint, Obstacle, WeldCrossings
from writhe.errors import SceneError
from writhe.rods import Rod
from writhe.settings import Output, Stop, Time
from writhe.simulation import Simulation
from writhe.surroundings import Contact, Damping, Fluid, Gravity, MagneticField, Perturbation, Wind

#: An argument of `Scene` that is no key of the scene file.
_OWN = "folder"


class Scene(Part, table=""):
    """A scene, of rods or a named one. Nothing is checked until it is asked for: by `check`,
    `to_toml` or `simulation`.

    Arguments:
        title: What it is called in reports.
        scene: A named scene: its ``name`` and its own keys; without it, ``rods``. `named` makes
            one.
        rods: Rods.
        obstacles: Rigid things that stand or are driven.
        bodies: Rigid things that rods move.
        joints: What joins bodies.
        weld_crossings: Whether rods are welded wherever they cross, or which: ``True`` or
            `WeldCrossings`.
        perturbation: How far rods deviate from their shapes: a length, m, or `Perturbation`.
        bending: How a vertex bends: ``"half-edges"``, ``"averaged"`` or ``"per-edge"``.
        spin_inertia: Which inertia of spinning edges counts: ``"angles"`` or ``"full"``.
        gravity: Gravity; none unless given.
        damping: Damping by the surroundings; none unless given.
        wind: Wind; none unless given.
        magnetic_field: Magnetic field that magnetised rods feel; none unless given.
        fluid: Fluid around the rods; none unless given.
        contact: Contact.
        time: Time stepping.
        stop: What ends a run before its time.
        output: What a run directory holds.
        folder: Folder of the files that the scene names; the working directory unless given. No key
            of the scene file.
    """

    title: str | None = None
    scene: Mapping[str, Any] | None = None
    rods: Sequence[Rod] | None = None
    obstacles: Sequence[Obstacle] | None = None
    bodies: Sequence[Body] | None = None
    joints: Sequence[Joint] | None = None
    weld_crossings: bool | WeldCrossings | None = None
    perturbation: Quantity | Perturbation | None = None
    bending: str | None = None
    spin_inertia: str | None = None
    gravity: Gravity | None = None
    damping: Damping | None = None
    wind: Wind | None = None
    magnetic_field: MagneticField | None = None
    fluid: Fluid | None = None
    contact: Contact | None = None
    time: Time | None = None
    stop: Stop | None = None
    output: Output | None = None
    folder: str | os.PathLike[str] | None = None

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str]) -> Scene:
        """The scene of a file, or of a text: a ``str`` with a line break or ``=`` is a text.

        Raises:
            SceneError: When the file cannot be read or the scene is wrong, with the key and the line.
        """
        if isinstance(source, str) and ("\n" in source or "=" in source):
            text, file, folder = source, "the text", None
        else:
            text, file, folder = _text_of(source), os.fspath(source), Path(source).parent
        # What is wrong is told with its line, as the command line does.
        _core.Scene(text, file, "" if folder is None else str(folder))
        return cls(**parts(tomllib.loads(text), SCENE), folder=folder)

    def to_dict(self) -> dict[str, Any]:
        """What is given, under the keys of the scene file: numbers, texts, lists and dicts."""
        given = super().to_dict()
        given.pop(_OWN, None)
        return given

    def to_toml(self) -> str:
        """The scene as a text that `from_toml` and the command line read: what is given, as it is
        given, numbers with all their bits.

        Raises:
            SceneError: When the scene is wrong.
        """
        text = _core.to_toml(self.to_dict())
        self._read(text)
        return text

    def resolved(self) -> str:
        """The scene as a text with every default, all numbers in SI: ``scene.toml`` of a run
        directory.

        Raises:
            SceneError: When the scene is wrong.
        """
        return self._made().resolved

    def check(self) -> str:
        """What will be simulated, in words and numbers, with warnings: what ``writhe check`` prints.

        Raises:
            SceneError: When the scene is wrong, or rods overlap at the start.
        """
        return self._made().describe()

    def warnings(self) -> list[str]:
        """What `check` warns of, a line each.

        Raises:
            SceneError: When the scene is wrong.
        """
        return self._made().warnings()

    def simulation(self) -> Simulation:
        """The simulation of the scene where its run begins: in static equilibrium, if ``Time.settle``
        says so.

        Raises:
            SceneError: When the scene is wrong, or rods overlap at the start.
            SimulationError: When no equilibrium is found to begin from.
        """
        made = self._made()
        return Simulation._of(_core.Simulation(made), made.resolved)

    def _made(self) -> _core.Scene:
        """The scene as it is simulated."""
        return self._read(_core.to_toml(self.to_dict()))

    def _read(self, text: str) -> _core.Scene:
        """The scene of a text, with the files of this one."""
        folder = "" if self.folder is None else os.fspath(self.folder)
        return _core.Scene(text, "", folder)


def named(name: str, **parameters: Any) -> Scene:
    """A named scene with these parameters: ``named("flagella", count=3)``. `names` lists them, and
    ``writhe new NAME`` shows the parameters of each.

    Raises:
        SceneError: When there is no such scene, or it has no such parameter.
    """
    scene = Scene(scene={"name": name, **parameters})
    scene.to_toml()
    return scene


def names() -> list[str]:
    """Names of the named scenes."""
    return _core.names()


def template(name: str) -> str:
    """The commented scene file of this name: what ``writhe new NAME`` prints. Beside those of
    `names` there are scenes that describe every rod: free, slope and drum.

    Raises:
        SceneError: When there is none.
    """
    return _core.template(name)


def _text_of(file: str | os.PathLike[str]) -> str:
    """What a file holds."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SceneError(
            f"cannot read the scene `{os.fspath(file)}`: {error}",
            remedy="give the path of a scene file, or its text",
        ) from error
