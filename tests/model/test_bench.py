"""Passes on the bench and the kernels that were measured, against arithmetic done by hand."""

from __future__ import annotations

import pytest

from generator.model.bench import Bench
from generator.model.diamonds import against, measured_passes, measured_products, products_seconds
from generator.model.roofline import Roofline

# 70B: projections and MLP of 80 layers, 68.45e9 weights in bf16; LM head 1.05e9. Four A100 at 0.75 and 0.70.
PRODUCTS = 68.4525e9
PEAK, BANDWIDTH = 4 * 312e12 * 0.70, 4 * 2039e9 * 0.75


@pytest.fixture(scope="module")
def a100():
    return Roofline.of("llama-3.1-70b", "4x a100-80gb")


def test_nothing_has_run_at_first(a100):
    step = Bench(a100).show("nothing", "Nothing.")
    assert (step.new_tokens, step.seconds, step.curve, step.ridge) == (0, None, (), None)
    assert (step.bytes_per_second, step.peak_flops) == pytest.approx((BANDWIDTH, PEAK))


def test_a_short_pass_does_a_flop_per_byte_and_token(a100):
    step = Bench(a100).run("short", "Short.", 64)
    # 64 x 2 x 68.45e9 FLOP and 2 x 1.05e9 for the last token's LM head, over 139.0 GB and 64 tokens of cache.
    flops = 2 * (64 * PRODUCTS + 1.0507e9)
    assert step.flop_per_byte == pytest.approx(flops / 139.03e9, rel=1e-3)
    assert step.flops_per_second == pytest.approx(flops / step.seconds, rel=1e-3)
    assert step.flops_per_second < step.flop_per_byte * BANDWIDTH * 1.0001  # under the slope of the roof
    assert step.bound == "memory" and step.seconds_without is None


def test_a_long_pass_runs_at_the_peak(a100):
    step = Bench(a100).run("long", "Long.", 8192)
    assert 0.999 * PEAK < step.flops_per_second <= PEAK
    assert step.bound == "arithmetic"
    # 8,192 x 8,193 / 2 pairs of 4 x 64 x 128 x 80 FLOP
    assert step.attention_seconds == pytest.approx(8192 * 8193 / 2 * 4 * 64 * 128 * 80 / PEAK)


def test_what_is_reused_is_not_computed(a100):
    bench = Bench(a100)
    step = bench.run("again", "Again.", 64, 8128)
    assert step.seconds_without == bench.seconds(8192) > 50 * step.seconds
    assert step.curve == ()  # the curve is that of prompts with nothing reused


def test_the_curve_reaches_as_far_as_the_longest_pass_and_bends_at_the_ridge(a100):
    bench = Bench(a100)
    bench.run("long", "", 1024)
    counts = [count for count, _ in bench.run("short", "", 2).curve]
    assert counts[0] == 1 and counts[-1] == 1024 and counts == sorted(set(counts))
    assert {142, 143} <= set(counts)


def test_arithmetic_alone(a100):
    assert Bench(a100).arithmetic(1) == pytest.approx(2 * (PRODUCTS + 1.0507e9) / PEAK, rel=1e-3)  # 0.16 ms
    assert products_seconds(a100, 1000) == pytest.approx(2 * 1000 * PRODUCTS / PEAK, rel=1e-4)  # 157 ms


def test_measured_products_are_those_of_this_node(a100):
    diamonds = measured_products(a100)
    assert [d.tokens for d in diamonds] == [2**k for k in range(13)]
    by_tokens = {d.tokens: d for d in diamonds}
    assert by_tokens[128].seconds == pytest.approx(30.96e-3) and by_tokens[1].seconds == pytest.approx(22.8e-3)
    # Two FLOP a weight and token over two bytes a weight: as many as there are tokens.
    assert by_tokens[128].flop_per_byte == pytest.approx(128)
    assert by_tokens[128].flops_per_second == pytest.approx(2 * 128 * PRODUCTS / 30.96e-3, rel=1e-4)


def test_measured_passes_lie_furthest_above_the_plain_roofline_near_the_ridge(a100):
    assert [d.tokens for d in measured_passes(a100)] == [1, 32, 128, 512, 2048, 8192]
    told = against(a100)
    assert told["furthest"] == 128
    assert [round(told["below"][n], 2) for n in (1, 32, 128, 512, 2048)] == [0.18, 0.28, 0.40, 0.23, 0.03]
    assert round(told["below"][8192], 2) == -0.01


@pytest.mark.parametrize(
    "other",
    [
        Roofline.of("llama-3.1-8b", "4x a100-80gb"),
        Roofline.of("llama-3.1-70b", "4x b200"),
        Roofline.of("llama-3.1-70b", "4x a100-80gb", weights="int8"),
    ],
    ids=("model", "node", "format"),
)
def test_nothing_is_measured_of_another_model_node_or_format(other):
    assert measured_products(other) == measured_passes(other) == ()
    assert against(other) == {"products": {}, "passes": {}, "below": {}, "furthest": 0}
