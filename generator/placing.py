"""Where a text finds room: beside a point, within the axes, clear of lines and dots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from generator import lettering
from generator.marks import Axis, Layout, Note

Place = tuple[float, float]
ANCHORS = ("end below", "start below", "end above", "end middle", "start middle", "start above")
GAPS, CLEAR, STRIDE = (5, 10, 15, 20), 2, 4
"""Pixels: from the point to the text, nearest first, around a text, and from sample to sample of a line."""

Spot = tuple[str, int]
"""An anchor and a gap."""


def beside(
    layout: Layout,
    x: Axis,
    y: Axis,
    at: Place,
    text: str,
    lines: Sequence[Sequence[Place]],
    *,
    names: Sequence[Note] = (),
) -> Note:
    """`text` at the first of `ANCHORS` around `at` that is clear of `lines` (a dot is a line of one point).

    All places are in data units of the axes `x` and `y`. Where nothing is clear it goes a little further away, and
    where nothing is clear there either, it is the first. It may reach into the right margin where `names` stand, of
    which it keeps clear.
    """

    def pixels(place: Place) -> Place:
        return layout.px(place[0], x), layout.py(place[1], y)

    taken = [point for line in lines for point in _samples([pixels(place) for place in line])]
    taken += [point for name in names for point in _letters(pixels((name.x, name.y)), name)]
    here, wide = pixels(at), lettering.width(text) + lettering.width(" ")
    end = layout.width - (0 if names else layout.margins.right)
    foot_of_axes = layout.height - layout.margins.bottom

    def free(spot: Spot) -> bool:
        left, top = _corner(here, spot, wide)
        right, foot = left + wide + CLEAR, top + lettering.HEIGHT + CLEAR
        within = layout.margins.left <= left and right <= end and top >= 0 and foot <= foot_of_axes
        return within and not any(left - CLEAR <= px <= right and top - CLEAR <= py <= foot for px, py in taken)

    spots = [(anchor, gap) for gap in GAPS for anchor in ANCHORS]
    spot = next(filter(free, spots), spots[0])
    return Note("value", *at, text, spot[0], _shift(spot))


def _shift(spot: Spot) -> Place:
    """Pixels from the point: away from it, whichever way the text lies."""
    anchor, gap = spot
    across, upright = anchor.split()
    if upright == "middle":
        return {"start": gap, "end": -gap}.get(across, 0), 0
    return 0, gap if upright == "below" else -gap


def _corner(here: Place, spot: Spot, wide: float) -> Place:
    """The top left corner of a text of that width."""
    across, upright = spot[0].split()
    right, down = _shift(spot)
    left = here[0] + right - {"start": 0, "middle": wide / 2, "end": wide}[across]
    top = here[1] + down - {"below": 0, "middle": lettering.HEIGHT / 2, "above": lettering.HEIGHT}[upright]
    return left, top


def _samples(line: Sequence[Place]) -> Iterator[Place]:
    """Points of a line, near enough to each other that no text slips between two."""
    yield from line[:1]
    for (x0, y0), (x1, y1) in pairwise(line):
        count = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / STRIDE))
        yield from ((x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count) for k in range(1, count + 1))


def _letters(at: Place, name: Note) -> Iterator[Place]:
    """Points all over a text that starts at `at` and has its middle there."""
    left, middle = at[0] + name.shift[0], at[1] + name.shift[1]
    for down in (-lettering.HEIGHT / 2, 0, lettering.HEIGHT / 2):
        yield from _samples([(left, middle + down), (left + lettering.width(f" {name.text}"), middle + down)])
