"""What rods of a simulation and of a run directory have in common."""


class RodLayout:
    """Numbers of nodes and edges of a rod, and whether it is closed."""

    _layout: tuple[int, int, bool]

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self._layout[0]

    @property
    def edges(self) -> int:
        """Number of edges: one less than nodes, or as many of a closed rod."""
        return self._layout[1]

    @property
    def closed(self) -> bool:
        """Whether the last node is joined to the first."""
        return self._layout[2]
