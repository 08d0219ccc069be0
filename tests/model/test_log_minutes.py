"""A log minute by minute: sums by hand, and rates so far equal to those of the log that ends there."""

from __future__ import annotations

from functools import cache as remember
from pathlib import Path

import numpy as np
import pytest

from generator.model.hit_curve import exact_curve
from generator.model.hour_curves import HourCurves
from generator.model.log_builder import LogBuilder
from generator.model.log_files import read_log
from generator.model.log_minutes import LogMinutes

ROOT = Path(__file__).parents[2]
CAPACITIES = [1, 100, 1002, 5000, 20_000, 300_000]


def small(*rows):
    """Requests of (second, prompt tokens, ids), blocks of 10."""
    builder = LogBuilder(10)
    for second, length, ids in rows:
        builder.add_hashes({"timestamp": 1000 * second, "input_length": length, "output_length": 0, "hash_ids": ids})
    return LogMinutes(builder.log())


def by_hand():
    return small((3, 20, [1, 2]), (62.9, 25, [1, 2, 3]), (63, 20, [1, 2]), (190, 25, [1, 2, 3]), (191, 10, [4]))


@remember
def conversation():
    return LogMinutes(read_log((ROOT / "content/data/mooncake-conversation.csv.gz").read_bytes(), 512))


def test_minutes_count_from_the_first_request():
    log = by_hand()
    assert log.count == 4
    assert log.minute.tolist() == [0, 0, 1, 3, 3]
    assert log.blocks_so_far() == [3, 3, 3, 4]
    assert log.alike().tolist() == [10, 10, 10, 10]


def test_what_comes_and_what_is_reused_in_each_minute():
    log = by_hand()
    minutes = log.each({"all": log.kept(None), "two": log.kept(2), "one": log.kept(1)})
    assert [(minute.requests, minute.tokens) for minute in minutes] == [(2, 45), (1, 20), (0, 0), (2, 35)]
    assert [minute.reused["all"] for minute in minutes] == [20, 20, 0, 25]
    assert [minute.reused["two"] for minute in minutes] == [20, 20, 0, 20]
    assert [minute.reused["one"] for minute in minutes] == [10, 10, 0, 10]
    assert minutes[3].share("all") == 25 / 35 and minutes[2].share("all") == 0


def test_rates_so_far_by_hand():
    rates = by_hand().rates_so_far([1, 2, 3])
    assert rates[:, 2] == pytest.approx([20 / 45, 40 / 65, 40 / 65, 65 / 100])
    assert rates[:, 0] == pytest.approx([10 / 45, 20 / 65, 20 / 65, 30 / 100])


def test_full_blocks_only_and_never_the_last_token():
    kept = by_hand().kept(None)
    assert kept.rate == 0.65
    assert kept.rate_of_full_blocks == (20 + 10 + 20) / 100  # the third asks for 20 of 20: a block is computed again
    assert (kept.at_most(0), kept.at_most(1), kept.at_most(2)) == (2, 2, 4)


@pytest.mark.parametrize("minutes", [1, 17, 59])
def test_rates_so_far_are_those_of_the_log_that_ends_there(minutes):
    log = conversation()
    curve = exact_curve(log.log.window(0, 60 * minutes), "tokens")
    assert log.rates_so_far(CAPACITIES)[minutes - 1] == pytest.approx([curve.at(c) for c in CAPACITIES])


def test_the_line_passes_through_the_node_and_ends_where_everything_is_held():
    curves = HourCurves(conversation(), 513_092, ((10_000, 0.0449), (100_000_000, 0.4006)))
    assert (curves.axis.low, curves.axis.high) == pytest.approx((10_000 / 513_092, 100_000_000 / 513_092))
    assert curves.axis.ticks == (0.1, 1, 10, 100)
    line, node, everything = curves.ours(59), curves.one_node(59), curves.everything(59)
    assert (1, node.rate) in line.points and round(node.rate, 4) == 0.0454
    assert line.points[-1] == (curves.axis.high, pytest.approx(everything.rate))
    assert np.all(np.diff([rate for _, rate in line.points]) >= 0)
    assert np.all(np.diff([place for place, _ in line.points]) > 0)
    assert everything.place == curves.nodes_filled(59) == pytest.approx(182_790 / 1002)


def test_a_log_that_one_node_holds_has_a_line_too():
    curves = HourCurves(by_hand(), 200)
    assert (curves.axis.low, curves.axis.high) == (1 / 50, 10)
    assert curves.others == () and curves.one_node(4).rate == curves.everything(4).rate == 0.65
