"""The cache as an icicle: a box is as wide as the tokens it holds and as tall as the conversations using it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Protocol

from generator import lettering
from generator.marks import Axis, Box, Boxes, Layout, Line, Margins, Mark, Note, Text
from generator.scales import linear
from generator.units import number, tokens

LEAST = 3
"""Pixels that a short run has at least, so that it is seen."""


class TreeBox(Protocol):
    """Tokens held once: from `start` in the prompt, over `rows` rows from `row` (0 is the topmost)."""

    @property
    def key(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def row(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def state(self) -> str: ...


class RowName(Protocol):
    """Who has the row, which now ends at `end` tokens."""

    @property
    def name(self) -> str: ...
    @property
    def row(self) -> int: ...
    @property
    def end(self) -> int: ...


class Step(Protocol):
    """The tree after a step: its boxes, the names of all present, and who is being served ("" for nobody).

    `row_count` is how many rows there ever are. With `cut`, dashed lines cut the largest shared box into
    the copies that its rows would hold without sharing.
    """

    @property
    def boxes(self) -> Sequence[TreeBox]: ...
    @property
    def names(self) -> Sequence[RowName]: ...
    @property
    def serving(self) -> str: ...
    @property
    def row_count(self) -> int: ...
    @property
    def cut(self) -> bool: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Tokens along x; rows from the top; room at the right for names."""
    phone = width < 800
    rows = max((step.row_count for step in steps), default=0) or 1
    longest = max((_end(step) for step in steps), default=0) or 1
    left = 4
    ends = {(name.name, name.end) for step in steps for name in step.names if name.end}
    right = max((_room(name, end, width - left, longest) for name, end in ends), default=8)
    return Layout(
        title="Prefix tree",
        width=width,
        height=184 if phone else 268,
        margins=Margins(left, 2, right, 20),
        x=linear(longest, most=3 if phone else 7, last=tokens, name="tokens", line=True).padded(0.002),
        y=Axis(rows, 0).padded(0.006),
    )


def _end(step: Step) -> int:
    ends = [box.start + box.tokens for box in step.boxes] + [name.end for name in step.names]
    return max(ends, default=0)


def _room(name: str, end: int, width: int, longest: int) -> int:
    """The right margin with which the bold name at the row's end ends before the edge."""
    text = lettering.width(f" {name} ", bold=True)
    return max(8, ceil(width - (width - text) * longest / end))


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:  # noqa: ARG001 (all panels alike)
    """The boxes of the last step and the names beside their rows."""
    step = steps[-1]
    copied = _copied(step)
    boxes = tuple(
        Box(box.key, box.start, box.row, box.tokens, box.rows, box.state, () if box is copied else _labels(box))
        for box in step.boxes
    )
    return (
        Boxes("tree", boxes, least=LEAST),
        Text("names", tuple(_name(name, name.name == step.serving) for name in step.names)),
        *(_copies(copied) if copied else ()),
    )


def _labels(box: TreeBox) -> tuple[str, ...]:
    return f"{box.label} · {number(box.tokens)}", *lettering.shorter(box.label)


def _name(name: RowName, serving: bool) -> Note:
    return Note(name.name, name.end, name.row + 0.5, name.name, "start middle", bold=serving)


def _copied(step: Step) -> TreeBox | None:
    """The box that a step with `cut` cuts: the one whose copies would be most."""
    shared = [box for box in step.boxes if box.rows > 1]
    return max(shared, key=lambda box: box.rows * box.tokens, default=None) if step.cut else None


def _copies(box: TreeBox) -> tuple[Mark, ...]:
    """Dashed lines between the rows that share the box, and what each would hold."""
    middle, end = box.start + box.tokens / 2, box.start + box.tokens
    between = range(box.row + 1, box.row + box.rows)
    cuts = tuple(point for row in between for point in ((box.start, row), (end, row), None))
    notes = tuple(
        Note(f"copy-{row}", middle, row + 0.5, tokens(box.tokens)) for row in range(box.row, box.row + box.rows)
    )
    return Line("cuts", cuts[:-1], "on-fill", "dashed"), Text("copies", notes, "on-fill")
