"""Prompts as rows of blocks, one below the other, each block with its short name; what differs is underlined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from generator import lettering
from generator.marks import Axis, Box, Boxes, Layout, Line, Margins, Mark, Note, Text
from generator.units import number, tokens

NAME = "0000"
"""As long as any name: four hexadecimal digits, of which none is wider than 0."""

UNDERLINE = 3
"""Pixels from a block to the middle of the line under it, and that line's thickness."""

LEAST = 3
"""Pixels that a short run has at least, so that it is seen; twice as many for the line under a single token."""

KEYS = "underlined: another token than in the first row", "underlined: not as in the first row"


class Piece(Protocol):
    """A block, or a longer run without a name, of `tokens` in one state."""

    @property
    def name(self) -> str: ...
    @property
    def tokens(self) -> int: ...
    @property
    def state(self) -> str: ...


class Row(Protocol):
    """The prompt of `who`; at the ranges `apart` (end excluded) its tokens are not those of the first row."""

    @property
    def key(self) -> str: ...
    @property
    def who(self) -> str: ...
    @property
    def pieces(self) -> Sequence[Piece]: ...
    @property
    def apart(self) -> Sequence[tuple[int, int]]: ...
    @property
    def reused(self) -> int | None: ...
    @property
    def serving(self) -> bool: ...


class Step(Protocol):
    """The rows from the top, and how many tokens a block has."""

    @property
    def rows(self) -> Sequence[Row]: ...
    @property
    def block_tokens(self) -> int: ...


@dataclass(frozen=True)
class Grid:
    """Pixels: where rows begin, how wide a block and how high a line is. A row takes `lines` of `columns` blocks."""

    left: int
    pitch: int
    columns: int
    lines: int
    high: int
    block_tokens: int

    @property
    def row(self) -> int:
        """From the top of a row to the top of the next."""
        return self.lines * self.line + 2

    @property
    def line(self) -> int:
        """From the top of a line to the top of the next."""
        return self.high + 2 * UNDERLINE

    def x(self, place: float) -> float:
        """The left edge of a token, by its place in its line."""
        return self.left + place * self.pitch / self.block_tokens

    def cut(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """A range of tokens as (line, from, to), places within the line."""
        across = self.columns * self.block_tokens
        for line in range(start // across, ceil(end / across)):
            yield line, max(start - line * across, 0), min(end - line * across, across)


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Pixels along both axes; below one line of blocks their tokens are written, where rows take no more."""
    phone = width < 800
    rows = [row for step in steps for row in step.rows]
    block_tokens = max((step.block_tokens for step in steps), default=1)
    longest = max((_tokens(row) for row in rows), default=0) or 1
    left = ceil(max((lettering.width(row.who, bold=True) for row in rows), default=0)) + 8
    blocks = ceil(longest / block_tokens)
    beside = 0 if phone else ceil(max((lettering.width(f" {_count(row)}") for row in rows), default=0)) + 4
    fit = max(1, int((width - left - beside) // (lettering.width(NAME) + 6)))
    lines = ceil(blocks / fit)
    columns = ceil(blocks / lines)
    grid = Grid(left, (width - left - beside) // columns, columns, lines, 16 if phone else 26, block_tokens)
    most = max((len(step.rows) for step in steps), default=1)
    key = 16 if any(row.apart for row in rows) else 0
    bottom = 20 if lines == 1 else 0
    height = most * grid.row + key
    return Layout(
        title="Requests, block by block",
        width=width,
        height=height + bottom,
        margins=Margins(0, 0, 0, bottom),
        x=Axis(0, width, tuple(_ticks(grid, longest)) if lines == 1 else (), shown=lines == 1),
        y=Axis(height, 0, shown=False),
        places={name: float(value) for name, value in vars(grid).items()},
    )


def _ticks(grid: Grid, longest: int) -> Iterator[tuple[float, str]]:
    """The ends of every fourth block."""
    ends = range(0, longest + 1, 4 * grid.block_tokens)
    for end in ends:
        yield grid.x(end), tokens(end) if end == ends[-1] else number(end)


def _tokens(row: Row) -> int:
    return sum(piece.tokens for piece in row.pieces)


def _count(row: Row) -> str:
    return "" if row.reused is None else f"{number(row.reused)} reused" if row.reused else "none reused"


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """The rows of the last step: names at the left, blocks, and what was reused at the right end."""
    grid = Grid(**{name: int(value) for name, value in layout.places.items()})
    rows = steps[-1].rows
    boxes = [box for number, row in enumerate(rows) for box in _boxes(grid, number, row)]
    lines = [point for number, row in enumerate(rows) for point in _underlines(grid, number, row)]
    notes = [note for number, row in enumerate(rows) for note in _notes(layout, grid, number, row)]
    says = lettering.fit(KEYS, layout.width - grid.left - 8) if lines else ""
    key = [Note("key", grid.left, layout.y.low - 7, says, "start middle")] if says else []
    return (
        Boxes("blocks", tuple(boxes), least=LEAST),
        Line("apart", tuple(lines[:-1]), thickness=UNDERLINE),
        Text("rows", tuple(notes)),
        Text("key", tuple(key), "muted"),
    )


def _boxes(grid: Grid, number_of_row: int, row: Row) -> Iterator[Box]:
    start = 0
    for index, piece in enumerate(row.pieces):
        for line, since, to in grid.cut(start, start + piece.tokens):
            y = number_of_row * grid.row + line * grid.line + 1.5
            wide = grid.x(to) - grid.x(since) - 2
            key = f"{row.key}-{index}-{line}"
            yield Box(
                key, grid.x(since) + 0.5, y, wide, grid.high - 1, piece.state, (piece.name,) if piece.name else ()
            )
        start += piece.tokens


def _underlines(grid: Grid, number_of_row: int, row: Row) -> Iterator[tuple[float, float] | None]:
    for start, end in row.apart:
        for line, since, to in grid.cut(start, end):
            y = number_of_row * grid.row + line * grid.line + grid.high + UNDERLINE
            yield grid.x(since), y
            yield max(grid.x(to) - 1, grid.x(since) + 2 * LEAST), y
            yield None


def _notes(layout: Layout, grid: Grid, number_of_row: int, row: Row) -> Iterator[Note]:
    """Whose row it is, and how much of it was reused: the number alone where there is no more room."""
    top, middle = number_of_row * grid.row, grid.high / 2 + 1
    yield Note(f"{row.key}-who", 0, top + middle, row.who, "start middle", bold=row.serving)
    *_, (line, _, to) = grid.cut(0, _tokens(row))
    end = grid.x(to) + LEAST
    room = layout.width - end - 8
    short = number(row.reused) if row.reused else "none"
    count = lettering.fit((_count(row), short), room) if _count(row) else ""
    if count:
        yield Note(f"{row.key}-reused", end, top + line * grid.line + middle, count, "start middle")
