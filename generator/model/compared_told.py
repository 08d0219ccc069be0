"""Passes that were measured, told one by one: what a step says of a pass, and of its series so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generator.model.compared import Bench, Compared, Series
from generator.model.moment import bare
from generator.units import number, percent, span, tokens


@dataclass(frozen=True)
class MeasuredStep:
    """One measured pass of `tokens` tokens on `card`, in seconds; None where the step shows no new one.

    `series` says over what it ran, `group` the same with all decode steps in one. `timed` are the passes of the
    series so far as (tokens, seconds), the curves what both rooflines say of it. `plain_off` and `calibrated_off` are
    shares of the measured time, negative below it.
    """

    name: str
    caption: str
    card: str
    group: str
    series: str
    plain_curve: tuple[tuple[int, float], ...]
    calibrated_curve: tuple[tuple[int, float], ...]
    timed: tuple[tuple[int, float], ...] = ()
    tokens: int = 0
    measured_seconds: float | None = None
    plain_seconds: float | None = None
    calibrated_seconds: float | None = None
    plain_off: float | None = None
    calibrated_off: float | None = None
    beat: str = ""
    quick: bool = False


@dataclass(frozen=True)
class Cards:
    """The passes measured on one node, and how they are told."""

    bench: Bench

    @property
    def slug(self) -> str:
        """What its steps' names begin with: "a100"."""
        return self.bench.plain.node.card.name.partition("-")[0]

    def show(self, name: str, caption: str, series: Series, seen: int) -> MeasuredStep:
        """The first `seen` passes of a series, none of them new."""
        return MeasuredStep(
            name,
            caption,
            card=self.slug.upper(),
            group="decode" if series.stage == "decode" else _over(series),
            series=_over(series),
            plain_curve=self.bench.curve(self.bench.plain, series),
            calibrated_curve=self.bench.curve(self.bench.calibrated, series),
            timed=tuple((row.tokens, row.measured) for row in series.rows[:seen]),
        )

    def step(self, series: Series, row: Compared, caption: str = "") -> MeasuredStep:
        """The pass of a row, with those before it in its series."""
        seen = series.rows.index(row) + 1
        return replace(
            self.show(f"{self.slug}-{row.name}", caption or _told(series, row), series, seen),
            tokens=row.tokens,
            measured_seconds=row.measured,
            plain_seconds=row.plain,
            calibrated_seconds=row.calibrated,
            plain_off=row.plain_off,
            calibrated_off=row.calibrated_off,
        )

    def all_of(self, series: Sequence[Series]) -> Iterator[MeasuredStep]:
        """Series after series, quickly."""
        for one in series:
            yield from (replace(self.step(one, row), quick=True) for row in one.rows)


def _over(series: Series) -> str:
    cached = number(series.cached)
    if series.stage == "decode":
        return f"decode over {cached}"
    return f"{cached} cached" if series.cached else "nothing cached"


def _told(series: Series, row: Compared) -> str:
    measured = f"{span(row.measured)} measured"
    if series.stage == "decode":
        talks, more = ("conversation", "one more") if row.tokens == 1 else ("conversations", "one more each")
        head = f"{number(row.tokens)} {talks} of {tokens(series.cached)}, {more}"
        return f"{head}: {measured}, plain {side(row.plain_off)}."
    if series.cached:
        return f"{tokens(row.tokens)} over {number(series.cached)} cached: {measured}, plain {side(row.plain_off)}."
    said = f"Plain says {bare(row.plain)}, calibrated {bare(row.calibrated)}."
    return f"{tokens(row.tokens)}: {measured}. {said}"


def side(share: float) -> str:
    """Which side of the measured time a model lies on, and how far: "40 % below"."""
    size = percent(abs(share))
    return "the same" if size == "0 %" else f"{size} {'below' if share < 0 else 'above'}"
