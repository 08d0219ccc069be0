"""How long people pause: hand-computed shares and means, and pauses that are met half-way."""

from __future__ import annotations

import math
import random
from statistics import fmean, median

import pytest

from generator.model.think_time import ThinkTime

MINUTE = ThinkTime(60, 1.0)


def test_half_the_pauses_are_shorter_than_the_median_and_two_thirds_within_a_spread():
    assert MINUTE.within(60) == pytest.approx(0.5)
    assert MINUTE.within(60 * math.e) - MINUTE.within(60 / math.e) == pytest.approx(0.6827, abs=1e-4)
    assert MINUTE.within(0) == 0 and MINUTE.within(math.inf) == 1


def test_the_mean_is_that_of_a_log_normal_distribution():
    assert MINUTE.mean_seconds == pytest.approx(60 * math.exp(0.5))


@pytest.mark.parametrize("seconds", [0, 5, 60, 600, 6000])
def test_the_integral_is_what_summing_up_gives(seconds):
    parts = 20_000
    width = seconds / parts
    summed = sum((1 - MINUTE.within((part + 0.5) * width)) * width for part in range(parts))
    assert MINUTE.mean_within(seconds) == pytest.approx(summed, rel=1e-4)


def test_the_integral_ends_at_the_mean():
    assert MINUTE.mean_within(1e7) == pytest.approx(MINUTE.mean_seconds)
    assert MINUTE.mean_within(math.inf) == MINUTE.mean_seconds


def test_pauses_are_drawn_from_it():
    stream = random.Random(1)
    drawn = [MINUTE.draw(stream) for _ in range(20_000)]
    assert median(drawn) == pytest.approx(60, rel=0.03) and fmean(drawn) == pytest.approx(98.9, rel=0.03)


def test_a_pause_met_half_way_is_long_and_its_age_is_distributed_as_renewal_theory_says():
    stream = random.Random(2)
    met = [MINUTE.draw_interrupted(stream) for _ in range(20_000)]
    for seconds in (30, 100, 400):
        expected = MINUTE.mean_within(seconds) / MINUTE.mean_seconds
        assert fmean(passed <= seconds for passed, _ in met) == pytest.approx(expected, abs=0.015)
        assert fmean(to_come <= seconds for _, to_come in met) == pytest.approx(expected, abs=0.015)


@pytest.mark.parametrize(("middle", "spread"), [(0, 1), (60, 0), (-1, 1)])
def test_a_pause_of_nothing_is_refused(middle, spread):
    with pytest.raises(ValueError, match="above 0"):
        ThinkTime(middle, spread)
