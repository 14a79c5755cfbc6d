"""How far a run is, on a line that is written over: in terminals and in notebooks."""

from __future__ import annotations

import sys
from collections.abc import Callable


class Progress:
    """A line that goes away with the work. In a file or a pipe it writes nothing."""

    def __init__(self, end: float, wanted: bool | None) -> None:
        """A run to ``end``, s; shown where someone looks unless ``wanted`` says."""
        self._end = end
        self._wanted = _is_looked_at() if wanted is None else wanted
        self._width = 0

    @property
    def news(self) -> Callable[[float], object] | None:
        """What is to be told the time, s; ``None`` if nobody looks."""
        return self._tell if self._wanted else None

    def __enter__(self) -> Progress:
        """The line, empty yet."""
        return self

    def __exit__(self, *why: object) -> None:
        """Takes the line away."""
        if self._width:
            self._write("")

    def _tell(self, time: float) -> None:
        part = min(1.0, time / self._end) if self._end > 0.0 else 1.0
        done = round(16 * part)
        self._write(f"[{'#' * done}{'.' * (16 - done)}] {time:.4g} of {self._end:.4g} s")

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r{line:<{self._width}}\r{line}")
        sys.stderr.flush()
        self._width = len(line)


def _is_looked_at() -> bool:
    """Whether standard error is a terminal or the output of a notebook."""
    if sys.stderr is None:
        return False
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")
