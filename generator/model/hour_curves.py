"""Hit rates against capacity as a log goes on, with capacity told in nodes: the axis, the lines and the dots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from generator.model.log_minutes import Floats, LogMinutes
from generator.model.rates import RateAxis, RateCurve, RateDot, RateLimit

LOWEST = 1 / 50  # nodes, unless somebody published smaller ones
TO_A_DECADE = 20  # points of a line


@dataclass(frozen=True)
class HourCurves:
    """The lines of one log. `node_tokens` is the cache of one node; `published` are (tokens, hit rate), rising."""

    minutes: LogMinutes
    node_tokens: int
    published: Sequence[tuple[int, float]] = ()

    @property
    def node_blocks(self) -> int:
        """Whole blocks that one node holds."""
        return self.node_tokens // self.minutes.log.block_tokens

    @cached_property
    def axis(self) -> RateAxis:
        """Nodes, from a fiftieth to more than all the log's blocks fill, and as far as what was published."""
        ends = [tokens / self.node_tokens for tokens, _ in self.published]
        low, high = min([LOWEST, *ends]), max([self._places[-1], 10, *ends])
        powers = (10.0**power for power in range(-6, 7))
        return RateAxis(low, high, tuple(power for power in powers if low <= power <= high), "nodes", log=True)

    @property
    def others(self) -> tuple[RateCurve, ...]:
        """What was published, if anything was."""
        points = tuple((tokens / self.node_tokens, rate) for tokens, rate in self.published)
        return (RateCurve("published", points, thin=True),) if points else ()

    def ours(self, minute: int) -> RateCurve:
        """The line after `minute` minutes, counted from 1."""
        rates = self._rates[minute - 1, : len(self._capacities)].tolist()
        return RateCurve("this log", tuple(zip(self._line_places, rates, strict=True)))

    def everything(self, minute: int) -> RateDot:
        """What unlimited memory keeps after `minute` minutes, at the capacity that holds all there has been."""
        return RateDot("unlimited", self._places[minute - 1], float(self._rates[minute - 1, -1]))

    def one_node(self, minute: int) -> RateDot:
        """What one node keeps after `minute` minutes."""
        at = self._capacities.index(self.node_blocks)
        return RateDot("one-node", 1, float(self._rates[minute - 1, at]))

    @property
    def limit(self) -> RateLimit:
        """Where one node's memory ends."""
        return RateLimit("one node", 1)

    def nodes_filled(self, minute: int) -> float:
        """How many nodes all blocks fill that have come after `minute` minutes."""
        return self._places[minute - 1]

    @cached_property
    def _places(self) -> list[float]:
        return [blocks / self.node_blocks for blocks in self.minutes.blocks_so_far()]

    @cached_property
    def _capacities(self) -> list[int]:
        """Blocks, equally far apart on the axis, one node's among them."""
        low, high = (end * self.node_blocks for end in (self.axis.low, self.axis.high))
        count = round(np.log10(high / low) * TO_A_DECADE) + 1
        return sorted({self.node_blocks, *np.floor(np.geomspace(low, high, count)).astype(int).tolist()})

    @cached_property
    def _line_places(self) -> list[float]:
        """Places of the capacities; the first and the last are the axis's own, which lie less than a block further."""
        return [self.axis.low, *(blocks / self.node_blocks for blocks in self._capacities[1:-1]), self.axis.high]

    @cached_property
    def _rates(self) -> Floats:
        """Rates after each minute at the line's capacities, and at last at one that holds everything."""
        return self.minutes.rates_so_far([*self._capacities, self.minutes.log.unique_blocks + 1])
