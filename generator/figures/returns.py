"""A dot for each return at the length of its pause, logarithmic, and how long a reply lasts."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Protocol

from generator import lettering
from generator.marks import Axis, Dot, Dots, Layout, Line, Margins, Mark, Note, Rule, Text

LOW, HIGH = 0.7, 1.4
"""How far the axis reaches beyond the shortest and the longest pause."""

SYMBOLS = {"parked": "square"}
"""The second sign of a state: round dots have none."""


class Return(Protocol):
    """A return after `pause` seconds; `state` is a word of `marks.STATES`, `key` the same for the same return."""

    @property
    def key(self) -> str: ...
    @property
    def pause(self) -> float: ...
    @property
    def state(self) -> str: ...


class PauseLimit(Protocol):
    """A limit at a pause of `at` seconds; `name` is its label."""

    @property
    def name(self) -> str: ...
    @property
    def at(self) -> float: ...


class Step(Protocol):
    """The returns so far, and at most two limits, the shorter first."""

    @property
    def returns(self) -> Sequence[Return]: ...
    @property
    def limits(self) -> Sequence[PauseLimit]: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Pauses along x; dots that would touch are stacked, each in a place of its own from the first step on."""
    size = 8 if width < 800 else 14
    pauses = {each.key: each.pause for step in steps for each in step.returns}
    ends = [*pauses.values(), *(limit.at for step in steps for limit in step.limits)] or [1.0, 100.0]
    x = _pauses(min(ends) * LOW, max(ends) * HIGH)
    margins = Margins(8, 18, 8 + int(lettering.width(_seconds(1000)) / 2), 20)
    sketch = Layout("Returns, by the length of their pause", width, 100, margins, x, Axis(0, 1))
    rows = _stacked({key: sketch.px(pause) for key, pause in pauses.items()}, size + 1)
    high = max(rows.values(), default=0) + 1.5
    return Layout(
        title=sketch.title,
        width=width,
        height=round(margins.top + margins.bottom + high * (size + 1)),
        margins=margins,
        x=x,
        y=Axis(0, high),
        fixed=(Line("baseline", ((x.low, 0), (x.high, 0)), "muted", thickness=1),),
        places=rows | {"": float(size)},
    )


def _pauses(low: float, high: float) -> Axis:
    """A tick at every 1 and 3 times a power of ten, the last with its unit."""
    powers = (10.0**power * factor for power in range(-2, 7) for factor in (1, 3))
    *some, last = [pause for pause in powers if low <= pause <= high] or [low]
    return Axis(
        low, high, (*((pause, f"{pause:,g}") for pause in some), (last, _seconds(last))), name="pause", log=True
    )


def _seconds(pause: float) -> str:
    return f"{pause:,g} s"


def _stacked(places: dict[str, float], size: float) -> dict[str, float]:
    """A row for each place in pixels: the lowest, counted from 0, in which it touches none before it."""
    rows: dict[str, float] = {}
    for key, place in places.items():
        near = [(places[other] - place, row) for other, row in rows.items() if abs(places[other] - place) < size]
        row = 0.0
        while any(hypot(away, (row - taken) * size) < size - 1e-9 for away, taken in near):
            row += 1
        rows[key] = row
    return rows


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """The dots of the last step, and the limits with their labels over them."""
    step, size = steps[-1], layout.places[""]
    dots = tuple(
        Dot(each.key, each.pause, layout.places[each.key] + 0.75, each.state, SYMBOLS.get(each.state, "circle"), size)
        for each in step.returns
    )
    rules = tuple(Rule(f"limit-{place}", limit.at, across=False) for place, limit in enumerate(step.limits))
    return *rules, Dots("returns", dots), Text("limits", tuple(_labels(layout, step.limits)), "limit")


def _labels(layout: Layout, limits: Sequence[PauseLimit]) -> list[Note]:
    """A single label over its limit; of two, the first ends at its own and the second begins there."""
    top = layout.y.high
    if len(limits) == 1:
        return [_over(layout, limits[0])]
    anchors = ("end above", "start above")
    return [Note(each.name, each.at, top, each.name, anchor) for each, anchor in zip(limits, anchors, strict=False)]


def _over(layout: Layout, limit: PauseLimit) -> Note:
    """In the middle over it, pushed in where the drawing ends."""
    half = lettering.width(limit.name) / 2
    at = layout.px(limit.at)
    shift = max(0.0, half + 2 - at) - max(0.0, at + half + 2 - layout.width)
    return Note(limit.name, limit.at, layout.y.high, limit.name, "middle above", (shift, 0))
