"""What the page on the model quotes of its data: cards, models, sources, and checks beside the whole passes."""

from __future__ import annotations

from collections.abc import Sequence

from generator.model import presets
from generator.model.calibrated import Calibrated, Calibration, calibration
from generator.model.diamonds import products_seconds
from generator.model.hardware import Card, Family
from generator.model.measured import MeasuredProducts, matrix_products, published_decodes
from generator.model.roofline import Roofline
from generator.model.transformer import Transformer

SMALL = 64  # tokens; up to here the matrix products are held to a bound, beyond it they go up in steps, tile by tile
SHORT = 200  # tokens of context that a published decode rate is taken for
RECALLED = ", from memory"


def cards() -> dict[str, Card]:
    """Every card by its name."""
    return {name: presets.card(name) for name in presets.card_names()}


def models() -> dict[str, Transformer]:
    """Every model by its name."""
    return {name: presets.model(name) for name in presets.model_names()}


def sources() -> dict[str, str]:
    """Where the row of each card and model comes from, and whether it was written down from memory."""
    rows = presets.rows("cards") | presets.rows("models")
    return {name: row["source"] + (RECALLED if row["recalled"] else "") for name, row in rows.items()}


def families() -> dict[str, Family]:
    """Every card family by its name."""
    return {name: presets.family(name) for name in presets.rows("families")}


def calibrations() -> dict[str, Calibration]:
    """The constants of every family that somebody measured."""
    found = {name: calibration(name) for name in presets.rows("families")}
    return {name: constants for name, constants in found.items() if constants}


def products(roofline: Roofline) -> dict[int, dict[str, float]]:
    """The layers' matrix products on the node of `roofline`, by tokens: seconds measured and by both rooflines.

    `other` are the element-wise kernels, measured apart from them.
    """
    rows = [row for row in matrix_products() if (row.model, row.node) == (roofline.model.name, roofline.node.name)]
    calibrated = Calibrated.of(roofline)
    return {
        row.tokens: {
            "measured": row.seconds,
            "plain": products_seconds(roofline, row.tokens),
            "calibrated": calibrated.products_seconds(row.tokens) if calibrated else 0.0,
            "other": row.other_seconds,
        }
        for row in sorted(rows, key=lambda row: row.tokens)
    }


def products_off() -> dict[str, float]:
    """How far calibrated is off the small matrix products that were measured, on however many cards."""
    rows = [row for row in matrix_products() if row.tokens <= SMALL]
    return _off([_products(row) / row.seconds - 1 for row in rows]) | {"tokens": SMALL}


def unseen_off() -> dict[str, float]:
    """How far calibrated is off published decode rates of other models and engines, on which nothing was fitted."""
    rows = [row for row in published_decodes() if row.weights == "bf16"]
    times = [_calibrated(row.model, row.node).decode(1, SHORT).seconds for row in rows]
    models = len({row.model for row in rows})
    return _off([time / row.seconds - 1 for time, row in zip(times, rows, strict=True)]) | {"models": models}


def _products(row: MeasuredProducts) -> float:
    return _calibrated(row.model, row.node).products_seconds(row.tokens)


def _calibrated(model: str, node: str) -> Calibrated:
    # A single kernel can be timed on cards that could not hold the whole model.
    found = Calibrated.of(Roofline.of(model, node, must_fit=False))
    assert found is not None, f"{node} was measured, so its family has constants"
    return found


def _off(shares: Sequence[float]) -> dict[str, float]:
    sizes = [abs(share) for share in shares]
    return {"count": len(sizes), "mean": sum(sizes) / len(sizes), "worst": max(sizes)}
