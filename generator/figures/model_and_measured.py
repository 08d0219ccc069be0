"""Measured passes as diamonds, by the tokens they compute, on what two models say of them as lines."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Protocol

from generator import lettering, scales
from generator import pass_dots as dots
from generator.marks import Dot, Dots, Layout, Line, Margins, Mark, Note, Text
from generator.placing import beside
from generator.units import ms, number, span


class Step(Protocol):
    """A series of passes over the same `series` on one `card`: those `timed` so far, as (tokens, seconds).

    `measured_seconds` is the time of the pass of `tokens` that is new in this step, None if none is. The curves are
    (tokens, seconds) for the whole series.
    """

    @property
    def card(self) -> str: ...
    @property
    def series(self) -> str: ...
    @property
    def timed(self) -> Sequence[tuple[int, float]]: ...
    @property
    def tokens(self) -> int: ...
    @property
    def measured_seconds(self) -> float | None: ...
    @property
    def plain_curve(self) -> Sequence[tuple[int, float]]: ...
    @property
    def calibrated_curve(self) -> Sequence[tuple[int, float]]: ...


BELOW, ABOVE = 2.9, 4
"""How far below the shortest pass the axis begins and above the longest it ends: room for a row of texts each."""

NEW = 13
"""Pixels across the diamond of this step; the others are as in all panels."""

ROW, DASH, SPACE = 8, 16, 10
"""Pixels: from an end of the axis to the middle of its row of texts, of a line in the key, from entry to entry."""


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Tokens along x, seconds along y, both logarithmic; the key in a row above all lines."""
    phone = width < 800
    curves = [point for step in steps for curve in (step.plain_curve, step.calibrated_curve) for point in curve]
    times = [seconds for _, seconds in (*curves, *(point for step in steps for point in step.timed))]
    most = max((count for count, _ in curves), default=1)
    return Layout(
        title="Time of a pass by tokens computed",
        width=width,
        height=186 if phone else 262,
        margins=Margins(58, 6, dots.RIGHT, 20),
        x=dots.token_axis(1 / dots.AIR, most * dots.AIR, phone),
        y=scales.logarithmic(
            min(times) / BELOW, max(times) * ABOVE, text=lambda seconds: number(seconds * 1000), last=ms, grid=True
        ),
    )


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """Both lines, the diamonds of the series so far, and the time of the new one."""
    step = steps[-1]
    plain, calibrated = tuple(step.plain_curve), tuple(step.calibrated_curve)
    diamonds = tuple(
        Dot(f"{count}", count, seconds, "ink", "diamond", _size(step, count)) for count, seconds in step.timed
    )
    marks: list[Mark] = [
        Line("plain", plain, "muted", "dashed"),
        Line("calibrated", calibrated, "ink", thickness=2),
        Dots("measured", diamonds),
        *_key(layout),
        Text("series", (_series(layout, step),), "muted"),
    ]
    if step.measured_seconds:
        at = step.tokens, step.measured_seconds
        marks.append(Text("value", (_value(layout, step, at),)))
    return tuple(marks)


def _value(layout: Layout, step: Step, at: tuple[float, float]) -> Note:
    """The time of the new pass, clear of lines, grid, other diamonds and the key."""
    x, y = layout.x, layout.y
    lines: list[Sequence[tuple[float, float]]] = [step.plain_curve, step.calibrated_curve]
    lines += [((count, seconds),) for count, seconds in step.timed if count != step.tokens]
    key = (_value_at(layout, layout.margins.top + ROW + down) for down in (0, lettering.HEIGHT / 2))
    lines += [((x.low, height), (x.high, height)) for height in (*key, *(value for value, _ in y.ticks))]
    return beside(layout, x, y, at, span(at[1]), lines)


def _size(step: Step, count: int) -> float:
    return NEW if step.measured_seconds and count == step.tokens else dots.DIAMOND


def _key(layout: Layout) -> tuple[Mark, ...]:
    """What the diamonds and lines are, in a row."""
    height = _value_at(layout, layout.margins.top + ROW)
    start, places = layout.margins.left + SPACE, []
    for name in ("measured", "calibrated", "plain"):
        ends = _count_at(layout, start), _count_at(layout, start + DASH)
        places.append((name, *ends))
        start += ceil(DASH + lettering.width(f" {name}") + SPACE)
    (_, left, right), calibrated, plain = places
    return (
        Dots("key-measured", (Dot("measured", sqrt(left * right), height, "ink", "diamond", dots.DIAMOND),)),
        Line("key-calibrated", tuple((count, height) for count in calibrated[1:]), "ink", thickness=2),
        Line("key-plain", tuple((count, height) for count in plain[1:]), "muted", "dashed"),
        Text("key", tuple(Note(name, end, height, name, "start middle") for name, _, end in places)),
    )


def _count_at(layout: Layout, pixel: float) -> float:
    low, high = layout.px(layout.x.low), layout.px(layout.x.high)
    return layout.x.value((pixel - low) / (high - low))


def _value_at(layout: Layout, pixel: float) -> float:
    low, high = layout.py(layout.y.low), layout.py(layout.y.high)
    return layout.y.value((pixel - low) / (high - low))


def _series(layout: Layout, step: Step) -> Note:
    """Of which passes this is, in the lower right, below all lines."""
    height = _value_at(layout, layout.height - layout.margins.bottom - ROW)
    return Note("series", layout.x.high, height, f"{step.card}, {step.series}", "end middle")
