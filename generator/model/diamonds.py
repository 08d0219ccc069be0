"""What others measured on real cards, as points beside the plain roofline of the same model and node."""

from __future__ import annotations

from dataclasses import dataclass

from generator.model import measured
from generator.model.passes import Part
from generator.model.roofline import Roofline


@dataclass(frozen=True)
class Diamond:
    """A measured time, in seconds, for `tokens` tokens; rates in FLOP per second and per byte, of the same work."""

    tokens: int
    seconds: float
    flop_per_byte: float
    flops_per_second: float


def measured_products(roofline: Roofline) -> tuple[Diamond, ...]:
    """The layers' matrix products as measured on these cards, by tokens; none for a model or node not measured."""
    rows = [row for row in measured.matrix_products() if _same(roofline, row.model, row.node)]
    weights = sum(part.bytes for part in _products(roofline, 1))
    return tuple(
        Diamond(row.tokens, row.seconds, flops / weights, flops / row.seconds)
        for row in sorted(rows, key=lambda row: row.tokens)
        for flops in [sum(part.flops for part in _products(roofline, row.tokens))]
    )


def measured_passes(roofline: Roofline) -> tuple[Diamond, ...]:
    """Whole passes over nothing reused, added up from kernels measured on these cards, by tokens; else none."""
    rows = [row for row in measured.whole_passes() if row.stage == "prefill" and not row.cached]
    return tuple(
        Diamond(row.new, row.seconds, flops / size, flops / row.seconds)
        for row in sorted(rows, key=lambda row: row.new)
        if _same(roofline, row.model, row.node)
        for parts in [roofline.prefill(row.new).parts]
        for flops, size in [(sum(part.flops for part in parts), sum(part.bytes for part in parts))]
    )


def against(roofline: Roofline) -> dict[str, object]:
    """Measured seconds by tokens; by how much of them the plain roofline lies below whole passes, and where most."""
    products, passes = measured_products(roofline), measured_passes(roofline)
    below = {diamond.tokens: 1 - roofline.prefill(diamond.tokens).seconds / diamond.seconds for diamond in passes}
    return {
        "products": {diamond.tokens: diamond.seconds for diamond in products},
        "passes": {diamond.tokens: diamond.seconds for diamond in passes},
        "below": below,
        "furthest": max(below, key=lambda count: below[count], default=0),
    }


def products_seconds(roofline: Roofline, new: int) -> float:
    """The layers' matrix products of a pass by the plain roofline, in seconds."""
    return sum(part.seconds for part in _products(roofline, new))


def _products(roofline: Roofline, new: int) -> list[Part]:
    return [part for part in roofline.prefill(new).parts if part.name in ("projections", "MLP")]


def _same(roofline: Roofline, model: str, node: str) -> bool:
    """Whether a measured row is of this model on this node. All that was measured is in bf16."""
    return (roofline.model.name, roofline.node.name, roofline.weights) == (model, node, "bf16")
