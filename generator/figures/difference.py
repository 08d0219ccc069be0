"""How far two models are off what was measured, pass by pass: a dot each, above or below a line at nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import ceil
from typing import Protocol

from generator.marks import Axis, Dot, Dots, Layout, Line, Margins, Mark
from generator.units import percent


class Step(Protocol):
    """A measured pass on `card`, one of a `group`, and by what share of its time both models are off.

    Negative is below it. Both are None where the step shows no new pass.
    """

    @property
    def card(self) -> str: ...
    @property
    def group(self) -> str: ...
    @property
    def plain_off(self) -> float | None: ...
    @property
    def calibrated_off(self) -> float | None: ...


GAP = 1
"""Places left free between two groups."""

DOT, NEW = 6, 10
"""Pixels across: dots, and those of this step."""


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Passes along x, in the order in which they come, group by group; shares along y."""
    phone = width < 800
    shares = [share for step in steps for share in (step.plain_off, step.calibrated_off) if share is not None]
    places = _places(steps)
    ticks = _ticks(places, steps, phone)
    last = max(places, default=0)
    step = 0.4 if phone else 0.2
    low = min([*shares, -step]) - 0.06
    values = [k * step for k in range(ceil(low / step), 1)]
    return Layout(
        title="Off by: ■ plain, ● calibrated",
        width=width,
        height=84 if phone else 150,
        margins=Margins(74, 8, 8, 20),
        x=Axis(-1, last + 1, ticks, name="measured passes"),
        y=Axis(low, max([*shares, 0]) + 0.06, tuple((value, _tick(value)) for value in values), grid=True),
    )


def _tick(share: float) -> str:
    return percent(share) if share else "measured"


def _kind(step: Step) -> tuple[str, str]:
    return step.card, step.group


def _new(steps: Sequence[Step]) -> list[Step]:
    """The steps that show a new pass."""
    return [step for step in steps if step.plain_off is not None and step.calibrated_off is not None]


def _places(steps: Sequence[Step]) -> list[int]:
    """Where each new pass stands."""
    places: list[int] = []
    for number, (_, group) in enumerate(groupby(_new(steps), _kind)):
        places += range(len(places) + GAP * number, len(places) + GAP * number + len(list(group)))
    return places


def _ticks(places: Sequence[int], steps: Sequence[Step], phone: bool) -> tuple[tuple[float, str], ...]:
    """The middle of each group with its name, the first of a card with the card's; on phones, cards alone."""
    found = list(zip(places, _new(steps), strict=True))
    ticks = []
    for card, passes in groupby(found, lambda pair: pair[1].card):
        named = card
        for group, some in groupby(passes, lambda pair: "" if phone else pair[1].group):
            stands = [place for place, _ in some]
            ticks.append(((stands[0] + stands[-1]) / 2, ": ".join(filter(None, (named, group)))))
            named = ""
    return tuple(ticks)


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """Both dots of every pass so far; those of the step larger."""
    found = list(zip(_places(steps), _new(steps), strict=True))
    here = len(found) - 1 if steps[-1].plain_off is not None else -1
    plain = [(place, step.plain_off or 0.0) for place, step in found]
    calibrated = [(place, step.calibrated_off or 0.0) for place, step in found]
    return (
        Line("nothing", ((layout.x.low, 0), (layout.x.high, 0)), "ink", thickness=1),
        Dots("plain", tuple(_dot(k, here, at, "muted", "square") for k, at in enumerate(plain))),
        Dots("calibrated", tuple(_dot(k, here, at, "ink", "circle") for k, at in enumerate(calibrated))),
    )


def _dot(number: int, here: int, at: tuple[float, float], paint: str, symbol: str) -> Dot:
    return Dot(f"{number}", *at, paint, symbol, NEW if number == here else DOT)
