"""Hit rates of the reference logs at every capacity: the reference table to four digits, and other rules."""

import gzip
import json
from functools import cache as remember
from pathlib import Path

import numpy as np
import pytest

from generator.errors import UnknownName
from generator.model.hit_curve import WEIGHTS, curve_of, exact_curve, hit_rate, sampled_curve
from generator.model.log_builder import LogBuilder
from generator.model.log_replay import prefill_seconds, serve
from generator.model.roofline import Roofline
from generator.model.stack_distance import NEVER

TRACES = Path(__file__).parent.parent / "data" / "traces"
CAPACITIES = (None, 100_000, 50_000, 30_000, 10_000, 1_000)
TABLE = {
    ("conversation", "blocks"): (0.3664, 0.3637, 0.3546, 0.3257, 0.2116, 0.0445),
    ("conversation", "tokens"): (0.3736, 0.3708, 0.3615, 0.3322, 0.2157, 0.0454),
    ("conversation", "requests"): (0.3843, 0.3829, 0.3781, 0.3606, 0.2756, 0.1453),
    ("synthetic", "tokens"): (0.6512, 0.6512, 0.6512, 0.6356, 0.4318, 0.0857),
}


@remember
def log(name):
    builder = LogBuilder(512)
    with gzip.open(TRACES / f"{name}_trace.jsonl.gz") as file:
        for line in file:
            builder.add(json.loads(line))
    return builder.log()


@pytest.mark.parametrize(("trace", "weight"), TABLE)
def test_the_reference_table_to_four_digits(trace, weight):
    curve = exact_curve(log(trace), weight)
    assert tuple(round(curve.at(capacity), 4) for capacity in CAPACITIES) == TABLE[trace, weight]


def test_expected_hits_line_by_line():
    requests = log("conversation")
    with gzip.open(TRACES / "expected_hits_conversation.jsonl.gz") as file:
        expected = [json.loads(line) for line in file]
    for capacity, field in ((None, "hit_inf"), (10_000, "hit_10000"), (1_000, "hit_1000")):
        found = serve(requests, "lru", capacity).blocks[: len(expected)]
        assert found.tolist() == [row[field] for row in expected]


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("capacity", [None, 1_002, 31_416])
def test_a_point_of_the_curve_is_the_rate_of_the_requests_served(weight, capacity):
    served = serve(log("conversation"), "lru", capacity)
    assert hit_rate(log("conversation"), weight, served.blocks) == pytest.approx(
        exact_curve(log("conversation"), weight).at(capacity), abs=1e-9
    )


def test_the_smallest_capacity_that_reaches_a_share():
    curve = curve_of(np.array([3, 1, 3, 7, NEVER], np.int32), np.array([0.1, 0.2, 0.1, 0.4, 0.2]))
    assert curve.capacities.tolist() == [1, 3, 7]
    assert [curve.at(capacity) for capacity in (0, 1, 2, 3, 6)] == pytest.approx([0, 0.2, 0.2, 0.4, 0.4])
    assert curve.at(None) == curve.best == pytest.approx(0.8)
    assert [curve.reaching(share) for share in (0.25, 0.26, 0.5, 0.51, 1)] == [1, 3, 3, 7, 7]


def test_a_log_in_which_nothing_repeats_has_an_empty_curve():
    builder = LogBuilder(512)
    builder.add({"timestamp": 0, "input_length": 600, "output_length": 1, "hash_ids": [1, 2]})
    curve = exact_curve(builder.log(), "tokens")
    assert (curve.best, curve.at(5), curve.reaching(0.9)) == (0, 0, 0)


@pytest.mark.parametrize(("rate", "error"), [(0.1, 0.005), (0.01, 0.06)])
def test_a_sample_comes_close(rate, error):
    exact, estimate = exact_curve(log("conversation"), "tokens"), sampled_curve(log("conversation"), "tokens", rate)
    places = np.unique(np.geomspace(1, 180_000, 200).astype(int)).tolist()
    assert max(abs(exact.at(place) - estimate.at(place)) for place in places) < error
    whole = sampled_curve(log("conversation"), "tokens", 1.0)
    assert all(whole.at(place) == pytest.approx(exact.at(place)) for place in places)


def test_prefill_seconds_saved_by_four_cards_by_a_terabyte_more_and_at_best():
    requests, roofline = log("conversation"), Roofline.of("llama-3.1-70b", "4x a100-80gb")
    node = int(roofline.cache_budget_tokens // 512)
    with_host = int((roofline.cache_budget_tokens + 1e12 / roofline.kv_bytes_per_token) // 512)
    whole = prefill_seconds(requests, requests.lengths * 0, roofline)
    saved = [
        whole - prefill_seconds(requests, serve(requests, "lru", capacity).tokens, roofline)
        for capacity in (node, with_host, None)
    ]
    assert (node, round(whole)) == (1_002, 29_816)
    assert [round(seconds) for seconds in saved] == [1_052, 4_418, 10_764]


def test_what_the_engines_full_block_rule_changes():
    requests = log("conversation").window(0, 600)
    best = hit_rate(requests, "tokens", serve(requests, "lru", None).blocks)
    for rules in ("vllm", "sglang"):
        served = serve(requests, rules, None)
        assert served.dropped == 0
        assert best - 0.002 < hit_rate(requests, "tokens", served.blocks) < best
        assert (served.tokens < requests.lengths).all()


def test_a_request_without_room_is_dropped_and_counted():
    requests = log("conversation").window(0, 10)
    for rules in ("vllm", "sglang"):
        served = serve(requests, rules, 3)
        assert 0 < served.dropped < len(requests)


def test_infinite_is_room_for_replies_computed_again_and_again():
    builder = LogBuilder(4)
    for _ in range(20):
        builder.add({"tokens": [1] * 8, "output": list(range(40))})
    builder.add({"tokens": [1] * 8 + list(range(40)), "output": []})
    assert serve(builder.log(), "vllm", None).tokens.tolist() == [0, *[4] * 19, 44]
    assert serve(builder.log(), "sglang", None).tokens.tolist() == [0, *[4] * 19, 44]


def test_names_that_are_not_known():
    with pytest.raises(UnknownName, match='unknown rules "fifo"'):
        serve(log("conversation"), "fifo", None)
    with pytest.raises(UnknownName, match='unknown weight "token"'):
        exact_curve(log("conversation"), "token")
