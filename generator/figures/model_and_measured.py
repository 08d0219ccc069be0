"""Measured passes as diamonds, by the tokens they compute, on what two models say of them as lines."""

from __future__ import annotations

from collections.abc import Sequence
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


BELOW, ABOVE = 2.3, 1.4
"""How far below the shortest pass the axis begins and above the longest it ends, so that texts find room there."""

NEW = 13
"""Pixels across the diamond of this step; the others are as in all panels."""

ENTRY, DASH = 17, 22
"""Pixels: from entry to entry of the key, and the length of a line in it."""


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Tokens along x, seconds along y, both logarithmic; the key in the upper left, where no line goes."""
    phone = width < 800
    curves = [point for step in steps for curve in (step.plain_curve, step.calibrated_curve) for point in curve]
    times = [seconds for _, seconds in (*curves, *(point for step in steps for point in step.timed))]
    most = max((count for count, _ in curves), default=1)
    return Layout(
        title="Time of a pass by tokens computed: measured, plain, calibrated",
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
        others = [((count, seconds),) for count, seconds in step.timed if count != step.tokens]
        grid = [((layout.x.low, value), (layout.x.high, value)) for value, _ in layout.y.ticks]
        marks.append(
            Text("value", (beside(layout, layout.x, layout.y, at, span(at[1]), [plain, calibrated, *others, *grid]),))
        )
    return tuple(marks)


def _size(step: Step, count: int) -> float:
    return NEW if step.measured_seconds and count == step.tokens else dots.DIAMOND


def _key(layout: Layout) -> tuple[Mark, ...]:
    """What the lines and diamonds are."""
    entries = ("measured", "calibrated", "plain")
    heights = {name: _value_at(layout, layout.margins.top + 10 + ENTRY * place) for place, name in enumerate(entries)}
    start, end = layout.margins.left + 8, layout.margins.left + 8 + DASH
    left, right, middle = (_count_at(layout, pixel) for pixel in (start, end, (start + end) / 2))
    notes = tuple(Note(name, right, heights[name], name, "start middle", (4, 0)) for name in entries)
    return (
        Dots("key-measured", (Dot("measured", middle, heights["measured"], "ink", "diamond", dots.DIAMOND),)),
        Line("key-calibrated", ((left, heights["calibrated"]), (right, heights["calibrated"])), "ink", thickness=2),
        Line("key-plain", ((left, heights["plain"]), (right, heights["plain"])), "muted", "dashed"),
        Text("key", notes),
    )


def _count_at(layout: Layout, pixel: float) -> float:
    low, high = layout.px(layout.x.low), layout.px(layout.x.high)
    return layout.x.value((pixel - low) / (high - low))


def _value_at(layout: Layout, pixel: float) -> float:
    low, high = layout.py(layout.y.low), layout.py(layout.y.high)
    return layout.y.value((pixel - low) / (high - low))


def _series(layout: Layout, step: Step) -> Note:
    """Of which passes this is, in the lower right, below all lines."""
    height = _value_at(layout, layout.height - layout.margins.bottom - lettering.HEIGHT)
    return Note("series", layout.x.high, height, f"{step.card}, {step.series}", "end middle")
