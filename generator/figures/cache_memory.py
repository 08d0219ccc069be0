"""A column per request: the tokens held after it, filled, on those that would be held without sharing."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Protocol

from generator import lettering
from generator.columns import THICKNESS, baseline, footed, names_below, value_at
from generator.marks import Axis, Boxes, Layout, Margins, Mark, Rule, bar
from generator.scales import linear
from generator.units import number, tokens

WITHIN_REACH = 1.6
"""A capacity up to so many times what is held is drawn; beyond, its line would flatten the columns."""


class Step(Protocol):
    """A step that answers a request has its short name in `request`, else "". All others are tokens.

    `capacity_tokens` is None where the cache has no end.
    """

    @property
    def request(self) -> str: ...
    @property
    def held_tokens(self) -> int: ...
    @property
    def held_tokens_without(self) -> int: ...
    @property
    def capacity_tokens(self) -> int | None: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Requests in order along x, tokens along y; the capacity's label in the right margin."""
    phone = width < 800
    count = max(1, sum(bool(step.request) for step in steps))
    most = max((max(step.held_tokens, step.held_tokens_without) for step in steps), default=0) or 1
    capacity = _within_reach([step.capacity_tokens for step in steps], most)
    last = number if phone else tokens  # on a phone the unit would take a quarter of the width: the title has it
    y = linear(max(most, capacity or 0), most=1 if phone else 3, last=last, grid=True, headroom=1.05)
    ticks = ceil(max(lettering.width(text) for _, text in y.ticks)) + 4
    room = ceil(lettering.width(_label(capacity) if capacity else number(most))) + 8
    x = Axis(-0.5, count - 0.5, name="requests")
    return Layout(
        title="Tokens held in the cache",
        width=width if phone else 520,
        height=84 if phone else 150,
        margins=Margins(ticks, 14, room, 20),
        x=x,
        y=footed(y),
        fixed=(baseline(x),),
        half=not phone,
        places={"capacity": capacity} if capacity else {},
    )


def _within_reach(capacities: Sequence[int | None], most: int) -> int | None:
    return next((capacity for capacity in capacities if capacity and capacity <= WITHIN_REACH * most), None)


def _label(capacity: float) -> str:
    return f"room {number(capacity)}"


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """A column for each request up to the last step, the capacity, and what is held now.

    Between requests the latest column goes on growing: replies are held too.
    """
    answered = [step for step in steps if step.request]
    ends = _last_before_next(steps)
    capacity = layout.places.get("capacity")
    marks: list[Mark] = [
        _columns("held", "held", [step.held_tokens for step in ends]),
        _columns("without", "without", [step.held_tokens_without for step in ends]),
        names_below(layout, [step.request for step in answered]),
    ]
    if ends:
        held = ends[-1].held_tokens
        marks.append(value_at(layout, layout.y, len(ends) - 1, held, number(held), capacity))
    if capacity:
        marks.append(Rule("capacity", capacity, _label(capacity)))
    return tuple(marks)


def _last_before_next(steps: Sequence[Step]) -> list[Step]:
    """For each step that answers a request, the last step before the next one that does."""
    ends: list[Step] = []
    for step in steps:
        if step.request:
            ends.append(step)
        elif ends:
            ends[-1] = step
    return ends


def _columns(id: str, state: str, held: Sequence[int]) -> Boxes:
    boxes = (bar(f"{column}", column, count, state, thickness=THICKNESS) for column, count in enumerate(held) if count)
    return Boxes(id, tuple(boxes), grow="up")
