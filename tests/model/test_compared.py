"""Measured passes beside both rooflines: rows, series, curves, causes, averages, and what the page quotes besides."""

from __future__ import annotations

import pytest

from generator.model import presets, reference
from generator.model.calibrated import Calibrated
from generator.model.compared import Bench, Compared, off
from generator.model.compared_told import Cards, side
from generator.model.roofline import Roofline


@pytest.fixture(scope="module")
def a100():
    return Bench.of("llama-3.1-70b", "4x a100-80gb")


def test_every_measured_pass_is_in_one_series(a100):
    kinds = [(series.stage, series.cached, len(series.rows)) for series in a100.series]
    prefills = [("prefill", cached, 6) for cached in (0, 2048, 8192)]
    assert kinds == [*prefills, *(("decode", cached, 2) for cached in (128, 2048, 8192))]
    assert len({row.name for row in a100.rows}) == 24
    assert [row.tokens for row in a100.series[0].rows] == [1, 32, 128, 512, 2048, 8192]


def test_a_row_has_the_time_measured_and_both_models_of_the_same_pass(a100):
    rows = {row.name: row for row in a100.rows}
    turn = rows["32-over-2048"]
    assert turn.measured == 0.0310262  # as it ships
    assert turn.plain == a100.plain.prefill(32, 2048).seconds
    assert turn.calibrated == a100.calibrated.prefill(32, 2048).seconds
    assert rows["decode-16-over-2048"].plain == a100.plain.decode(16, 2048).seconds


def test_what_nobody_measured():
    with pytest.raises(ValueError, match=r"nobody measured llama-3\.1-8b on 4x a100"):
        Bench.of("llama-3.1-8b", "4x a100-80gb")
    with pytest.raises(ValueError, match="nobody measured"):
        Bench.of("llama-3.1-70b", "4x b200")


def test_off_by_hand():
    one, two = Compared("one", 1, 10.0, 8.0, 11.0), Compared("two", 2, 20.0, 22.0, 14.0)
    assert (one.plain_off, one.calibrated_off) == pytest.approx((-0.2, 0.1))
    found = off([one, two])
    assert found["count"] == 2
    assert (found["plain_mean"], found["plain_lowest"], found["plain_highest"]) == pytest.approx((0.15, -0.2, 0.1))
    assert (found["calibrated_mean"], found["calibrated_worst"]) == pytest.approx((0.2, 0.3))


def test_a_curve_goes_through_what_the_model_says_of_the_rows(a100):
    for series in a100.series:
        curve = dict(a100.curve(a100.plain, series))
        assert min(curve) == 1 and max(curve) == series.rows[-1].tokens
        assert all(curve[row.tokens] == row.plain for row in series.rows)
        assert dict(a100.curve(a100.calibrated, series))[1] == series.rows[0].calibrated


def test_causes_add_up(a100):
    losses = a100.losses(128)
    assert losses["plain"] + losses["knee"] + losses["launch"] + losses["all_reduce"] == pytest.approx(
        losses["calibrated"], rel=1e-12
    )
    # 80 layers; two all-reduces a layer over NVLink
    constants = a100.calibrated.calibration
    assert losses["launch"] == pytest.approx(80 * constants.launch_seconds_per_layer)
    sent = 1.5 * 128 * 8192 * 2 / (300e9 * constants.link_efficiency)
    assert losses["all_reduce"] == pytest.approx(160 * (constants.link_latency_seconds + sent))


def test_which_side():
    assert side(-0.399) == "40 % below"
    assert side(0.062) == "6 % above"
    assert side(-0.004) == side(0.004) == "the same"


def test_captions_of_the_three_kinds(a100):
    cards = Cards(a100)
    nothing, cached, decode = a100.series[0], a100.series[1], a100.series[4]
    assert (
        cards.step(nothing, nothing.rows[0]).caption == "1 token: 27.7 ms measured. Plain says 22.7, calibrated 28.1."
    )
    assert cards.step(cached, cached.rows[1]).caption == (
        "32 tokens over 2,048 cached: 31.0 ms measured, plain 26 % below."
    )
    assert [cards.step(decode, row).caption for row in decode.rows] == [
        "1 conversation of 2,048 tokens, one more: 27.3 ms measured, plain 16 % below.",
        "16 conversations of 2,048 tokens, one more each: 31.8 ms measured, plain 23 % below.",
    ]
    assert cards.step(cached, cached.rows[1]).timed == ((1, cached.rows[0].measured), (32, cached.rows[1].measured))


def test_matrix_products_by_both_models():
    roofline = Roofline.of("llama-3.1-70b", "4x a100-80gb")
    found = reference.products(roofline)
    assert found[128]["measured"] == pytest.approx(0.031, abs=1e-3)
    assert found[1]["plain"] == pytest.approx(136.9e9 / (4 * 2039e9 * 0.75), rel=1e-3)
    assert found[64]["calibrated"] == Calibrated.of(roofline).products_seconds(64)
    assert reference.products(Roofline.of("llama-3.1-8b", "4x h100")) == {}


def test_how_far_off_besides_the_whole_passes():
    assert reference.products_off()["count"] == 28 and reference.products_off()["worst"] < 0.12
    assert reference.unseen_off()["count"] == 14 and reference.unseen_off()["mean"] < 0.08


def test_every_card_and_model_has_a_source():
    sources = reference.sources()
    assert set(sources) == {*reference.cards(), *reference.models()}
    assert all(sources.values())
    assert sources["qwen2.5-7b"].endswith(", from memory") and "memory" not in sources["h200"]
    assert reference.cards()["h200"] == presets.card("h200")
    assert set(reference.calibrations()) == {"a100", "hopper"} < set(reference.families())
