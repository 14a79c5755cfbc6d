"""The code of README and book runs as it stands there."""

import os
from pathlib import Path

import pytest
from conftest import ROOT


def code(page: str) -> list[str]:
    """What stands in the Python fences of a page."""
    parts = (ROOT / page).read_text(encoding="utf-8").split("```python\n")[1:]
    return [part.split("```")[0] for part in parts]


@pytest.mark.parametrize("page", ["README.md", "docs/book/src/python.md", "docs/book/src/active-rods.md"])
def test_pages_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = code(page)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)  # noqa: S102
    if page == "README.md":
        assert os.path.getsize("helix.png") > 1000
