"""Block tables: a request's blocks in the order of its text, each with the number of the block where it lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Protocol

from generator import lettering
from generator.marks import Axis, Box, Boxes, Layout, Margins, Mark, Note, Text
from generator.units import number

HEIGHT = 17
"""Pixels of a line of blocks; a table wraps where it is longer."""

WIDEST = 48
"""Pixels that a block has at most."""


class Entry(Protocol):
    """`block` is the number of a block of the memory; `tokens` of it are in `state`, the rest is reserved, empty."""

    @property
    def block(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def state(self) -> str: ...


class Table(Protocol):
    """The blocks of `who`, in order; none while there are none."""

    @property
    def who(self) -> str: ...
    @property
    def entries(self) -> Sequence[Entry]: ...


class Step(Protocol):
    """The tables shown, and how many tokens a block holds."""

    @property
    def tables(self) -> Sequence[Table]: ...
    @property
    def block_tokens(self) -> int: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Pixels along both axes: names at the left, then as many blocks to a line as can be numbered."""
    tables = [table for step in steps for table in step.tables]
    phone = width < 800
    name = ceil(max((lettering.width(_name(table, phone)) for table in tables), default=0)) + 8
    most = max((entry.block for table in tables for entry in table.entries), default=1)
    least = ceil(lettering.width(number(most))) + 5
    longest = max((len(table.entries) for table in tables), default=1)
    columns = max(1, min(longest, (width - name) // least))
    lines = max((sum(_lines(table, columns) for table in step.tables) for step in steps), default=1)
    height = max(1, lines) * HEIGHT + 2
    return Layout(
        title="Block table",
        width=width,
        height=height,
        margins=Margins(0, 0, 0, 0),
        x=Axis(0, width, shown=False),
        y=Axis(height, 0, shown=False),
        motion="cut",
        places={
            "phone": float(phone),
            "name": name,
            "columns": columns,
            "pitch": min(WIDEST, (width - name) // columns),
        },
    )


def _name(table: Table, phone: bool) -> str:
    """On a phone "session 34" is "34"."""
    return table.who.split()[-1] if phone and table.who else table.who


def _lines(table: Table, columns: int) -> int:
    return max(1, ceil(len(table.entries) / columns))


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """The tables of the last step, one under the other."""
    step = steps[-1]
    columns = int(layout.places["columns"])
    names, boxes, line = [], list[Box](), 0
    for table in step.tables:
        names.append(
            Note(table.who, 0, (line + 0.5) * HEIGHT, _name(table, bool(layout.places["phone"])), "start middle")
        )
        boxes += _boxes(layout, table, step.block_tokens, line)
        line += _lines(table, columns)
    return (Boxes("blocks", tuple(boxes)), Text("names", tuple(names)))


def _boxes(layout: Layout, table: Table, block_tokens: int, line: int) -> Iterator[Box]:
    """What is held of each block, as wide as it is long; behind it what is not, which only the last block has."""
    left, columns, pitch = (int(layout.places[name]) for name in ("name", "columns", "pitch"))
    for index, entry in enumerate(table.entries):
        row, column = divmod(index, columns)
        x, y = left + column * pitch + 0.5, (line + row) * HEIGHT + 1.5
        wide = (pitch - 2) * entry.tokens / block_tokens
        key = f"{table.who}-{index}"
        labels = (number(entry.block),)
        yield Box(key, x, y, wide, HEIGHT - 2, entry.state, labels)
        if entry.tokens < block_tokens:
            yield Box(f"{key}-empty", x + wide, y, pitch - 2 - wide, HEIGHT - 2, "reserved, empty", labels)
