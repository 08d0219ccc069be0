"""Hit rate against capacity: weighted histograms of stack distances, exact or from a sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generator.errors import UnknownName
from generator.model.request_log import RequestLog
from generator.model.stack_distance import NEVER, Ints, Small, sampled, stack_distances

Floats = NDArray[np.float64]
WEIGHTS = ("tokens", "blocks", "requests")


@dataclass(frozen=True)
class HitCurve:
    """The hit rate of the reference LRU at every capacity.

    `capacities` (points,) are the capacities in blocks at which it rises, ascending; `hit_rates` (points,)
    what it is from there on. Below the first it is 0.
    """

    capacities: Ints
    hit_rates: Floats

    def at(self, capacity_blocks: int | None) -> float:
        """The hit rate at a capacity; None is an infinite one."""
        if capacity_blocks is None:
            return self.best
        point = int(np.searchsorted(self.capacities, capacity_blocks, side="right"))
        return float(self.hit_rates[point - 1]) if point else 0.0

    @property
    def best(self) -> float:
        """The hit rate with infinite capacity."""
        return float(self.hit_rates[-1]) if len(self.hit_rates) else 0.0

    def reaching(self, share: float) -> int:
        """The smallest capacity in blocks with at least `share` of the best possible hit rate."""
        if not len(self.capacities):
            return 0
        # The last sums of a histogram may differ in the last bit.
        point = np.searchsorted(self.hit_rates, self.best * share * (1 - 1e-12))
        return int(self.capacities[min(int(point), len(self.capacities) - 1)])


def exact_curve(log: RequestLog, weight: str) -> HitCurve:
    """The curve of a whole log; see `weights` for `weight`."""
    return curve_of(log.distances, weights(log, weight))


def curve_of(distances: Small, shares: Floats) -> HitCurve:
    """The curve of accesses that hit from capacity `distances` on and then add their `shares`."""
    hit = distances < NEVER
    histogram = np.bincount(distances[hit], shares[hit])
    capacities = np.flatnonzero(np.bincount(distances[hit], minlength=len(histogram)))
    return HitCurve(capacities.astype(np.int64), np.cumsum(histogram[capacities]))


def sampled_curve(log: RequestLog, weight: str, rate: float) -> HitCurve:
    """An estimate of the curve from the accesses to a share `rate` of the ids (SHARDS).

    Distances among them are scaled up. What the sample's weight lacks of the share `rate` of all is taken
    for hits at the smallest distance (SHARDS-adj), which corrects for very popular ids that the sample
    happens to hold or lack. Raises ValueError for a rate that is not above 0 and at most 1.
    """
    kept = sampled(log.ids, rate)
    counts = np.concatenate((np.zeros(1, np.int64), np.cumsum(kept, dtype=np.int64)))
    distances = stack_distances(log.ids[kept], counts[log.starts])
    shares = weights(log, weight)
    lacking = rate * float(shares.sum()) - float(shares[kept].sum())
    scaled = np.where(distances < NEVER, np.minimum(np.ceil(distances / rate), NEVER - 1), NEVER).astype(np.int32)
    curve = curve_of(scaled, shares[kept] / rate)
    capacities = np.concatenate((np.ones(1, np.int64), curve.capacities))
    rates = np.concatenate((np.zeros(1), curve.hit_rates)) + lacking / rate
    return HitCurve(capacities, np.clip(rates, 0, 1))


def weights(log: RequestLog, weight: str) -> Floats:
    """What a hit on each access adds to the hit rate, (accesses,); all of a prompt's hits together at most 1.

    "tokens": its tokens over all prompt tokens. "blocks": one over all blocks of prompts. "requests": one
    over the blocks of its own prompt, over the number of requests. Blocks of replies weigh nothing: they
    are held, but nobody asks for them. Raises UnknownName for another weight.
    """
    if weight not in WEIGHTS:
        raise UnknownName("weight", weight, WEIGHTS)
    counts = np.diff(log.starts)
    asked = np.arange(len(log.ids)) - np.repeat(log.starts[:-1], counts) < np.repeat(log.prompt_blocks, counts)
    if weight == "tokens":
        return np.asarray(log.block_sizes() * asked / max(int(log.lengths.sum()), 1))
    if weight == "blocks":
        return np.asarray(asked / max(int(log.prompt_blocks.sum()), 1))
    each = 1 / (log.prompt_blocks * len(log.lengths))
    return np.asarray(np.repeat(each, counts) * asked)


def hit_rate(log: RequestLog, weight: str, matched_blocks: NDArray[Any]) -> float:
    """The hit rate of requests whose first `matched_blocks` (requests,) blocks were served from a cache."""
    counts = np.diff(log.starts)
    place = np.arange(len(log.ids)) - np.repeat(log.starts[:-1], counts)
    return float(weights(log, weight)[place < np.repeat(matched_blocks, counts)].sum())
