"""What panels with a column per request have in common: names under columns, a value at the latest one."""

from __future__ import annotations

from collections.abc import Sequence

from generator import lettering
from generator.marks import Axis, Layout, Note, Text

THICKNESS = 0.72
"""Of the room a column has."""


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
    return Note(f"{column}", column, 0, name, "middle below", (0, 4), bold)


def _extent(layout: Layout, column: int, name: str, bold: bool) -> tuple[float, float]:
    middle, half = layout.px(column), lettering.width(name, bold) / 2
    return middle - half, middle + half


def value_at(layout: Layout, y: Axis, column: int, value: float, text: str, limit: float | None) -> Text:
    """The value beside the top of the latest column, clear of a limit that runs just above it."""
    beside = (layout.px(column + THICKNESS / 2) - layout.px(column) + 4, 0)
    room = layout.py(value, y) - layout.py(limit, y) if limit is not None else -1
    crossed = 0 <= room < lettering.HEIGHT + 3
    note = Note("value", column, value, text, "start below" if crossed else "start above", beside)
    return Text("value", (note,))
