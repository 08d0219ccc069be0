"""A lane for each session: a mark per turn, and between turns the time for which its reply is held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Protocol

from generator import lettering
from generator.marks import Axis, Box, Boxes, Dot, Dots, Layout, Margins, Mark, Note, Text
from generator.scales import round_ticks
from generator.units import number

MINUTE = 60
HELD = 0.55
"""Of a lane's height that is filled while a reply is held."""


class LaneTurn(Protocol):
    """A turn at `at` seconds, and from when until when its reply is held; `state` says where the one before it was."""

    @property
    def number(self) -> int: ...
    @property
    def at(self) -> float: ...
    @property
    def held_from(self) -> float: ...
    @property
    def held_until(self) -> float: ...
    @property
    def state(self) -> str: ...


class Lane(Protocol):
    """Whose lane it is, and the turns so far; those before 0 are not drawn, but what they left is."""

    @property
    def who(self) -> str: ...
    @property
    def turns(self) -> Sequence[LaneTurn]: ...


class Step(Protocol):
    """All lanes, from the top, in every step. `serving` is who is spoken of, "" for nobody."""

    @property
    def lanes(self) -> Sequence[Lane]: ...
    @property
    def serving(self) -> str: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Seconds along x, from 0, and a lane a row; names stand left where there is room."""
    phone = width < 800
    lanes = steps[0].lanes
    end = max((turn.held_until for step in steps for lane in step.lanes for turn in lane.turns), default=0) or MINUTE
    names = max((lettering.width(lane.who, bold=True) for lane in lanes), default=0)
    rows = max(1, len(lanes))
    return Layout(
        title="Turns, and how long each reply is held",
        width=width,
        height=round(rows * (6 if phone else 10)) + 24,
        margins=Margins(ceil(names) + 10, 2, 8 + ceil(lettering.width(_minutes(20)) / 2), 20),
        x=Axis(0, end, _ticks(end, phone), line=True),
        y=Axis(rows - 0.5, -0.5),
        places={lane.who: float(row) for row, lane in enumerate(lanes)} | {"": 5.0 if phone else 8.0},
    )


def _minutes(count: float) -> str:
    return f"{number(count)} minutes"


def _ticks(end: float, phone: bool) -> tuple[tuple[float, str], ...]:
    """At round minutes; the last one has the unit."""
    *some, last = round_ticks(end / MINUTE, 2 if phone else 4)
    return (*((minute * MINUTE, number(minute)) for minute in some), (last * MINUTE, _minutes(last)))


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """Everybody's turns so far, over what was held."""
    step, size = steps[-1], layout.places[""]
    dots = tuple(
        Dot(f"{lane.who} {turn.number}", turn.at, layout.places[lane.who], turn.state, size=size)
        for lane, turn in _turns(step)
        if turn.at >= 0
    )
    names = tuple(
        Note(who, 0, layout.places[who], who, "end middle", bold=who == step.serving) for who in _named(layout, step)
    )
    return Boxes("held", tuple(_held(layout, step))), Dots("turns", dots), Text("names", names)


def _turns(step: Step) -> Iterator[tuple[Lane, LaneTurn]]:
    for lane in step.lanes:
        for turn in lane.turns:
            yield lane, turn


def _held(layout: Layout, step: Step) -> Iterator[Box]:
    """A bar for each reply for as long as it is held, within the axes."""
    for lane, turn in _turns(step):
        start = max(0.0, turn.held_from)
        if turn.held_until > start:
            foot = layout.places[lane.who] - HELD / 2
            yield Box(f"{lane.who} {turn.number}", start, foot, turn.held_until - start, HELD, "held")


def _named(layout: Layout, step: Step) -> list[str]:
    """Who is spoken of, and the first and the last lane's names where they find room beside that."""
    wished = [step.serving, *(step.lanes[place].who for place in (0, -1) if step.lanes)]
    kept: list[str] = []
    for who in wished:
        if who in layout.places and who and all(_apart(layout, who, other) for other in kept):
            kept.append(who)
    return kept


def _apart(layout: Layout, one: str, other: str) -> bool:
    rows = layout.places[one], layout.places[other]
    return abs(layout.py(rows[0]) - layout.py(rows[1])) >= lettering.HEIGHT
