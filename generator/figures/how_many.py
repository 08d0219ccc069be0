"""One bar per variant, growing to its count, which stands at its end."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Protocol

from generator import lettering
from generator.marks import Axis, Boxes, Layout, Line, Margins, Mark, Note, Text, bar

THICKNESS = 0.7
"""Of the room that a bar has."""


class Variant(Protocol):
    """One way of doing it and its `count`; `text` is what stands at the bar's end, the count as text.

    `name` tells variants apart and is what a desktop writes; a phone writes `short_name`. `state` is a word
    of `marks.STATES`.
    """

    @property
    def name(self) -> str: ...
    @property
    def short_name(self) -> str: ...
    @property
    def count(self) -> float: ...
    @property
    def text(self) -> str: ...
    @property
    def state(self) -> str: ...


class Step(Protocol):
    """The variants tried so far, each newcomer last. A variant has its row from the first step on, empty until then.

    `counted` says what is counted, the same in every step: it is the panel's title. The variant called
    `shown` is written bold ("" for none).
    """

    @property
    def counted(self) -> str: ...
    @property
    def variants(self) -> Sequence[Variant]: ...
    @property
    def shown(self) -> str: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Counts along x from 0, variants from the top in order of appearance; names in the left margin."""
    phone = width < 800
    variants = [variant for step in steps for variant in step.variants]
    rows = {name: float(row) for row, name in enumerate(dict.fromkeys(variant.name for variant in variants))}
    names = ceil(max((lettering.width(_name(variant, phone), bold=True) for variant in variants), default=0))
    numbers = ceil(max((lettering.width(variant.text, bold=True) for variant in variants), default=0))
    return Layout(
        title=steps[0].counted,
        width=width,
        height=2 + max(1, len(rows)) * (18 if phone else 28),
        margins=Margins(names + 10, 1, numbers + 10, 1),
        x=Axis(0, max((variant.count for variant in variants), default=0) or 1),
        y=Axis(max(1, len(rows)) - 0.5, -0.5),
        places=rows | {"": float(phone)},
    )


def _name(variant: Variant, phone: bool) -> str:
    return variant.short_name if phone else variant.name


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """The bars of the last step, from a common line, each with its name and its number."""
    step, phone = steps[-1], bool(layout.places[""])
    rows = [(layout.places[variant.name], variant) for variant in step.variants]
    bars = tuple(
        bar(variant.name, row, variant.count, variant.state, thickness=THICKNESS, along="right")
        for row, variant in rows
        if variant.count
    )
    names = (
        Note(variant.name, 0, row, _name(variant, phone), "end middle", bold=variant.name == step.shown)
        for row, variant in rows
    )
    numbers = (
        Note(variant.name, variant.count, row, variant.text, "start middle", bold=variant.name == step.shown)
        for row, variant in rows
    )
    return (
        Boxes("counts", bars),
        Line("zero", ((0, layout.y.low), (0, layout.y.high)), "muted", thickness=1),
        Text("names", tuple(names)),
        Text("numbers", tuple(numbers)),
    )
