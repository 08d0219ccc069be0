"""The roofline: arithmetic a second by FLOP per byte read, its two roofs, the ridge, and a dot for the pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from generator import pass_dots as dots
from generator import scales
from generator.marks import Axis, Layout, Line, Margins, Mark, Note, Rule, Text
from generator.placing import beside
from generator.units import number


class Measured(Protocol):
    """A measurement: FLOP per byte, and FLOP per second."""

    @property
    def flop_per_byte(self) -> float: ...
    @property
    def flops_per_second(self) -> float: ...


class Step(dots.Pass, Protocol):
    """A pass at `flop_per_byte` and `flops_per_second` (None: none has run), under the roofs of a node.

    The roofs are `bytes_per_second` and `peak_flops` (FLOP per second). `ridge` is None until it is shown.
    The x axis is that of tokens, so they must be FLOP per byte, as they nearly are with weights of 16 bits.
    `look_closer` are the ends of the axis in a step that shrinks it.
    """

    @property
    def flop_per_byte(self) -> float | None: ...
    @property
    def flops_per_second(self) -> float | None: ...
    @property
    def bytes_per_second(self) -> float: ...
    @property
    def peak_flops(self) -> float: ...
    @property
    def ridge(self) -> float | None: ...
    @property
    def measured(self) -> Sequence[Measured]: ...
    @property
    def look_closer(self) -> tuple[float, float] | None: ...


HEADROOM = 1.6
"""How far above the roof the axis ends."""


def layout(steps: Sequence[Step], width: int) -> Layout:
    """FLOP per byte along x, FLOP per second along y, both logarithmic; the roofs stand from the start."""
    phone = width < 800
    step = steps[0]
    x = dots.token_axis(1 / dots.AIR, dots.longest(steps) * dots.AIR, phone)
    y = scales.logarithmic(step.bytes_per_second / 2, step.peak_flops * HEADROOM, text=_tera,
                           last=_tera if phone else _teraflops, grid=True)  # fmt: skip
    return Layout(
        title="Roofline: FLOP a second by FLOP per byte",
        width=width,
        height=148 if phone else 216,
        margins=Margins(58 if phone else 106, 17, dots.RIGHT, 20),
        x=x,
        y=y,
        fixed=(Line("roof", _roof(x, step), "ink"),),
    )


def _roof(x: Axis, step: Step) -> tuple[dots.Place, ...]:
    corner = step.peak_flops / step.bytes_per_second
    return (x.low, x.low * step.bytes_per_second), (corner, step.peak_flops), (x.high, step.peak_flops)


def _tera(flops: float) -> str:
    return number(flops / 1e12)


def _teraflops(flops: float) -> str:
    return f"{_tera(flops)} TFLOP/s"


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """The ridge, where passes have been, the pass of the last step, and what was measured."""
    step = steps[-1]
    x = dots.closer(layout, step.look_closer, layout.width < 800)
    passes = [(past, _place(past)) for past in steps if past.flops_per_second]
    marks: list[Mark] = [Text("roofs", _labels(layout, x, step), "muted")]
    if step.ridge:
        marks.append(Rule("ridge", step.ridge, f"ridge {number(step.ridge)} tokens", across=False))
    marks.append(dots.trail(passes))
    if step.flops_per_second:
        marks.append(dots.dot(step, _place(step)))
    marks.append(dots.diamonds((one.flop_per_byte, one.flops_per_second) for one in step.measured))
    return (*marks, *dots.axes(layout, x, layout.y))


SLOPE_LABEL = 7
"""FLOP per byte at which the slope is labelled."""


def _labels(layout: Layout, x: Axis, step: Step) -> tuple[Note, Note]:
    """What each roof is: the bandwidth under the slope, clear of the grid, and the peak under the level part."""
    at = SLOPE_LABEL, SLOPE_LABEL * step.bytes_per_second
    grid = (((x.low, value), (x.high, value)) for value, _ in layout.y.ticks)
    text = f"{number(step.bytes_per_second / 1e12, 1)} TB/s"
    slope = beside(layout, x, layout.y, at, text, [_roof(x, step), *grid])
    return slope, Note("level", x.high, step.peak_flops, _teraflops(step.peak_flops), "end below", (0, 12))


def _place(step: Step) -> dots.Place:
    return step.flop_per_byte or 0, step.flops_per_second or 0
