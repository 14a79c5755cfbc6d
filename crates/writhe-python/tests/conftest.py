"""Scenes that several tests use."""

from pathlib import Path

import pytest

import writhe

ROOT = Path(__file__).parents[3]


def hanging(nodes: int = 21, **more: object) -> writhe.Scene:
    """A rod that is clamped at one end and falls."""
    rod = writhe.Rod(
        shape=writhe.Straight(to=[0.2, 0, 0], edges=nodes - 1),
        section=writhe.Circle(radius="1 mm"),
        material=writhe.Material(young="3 MPa", poisson=0.5, density="1000 kg/m^3"),
        clamps=[writhe.Clamp(edge="first")],
    )
    values: dict[str, object] = {
        "rods": [rod],
        "gravity": writhe.Gravity(acceleration=[0, 0, -9.81]),
        "time": writhe.Time(duration=0.2, step="5 ms"),
        "output": writhe.Output(every=0.05),
    }
    return writhe.Scene(**{**values, **more})  # type: ignore[arg-type]


@pytest.fixture
def scene() -> writhe.Scene:
    return hanging()


@pytest.fixture(scope="session")
def examples() -> list[Path]:
    found = sorted((ROOT / "examples").glob("*.toml"))
    assert len(found) > 10
    return found
