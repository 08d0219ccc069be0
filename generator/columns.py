"""What panels with a column per request have in common: names below them, a value at the latest one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator import lettering
from generator.marks import Axis, Layout, Line, Note, Text

THICKNESS = 0.72
"""Of the room a column has."""


FOOT = 0.06
"""Of the height: how far the axes reach below 0, so that names keep clear of the columns."""


def footed(axis: Axis) -> Axis:
    """The axis of the columns' heights with room below 0, which the baseline marks and no tick."""
    return replace(axis, low=-FOOT * axis.high, ticks=tuple(tick for tick in axis.ticks if tick[0]))


def baseline(x: Axis) -> Line:
    """The line on which the columns stand."""
    return Line("baseline", ((x.low, 0), (x.high, 0)), "muted", thickness=1)


def names_below(layout: Layout, names: Sequence[str]) -> Text:
    """The names under columns 0, 1, …: the last, bold, and of the others all that find room.

    None where the panel below writes them for both.
    """
    notes: list[Note] = []
    if layout.x.shown and names:
        last = len(names) - 1
        taken = [_extent(layout, last, names[last], bold=True)]
        notes.append(_name(last, names[last], bold=True))
        for column, name in enumerate(names[:-1]):
            low, high = _extent(layout, column, name, bold=False)
            if all(high + 3 <= other_low or low >= other_high + 3 for other_low, other_high in taken):
                taken.append((low, high))
                notes.append(_name(column, name, bold=False))
    return Text("requests", tuple(notes))


def _name(column: int, name: str, bold: bool) -> Note:
    return Note(f"{column}", column, 0, name, "middle below", (0, 99), bold)  # as far as the axes go


def _extent(layout: Layout, column: int, name: str, bold: bool) -> tuple[float, float]:
    middle, half = layout.px(column), lettering.width(name, bold) / 2
    return middle - half, middle + half


def value_at(layout: Layout, y: Axis, column: int, value: float, text: str, limit: float | None) -> Text:
    """The value beside the top of the latest column, as near as the grid and a limit leave it free of lines.

    The label of a limit stands in the margin, where the value may reach, so it is kept clear as a band.
    """
    lines = [(layout.py(tick, y), 2.0) for tick, _ in y.ticks if y.grid]
    if limit is not None:
        lines.append((layout.py(limit, y), lettering.HEIGHT / 2 + 1))
    wished = layout.py(value, y) - lettering.HEIGHT / 2 - 2
    middle = min(_free(lines, layout), key=lambda middle: (abs(middle - wished), middle), default=wished)
    right = layout.px(column + THICKNESS / 2) - layout.px(column)
    anchor = "start middle"
    if middle < layout.margins.top:  # a text's point never leaves the axes: this one stands on theirs
        anchor, middle = "start above", middle + lettering.HEIGHT / 2
    note = Note("value", column, value, text, anchor, (right, middle - layout.py(value, y)))
    return Text("value", (note,))


def _free(lines: Sequence[tuple[float, float]], layout: Layout) -> Iterator[float]:
    """Heights in pixels at which the middle of a text touches none of the lines (middle, half its height)."""
    half = lettering.HEIGHT / 2
    highest, lowest = int(half) + 1, int(layout.height - layout.margins.bottom - half)
    for middle in range(highest, lowest + 1):
        if all(abs(middle - at) >= half + clear for at, clear in lines):
            yield float(middle)
