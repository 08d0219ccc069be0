"""What prose quotes of a model on a node, whatever the page: named once here, in base units."""

from __future__ import annotations

from generator.model import presets
from generator.model.measured import whole_passes
from generator.model.roofline import Roofline

SHORT_TURN, LONG_CONTEXT = 40, 131_072  # tokens
FAR = 10_000  # tokens; a context long enough to read the slope off
MEASURED_TURN = 32  # tokens; the shortest turn that was measured over several contexts


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


def context_facts(roofline: Roofline) -> dict[str, object]:
    """What a turn of a few dozen tokens costs as the context before it grows, plain and measured."""
    per_token = (roofline.prefill(SHORT_TURN, FAR).seconds - roofline.prefill(SHORT_TURN).seconds) / FAR
    return {
        "short_turn": SHORT_TURN,
        "time_per_thousand_cached": per_token * 1000,
        "long_context": LONG_CONTEXT,
        "long_context_time": roofline.prefill(SHORT_TURN, LONG_CONTEXT).seconds,
        "measured_turn": MEASURED_TURN,
        "measured_times": measured_prefills(roofline, MEASURED_TURN),
    }


def measured_prefills(roofline: Roofline, new_tokens: int) -> dict[int, float]:
    """Measured seconds of a prefill of `new_tokens`, by the tokens cached before them; empty if nobody measured it.

    Sums of kernels measured one by one, for the same model on the same node.
    """
    return {
        row.cached: row.seconds
        for row in whole_passes()
        if (row.stage, row.batch, row.new) == ("prefill", 1, new_tokens)
        and row.model == roofline.model.name
        and presets.node(row.node) == roofline.node
    }
