"""The calibrated roofline, by hand and against every measured row that ships."""

from __future__ import annotations

import pytest

from generator.model import presets
from generator.model.calibrated import Calibrated, Calibration, calibration, soft_maximum
from generator.model.measured import MeasuredPass, matrix_products, published_decodes, whole_passes
from generator.model.roofline import Roofline


def calibrated(model: str, node: str, weights: str = "bf16") -> Calibrated:
    found = Calibrated.of(Roofline.of(model, node, weights=weights, must_fit=False))
    assert found is not None
    return found


def error(row: MeasuredPass) -> float:
    return row.by(calibrated(row.model, row.node)).seconds / row.seconds - 1


def test_soft_maximum() -> None:
    assert soft_maximum(3.0, 4.0, 2.0) == pytest.approx(5.0)
    assert soft_maximum(4.0, 3.0, 1.0) == pytest.approx(7.0)
    assert soft_maximum(4.0, 3.0, 100.0) == pytest.approx(4.0)
    assert soft_maximum(0.0, 0.0, 2.0) == 0.0


def test_by_hand() -> None:
    # Nothing lost and a hard knee leave the plain roofline at full efficiency, plus launches and links by hand.
    roofline = Roofline.of("llama-3.1-70b", "4x a100-80gb", bandwidth_efficiency=1.0, arithmetic_efficiency=1.0)
    exact = Calibrated(roofline, Calibration("none", 1.0, 1.0, 400.0, 10e-6, 5e-6, 0.5, ""))
    done = exact.prefill(1024)
    # 80 launches of 10 us; 160 all-reduces of 5 us and 2 x 3/4 x 1,024 x 8,192 x 2 B = 25.2 MB over 150 GB/s
    links = 160 * (5e-6 + 1.5 * 1024 * 8192 * 2 / 150e9)
    assert done.seconds == pytest.approx(roofline.prefill(1024).seconds + 80 * 10e-6 + links, rel=2e-3)
    assert [part.name for part in done.parts[-2:]] == ["launch", "all-reduce"]


def test_one_card_reduces_nothing() -> None:
    assert calibrated("llama-3.1-8b", "1x a100-80gb").prefill(64).parts[-1].seconds == 0.0


def test_whole_passes_within_16_percent_and_7_on_average() -> None:
    errors = [abs(error(row)) for row in whole_passes()]
    assert len(errors) == 48
    assert max(errors) < 0.16
    assert sum(errors) / len(errors) < 0.07


def test_matrix_products_with_the_same_constants() -> None:
    rows = [row for row in matrix_products() if row.tokens <= 64]
    assert {row.node for row in rows} == {f"{count}x a100-80gb" for count in (1, 2, 4, 8)}
    for row in rows:
        assert calibrated(row.model, row.node).products_seconds(row.tokens) == pytest.approx(row.seconds, rel=0.12)


def test_rows_nothing_was_fitted_on() -> None:
    # Other models, one to eight cards, another engine: constants that were physics, not rows, carry over.
    rows = [row for row in published_decodes() if row.weights == "bf16"]
    errors = [abs(calibrated(row.model, row.node).decode(1, 200).seconds / row.seconds - 1) for row in rows]
    assert len(errors) == 14
    assert sum(errors) / len(errors) < 0.08
    assert max(errors) < 0.20


def test_plain_lies_below_the_measured_passes_as_the_pages_say() -> None:
    plain = Roofline.of("llama-3.1-70b", "4x a100-80gb")
    measured = {row.new: row.seconds for row in whole_passes() if "a100" in row.node and not row.cached}
    off = {new: round(100 * (plain.prefill(new).seconds / seconds - 1)) for new, seconds in measured.items()}
    assert off == {1: -18, 32: -28, 128: -40, 512: -23, 2048: -3, 8192: 1}


def test_long_passes_on_hopper_reach_what_its_family_says() -> None:
    family = presets.family("hopper")
    plain = Roofline.of("llama-3.1-70b", "4x h100", arithmetic_efficiency=1.0)
    for row in whole_passes():
        if "h100" in row.node and row.new == 8192 and row.cached == 0:
            assert plain.prefill(8192).seconds / row.seconds == pytest.approx(family.arithmetic_efficiency, abs=0.03)


def test_constants_belong_to_a_family() -> None:
    h100, h200 = calibrated("llama-3.1-70b", "4x h100"), calibrated("llama-3.1-70b", "4x h200")
    assert h100.calibration == h200.calibration
    assert h200.calibration.family == "hopper"
    # 4.8 TB/s for 3.35: reading the weights is what gets faster
    assert h200.prefill(1).parts[2].seconds / h100.prefill(1).parts[2].seconds == pytest.approx(3350 / 4800, rel=0.01)
    assert calibration("blackwell") is None
    assert Calibrated.of(Roofline.of("llama-3.1-70b", "4x b200")) is None
    assert Calibrated.of(Roofline.of("llama-3.1-8b", "4x l40s")) is None


def test_bandwidth_is_what_the_matrix_products_show() -> None:
    for family in ("a100", "hopper"):
        found = calibration(family)
        assert found is not None
        assert 0.735 < found.bandwidth_efficiency < 0.755
        assert "fit_calibrated.py" in found.fitted
