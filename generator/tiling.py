"""Where squares go: several maps of as many small squares each, as large as a given room allows."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

LONGEST = 4
"""How many times as wide as high, or as high as wide, a map may be."""


@dataclass(frozen=True)
class Tiling:
    """`across` maps beside each other, each of `columns` x `rows` squares of `pitch` pixels."""

    across: int
    columns: int
    rows: int
    pitch: int


def tile(maps: int, squares: int, width: int, height: int, *, gap: int, lines: int, text: float) -> Tiling:
    """The arrangement with the largest squares, for `maps` maps of at most `squares` squares.

    All in pixels: `gap` is between maps, `lines` the height of the lines that each map has over and under it, and
    `text` the width of the longest, for which every map finds room beside the others. Rows are full if there is a
    way that is not too long; else the last is short.
    """
    shapes = [(columns, ceil(squares / columns)) for columns in range(1, squares + 1)]
    fair = [shape for shape in shapes if max(shape) <= LONGEST * min(shape)]
    full = [(columns, rows) for columns, rows in fair if columns * rows == squares]
    tilings = (
        Tiling(across, columns, rows, _pitch(columns, rows, wide=(width + gap) / across - gap, high=high))
        for across in range(maps, 0, -1)
        if across == 1 or (maps % across == 0 and (width + gap) / across - gap >= text)
        for high in [(height + gap) / (maps // across) - gap - lines]
        for columns, rows in full or fair
    )
    return max(tilings, key=lambda tiling: tiling.pitch)


def _pitch(columns: int, rows: int, wide: float, high: float) -> int:
    """Pixels from square to square, whole so that all squares are alike."""
    return max(2, int(min(wide / columns, high / rows)))
