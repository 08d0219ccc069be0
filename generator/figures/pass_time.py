"""How long a pass takes, by the tokens it computes: the curve so far, the floor, and a dot for the pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from generator import lettering, scales
from generator import pass_dots as dots
from generator.marks import Axis, Dot, Dots, Layout, Line, Margins, Mark, Note, Rule, Text
from generator.placing import beside
from generator.units import ms, number, span


class Measured(Protocol):
    """A measurement: seconds for so many tokens."""

    @property
    def tokens(self) -> int: ...
    @property
    def seconds(self) -> float: ...


class Step(dots.Pass, Protocol):
    """A pass of `seconds` (None: none has run); `seconds_without` is its time with nothing reused, else None.

    `curve` are the passes so far as (tokens, seconds), `curve_without_attention` the same without attention,
    empty where it is not shown. `floor` is the least that any pass takes. `ridge` (tokens) is None until it is
    shown. `look_closer` are the ends of the token axis in a step that shrinks it.
    """

    @property
    def seconds(self) -> float | None: ...
    @property
    def seconds_without(self) -> float | None: ...
    @property
    def curve(self) -> Sequence[tuple[int, float]]: ...
    @property
    def curve_without_attention(self) -> Sequence[tuple[int, float]]: ...
    @property
    def floor(self) -> float: ...
    @property
    def ridge(self) -> float | None: ...
    @property
    def measured(self) -> Sequence[Measured]: ...
    @property
    def look_closer(self) -> tuple[float, float] | None: ...


BELOW, ABOVE = 2.3, 1.9
"""How far below the floor the axis begins and above the slowest pass it ends, so that values find room there."""


CLOSE = 1.3
"""The same at both ends in a closer look."""


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Tokens along x, seconds along y, both logarithmic."""
    phone = width < 800
    floor = steps[0].floor
    slowest = max((max(step.seconds or 0, step.seconds_without or 0) for step in steps), default=0) or floor
    x = dots.token_axis(1 / dots.AIR, dots.longest(steps) * dots.AIR, phone)
    return Layout(
        title="Time of a pass by tokens computed",
        width=width,
        height=186 if phone else 262,
        margins=Margins(58, 6, dots.RIGHT, 20),
        x=x,
        y=_seconds(floor / BELOW, slowest * ABOVE),
    )


def _seconds(low: float, high: float) -> Axis:
    """A tick at every power of ten; where there is one at most, every 1, 2 and 5 times such."""
    axis = scales.logarithmic(low, high, text=_milliseconds, last=ms, grid=True)
    if len(axis.ticks) > 1:
        return axis
    power = 10 ** math.floor(math.log10(low))
    *some, last = (power * factor for factor in (1, 2, 5, 10, 20, 50) if low <= power * factor <= high)
    return replace(axis, ticks=(*((value, _milliseconds(value)) for value in some), (last, ms(last))))


def _milliseconds(seconds: float) -> str:
    return number(seconds * 1000)


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """The curve and the limits, where passes have been, the pass of the last step, and what was measured."""
    step = steps[-1]
    x, y = _axes(layout, step)
    marks: list[Mark] = [
        Line("floor", ((x.low, step.floor), (x.high, step.floor)), "limit", "dashed"),
        Line("lighter", tuple(step.curve_without_attention), "muted"),
        Line("curve", tuple(step.curve), "ink", thickness=2),
        *_saving(step),
        Text("floor-label", (_floor(x, step.floor),), "limit"),
    ]
    if step.ridge:
        marks.append(Rule("ridge", step.ridge, across=False))
    marks.append(dots.trail([(past, (past.new_tokens, past.seconds)) for past in steps if past.seconds]))
    if step.seconds:
        at = step.new_tokens, step.seconds
        marks += [dots.dot(step, at), Text("value", (_value(layout, x, y, step, at),))]
    if step.curve_without_attention:
        marks.append(Text("lighter-label", (_lighter(x, step),), "muted"))
    marks.append(dots.diamonds((one.tokens, one.seconds) for one in step.measured))
    return (*marks, *dots.axes(layout, x, y))


def _axes(layout: Layout, step: Step) -> tuple[Axis, Axis]:
    """Those of the layout, or those that show the curve between the ends of a closer look."""
    x = dots.closer(layout, step.look_closer, layout.width < 800)
    shown = [seconds for count, seconds in step.curve if x.low <= count <= x.high]
    if step.look_closer is None or not shown:
        return layout.x, layout.y
    return x, _seconds(min(shown) / CLOSE, max(shown) * CLOSE)


def _saving(step: Step) -> tuple[Mark, ...]:
    """The pass with nothing reused, hollow, and how far down it came."""
    if not step.seconds_without:
        return ()
    at = step.new_tokens + step.reused_tokens, step.seconds_without
    fall = at, (step.new_tokens, step.seconds or 0)
    return Line("fall", fall, "muted", "trail"), Dots("without", (Dot("without", *at, "without", size=dots.DOT),))


def _value(layout: Layout, x: Axis, y: Axis, step: Step, at: dots.Place) -> Note:
    """The time of the pass, where it crosses nothing."""
    lines = [step.curve, step.curve_without_attention, *(((one.tokens, one.seconds),) for one in step.measured)]
    limits = [((x.low, step.floor), (x.high, step.floor)), *_floor_label(layout, x, y, step.floor)]
    if step.ridge:
        limits.append(((step.ridge, y.low), (step.ridge, y.high)))
    return beside(layout, x, y, at, span(at[1]), [line for line in (*lines, *limits) if line])


def _floor(x: Axis, floor: float) -> Note:
    """On the limit's right end. The line is no `Rule`: where the two run together the curve lies on top."""
    return Note("floor", x.high, floor, f"floor {span(floor)}", "end above", (0, -2))


def _floor_label(layout: Layout, x: Axis, y: Axis, floor: float) -> list[tuple[dots.Place, dots.Place]]:
    """Head and foot of that text, as lines."""
    start = layout.px(x.high, x) - lettering.width(_floor(x, floor).text) - 4
    left = x.value((start - layout.px(x.low, x)) / (layout.px(x.high, x) - layout.px(x.low, x)))
    pixel = 1 / (layout.py(y.low, y) - layout.py(y.high, y))
    heights = (y.value(y.fraction(floor) + up * pixel) for up in (3, 3 + lettering.HEIGHT))
    return [((left, height), (x.high, height)) for height in heights]


def _lighter(x: Axis, step: Step) -> Note:
    """Names the second line, below its middle: it rises to the right."""
    middle = math.sqrt(x.low * x.high)
    at = min(step.curve_without_attention, key=lambda place: abs(math.log(place[0] / middle)))
    return Note("lighter", *at, "without attention", "start below", (6, 4))
