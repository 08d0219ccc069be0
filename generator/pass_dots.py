"""What panels with a dot per pass have in common: the axis of tokens, the dot and its trail, diamonds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from generator import scales
from generator.marks import Axes, Axis, Dot, Dots, Layout
from generator.units import tokens

DOT, TRAIL, DIAMOND = 12, 6, 9
"""Pixels across."""

RIGHT = 36
"""Pixels right of the axes: half of the last tick's text."""

AIR = 1.25
"""The ends of an axis lie beyond the first and last pass by this factor, so that dots are not cut."""

Place = tuple[float, float]


class Pass(Protocol):
    """A pass computes `new_tokens` (0: none has run) over `reused_tokens`; `bound` is "memory" or "arithmetic"."""

    @property
    def new_tokens(self) -> int: ...
    @property
    def reused_tokens(self) -> int: ...
    @property
    def bound(self) -> str: ...


def token_axis(low: float, high: float, phone: bool) -> Axis:
    """A log axis of tokens; under three octaves every doubling has its tick, else every second, fourth on phones."""
    octaves = math.log2(high / low)
    base = 2 if octaves < 3 else 16 if phone else 4
    return scales.logarithmic(low, high, last=tokens, base=base, name="tokens of a pass")


def longest(passes: Sequence[Pass]) -> int:
    """The longest prompt of all, reused tokens included."""
    return max((step.new_tokens + step.reused_tokens for step in passes), default=0) or 1


def closer(layout: Layout, ends: tuple[float, float] | None, phone: bool) -> Axis:
    """The token axis of a step: the layout's, or the part between `ends` where the step looks closer."""
    if ends is None:
        return layout.x
    return replace(layout.x, low=ends[0], high=ends[1], ticks=token_axis(*ends, phone).ticks)


def axes(layout: Layout, x: Axis, y: Axis) -> tuple[Axes, ...]:
    """A mark for axes that are not the layout's."""
    return () if (x, y) == (layout.x, layout.y) else (Axes(x, y),)


def paint(bound: str) -> str:
    """What the time of a pass goes into: reading weights, or computing."""
    return "weights" if bound == "memory" else "computed"


def trail(passes: Sequence[tuple[Pass, Place]]) -> Dots:
    """A small dot where each pass has been that had nothing to reuse, once a length."""
    seen = {step.new_tokens: (step, at) for step, at in passes if not step.reused_tokens}
    return Dots("trail", tuple(
        Dot(f"{count}", *at, paint(step.bound), size=TRAIL) for count, (step, at) in sorted(seen.items())
    ))  # fmt: skip


def dot(step: Pass, at: Place) -> Dots:
    """The pass of this step."""
    return Dots("pass", (Dot("pass", *at, paint(step.bound), size=DOT),))


def diamonds(places: Iterable[Place]) -> Dots:
    """What was measured."""
    return Dots("measured", tuple(Dot(f"{x:g} {y:g}", x, y, "ink", "diamond", DIAMOND) for x, y in places))
