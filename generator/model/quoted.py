"""What prose quotes of a model on a node, whatever the page: named once here, in base units."""

from __future__ import annotations

from generator.model.roofline import Roofline


def node_facts(roofline: Roofline) -> dict[str, object]:
    """Seconds, bytes, tokens and shares of `roofline` by the names that pages use for them."""
    return {
        "floor": roofline.floor_seconds,
        "ridge": roofline.ridge_tokens,
        "weights_held": roofline.weights_held_bytes,
        "weights_streamed": roofline.weights_streamed_bytes,
        "kv_bytes_per_token": roofline.kv_bytes_per_token,
        "budget": roofline.cache_budget_tokens,
        "memory": roofline.memory_bytes,
        "bandwidth_efficiency": roofline.bandwidth_efficiency,
        "arithmetic_efficiency": roofline.arithmetic_efficiency,
    }
