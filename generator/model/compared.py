"""Measured passes beside what both rooflines say of them, in series over the same cached tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from generator.model.calibrated import Calibrated
from generator.model.measured import MeasuredPass, Timing, whole_passes
from generator.model.passes import Pass
from generator.model.roofline import Roofline


@dataclass(frozen=True)
class Compared:
    """One pass: seconds as `measured`, and as the `plain` and the `calibrated` roofline have them."""

    name: str
    tokens: int
    measured: float
    plain: float
    calibrated: float

    @property
    def plain_off(self) -> float:
        """By what share of the measured time plain is off; negative where it says less."""
        return self.plain / self.measured - 1

    @property
    def calibrated_off(self) -> float:
        """The same of calibrated."""
        return self.calibrated / self.measured - 1


@dataclass(frozen=True)
class Series:
    """Passes that differ only in the tokens they compute, from few to many.

    `stage` is "prefill", one prompt over `cached` tokens, or "decode", one token for each of several conversations
    of `cached` tokens.
    """

    stage: str
    cached: int
    rows: tuple[Compared, ...]


@dataclass(frozen=True)
class Bench:
    """One model on one node of which somebody measured whole passes. Raises ValueError where nobody did."""

    plain: Roofline
    calibrated: Calibrated
    series: tuple[Series, ...]

    @staticmethod
    def of(model: str, node: str) -> Bench:
        """Every pass measured for `model` on `node`; errors besides are those of `Roofline.of`."""
        plain = Roofline.of(model, node)
        calibrated = Calibrated.of(plain)
        rows = [row for row in whole_passes() if (row.model, row.node) == (plain.model.name, plain.node.name)]
        if calibrated is None or not rows:
            raise ValueError(f"nobody measured {plain.model.name} on {plain.node.name}")
        return Bench(plain, calibrated, tuple(_series(plain, calibrated, rows)))

    @property
    def rows(self) -> tuple[Compared, ...]:
        """Every pass, series after series."""
        return tuple(row for series in self.series for row in series.rows)

    def curve(self, timing: Timing, series: Series) -> tuple[tuple[int, float], ...]:
        """Seconds by tokens, as `timing` has them, over the range of a series; two points at the ridge's corner."""
        most, ridge = series.rows[-1].tokens, int(self.plain.ridge_tokens)
        halves = (round(2 ** (half / 2)) for half in range(2 * most.bit_length()))
        counts = sorted(count for count in {*halves, ridge, ridge + 1, most} if count <= most)
        return tuple((count, _timed(timing, series.stage, count, series.cached).seconds) for count in counts)

    def losses(self, new: int, cached: int = 0) -> dict[str, float]:
        """What a prefill takes beyond the plain roofline, by cause as calibrated has it, in seconds.

        `knee` is what its operators take more, reading and arithmetic hiding each other only in part.
        """
        plain, calibrated = self.plain.prefill(new, cached).seconds, self.calibrated.prefill(new, cached)
        causes = {part.name: part.seconds for part in calibrated.parts if part.name in ("launch", "all-reduce")}
        launch, reduce = causes["launch"], causes["all-reduce"]
        return {
            "plain": plain,
            "knee": calibrated.seconds - launch - reduce - plain,
            "launch": launch,
            "all_reduce": reduce,
            "calibrated": calibrated.seconds,
        }


def off(rows: Iterable[Compared]) -> dict[str, float]:
    """How far off both are over `rows`, as shares: on average and at worst, whichever way; and plain's extremes."""
    found = list(rows)
    plain, calibrated = [row.plain_off for row in found], [row.calibrated_off for row in found]
    return {
        "count": len(found),
        "plain_mean": _mean(plain),
        "plain_lowest": min(plain),
        "plain_highest": max(plain),
        "calibrated_mean": _mean(calibrated),
        "calibrated_worst": max(map(abs, calibrated)),
    }


def _mean(shares: Sequence[float]) -> float:
    return sum(map(abs, shares)) / len(shares)


def _series(plain: Roofline, calibrated: Calibrated, rows: Sequence[MeasuredPass]) -> Iterable[Series]:
    def kind(row: MeasuredPass) -> tuple[bool, int]:
        return row.stage == "decode", row.cached

    for (decode, cached), group in groupby(sorted(rows, key=kind), kind):
        compared = (_compared(plain, calibrated, row) for row in group)
        yield Series("decode" if decode else "prefill", cached, tuple(sorted(compared, key=lambda row: row.tokens)))


def _compared(plain: Roofline, calibrated: Calibrated, row: MeasuredPass) -> Compared:
    tokens = row.batch * row.new
    name = f"decode-{tokens}-over-{row.cached}" if row.stage == "decode" else f"{tokens}-over-{row.cached}"
    return Compared(name, tokens, row.seconds, row.by(plain).seconds, row.by(calibrated).seconds)


def _timed(timing: Timing, stage: str, tokens: int, cached: int) -> Pass:
    return timing.decode(tokens, cached) if stage == "decode" else timing.prefill(tokens, cached)
