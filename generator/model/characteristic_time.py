"""The characteristic time of a cache: how long it keeps what nobody asks for again.

Che, Tung and Wang (2002) replaced the time at which an LRU cache evicts something, which differs from case to case,
by one number T for all: the age at which as much is younger as the cache has room for. In their paper requests are
independent of each other; here it is in the form for sessions that pause (renewal requests), where Jiang, Nain and
Towsley (2018) proved that it becomes exact as the cache and the number of sessions grow.
"""

from __future__ import annotations

import math

from generator.model.think_time import ThinkTime

STEPS = 80
"""Halvings of the bracket: more than a float can tell apart."""


def younger(think: ThinkTime, seconds: float, busy_seconds: float = 0) -> float:
    """The share of sessions whose latest reply is younger than `seconds`, at any moment.

    A session is in turn busy for `busy_seconds`, from request to end of reply, and pausing. Ages count from the end
    of the reply, and who is busy counts as younger, since a running request cannot be evicted.
    """
    return (busy_seconds + think.mean_within(seconds)) / (busy_seconds + think.mean_seconds)


def characteristic_time(think: ThinkTime, sessions: float, room: float, busy_seconds: float = 0) -> float:
    """The age T in seconds at which `sessions` times the share younger is `room`, both in conversations.

    Infinite where all have room, and 0 where those who are busy fill the cache. The share of returns that find their
    reply is then `think.within(T)`.
    """
    if room >= sessions:
        return math.inf
    if sessions * younger(think, 0, busy_seconds) >= room:
        return 0.0
    low, high = 0.0, think.median_seconds
    while sessions * younger(think, high, busy_seconds) < room:
        high *= 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if sessions * younger(think, middle, busy_seconds) < room else (low, middle)
    return high
