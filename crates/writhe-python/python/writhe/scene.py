"""A scene: all that a simulation begins with."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from writhe import _core
from writhe._part import Part, Quantity
from writhe._read import SCENE, parts
from writhe.bodies import Body, Joint, Obstacle, WeldCrossings
from writhe.errors import SceneError
from writhe.rods import Rod
from writhe.settings import Output, Stop, Time
from writhe.simulation import Simulation
from writhe.surroundings import Contact, Damping, Fluid, Gravity, MagneticField, Perturbation, Wind

if TYPE_CHECKING:
    from writhe.run import Run

#: An argument of `Scene` that is no key of the scene file.
_OWN = "folder"


class Scene(Part, table=""):
    """A scene, of rods or a named one. Nothing is checked until it is asked for: by `check`,
    `to_toml` or `simulation`.

    Arguments:
        title: What the scene is called in reports. That of the scene unless given.
        scene: A named scene, which makes its own rods: its ``name`` and its own keys.
        perturbation: How far rods deviate from their shapes, initial and at rest: a length, or a
            table.
        bending: How a vertex bends. ``"averaged"``, ``"per-edge"`` or ``"half-edges"``;
            ``"half-edges"`` unless given.
        spin_inertia: Which inertia of spinning edges counts; explicit steps know ``"full"`` of rods
            with a held angle. ``"angles"`` or ``"full"``; ``"angles"`` unless given.
        gravity: Gravity. None unless given.
        damping: Damping by the surroundings. None unless given.
        wind: Wind.
        magnetic_field: Magnetic field, which rods with a ``magnetisation`` feel.
        fluid: Fluid around the rods. None unless given.
        contact: Contact. See below unless given.
        time: Time stepping. See below unless given.
        stop: What ends the run before its time. Nothing unless given.
        output: What is written when. See below unless given.
        rods: Rods of a scene without a name. Those of the named scene unless given.
        obstacles: Rigid things that stand or are driven.
        bodies: Rigid things that rods move.
        joints: What joins bodies.
        weld_crossings: Whether rods are welded wherever two of them cross, as in a net; or which
            rods, in a table. No unless given.
        folder: Folder of the files that the scene names; the working directory unless given. No key
            of the scene file.
    """

    title: str | None = None
    scene: Mapping[str, Any] | None = None
    perturbation: Perturbation | None = None
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
    rods: Sequence[Rod] | None = None
    obstacles: Sequence[Obstacle] | None = None
    bodies: Sequence[Body] | None = None
    joints: Sequence[Joint] | None = None
    weld_crossings: bool | WeldCrossings | None = None
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

    def simulation(self, *, from_: str | os.PathLike[str] | Run | None = None) -> Simulation:
        """The simulation of the scene where its run begins: in static equilibrium, if ``Time.settle``
        says so; or where another run stood.

        Arguments:
            from_: A run to begin from, as ``--from`` of ``writhe run`` does: its directory, with ``@TIME``
                behind it for a moment that is not the last (``"runs/first@2.5"``), or a `Run`. Scene
                and run need the same rods, nodes and bodies; ``Simulation.start_notes`` tells what
                does not carry over.

        Raises:
            SceneError: When the scene is wrong, rods overlap at the start, or a simulation of the
                scene cannot begin from that run.
            SimulationError: When no equilibrium is found to begin from.
        """
        from writhe.run import Run

        made = self._made()
        place = from_.path if isinstance(from_, Run) else from_
        origin = None if place is None else os.fspath(place)
        return Simulation._of(_core.Simulation(made, origin), made.resolved)

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
