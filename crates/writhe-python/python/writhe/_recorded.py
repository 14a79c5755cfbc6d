"""Runs into a directory that functions of Python lead."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from writhe._control import act, between, target
from writhe._lag import judge
from writhe.errors import SceneError

if TYPE_CHECKING:
    from writhe.simulation import ControlFunction, Simulation


def record(
    sim: Simulation,
    path: str,
    stop: ControlFunction | None,
    news: Callable[[float], object] | None,
) -> None:
    """Runs to the end of the scene into a new directory, and calls whoever is to be called on the
    way; the observables that were added are columns."""
    core, extras, end = sim._core, sim._extras, sim._core.end
    judge(core, sim._rods, extras)
    for name in extras.observables:
        if not re.fullmatch("[A-Za-z0-9_]+", name):
            remedy = "use letters, digits and underscores, as in tip_height"
            raise SceneError(f"the observable `{name}` cannot be a column", "name", remedy)
    units = {name: unit or "1" for name, (unit, _) in extras.observables.items()}
    columns = [(name, units[name], value) for name, value in sim._added_observables().items()]
    core.begin_led(path, json.dumps(_manifest(sim, stop), indent=2) + "\n", columns)
    controllers = extras.controllers
    once = stop is not None or any(controller.every == 0.0 for controller in controllers)
    goes_on = True
    try:
        while True:
            if goes_on:
                act(sim, core, controllers)
            how, over = core.advance_led(target(core, controllers, end), once)
            if news is not None:
                news(sim.time)
            if over is None and stop is not None and between(sim, stop):
                over = ("finished", said_so(stop))
            values = list(sim._added_observables().values()) if over or how == "output" else []
            if how == "output":
                goes_on = not core.show_led(values)
            if over is not None:
                core.end_led(*over, values)
                return
    except BaseException:
        # What was computed is kept, whatever a function did.
        core.end_led("interrupted", "", [])
        raise


def said_so(stop: Callable[..., Any]) -> str:
    """Why a function ended a run."""
    return f"`{_name(stop)}` said so"


def _manifest(sim: Simulation, stop: ControlFunction | None) -> dict[str, Any]:
    """What led the run, for whoever finds its directory."""
    extras = sim._extras
    return {
        "note": "functions of Python led this run; its scene alone makes another, and nobody can resume it",
        "controllers": [
            {"function": _name(controller.function), "every_s": controller.every}
            for controller in extras.controllers
        ],
        "observables": list(extras.observables),
        "stop": None if stop is None else _name(stop),
    }


def _name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))
