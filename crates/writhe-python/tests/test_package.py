"""What the package is before anything is simulated."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import writhe

ROOT = Path(__file__).parents[3]


def test_version_is_that_of_the_workspace() -> None:
    manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
    assert writhe.__version__ == manifest["workspace"]["package"]["version"]


def test_types_are_shipped() -> None:
    assert writhe.__file__ is not None
    assert (Path(writhe.__file__).parent / "py.typed").is_file()


def test_numpy_alone_is_imported() -> None:
    """A notebook without pandas, xarray and matplotlib can use it, and does not wait for them."""
    heavy = ["matplotlib", "pandas", "xarray", "zarr", "scipy"]
    code = f"import sys, writhe; print([m for m in {heavy} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_every_public_name_exists_and_is_documented() -> None:
    for name in writhe.__all__:
        thing = getattr(writhe, name)
        if callable(thing):
            assert re.search(r"\w", thing.__doc__ or ""), name
