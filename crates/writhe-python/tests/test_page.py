"""What notebooks show: pages and pictures of states and runs."""

import base64
import gzip
import json
import re
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from conftest import hanging

import writhe


def setting(page: str) -> dict[str, object]:
    """What a page knows of its run."""
    found = re.search(r'id="setting">(.*?)</script>', page)
    assert found is not None
    told: dict[str, object] = json.loads(found[1])
    return told


def frames(page: str) -> int:
    """Frames that a page holds."""
    found = re.search(r'id="block">(.*?)</script>', page)
    assert found is not None
    block = zlib.decompress(base64.b64decode(found[1]))
    [length] = struct.unpack("<I", block[:4])
    return int(json.loads(block[4 : 4 + length])["frames"])


def unpacked(shown: str) -> str:
    """The page inside the frame that a notebook shows."""
    found = re.search(r"atob\('([^']*)'\)", shown)
    assert found is not None
    return gzip.decompress(base64.b64decode(found[1])).decode()


def test_a_run_is_shown_whole(scene: writhe.Scene, tmp_path: Path) -> None:
    run = scene.simulation().run(to=tmp_path / "run")
    page = run.view()
    assert frames(page.html) == run.frames == 5
    assert setting(page.html)["name"] == "run"
    shown = run._repr_html_()
    assert shown.startswith("<iframe") and 'height="480"' in shown
    assert unpacked(shown) == page.html
    # What a notebook holds of it.
    assert len(shown) < 400_000 < len(page.html)


def test_a_page_has_a_size(scene: writhe.Scene, tmp_path: Path) -> None:
    run = scene.simulation().run(to=tmp_path / "run")
    assert frames(run.view(megabytes=0.001).html) < 5
    for bad in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(writhe.SceneError, match="`megabytes`|is no size of a page") as caught:
            run.view(megabytes=bad)
        assert caught.value.key == "megabytes" and caught.value.remedy
    for work, key in [
        (lambda: run.view(megabytes="2"), "megabytes"),  # type: ignore[arg-type]
        (lambda: run.view(height=-1), "height"),
        (lambda: run.view(height=1.5), "height"),  # type: ignore[arg-type]
        (lambda: run.plot(5), "names"),  # type: ignore[arg-type]
        (lambda: run.observable(5), "name"),  # type: ignore[arg-type]
    ]:
        with pytest.raises(writhe.SceneError) as caught:
            work()  # type: ignore[no-untyped-call]
        assert caught.value.key == key and caught.value.remedy


def test_the_present_state_is_shown() -> None:
    plane = writhe.Obstacle(shape=writhe.HalfSpace(point=[0, 0, -1]))
    sim = hanging(obstacles=[plane]).simulation()
    sim.run(until=0.1)
    before = sim.state
    page = sim.view(height=300)
    assert frames(page.html) == 1
    told = setting(page.html)
    assert told["name"] == "t = 0.1 s"
    assert told["obstacles"] and told["fixtures"]
    assert 'height="300"' in page._repr_html_()
    assert unpacked(sim._repr_html_()) == sim.view().html
    assert sim.state == before
    # And it goes on.
    sim.step()


def test_what_is_driven_is_shown_where_it_is() -> None:
    plane = writhe.Obstacle(shape=writhe.HalfSpace(point=[0, 0, -1]))
    scene = hanging(obstacles=[plane])
    driven, left = scene.simulation(), scene.simulation()
    driven.obstacles[0].move(velocity=[0, 0, -0.5])
    for sim in (driven, left):
        sim.run(until=0.1)
    assert np.array_equal(driven.rods[0].positions, left.rods[0].positions)
    assert driven.view().html != left.view().html
    # What was set in another state is not shown.
    driven.state = left.state
    assert driven.view().html == left.view().html


def test_a_page_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = hanging().simulation().view()
    place = page.save(tmp_path / "state.html")
    assert place.read_text(encoding="utf-8") == page.html
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file = page.open()
    assert opened == [file.as_uri()] and file.read_text(encoding="utf-8") == page.html


def test_frames_are_drawn(tmp_path: Path) -> None:
    plane = writhe.Obstacle(shape=writhe.HalfSpace(point=[0, 0, -0.1]))
    run = hanging(obstacles=[plane]).simulation().run(to=tmp_path / "run")
    last = run.render(size=(160, 120))
    assert last[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", last[16:24]) == (160, 120)
    assert run.render(4, (160, 120)) == last != run.render(0, (160, 120))
    # The floor is there.
    alone = hanging().simulation().run(to=tmp_path / "alone")
    assert alone.render(size=(160, 120)) != last
    for bad in (5, -6):
        with pytest.raises(writhe.SceneError, match="there is no frame") as caught:
            run.render(bad)
        assert "from 0 to 4" in str(caught.value)
    with pytest.raises(writhe.SceneError, match="is no frame"):
        run.render(1.5)  # type: ignore[arg-type]
    with pytest.raises(writhe.SceneError, match="is no size of a picture"):
        run.render(0, (160,))  # type: ignore[arg-type]
    with pytest.raises(writhe.SceneError, match="0 x 10 pixels"):
        run.render(0, (0, 10))
