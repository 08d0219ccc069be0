"""Replays a log through a cache: what each request finds under one set of rules at one capacity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from generator.errors import UnknownName
from generator.model.cache import run
from generator.model.request_log import RequestLog
from generator.model.roofline import Roofline
from generator.model.sglang import SglangCache
from generator.model.stack_distance import NEVER, Ints
from generator.model.vllm import VllmCache

RULES = ("lru", "vllm", "sglang")


@dataclass(frozen=True)
class Served:
    """What the requests of a log found: `blocks` and `tokens` (requests,), and how many had no room at all."""

    blocks: Ints
    tokens: Ints
    dropped: int = 0


def serve(log: RequestLog, rules: str, capacity_blocks: int | None) -> Served:
    """Replay a whole log at a capacity (None: infinite), one request at a time. Raises UnknownName.

    `lru` counts a partial last block, pins nothing and never drops a request. `vllm` and `sglang` (least
    recent leaf first, one page to a block) cache full blocks only and match at most all tokens but the
    last; on a log of hash ids they take an id for a block and see no replies.
    """
    if rules not in RULES:
        raise UnknownName("rules", rules, RULES)
    if rules == "lru":
        blocks = _leading_hits(log, NEVER - 1 if capacity_blocks is None else capacity_blocks)
        return Served(blocks, np.minimum(blocks * log.block_tokens, log.lengths))
    return _engine(log, rules, capacity_blocks)


def prefill_seconds(log: RequestLog, matched_tokens: Ints, roofline: Roofline) -> float:
    """Prefill time of all requests, each alone, when `matched_tokens` (requests,) of them are in the cache.

    At least a prompt's last token is computed, whatever the rules said.
    """
    cached = np.minimum(matched_tokens, log.lengths - 1)
    return float(roofline.prefill_seconds(log.lengths - cached, cached).sum())


def _leading_hits(log: RequestLog, capacity_blocks: int) -> Ints:
    """Hit blocks of each prompt, (requests,). Distances never fall within a request, so hits lead."""
    hits = np.concatenate((np.zeros(1, np.int64), np.cumsum(log.distances <= capacity_blocks, dtype=np.int64)))
    return np.asarray(np.minimum(hits[log.starts[1:]] - hits[log.starts[:-1]], log.prompt_blocks))


def _engine(log: RequestLog, rules: str, capacity_blocks: int | None) -> Served:
    # Beyond this nothing is evicted: every block of every request, or, where there are no replies to be
    # computed again, every different block, a last one per request twice, and room to run the longest.
    different = log.unique_blocks + int(np.diff(log.starts).max(initial=0))
    endless = (len(log.ids) if log.sequences else different) + len(log) + 1
    capacity = endless if capacity_blocks is None else capacity_blocks
    block = log.block_tokens if log.sequences else 2
    cache = VllmCache(capacity, block) if rules == "vllm" else SglangCache(capacity, block)
    blocks = np.zeros(len(log), np.int64)
    dropped = 0
    for number, (prompt, reply) in enumerate(log.sequences or _halved(log)):
        outcome = run(cache, number, prompt, reply)
        dropped += not outcome.ok
        blocks[number] = outcome.matched // block if outcome.ok else 0
    return Served(blocks, blocks * log.block_tokens, dropped)


def _halved(log: RequestLog) -> Iterator[tuple[list[int], list[int]]]:
    """Prompts (and empty replies) of two tokens to a full block and one to a partial one.

    The engines' rules ask of tokens only whether a block is full and whether the last token is in it; two
    to a block answer both.
    """
    partial = (log.lengths % log.block_tokens != 0).tolist()
    bounds = log.starts.tolist()
    ids = log.ids.tolist()
    for request, is_partial in enumerate(partial):
        doubled = [id_ for id_ in ids[bounds[request] : bounds[request + 1]] for _ in range(2)]
        yield doubled[:-1] if is_partial else doubled, []
