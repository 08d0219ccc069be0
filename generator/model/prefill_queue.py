"""One prefill at a time: what a turn waits behind others, and the load at which the queue no longer drains."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import fmean


def behind_a_queue(seconds: Sequence[float], per_second: float, seed: int = 0) -> tuple[float, ...]:
    """Seconds from arrival to first token of turns that take `seconds` alone, first come, first served.

    They arrive in this order, `per_second` on average, with exponentially distributed gaps; the queue is empty
    at first. By Lindley's recursion (1952): a turn waits for what is left of the one before it.
    """
    if per_second <= 0:
        raise ValueError(f"turns arrive at a rate above 0, not {per_second:g}")
    stream = random.Random(f"arrivals {seed}")
    answered, left = [], 0.0
    for service in seconds:
        left = max(0.0, left - stream.expovariate(per_second)) + service
        answered.append(left)
    return tuple(answered)


def most_per_second(seconds: Sequence[float]) -> float:
    """Turns a second that such a queue still drains: above, it grows without end."""
    return 1 / fmean(seconds)


def least_hits(hit_seconds: float, miss_seconds: float, per_second: float) -> float:
    """The share of turns that have to hit, so that a queue of `per_second` turns a second drains.

    0 where misses alone would do. Raises ValueError where hits alone would not.
    """
    if hit_seconds * per_second >= 1:
        raise ValueError(f"{per_second:g} hits a second take longer than a second")
    return max(0.0, (miss_seconds - 1 / per_second) / (miss_seconds - hit_seconds))
