"""Hit rate along the number of sessions or the capacity: lines, a dot where the run stands, and limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import Protocol

from generator import lettering
from generator.marks import Axis, Dot, Dots, Layout, Line, Margins, Mark, Note, Rule, Text
from generator.placing import beside
from generator.scales import linear
from generator.units import number, percent

DOT = 12
"""Pixels across."""

ABOVE = 1.06
"""How far above the highest rate the axis ends, so that a line there is not cut."""

NEARLY_ALL = 0.8
"""Rates above this are drawn on an axis that ends at 100 %."""

Place = tuple[float, float]


class RateAxis(Protocol):
    """Ends and ticks of the x axis; `unit` stands behind the last tick. With `log` it is logarithmic."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def ticks(self) -> Sequence[float]: ...
    @property
    def unit(self) -> str: ...
    @property
    def log(self) -> bool: ...


class RateCurve(Protocol):
    """Points (place, rate) from left to right. Its `name` is written once it reaches the end of the axis."""

    @property
    def name(self) -> str: ...
    @property
    def points(self) -> Sequence[tuple[float, float]]: ...
    @property
    def thin(self) -> bool: ...


class RateDot(Protocol):
    """Where the run stands; `key` is the same for the same dot in another step."""

    @property
    def key(self) -> str: ...
    @property
    def place(self) -> float: ...
    @property
    def rate(self) -> float: ...


class RateLimit(Protocol):
    """A limit at a place or, `across`, at a rate. `name` is its label."""

    @property
    def name(self) -> str: ...
    @property
    def at(self) -> float: ...
    @property
    def across(self) -> bool: ...


class Step(Protocol):
    """Rates are shares from 0 to 1. The axis is that of step 0; curves, dots and limits may come and grow."""

    @property
    def rate_axis(self) -> RateAxis: ...
    @property
    def rate_curves(self) -> Sequence[RateCurve]: ...
    @property
    def rate_dots(self) -> Sequence[RateDot]: ...
    @property
    def rate_limits(self) -> Sequence[RateLimit]: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Places along x, rates along y; names of lines and of limits across in the right margin."""
    phone = width < 800
    highest = max((rate for step in steps for rate in _rates(step)), default=0) or 1
    y = linear(1 if highest > NEARLY_ALL else highest, most=2, text=_bare, last=percent, grid=True, headroom=ABOVE)
    names = {curve.name for step in steps for curve in step.rate_curves}
    names |= {limit.name for step in steps for limit in step.rate_limits if limit.across}
    along = steps[0].rate_axis
    unit = lettering.width(_tick(along.ticks[-1], along.unit)) / 2 if along.ticks else 0
    right = max([unit, *(lettering.width(f" {name} ") for name in names)])
    sketch = Layout(
        title="Hit rate: prompt tokens reused",
        width=width,
        height=190 if phone else 250,
        margins=Margins(44, 18, ceil(right + DOT / 2) + 4, 20),
        x=Axis(along.low, along.high, name=along.unit, log=along.log, line=True),
        y=replace(y, ticks=tuple(tick for tick in y.ticks if tick[0])),  # 0 would touch the first place
    )
    return replace(sketch, x=replace(sketch.x, ticks=_ticks(sketch, along)))


def _rates(step: Step) -> Iterator[float]:
    yield from (rate for curve in step.rate_curves for _, rate in curve.points)
    yield from (dot.rate for dot in step.rate_dots)
    yield from (limit.at for limit in step.rate_limits if limit.across)


def _bare(rate: float) -> str:
    return number(rate * 100)


def _tick(place: float, unit: str = "") -> str:
    return f"{place:,g} {unit}".strip()


def _ticks(layout: Layout, along: RateAxis) -> tuple[tuple[float, str], ...]:
    """The last tick with its unit, and of the others all that find room beside each other."""
    kept: list[tuple[float, str]] = []
    end = float("inf")
    for place in reversed(along.ticks):
        text = _tick(place, "" if kept else along.unit)
        half, middle = lettering.width(text) / 2, layout.px(place)
        if middle + half + 6 <= end:
            kept.insert(0, (place, text))
            end = middle - half
    return tuple(kept)


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """The lines, limits and dots of the last step, each dot with its rate, each whole line with its name."""
    step = steps[-1]
    lines = tuple(
        Line(f"curve-{curve.name}", tuple(curve.points), "muted" if curve.thin else "ink",
             thickness=1 if curve.thin else 2)
        for curve in step.rate_curves
    )  # fmt: skip
    limits = tuple(Rule(f"limit-{limit.name}", limit.at, limit.name, limit.across) for limit in step.rate_limits)
    names = _names(layout, step)
    dots = tuple(Dot(dot.key, dot.place, dot.rate, "reused", size=DOT) for dot in step.rate_dots)
    return (
        *lines,
        *limits,
        Dots("dots", dots),
        Text("names", names, "muted"),
        Text("values", tuple(_value(layout, step, dot, names) for dot in step.rate_dots)),
    )


def _names(layout: Layout, step: Step) -> tuple[Note, ...]:
    """Names of the lines that reach the end of the axis, beside it, pushed down where two would touch."""
    whole = [curve for curve in step.rate_curves if curve.points and curve.points[-1][0] >= layout.x.high]
    taken = [layout.py(limit.at) for limit in step.rate_limits if limit.across]
    notes = []
    for curve in sorted(whole, key=lambda curve: -curve.points[-1][1]):
        at = layout.py(curve.points[-1][1])
        clear = _clear(at, taken)
        taken.append(clear)
        notes.append(Note(curve.name, *curve.points[-1], curve.name, "start middle", (DOT / 2, clear - at)))
    return tuple(notes)


def _clear(wished: float, taken: Sequence[float]) -> float:
    """The first height in pixels, from `wished` down, at which a text touches none of the others."""
    least = lettering.HEIGHT + 1
    blocked = sorted(height for height in taken if height > wished - least)
    for height in blocked:
        if height - wished >= least:
            break
        wished = height + least
    return wished


def _value(layout: Layout, step: Step, dot: RateDot, names: Sequence[Note]) -> Note:
    """The rate of a dot, where it crosses nothing and stays below the labels over the axes."""
    x, y = layout.x, layout.y
    lines: list[Sequence[Place]] = [curve.points for curve in step.rate_curves if curve.points]
    lines += [((x.low, rate), (x.high, rate)) for rate in (y.high, *(tick for tick, _ in y.ticks if tick))]
    lines += [((other.place, other.rate),) for other in step.rate_dots if other.key != dot.key]
    for limit in step.rate_limits:
        if limit.at == dot.place and not limit.across:
            continue  # the dot lies on it; texts keep a space from their point
        ends = ((x.low, limit.at), (x.high, limit.at)) if limit.across else ((limit.at, y.low), (limit.at, y.high))
        lines.append(ends)
    note = beside(layout, x, y, (dot.place, dot.rate), _rate(dot.rate), lines, names=names)
    return replace(note, key=dot.key)


def _rate(rate: float) -> str:
    """A rate below a tenth has a decimal."""
    return percent(rate, 1 if rate < 0.0995 else 0)
