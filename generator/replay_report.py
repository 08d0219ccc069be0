"""What a replayed log comes to: its hit rates, how sure they are, and the prefill time that they spare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from generator.model.hit_curve import HitCurve, exact_curve, hit_rate, sampled_curve
from generator.model.log_replay import prefill_seconds, serve
from generator.model.request_log import RequestLog
from generator.model.roofline import Roofline

SHARES = (0.5, 0.9, 0.99)
# Up to here the exact curve is computed beside a sampled one, to say how far the estimate is off.
EXACT_BLOCKS = 20_000_000
Capacity = int | None


@dataclass(frozen=True)
class Rate:
    """The hit rate at a capacity in blocks (None: infinite). `dropped` requests found no room at all."""

    capacity: Capacity
    hit_rate: float
    dropped: int = 0


@dataclass(frozen=True)
class Saved:
    """Prefill seconds that a capacity saves, and how many nodes' cache budgets it is (None: infinite)."""

    rate: Rate
    seconds: float
    nodes: float | None


@dataclass(frozen=True)
class Prefill:
    """A model on a node: its cache budget in blocks, the prefill of the whole log, and what is saved."""

    model: str
    node: str
    budget_blocks: int
    seconds: float
    saved: tuple[Saved, ...]


@dataclass(frozen=True)
class Sample:
    """How far a sampled curve is off the exact one, over all capacities (None: too long for the exact one)."""

    rate: float
    mean_error: float | None
    largest_error: float | None


@dataclass(frozen=True)
class Report:
    """Everything that is said about a log under one set of rules, weighting, block size and window."""

    log: RequestLog
    rules: str
    weight: str
    window: tuple[float, float] | None
    rates: tuple[Rate, ...]
    curve: HitCurve | None
    sample: Sample | None
    prefill: Prefill | None

    @property
    def best(self) -> float:
        """The hit rate with infinite capacity."""
        return next(rate.hit_rate for rate in reversed(self.rates) if rate.capacity is None)

    def reaching(self) -> dict[float, int]:
        """The capacity in blocks that reaches each of `SHARES` of the best; only with a whole curve."""
        return {share: self.curve.reaching(share) for share in SHARES} if self.curve else {}


def report(
    log: RequestLog,
    rules: str,
    weight: str,
    window: tuple[float, float] | None,
    capacities: Sequence[Capacity] | None,
    sample: float | None,
    roofline: Roofline | None,
) -> Report:
    """Replay `log`. `capacities` None means all: for `lru` the whole curve, else powers of ten and infinite.

    The infinite capacity is always among the rates. Raises UnknownName for rules or a weight that do not
    exist, ValueError for a sampling rate out of range or with other rules than `lru`.
    """
    if sample is not None and rules != "lru":
        raise ValueError("only lru is sampled: the other rules are replayed a capacity at a time")
    curve, sampling = None, None
    if rules == "lru":
        curve, sampling = _curve(log, weight, sample)
    asked = capacities if capacities is not None else _powers(log)
    rates = tuple(_rate(log, rules, weight, curve, capacity) for capacity in _with_infinite(asked))
    prefill = _prefill(log, rules, weight, curve, capacities, roofline) if roofline else None
    return Report(log, rules, weight, window, rates, curve, sampling, prefill)


def _curve(log: RequestLog, weight: str, sample: float | None) -> tuple[HitCurve, Sample | None]:
    if sample is None:
        return exact_curve(log, weight), None
    estimate = sampled_curve(log, weight, sample)
    if len(log.ids) > EXACT_BLOCKS:
        return estimate, Sample(sample, None, None)
    exact = exact_curve(log, weight)
    places = np.unique(np.geomspace(1, max(log.unique_blocks, 1), 1000).astype(np.int64)).tolist()
    errors = [abs(estimate.at(place) - exact.at(place)) for place in places]
    return estimate, Sample(sample, float(np.mean(errors)), max(errors))


def _rate(log: RequestLog, rules: str, weight: str, curve: HitCurve | None, capacity: Capacity) -> Rate:
    if curve:
        return Rate(capacity, curve.at(capacity))
    served = serve(log, rules, capacity)
    return Rate(capacity, hit_rate(log, weight, served.blocks), served.dropped)


def _prefill(
    log: RequestLog,
    rules: str,
    weight: str,
    curve: HitCurve | None,
    capacities: Sequence[Capacity] | None,
    roofline: Roofline,
) -> Prefill:
    """Saved at the capacities asked for, else at one node's budget, and at the best possible."""
    budget = int(roofline.cache_budget_tokens // log.block_tokens)
    whole = prefill_seconds(log, log.lengths * 0, roofline)
    saved = []
    for capacity in _with_infinite([budget] if capacities is None else capacities):
        seconds = whole - prefill_seconds(log, serve(log, rules, capacity).tokens, roofline)
        nodes = None if capacity is None else capacity * log.block_tokens / roofline.cache_budget_tokens
        saved.append(Saved(_rate(log, rules, weight, curve, capacity), seconds, nodes))
    return Prefill(roofline.model.name, roofline.node.name, budget, whole, tuple(saved))


def _with_infinite(capacities: Sequence[Capacity]) -> list[Capacity]:
    finite = sorted({capacity for capacity in capacities if capacity is not None})
    return [*finite, None]


def _powers(log: RequestLog) -> list[Capacity]:
    """10, 100, 1,000 … below the working set."""
    return [10**power for power in range(1, 19) if 10**power < log.unique_blocks]
