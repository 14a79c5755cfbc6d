"""Pages: a run or a state to turn, zoom and play in a browser or a notebook."""

from __future__ import annotations

import base64
import gzip
import os
import tempfile
import webbrowser
from pathlib import Path

from writhe._check import whole

#: Most pixels in height.
TALLEST = 8192
#: What a notebook holds of a page: a frame of its own, which unpacks the page. It is shut off from
#: the notebook; the address of the page, which it would keep up to date, is not its own.
_FRAME = """<iframe sandbox="allow-scripts allow-downloads" width="100%" height="{height}"
style="border: 0" srcdoc="<!doctype html><meta charset='utf-8'><script>
history.replaceState = () => {{}};
const packed = Uint8Array.from(atob('{packed}'), (c) => c.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
new Response(unpacked).text().then((page) => {{
  document.open(); document.write(page); document.close();
}});
</script>"></iframe>"""


class Page:
    """A page that shows rods in motion, with their curves: one file that needs no network, the same
    as ``writhe view`` makes. A notebook shows it; `open` shows it in a browser.

    In a notebook it takes about .25 MB, and what its frames take.
    """

    def __init__(self, html: str, height: int) -> None:
        """The page of this text, of so many pixels in height in a notebook.

        Raises:
            SceneError: When no page has such a height.
        """
        self._html = html
        self._height = whole(height, "height", 1, TALLEST)

    @property
    def html(self) -> str:
        """The text of the page."""
        return self._html

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page as a file, to open in a browser or to send around; returns its path."""
        place = Path(path)
        place.write_text(self._html, encoding="utf-8")
        return place

    def open(self) -> Path:
        """Shows the page in the browser; returns the file, in the folder of temporary files."""
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self._html)
        place = Path(file.name)
        webbrowser.open(place.as_uri())
        return place

    def _repr_html_(self) -> str:
        packed = base64.b64encode(gzip.compress(self._html.encode(), mtime=0)).decode()
        return _FRAME.format(height=self._height, packed=packed)

    def __repr__(self) -> str:
        """Its size."""
        return f"Page({len(self._html) / 1e6:.1f} MB)"
