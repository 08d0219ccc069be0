"""Axes with round ticks: units stand in the last tick's text only."""

from __future__ import annotations

import math
from collections.abc import Callable

from generator.marks import Axis
from generator.units import number


def round_ticks(high: float, most: int) -> tuple[float, ...]:
    """0 and at most `most` round multiples up to `high`: steps of 1, 2, 2.5 or 5 times a power of ten.

    The smallest step that gives so few, unless another one (or 3 times a power of ten) ends on `high` itself.
    """
    if not high > 0:
        raise ValueError(f"an axis needs a positive end: {high}")
    power = 10.0 ** math.floor(math.log10(high / most))
    few = [power * factor for factor in (1, 2, 2.5, 5, 10, 20) if math.floor(high / power / factor + 1e-9) <= most]
    steps = (power * factor for factor in (1, 2, 2.5, 3, 5, 10))
    ending = (step for step in steps if round(high / step, 9) in range(1, most + 1))
    step = next(ending, few[0])
    return tuple(step * k for k in range(math.floor(high / step + 1e-9) + 1))


def linear(
    high: float,
    *,
    most: int = 3,
    text: Callable[[float], str] = number,
    last: Callable[[float], str] | None = None,
    name: str = "",
    grid: bool = False,
    line: bool = False,
    headroom: float = 1,
) -> Axis:
    """An axis from 0 to `high` times `headroom`, with round ticks; the last is written by `last`."""
    values = round_ticks(high, most)
    texts = [text(value) for value in values]
    if last:
        texts[-1] = last(values[-1])
    ticks = tuple(zip(values, texts, strict=True))
    return Axis(0, high * headroom, ticks, name=name, grid=grid, line=line)


def logarithmic(
    low: float,
    high: float,
    *,
    text: Callable[[float], str] = number,
    last: Callable[[float], str] | None = None,
    base: int = 10,
    name: str = "",
    grid: bool = False,
) -> Axis:
    """A log axis from `low` to `high` with a tick at every power of `base` within."""
    first = math.ceil(math.log(low, base) - 1e-9)
    end = math.floor(math.log(high, base) + 1e-9)
    values = [float(base) ** k for k in range(first, end + 1)]
    texts = [text(value) for value in values]
    if last and texts:
        texts[-1] = last(values[-1])
    return Axis(low, high, tuple(zip(values, texts, strict=True)), name=name, log=True, grid=grid)
