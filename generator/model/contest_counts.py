"""How much of its document a return finds: by policy, by the other engine's rules, with ends left behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from statistics import fmean

from generator.model.cache import Cache, run
from generator.model.contest import Sizes, prompt, returns
from generator.model.roofline import Roofline
from generator.model.sglang import SglangCache
from generator.model.turn_order import irregular, taking_turns
from generator.model.vllm import VllmCache

ROUNDS = 10
"""In which all take turns."""

RETURNS = 360
"""In irregular order: the share found is then within 0.02 of its mean in two runs out of three."""

BLOCK = 16
"""Tokens of a block by vLLM's rules, its default."""


@cache
def by_order(sizes: Sizes, sessions: int, policy: str, seed: int) -> dict[str, float]:
    """The share of its document that a return finds on average, taking turns and irregularly."""
    turns, some = taking_turns(sessions, sessions * ROUNDS), irregular(sessions, RETURNS, seed)
    return {
        name: _share(SglangCache(sizes.capacity, policy=policy), sizes, sessions, order)
        for name, order in (("turns", turns), ("irregular", some))
    }


def round_seconds(roofline: Roofline, sizes: Sizes, sessions: int) -> float:
    """Seconds of prefill of one round in which each of so many sessions returns once."""
    return sum(turn.seconds for turn in returns(roofline, sizes, sessions, taking_turns(sessions, sessions)))


def by_blocks(sizes: Sizes, sessions: int) -> float:
    """The same, taking turns, by vLLM's rules."""
    rules = VllmCache(sizes.capacity // BLOCK, BLOCK)
    return _share(rules, sizes, sessions, taking_turns(sessions, sessions * ROUNDS))


def with_ends(sizes: Sizes, sessions: int, question: int, reply: int) -> float:
    """The same, taking turns, by SGLang's rules, where a turn leaves its question and its reply in the cache.

    The next turn begins with the document only, so these ends are of no use to anybody, and take room.
    """
    order = taking_turns(sessions, sessions * ROUNDS)
    return _share(SglangCache(sizes.capacity), sizes, sessions, order, question, reply)


def _share(
    rules: Cache[int], sizes: Sizes, sessions: int, order: Sequence[int], question: int = 0, reply: int = 0
) -> float:
    """The share of its document that a turn of `order` finds, after each session has come once."""
    fresh = _fresh(sizes.working_set(sessions), question + reply)
    reused = []
    for turn, session in enumerate((*range(sessions), *order)):
        asked = next(fresh)
        whole = prompt(sizes.head, sizes.document, session) + asked[:question]
        reused.append(run(rules, turn, whole, asked[question:]).matched - sizes.head)
    return fmean(max(0, own) for own in reused[sessions:]) / sizes.document


def _fresh(start: int, count: int) -> Iterator[tuple[int, ...]]:
    """Token numbers that nobody has used, `count` at a time."""
    while True:
        yield tuple(range(start, start + count))
        start += count
