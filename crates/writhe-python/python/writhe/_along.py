"""Values that vary along a rod, as the scene file says them: edges that differ."""

from __future__ import annotations

from typing import Any

from writhe.errors import SceneError

#: Sections of the scene file.
_SECTIONS = {"circle", "ellipse", "rectangle", "stiffness"}
#: A rod under the keys of the scene file.
_Rod = dict[str, Any]


def spread(rod: _Rod) -> _Rod:
    """The rod with one value where a list was, that of the first edge, and overrides for the edges
    that have others."""
    section, material = rod.get("section"), rod.get("material")
    values = _inside(section) if _is_section(section) else None
    for part in (values, material):
        # Where a value is a table over arc length, the reader knows lists too.
        if isinstance(part, dict) and any(isinstance(value, dict) for value in part.values()):
            return rod
    lists = {**_lists("section", values), **_lists("material", material)}
    if not lists:
        return rod
    count = _edges(rod, lists)
    parts = {"section": section, "material": material}
    given = {name: part for name, part in parts.items() if part is not None}
    at = [{name: _at(part, edge) for name, part in given.items()} for edge in range(count)]
    overrides: list[dict[str, Any]] = []
    for edge in range(1, count):
        if at[edge] == at[0]:
            continue
        if overrides and overrides[-1]["edges"][1] == edge - 1 and at[edge] == at[edge - 1]:
            overrides[-1]["edges"][1] = edge
        else:
            overrides.append({"edges": [edge, edge], **at[edge]})
    # What is overridden by hand differs from what varies, too.
    overrides.extend(rod.get("overrides", []))
    return {**rod, **at[0], **({"overrides": overrides} if overrides else {})}


def _inside(section: Any) -> Any:
    """The values of a section or a shape, of whichever kind."""
    if isinstance(section, dict) and len(section) == 1:
        return next(iter(section.values()))
    return None


def _is_section(section: Any) -> bool:
    """Whether it is a section, or something else that the reader will refuse."""
    return isinstance(section, dict) and set(section) <= _SECTIONS


def _lists(name: str, values: Any) -> dict[str, list[Any]]:
    """The values that are lists, by their names."""
    if not isinstance(values, dict):
        return {}
    return {f"{name}.{key}": value for key, value in values.items() if isinstance(value, list)}


def _at(part: Any, edge: int) -> Any:
    """A section or material at an edge."""
    if isinstance(part, dict):
        return {key: _at(value, edge) for key, value in part.items()}
    return part[edge] if isinstance(part, list) else part


def _edges(rod: _Rod, lists: dict[str, list[Any]]) -> int:
    """Number of edges of the rod, which all lists must have."""
    count = _edges_of_shape(rod)
    for name, values in lists.items():
        if any(isinstance(value, list) for value in values) or len(values) == 0:
            raise SceneError(f"`{name}` is no value and no array of shape (edges,)", name)
        if count is None:
            raise SceneError(
                f"`{name}` is an array, and how many edges the rod has stands in a file",
                name,
                "give the shape as an array of nodes: shape=numpy.loadtxt(..)",
            )
        if len(values) != count:
            raise SceneError(
                f"`{name}` has {len(values)} values, and the rod has {count} edges",
                name,
                f"give one value, or an array of shape ({count},)",
            )
    return count or 0


def _edges_of_shape(rod: _Rod) -> int | None:
    """Number of edges that the shape says, if it does."""
    shape = rod.get("shape")
    inner = _inside(shape)
    if isinstance(inner, dict) and isinstance(inner.get("edges"), int):
        return int(inner["edges"])
    if isinstance(shape, dict) and isinstance(shape.get("nodes"), list):
        return len(shape["nodes"]) - (0 if rod.get("closed") else 1)
    return None
