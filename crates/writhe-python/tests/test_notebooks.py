"""The notebooks of `examples/notebooks`: small, whole, without machine paths, and they run."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in NOTEBOOKS]

#: Bytes of a notebook with its outputs.
MOST = 200_000


def test_there_are_five() -> None:
    assert NAMES == ["cantilever", "controller", "fitting", "flagella", "knot"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_notebooks_are_whole(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text) < MOST
    for place in (str(ROOT), "/root", "/home", "/tmp"):
        assert place not in text, f"a path of some machine: {place}"
    book: dict[str, Any] = json.loads(text)
    assert book["nbformat"] == 4 and book["nbformat_minor"] >= 5
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids) > 3
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    kinds = {output["output_type"] for output in outputs}
    assert kinds <= {"stream", "display_data", "execute_result"}
    assert not any(output.get("name") == "stderr" for output in outputs)
    # A picture and a figure in words, at least.
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert any(output["output_type"] == "stream" for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_notebooks_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("scipy")
    # The package that is tested, and the interpreter that runs the tests.
    search = os.pathsep.join(place for place in sys.path if place)
    monkeypatch.setenv("PYTHONPATH", search)
    book = nbformat.read(path, 4)
    nbformat.validate(book)
    # Notebooks check their figures themselves: an assertion that fails is an error here.
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
