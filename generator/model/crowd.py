"""So many sessions in one cache, in one order: what their returns reuse, and what that takes, alone and in a queue."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from generator.model.contest import Sizes, found, hit_rate, returns
from generator.model.prefill_queue import behind_a_queue, most_per_second
from generator.model.roofline import Roofline
from generator.model.turn_order import ORDERS

TURNS, IRREGULAR = ORDERS
QUEUED = 100_000
"""Turns behind one queue, about: at five sixths of what it drains its mean is then within a few percent."""


@dataclass(frozen=True)
class Point:
    """What the returns of so many sessions came to, in one order."""

    sessions: int
    order: str
    hit_rate: float
    document_rate: float
    reused: int
    seconds: tuple[float, ...]
    seconds_without: float

    @property
    def mean(self) -> float:
        """Seconds to the first token, on average."""
        return fmean(self.seconds)

    def load(self, per_second: float, seed: int) -> dict[str, float]:
        """The mean alone and behind one prefill queue of `per_second` turns, and the most that it drains."""
        times = self.seconds * (QUEUED // len(self.seconds))
        return {
            "hit_rate": self.hit_rate,
            "document_rate": self.document_rate,
            "alone": self.mean,
            "queued": fmean(behind_a_queue(times, per_second, seed)),
            "most_per_second": most_per_second(self.seconds),
        }


@dataclass(frozen=True)
class Crowd:
    """Runs with any number of sessions, each once. `count` irregular returns are counted, or two rounds of turns."""

    roofline: Roofline
    sizes: Sizes
    count: int
    seed: int
    points: dict[str, dict[int, Point]]

    def run(self, order: str, sessions: int) -> Point:
        """The returns of so many sessions in an order (see `turn_order.ORDERS`)."""
        known = self.points.setdefault(order, {})
        if sessions not in known:
            known[sessions] = self._run(order, sessions)
        return known[sessions]

    def _run(self, order: str, sessions: int) -> Point:
        places = ORDERS[order](sessions, self.count if order == IRREGULAR else 2 * sessions, self.seed)
        turns = returns(self.roofline, self.sizes, sessions, places)
        return Point(
            sessions,
            order,
            hit_rate(turns),
            found(turns, self.sizes),
            turns[-1].reused,
            tuple(turn.seconds for turn in turns),
            turns[-1].seconds_without,
        )
