"""A replayed log for machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generator.replay_report import Capacity, Prefill, Rate, Report


def as_json(result: Report, asked: Sequence[Capacity] | None) -> dict[str, Any]:
    """The report for machines. The curve has the capacities asked for, else every one at which it rises."""
    log, curve = result.log, result.curve
    points = [rate for rate in result.rates if asked is None or rate.capacity in asked]
    if asked is None and curve:
        pairs = zip(curve.capacities.tolist(), curve.hit_rates.tolist(), strict=True)
        points = [*(Rate(capacity, rate) for capacity, rate in pairs), Rate(None, curve.best)]
    return {
        "rules": result.rules,
        "weight": result.weight,
        "block_tokens": log.block_tokens,
        "window": list(result.window) if result.window else None,
        "requests": len(log),
        "tokens": int(log.lengths.sum()),
        "mean_length": float(log.lengths.mean()),
        "unique_tokens": log.unique_tokens,
        "working_set_blocks": log.unique_blocks,
        "best": result.best,
        "reaching": {f"{share:g}": capacity for share, capacity in result.reaching().items()},
        "sample": vars(result.sample) if result.sample else None,
        "prefill": _prefill_json(result.prefill) if result.prefill else None,
        "curve": [_point(rate, result.rules) for rate in points],
    }


def _point(rate: Rate, rules: str) -> dict[str, Any]:
    dropped = {} if rules == "lru" else {"dropped": rate.dropped}
    return {"capacity_blocks": rate.capacity, "hit_rate": rate.hit_rate, **dropped}


def _prefill_json(prefill: Prefill) -> dict[str, Any]:
    return {
        "model": prefill.model,
        "node": prefill.node,
        "budget_blocks": prefill.budget_blocks,
        "seconds": prefill.seconds,
        "saved": [
            {
                "capacity_blocks": saved.rate.capacity,
                "hit_rate": saved.rate.hit_rate,
                "seconds": saved.seconds,
                "nodes": saved.nodes,
            }
            for saved in prefill.saved
        ],
    }
