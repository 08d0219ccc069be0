"""Che's equation: by hand, at its ends, and against an LRU list of as many sessions as one likes."""

from __future__ import annotations

import heapq
import math
import random
from collections import OrderedDict
from dataclasses import dataclass

import pytest

from generator.model.characteristic_time import characteristic_time, younger
from generator.model.think_time import ThinkTime

THINK = ThinkTime(90, 1.0)


@dataclass(frozen=True)
class Exponential:
    """Pauses without memory, for which everything can be worked out by hand."""

    mean_seconds: float
    median_seconds: float = 1.0

    def within(self, seconds):
        return 1 - math.exp(-seconds / self.mean_seconds)

    def mean_within(self, seconds):
        return self.mean_seconds * self.within(seconds)


def test_without_memory_half_the_room_means_half_the_returns():
    """F(T) = room / sessions, so T = mean x ln 2."""
    time = characteristic_time(Exponential(100), 24, 12)
    assert time == pytest.approx(100 * math.log(2))
    assert characteristic_time(Exponential(100), 48, 12) == pytest.approx(100 * math.log(4 / 3))


def test_the_time_solves_the_equation():
    for sessions, room, busy in ((24, 12, 0), (24, 18, 0.6), (200, 31.5, 4)):
        time = characteristic_time(THINK, sessions, room, busy)
        assert sessions * younger(THINK, time, busy) == pytest.approx(room)


def test_whoever_is_busy_is_held_and_takes_room():
    assert characteristic_time(THINK, 24, 12, 5) < characteristic_time(THINK, 24, 12, 0)
    assert younger(THINK, 0, THINK.mean_seconds) == pytest.approx(0.5)
    assert characteristic_time(THINK, 24, 12, THINK.mean_seconds) == 0


def test_where_all_have_room_nothing_is_ever_evicted():
    assert characteristic_time(THINK, 12, 12) == math.inf and characteristic_time(THINK, 12, 11.9) < math.inf


@pytest.mark.parametrize(("sessions", "room"), [(2000, 1000), (2000, 500)])
def test_an_lru_list_of_many_sessions_does_as_the_equation_says(sessions, room):
    """No engine's rules here: one entry a session, the least recently used goes."""
    stream = random.Random(3)
    due = [(THINK.draw_interrupted(stream)[1], session) for session in range(sessions)]
    heapq.heapify(due)
    held: OrderedDict[int, None] = OrderedDict()
    found = []
    while len(found) < 60_000:
        now, session = heapq.heappop(due)
        found.append(session in held)
        held[session] = None
        held.move_to_end(session)
        if len(held) > room:
            held.popitem(last=False)
        heapq.heappush(due, (now + THINK.draw(stream), session))
    share = sum(found[20_000:]) / 40_000
    assert share == pytest.approx(THINK.within(characteristic_time(THINK, sessions, room)), abs=0.01)
