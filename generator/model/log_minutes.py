"""A log of requests minute by minute: what came, what a cache had of it, and how the hit rates settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generator.model.log_replay import prefill_seconds, serve
from generator.model.request_log import RequestLog
from generator.model.roofline import Roofline
from generator.model.stack_distance import Ints, first_seen

Floats = NDArray[np.float64]
MINUTE = 60_000  # milliseconds


@dataclass(frozen=True)
class Minute:
    """Requests of one minute, their prompt tokens, and how many of those are reused, by the memory there would be."""

    requests: int
    tokens: int
    reused: dict[str, int]

    def share(self, memory: str) -> float:
        """The hit rate of this minute alone, weighted by tokens."""
        return self.reused[memory] / self.tokens if self.tokens else 0


@dataclass(frozen=True)
class Kept:
    """What one capacity (blocks; None: unlimited) keeps of a log. Counts are tokens by request, (requests,)."""

    log: RequestLog
    capacity_blocks: int | None
    reused: Ints

    @property
    def rate(self) -> float:
        """Tokens reused over tokens asked for."""
        return int(self.reused.sum()) / int(self.log.lengths.sum())

    @property
    def rate_of_full_blocks(self) -> float:
        """The same where only full blocks are held and the last token is always computed, as in engines."""
        most = (self.log.lengths - 1) // self.log.block_tokens * self.log.block_tokens
        return int(np.minimum(self.reused, most).sum()) / int(self.log.lengths.sum())

    def at_most(self, blocks: int) -> int:
        """How many requests reuse at most so many blocks."""
        return int((self.reused <= blocks * self.log.block_tokens).sum())

    def prefill_seconds(self, roofline: Roofline) -> float:
        """Time to compute what is not reused, each request alone."""
        return prefill_seconds(self.log, self.reused, roofline)


@dataclass(frozen=True)
class LogMinutes:
    """A log with times, replayed by the rules of the reference LRU."""

    log: RequestLog

    @cached_property
    def minute(self) -> Ints:
        """The minute in which each request came, from 0, (requests,)."""
        return np.asarray((self.log.times - self.log.times[0]) // MINUTE, np.int64)

    @property
    def count(self) -> int:
        """Minutes from the first request to the last, a begun one included."""
        return int(self.minute[-1]) + 1

    def kept(self, capacity_blocks: int | None) -> Kept:
        """What a cache of so many blocks (None: unlimited) keeps."""
        return Kept(self.log, capacity_blocks, serve(self.log, "lru", capacity_blocks).tokens)

    def each(self, kept: Mapping[str, Kept]) -> list[Minute]:
        """All minutes, with what each memory of `kept` has of them."""
        reused = {memory: self._sums(of.reused) for memory, of in kept.items()}
        came = zip(self._sums(), self._sums(self.log.lengths), strict=True)
        return [
            Minute(requests, tokens, {memory: of[at] for memory, of in reused.items()})
            for at, (requests, tokens) in enumerate(came)
        ]

    def _sums(self, values: Ints | None = None) -> list[int]:
        """`values` (requests,) summed minute by minute; without them, the requests of each minute."""
        sums: list[int] = np.bincount(self.minute, values, self.count).astype(np.int64).tolist()
        return sums

    def rates_so_far(self, capacities: Sequence[int]) -> Floats:
        """Hit rates from the first minute to the end of each, (minutes, capacities), capacities in blocks, rising."""
        blocks = np.diff(self.log.starts)
        bins = len(capacities) + 1
        enough = np.searchsorted(capacities, self.log.distances)  # the first capacity at which an access is a hit
        cells = np.repeat(self.minute, blocks) * bins + enough
        tokens = np.bincount(cells, self.log.block_sizes(), self.count * bins).reshape(self.count, bins)
        asked = np.cumsum(self._sums(self.log.lengths))
        return np.asarray(np.cumsum(np.cumsum(tokens, axis=0), axis=1)[:, :-1] / asked[:, None])

    def blocks_so_far(self) -> list[int]:
        """Different blocks that have come by the end of each minute: what unlimited memory holds."""
        new = first_seen(self.log.ids)
        minute = np.repeat(self.minute, np.diff(self.log.starts))
        blocks: list[int] = np.cumsum(np.bincount(minute[new], minlength=self.count)).tolist()
        return blocks

    def alike(self) -> Ints:
        """Tokens of the first block of each request that begins as most of them do, (requests that do,)."""
        first = self.log.ids[self.log.starts[:-1]]
        ids, counts = np.unique(first, return_counts=True)
        return np.asarray(np.minimum(self.log.lengths[first == ids[counts.argmax()]], self.log.block_tokens))
