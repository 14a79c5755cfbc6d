"""Sizes of pictures, as they are given."""

import operator

from writhe.errors import SceneError


def pixels(size: object) -> tuple[int, int]:
    """Width and height; numbers that no picture has are left to whoever draws.

    Raises:
        SceneError: When these are not two whole numbers.
    """
    try:
        width, height = (operator.index(side) for side in size)  # type: ignore[attr-defined]
    except (TypeError, ValueError) as error:
        remedy = "give width and height, such as (800, 600)"
        raise SceneError(f"{size!r} is no size of a picture", "size", remedy) from error
    # What is no number of pixels there is refused as too small or too large.
    width, height = (min(max(0, side), 2**31) for side in (width, height))
    return width, height
