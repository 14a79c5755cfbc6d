"""From the values of a scene file to the classes of the package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from writhe import bodies, motion, rods, settings, surroundings
from writhe._part import Part


@dataclass(frozen=True)
class OneOf:
    """A table with one key, which says what it holds."""

    kinds: Mapping[str, type[Part]]


@dataclass(frozen=True)
class ListOf:
    """A list of such parts."""

    element: type[Part] | OneOf


_How: TypeAlias = type[Part] | OneOf | ListOf

_SHAPE = OneOf(
    {
        "straight": rods.Straight,
        "arc": rods.Arc,
        "helix": rods.Helix,
        "ring": rods.Ring,
        "nodes": rods.Nodes,
        "file": rods.NodesFile,
    }
)
_SECTION = OneOf(
    {
        "circle": rods.Circle,
        "ellipse": rods.Ellipse,
        "rectangle": rods.Rectangle,
        "stiffness": rods.Stiffness,
    }
)
_MOTION = OneOf(
    {
        "velocity": motion.Velocity,
        "translation": motion.Translation,
        "rotation": motion.Rotation,
        "path": motion.Path,
        "sequence": motion.Combined,
    }
)
_OBSTACLE = OneOf(
    {
        "half_space": bodies.HalfSpace,
        "sphere": bodies.Sphere,
        "capsule": bodies.Capsule,
        "cylinder": bodies.Cylinder,
        "box": bodies.Box,
        "mesh": bodies.Mesh,
        "tube": bodies.Tube,
        "funnel": bodies.Funnel,
        "cavity": bodies.Cavity,
    }
)
_SOLID = OneOf(
    {
        "sphere": bodies.SolidSphere,
        "box": bodies.SolidBox,
        "cylinder": bodies.SolidCylinder,
    }
)
_DRAG = OneOf({"quadratic": surroundings.QuadraticDrag, "linear": surroundings.LinearDrag})

#: What holds parts, and which: by class and key.
_INNER: dict[type[Part], dict[str, _How]] = {
    rods.Rod: {
        "repeat": rods.Repeat,
        "rest_curvature": rods.Along,
        "rest_twist": rods.Along,
        "shape": _SHAPE,
        "rest": _SHAPE,
        "section": _SECTION,
        "material": rods.Material,
        "overrides": ListOf(rods.Override),
        "clamps": ListOf(rods.Clamp),
        "held": ListOf(rods.Held),
        "held_angles": ListOf(rods.HeldAngle),
        "forces": ListOf(rods.Force),
        "moments": ListOf(rods.Moment),
        "foundation": rods.Foundation,
        "line_loads": ListOf(rods.LineLoad),
        "driven": ListOf(rods.Driven),
        "viscous": rods.Viscous,
        "relaxing": rods.Relaxing,
        "friction_by_direction": rods.FrictionByDirection,
    },
    rods.Foundation: {"plane": rods.Plane},
    rods.Repeat: {"ring": rods.RingOfCopies, "random": rods.RandomPlace},
    **{
        part: {key: rods.Along for key in part.keys().values()}
        for part in (rods.Circle, rods.Ellipse, rods.Rectangle, rods.Stiffness, rods.Material)
    },
    rods.Override: {"section": _SECTION, "material": rods.Material},
    rods.Clamp: {"motion": _MOTION},
    rods.Held: {"motion": _MOTION},
    rods.HeldAngle: {"angle": motion.Schedule},
    rods.NodesFile: {"file": motion.TableFile},
    rods.Force: {"amplitude": motion.Schedule},
    rods.Moment: {"amplitude": motion.Schedule},
    rods.LineLoad: {"amplitude": motion.Schedule},
    surroundings.MagneticField: {"amplitude": motion.Schedule},
    motion.Schedule: {"sine": motion.Sine, "ramp": motion.Ramp, "smooth_step": motion.Ramp},
    motion.Translation: {"amplitude": motion.Schedule},
    motion.Rotation: {"angle": motion.Schedule},
    motion.Path: {"path": motion.TableFile},
    motion.Combined: {"sequence": ListOf(_MOTION)},
    bodies.Obstacle: {
        "shape": _OBSTACLE,
        "motion": _MOTION,
        "friction_by_direction": rods.FrictionByDirection,
    },
    bodies.Body: {
        "solid": _SOLID,
        "orientation": bodies.Orientation,
        "welds": ListOf(bodies.Weld),
        "motion": _MOTION,
        "guide": bodies.Guide,
    },
    bodies.Joint: {"hinge": bodies.Hinge},
    bodies.Hinge: {"amplitude": motion.Schedule, "angle": motion.Schedule},
    surroundings.Wind: {
        "amplitude": motion.Schedule,
        "gusts": surroundings.Gusts,
        "drag": _DRAG,
    },
    surroundings.Contact: {
        "stiffness": surroundings.LargestForce,
        "friction_solve": surroundings.Lagged,
        "jacobian": surroundings.Hybrid,
    },
}

#: The parts of a scene.
SCENE: dict[str, _How] = {
    "rods": ListOf(rods.Rod),
    "obstacles": ListOf(bodies.Obstacle),
    "bodies": ListOf(bodies.Body),
    "joints": ListOf(bodies.Joint),
    "weld_crossings": bodies.WeldCrossings,
    "perturbation": surroundings.Perturbation,
    "gravity": surroundings.Gravity,
    "damping": surroundings.Damping,
    "wind": surroundings.Wind,
    "magnetic_field": surroundings.MagneticField,
    "fluid": surroundings.Fluid,
    "contact": surroundings.Contact,
    "time": settings.Time,
    "stop": settings.Stop,
    "output": settings.Output,
}


def parts(values: Mapping[str, Any], how: Mapping[str, _How]) -> dict[str, Any]:
    """The values of a table as arguments: by their Python names, tables as parts."""
    return {key: _part(value, how[key]) if key in how else value for key, value in values.items()}


def _part(value: Any, how: _How) -> Any:
    """A value of the scene file as a part; a word or a number stays what it is."""
    match how:
        case ListOf(element):
            return [_part(inner, element) for inner in value]
        case OneOf(kinds) if isinstance(value, Mapping):
            [(kind, inner)] = value.items()
            made = kinds[kind]
            # Of some the choice is the key of the value itself.
            return _made(made, value if made._choice is None else inner)
        case type() if isinstance(value, Mapping):
            return _made(how, value)
        case _:
            return value


def _made(cls: type[Part], values: Mapping[str, Any]) -> Part:
    """A part from its table."""
    names = {key: name for name, key in cls.keys().items()}
    given = parts(values, _INNER.get(cls, {}))
    return cls(**{names[key]: value for key, value in given.items()})
