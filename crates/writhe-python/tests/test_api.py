"""The reference in the book is what the docstrings make."""

import runpy

import writhe
from conftest import ROOT

HOW = "the reference is not up to date: python crates/writhe-python/api.py"


def test_the_reference_is_that_of_the_docstrings() -> None:
    script = runpy.run_path(str(ROOT / "crates/writhe-python/api.py"))
    chapter: str = script["chapter"]()
    assert script["CHAPTER"].read_text(encoding="utf-8") == chapter, HOW
    for name in writhe.__all__:
        if name not in ("__version__",):
            assert f"### `{name}" in chapter, name
