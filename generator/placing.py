"""Where a text finds room: beside a point, within the axes, clear of lines and dots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from generator import lettering
from generator.marks import Axis, Layout, Note

Place = tuple[float, float]
ANCHORS = ("end below", "start below", "end above", "end middle", "start middle", "start above")
GAP, CLEAR, STRIDE = 5, 2, 4
"""Pixels: from the point to the text, around a text, and from sample to sample of a line."""


def beside(layout: Layout, x: Axis, y: Axis, at: Place, text: str, lines: Sequence[Sequence[Place]]) -> Note:
    """`text` at the first of `ANCHORS` around `at` that is clear of `lines` (a dot is a line of one point).

    All places are in data units of the axes `x` and `y`. Where nothing is clear, it is the first.
    """

    def pixels(place: Place) -> Place:
        return layout.px(place[0], x), layout.py(place[1], y)

    taken = [point for line in lines for point in _samples([pixels(place) for place in line])]
    here, wide = pixels(at), lettering.width(text) + lettering.width(" ")
    end, foot_of_axes = layout.width - layout.margins.right, layout.height - layout.margins.bottom

    def free(anchor: str) -> bool:
        left, top = _corner(here, anchor, wide)
        right, foot = left + wide + CLEAR, top + lettering.HEIGHT + CLEAR
        within = layout.margins.left <= left and right <= end and top >= 0 and foot <= foot_of_axes
        return within and not any(left - CLEAR <= px <= right and top - CLEAR <= py <= foot for px, py in taken)

    anchor = next(filter(free, ANCHORS), ANCHORS[0])
    return Note("value", *at, text, anchor, _shift(anchor))


def _shift(anchor: str) -> Place:
    """Pixels from the point: away from it, whichever way the text lies."""
    across, upright = anchor.split()
    if upright == "middle":
        return {"start": GAP, "end": -GAP}.get(across, 0), 0
    return 0, GAP if upright == "below" else -GAP


def _corner(here: Place, anchor: str, wide: float) -> Place:
    """The top left corner of a text of that width."""
    across, upright = anchor.split()
    right, down = _shift(anchor)
    left = here[0] + right - {"start": 0, "middle": wide / 2, "end": wide}[across]
    top = here[1] + down - {"below": 0, "middle": lettering.HEIGHT / 2, "above": lettering.HEIGHT}[upright]
    return left, top


def _samples(line: Sequence[Place]) -> Iterator[Place]:
    """Points of a line, near enough to each other that no text slips between two."""
    yield from line[:1]
    for (x0, y0), (x1, y1) in pairwise(line):
        count = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / STRIDE))
        yield from ((x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count) for k in range(1, count + 1))
