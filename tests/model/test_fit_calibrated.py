"""The constants that ship are those that the fitting script finds on the data that ships."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from generator.model.calibrated import calibration

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "fit_calibrated.py"


@pytest.mark.parametrize("family", ["a100", "hopper"])
def test_no_constant_can_be_moved_to_advantage(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("fit_calibrated", SCRIPT)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "fit_calibrated", script)  # dataclasses look their module up
    spec.loader.exec_module(script)
    shipped = calibration(family)
    assert shipped is not None
    rows = script.rows(family)
    best = script.loss(rows, shipped)
    for name in script.NAMES:
        for factor in (0.98, 1.02):
            moved = replace(shipped, **{name: getattr(shipped, name) * factor})
            assert script.loss(rows, moved) > best, f"{name} x {factor}"
    assert shipped.fitted == script.describe(family, shipped)
