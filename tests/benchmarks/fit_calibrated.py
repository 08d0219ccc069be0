"""Fit the calibrated roofline's constants on the measured passes and matrix products, one set per card family.

    python tests/benchmarks/fit_calibrated.py            print the constants and how well they do
    python tests/benchmarks/fit_calibrated.py --write    and write generator/model/data/calibration.json

Six constants a family, found by Nelder and Mead's simplex on their logarithms. The loss has three terms:

* the mean squared error of the logarithms, over whole passes and, on A100, matrix products at every tensor-parallel
  degree (a third of the weight beyond 64 tokens, where the steps from tile to tile are as large as the errors);
* a wall near the error we allow a row (16 % a pass, 12 % the products up to 64 tokens): no row is given up;
* a weak pull towards what is known from elsewhere, for whole passes at one tensor-parallel degree cannot tell
  bandwidth, launch time and latency apart, nor the link from the arithmetic: see PRIORS.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generator import units
from generator.model import presets
from generator.model.calibrated import Calibrated, Calibration
from generator.model.measured import MeasuredPass, MeasuredProducts, matrix_products, whole_passes
from generator.model.roofline import Roofline

Vector = NDArray[np.float64]

# Constant: where it should be, and the factor (as a logarithm) by which it may easily differ.
PRIORS = {
    "bandwidth_efficiency": (0.745, 0.005),  # the matrix products at 1 token on 1, 2, 4 cards: 0.78, 0.79, 0.74
    "arithmetic_efficiency": (0.73, 0.3),  # the matrix products of 4,096 tokens on four A100: 0.75; Hopper's are lower
    "knee": (2.0, 0.5),
    "launch_seconds_per_layer": (28e-6, 0.5),  # element-wise kernels on four A100 at 1 token: 2.24 ms / 80 layers
    "link_latency_seconds": (8e-6, 0.5),  # a small all-reduce over NVLink takes some 5 to 15 us
    "link_efficiency": (0.7, 0.2),  # of a large one, some 0.8 on A100 and more on H100; small messages reach less
}
NAMES = tuple(PRIORS)
CENTRES = np.log([centre for centre, _ in PRIORS.values()])
SPREADS = np.array([spread for _, spread in PRIORS.values()])
PULL, WALL, STEEPNESS = 1e-4, 0.03, 20


@dataclass(frozen=True)
class Row:
    """One measurement: what predicts it, what it was, its weight and the error we allow it (None: any)."""

    predict: Callable[[Calibration], float]
    seconds: float
    weight: float
    allowed: float | None


def rows(family: str) -> list[Row]:
    """The measurements of one family."""
    return [
        *(pass_row(done) for done in whole_passes() if done.family == family),
        *(products_row(done) for done in matrix_products() if done.family == family),
    ]


def pass_row(done: MeasuredPass) -> Row:
    roofline = Roofline.of(done.model, done.node)
    return Row(lambda c: done.by(Calibrated(roofline, c)).seconds, done.seconds, 1.0, 0.16)


def products_row(done: MeasuredProducts) -> Row:
    roofline = Roofline.of(done.model, done.node, must_fit=False)  # one card cannot hold what was measured on it
    small = done.tokens <= 64
    predict = lambda c: Calibrated(roofline, c).products_seconds(done.tokens)  # noqa: E731
    return Row(predict, done.seconds, 1.0 if small else 0.3, 0.12 if small else None)


def constants(family: str, logarithms: Vector) -> Calibration:
    return Calibration(family, **dict(zip(NAMES, np.exp(logarithms).tolist(), strict=True)), fitted="")


def loss(found: list[Row], candidate: Calibration) -> float:
    """The three terms above; infinite where an efficiency exceeds 1."""
    if max(candidate.bandwidth_efficiency, candidate.arithmetic_efficiency, candidate.link_efficiency) > 1:
        return np.inf
    errors = np.array([np.log(row.predict(candidate) / row.seconds) for row in found])
    weights = np.array([row.weight for row in found])
    shares = np.array([abs(e) / row.allowed if row.allowed else 0.0 for e, row in zip(errors, found, strict=True)])
    at = np.log([getattr(candidate, name) for name in NAMES])
    mean = float(weights @ errors**2 / weights.sum())
    return mean + WALL * float(np.mean(shares**STEEPNESS)) + PULL * float(np.sum(((at - CENTRES) / SPREADS) ** 2))


def simplex(f: Callable[[Vector], float], start: Vector, sizes: Vector, steps: int) -> Vector:
    """The lowest point that Nelder and Mead's method finds from `start`."""
    points = [start, *(start + np.eye(len(start)) * sizes)]
    values = [f(point) for point in points]
    for _ in range(steps):
        order = np.argsort(values)
        points, values = [points[i] for i in order], [values[i] for i in order]
        centre = np.mean(points[:-1], axis=0)
        for factor in (2.0, 1.0, -0.5):  # expand, reflect, contract
            candidate = centre + factor * (centre - points[-1])
            value = f(candidate)
            if value < values[0 if factor == 2.0 else -2 if factor == 1.0 else -1]:
                points[-1], values[-1] = candidate, value
                break
        else:
            points = [points[0], *(0.5 * (points[0] + point) for point in points[1:])]
            values = [values[0], *(f(point) for point in points[1:])]
    return points[int(np.argmin(values))]


def fit(family: str) -> Calibration:
    """The best constants of a family, rounded to four digits."""
    found = rows(family)
    best = CENTRES
    for _ in range(4):  # start over from the best: a simplex may collapse early
        best = simplex(lambda x: loss(found, constants(family, x)), best, np.minimum(SPREADS, 0.2), 300)
    return constants(family, np.log([float(f"{value:.4g}") for value in np.exp(best)]))


def summary(candidate: Calibration, kind: str, found: list[Row]) -> str:
    if not found:
        return ""
    errors = [abs(row.predict(candidate) / row.seconds - 1) for row in found]
    worst, mean = units.percent(max(errors), 1), units.percent(float(np.mean(errors)), 1)
    return f"{len(found)} {kind}: {worst} at worst, {mean} on average"


def describe(family: str, candidate: Calibration) -> str:
    """How a family's constants were fitted, for the pages."""
    passes = [pass_row(done) for done in whole_passes() if done.family == family]
    small = [products_row(done) for done in matrix_products() if done.family == family and done.tokens <= 64]
    parts = (
        summary(candidate, "whole passes", passes),
        summary(candidate, "matrix products up to 64 tokens", small),
    )
    return "fitted by tests/benchmarks/fit_calibrated.py on " + "; ".join(part for part in parts if part)


def main(write: bool) -> None:
    table = {}
    for family in sorted({done.family for done in whole_passes()}):
        fitted = fit(family)
        row = {name: float(f"{getattr(fitted, name):.4g}") for name in NAMES}
        table[family] = {**row, "fitted": describe(family, fitted)}
        print(family, json.dumps(table[family], indent=1))
    if write:
        lines = ",\n".join(f" {json.dumps(family)}: {json.dumps(row)}" for family, row in table.items())
        (presets.DATA / "calibration.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main("--write" in sys.argv[1:])
