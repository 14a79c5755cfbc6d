"""What goes wrong: a scene that cannot be used, a simulation that cannot go on."""

from __future__ import annotations


class SceneError(ValueError):
    """A scene, or an argument, that cannot be used: what is wrong, where, and the remedy.

    Attributes:
        message: What is wrong, with the value.
        key: Dotted path of the key in the scene, such as ``rods[0].clamps[1].edge``; ``None`` where
            it is about no single key.
        remedy: What to do about it; ``None`` where nothing better is known than the message.
        line: Line of the text that the scene was read from, from 1; ``None`` for scenes made in
            Python.
    """

    def __init__(
        self,
        message: str,
        key: str | None = None,
        remedy: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message, key, remedy, line)
        self.message = message
        self.key = key
        self.remedy = remedy
        self.line = line

    def __str__(self) -> str:
        """The message, then the remedy."""
        line = "" if self.line is None else f" (line {self.line})"
        remedy = "" if self.remedy is None else f"; {self.remedy}"
        return f"{self.message}{line}{remedy}"


class SimulationError(RuntimeError):
    """A simulation that cannot go on; its state is the last good one.

    Attributes:
        message: What happened.
        step: Steps that were accepted before; ``None`` where no step was tried.
        time: Simulated time of the last good state, s.
        rod: Rod that the cause names, from 0; ``None`` where it names none, or several.
        node: Node of that rod, from 0; ``None`` where it names none.
        remedy: What may help.
    """

    def __init__(
        self,
        message: str,
        step: int | None = None,
        time: float | None = None,
        rod: int | None = None,
        node: int | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message, step, time, rod, node, remedy)
        self.message = message
        self.step = step
        self.time = time
        self.rod = rod
        self.node = node
        self.remedy = remedy

    def __str__(self) -> str:
        """The message, then the remedy."""
        remedy = "" if self.remedy is None else f"; try {self.remedy}"
        return f"{self.message}{remedy}"


class StepWarning(UserWarning):
    """A step that is too long for a force of Python that lags: motions would grow. The text says how
    fast, and which step would do."""
