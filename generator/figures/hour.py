"""A column per minute of a log: the prompt tokens that came, reused on computed, under the memory of this step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Protocol

from generator import lettering
from generator.columns import baseline, value_at
from generator.marks import Axis, Boxes, Layout, Margins, Mark, Note, Text, bar
from generator.scales import linear, round_ticks
from generator.units import number, percent, tokens

THICKNESS = 0.8
"""Of the room a column has: an hour on a phone leaves five pixels for each."""


class Minute(Protocol):
    """Prompt tokens that came, and those of them reused, by the memory there would be for them."""

    @property
    def tokens(self) -> int: ...
    @property
    def reused(self) -> Mapping[str, int]: ...


class Step(Protocol):
    """`minute` is the one that ends with this step, None if none does; `memory` the one that all columns show."""

    @property
    def minute(self) -> Minute | None: ...
    @property
    def memory(self) -> str: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Minutes along x, counted from 1, tokens along y; above, room for the name of the memory."""
    phone = width < 800
    minutes = _minutes(steps)
    most = max((minute.tokens for minute in minutes), default=0) or 1
    y = linear(most, most=1 if phone else 2, last=number if phone else tokens, grid=True, headroom=1.2)
    ticks = max(lettering.width(text) for _, text in y.ticks)
    last = max(1, len(minutes))
    x = Axis(0.5, last + 0.5, _places(last, 3 if phone else 6), name="minutes")
    return Layout(
        title="Prompt tokens, minute by minute",
        width=width,
        height=128 if phone else 170,
        margins=Margins(ceil(ticks) + 4, 16, ceil(lettering.width(percent(1))) + 8, 20),
        x=x,
        y=Axis(0, y.high, tuple(tick for tick in y.ticks if tick[0]), grid=True),
        fixed=(baseline(x),),
    )


def _minutes(steps: Sequence[Step]) -> list[Minute]:
    return [step.minute for step in steps if step.minute]


def _places(last: int, most: int) -> tuple[tuple[float, str], ...]:
    """Ticks at round minutes, the last with its unit."""
    *some, end = round_ticks(last, most)
    return (*((place, number(place)) for place in some if place), (end, f"{number(end)} minutes"))


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """A column for each minute so far: what is computed, what is reused on top of it, and the latest share."""
    minutes, memory = _minutes(steps), steps[-1].memory
    computed = [bar(f"{at}", at, m.tokens - m.reused[memory], "computed", thickness=THICKNESS)
                for at, m in enumerate(minutes, 1)]  # fmt: skip
    reused = [bar(f"{at}", at, m.reused[memory], "reused", base=m.tokens - m.reused[memory], thickness=THICKNESS)
              for at, m in enumerate(minutes, 1)]  # fmt: skip
    marks = (
        Boxes("computed", tuple(box for box in computed if box.height), grow="up"),
        Boxes("reused", tuple(box for box in reused if box.height), grow="up"),
    )
    if not minutes:
        return marks
    name = Note("memory", layout.x.low, layout.y.high, memory, "start above")
    return (*marks, Text("memory", (name,), "muted"), _share(layout, minutes[-1], memory, len(minutes)))


def _share(layout: Layout, minute: Minute, memory: str, at: int) -> Text:
    """What part of the latest column is reused, beside its top."""
    share = minute.reused[memory] / max(1, minute.tokens)
    return value_at(layout, layout.y, at, minute.tokens, percent(share, 1 if share < 0.0995 else 0), None)
