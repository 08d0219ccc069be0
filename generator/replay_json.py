"""A replayed log for machines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from generator.replay_report import Capacity, Prefill, Rate, Report

PIECE = 10_000


def as_json(result: Report, asked: Sequence[Capacity] | None) -> Iterator[str]:
    """The report as one JSON object, piece by piece, since a curve may have millions of points.

    The curve has the capacities asked for, else every one at which it rises; null is the infinite one.
    """
    yield json.dumps(_summary(result)).removesuffix("}") + ', "curve": ['
    separator = ""
    points = _points(result, asked)
    while piece := list(islice(points, PIECE)):
        yield separator + json.dumps(piece)[1:-1]
        separator = ", "
    yield "]}"


def _summary(result: Report) -> dict[str, Any]:
    log = result.log
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
    }


def _points(result: Report, asked: Sequence[Capacity] | None) -> Iterator[dict[str, Any]]:
    if asked is not None or not (curve := result.curve):
        yield from (_point(rate, result.rules) for rate in result.rates if asked is None or rate.capacity in asked)
        return
    for start in range(0, len(curve.capacities), PIECE):
        part = slice(start, start + PIECE)
        for capacity, rate in zip(curve.capacities[part].tolist(), curve.hit_rates[part].tolist(), strict=True):
            yield {"capacity_blocks": capacity, "hit_rate": rate}
    yield {"capacity_blocks": None, "hit_rate": curve.best}


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
