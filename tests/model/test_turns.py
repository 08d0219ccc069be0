"""Orders of turns, and one prefill queue: numbers worked out by hand, and the textbook's mean wait."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from statistics import fmean

import pytest

from generator.model.prefill_queue import behind_a_queue, least_hits, most_per_second
from generator.model.turn_order import irregular, taking_turns


def test_taking_turns():
    assert taking_turns(3, 7) == (0, 1, 2, 0, 1, 2, 0)


def test_irregular_is_even_seeded_and_remembers_nothing():
    turns = irregular(5, 20_000, seed=1)
    assert turns == irregular(5, 20_000, seed=1) != irregular(5, 20_000, seed=2)
    assert all(abs(count - 4000) < 250 for count in Counter(turns).values())
    again = sum(a == b for a, b in pairwise(turns))
    assert again / len(turns) == pytest.approx(1 / 5, abs=0.02)


def test_turns_far_apart_wait_for_nobody():
    assert behind_a_queue([0.1, 0.2, 0.3], per_second=1e-6) == (0.1, 0.2, 0.3)


def test_turns_all_at_once_wait_for_all_before_them():
    assert behind_a_queue([0.1, 0.2, 0.3], per_second=1e12) == pytest.approx((0.1, 0.3, 0.6))


def test_the_mean_is_the_textbooks():
    """M/D/1 at a load of one half waits load / (2 (1 - load)) = 0.5 services."""
    times = behind_a_queue([0.1] * 100_000, per_second=5)
    assert fmean(times) == pytest.approx(0.15, rel=0.02)


def test_a_load_above_the_limit_grows_without_end():
    assert most_per_second([0.1, 0.3]) == pytest.approx(5)
    times = behind_a_queue([0.2] * 2000, per_second=6)
    assert times[-1] > 40


def test_how_many_must_hit():
    """At 5 turns a second the mean may be 200 ms: 0.392 - 0.369 h = 0.2 at h = 0.52."""
    assert least_hits(0.023, 0.392, 5) == pytest.approx(0.52, abs=0.001)
    assert least_hits(0.023, 0.1, 5) == 0
    with pytest.raises(ValueError, match="longer than a second"):
        least_hits(0.3, 0.4, 5)
    with pytest.raises(ValueError, match="above 0"):
        behind_a_queue([0.1], 0)
