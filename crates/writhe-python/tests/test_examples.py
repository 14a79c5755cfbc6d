"""The scripts of `examples/python` find what is known."""

import runpy
from collections.abc import Callable

import pytest
from conftest import ROOT


def main(name: str) -> Callable[[], float]:
    script = runpy.run_path(str(ROOT / f"examples/python/{name}.py"))
    run: Callable[[], float] = script["main"]
    return run


#: Script, what its `main` returns, and by how much that may be off.
EXAMPLES = [
    ("beam", 1.0, 5e-4),
    ("stretching", 1.0, 1e-6),
    ("catenary", 1.0, 5e-3),
    ("feedback", 0.0, 1e-5),
    ("friction", 1.0, 5e-4),
    ("helical_buckling", 1.0, 3e-3),
    ("knot", 1.0, 2e-2),
    ("pendulum", 1.0, 5e-4),
    ("plectoneme", 1.0, 5e-3),
    ("ring", 1.0, 1e-3),
    ("rod_contact", 1.0, 1e-3),
]


@pytest.mark.parametrize(("name", "expected", "error"), EXAMPLES)
def test_examples(name: str, expected: float, error: float, capsys: pytest.CaptureFixture[str]) -> None:
    assert abs(main(name)() - expected) < error
    assert capsys.readouterr().out


def test_every_example_is_tested() -> None:
    scripts = {path.stem for path in (ROOT / "examples/python").glob("*.py")}
    assert scripts == {name for name, _, _ in EXAMPLES}
