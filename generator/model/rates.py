"""Hit rates along something: the lines, where a run stands on them, and limits. A rate is a share from 0 to 1.

The rate is one thing on every page: prompt tokens served from the cache over prompt tokens, of requests that the
page names.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RateAxis:
    """What the rates run along, from `low` to `high`, with a tick at each of `ticks`, as far as there is room.

    `unit` stands behind the last tick ("sessions"). With `log`, equal factors are equally far apart (`low` above 0).
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    unit: str
    log: bool = False


@dataclass(frozen=True)
class RateCurve:
    """Rates at places, from left to right, as (place, rate). `thin`: somebody else's, or only for comparison.

    `name` is what it is called where it ends.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    thin: bool = False


@dataclass(frozen=True)
class RateDot:
    """Where a run stands now. `key` is the same for what is the same dot in another step."""

    key: str
    place: float
    rate: float


@dataclass(frozen=True)
class RateLimit:
    """A limit: a place, or, with `across`, a rate that nothing exceeds or falls below."""

    name: str
    at: float
    across: bool = False
