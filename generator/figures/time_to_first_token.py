"""A column per request: the time below the floor and above it, filled, on the time it would have taken."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Protocol

from generator import lettering
from generator.columns import THICKNESS, baseline, footed, names_below, value_at
from generator.marks import Axes, Axis, Boxes, Layout, Margins, Mark, Rule, bar
from generator.scales import linear
from generator.units import ms, number, span


class Step(Protocol):
    """A step that answers a request has its short name in `request`, else "". Times are in seconds.

    `time_to_first_token` and `time_without` (without the idea of the page) may be None where there is
    nothing to show; `floor` is the least that any request takes. `look_closer`: the end of the time
    axis in this step, if it is not that of all others.
    """

    @property
    def request(self) -> str: ...
    @property
    def time_to_first_token(self) -> float | None: ...
    @property
    def time_without(self) -> float | None: ...
    @property
    def floor(self) -> float: ...
    @property
    def look_closer(self) -> float | None: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Requests in order along x, seconds along y; the floor's label in the right margin."""
    phone = width < 800
    count = max(1, sum(bool(step.request) for step in steps))
    slowest = max((max(_times(step)) for step in steps), default=0) or 1
    floor = max((step.floor for step in steps), default=0)
    x = Axis(-0.5, count - 0.5, name="requests")
    return Layout(
        title="Time to first token",
        width=width if phone else 520,
        height=84 if phone else 150,
        margins=Margins(52, 14, ceil(lettering.width(_floor_label(floor)) + 8), 20),
        x=x,
        y=_seconds(slowest, phone),
        fixed=(baseline(x),),
        half=not phone,
        places={"phone": float(phone)},
    )


def _times(step: Step) -> tuple[float, ...]:
    return step.floor, step.time_to_first_token or 0, step.time_without or 0


def _seconds(high: float, phone: bool) -> Axis:
    def bare(seconds: float) -> str:
        return number(seconds * 1000)

    return footed(linear(high, most=1 if phone else 3, text=bare, last=ms, grid=True, headroom=1.02))


def _floor_label(floor: float) -> str:
    return f"floor {span(floor)}"


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """A column for each request up to the last step, the floor, and the latest time."""
    floor, closer = steps[-1].floor, steps[-1].look_closer
    answered = [step for step in steps if step.request]
    phone = bool(layout.places["phone"])
    y = _seconds(closer, phone) if closer else layout.y
    marks: list[Mark] = [
        _columns("weights", "weights", [(0, min(step.time_to_first_token or 0, step.floor)) for step in answered]),
        _columns("computed", "computed", [(step.floor, step.time_to_first_token or 0) for step in answered]),
        _columns("without", "without", [(0, step.time_without or 0) for step in answered]),
        Rule("floor", floor, _floor_label(floor)),
        names_below(layout, [step.request for step in answered]),
    ]
    latest = answered[-1].time_to_first_token if answered else None
    if latest is not None and latest <= y.high:
        marks.append(value_at(layout, y, len(answered) - 1, latest, span(latest), floor))
    return (*marks, Axes(y=y)) if closer else tuple(marks)


def _columns(id: str, state: str, ends: Sequence[tuple[float, float]]) -> Boxes:
    """Columns from one time to another, keyed by their place; none where there is no time."""
    boxes = (
        bar(f"{column}", column, to - since, state, base=since, thickness=THICKNESS)
        for column, (since, to) in enumerate(ends)
        if to > since
    )
    return Boxes(id, tuple(boxes), grow="up")
