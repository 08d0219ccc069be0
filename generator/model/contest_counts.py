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

RETURNS = 4000
"""In irregular order: the share found is then within 0.006 of its mean in two runs out of three."""

SMALLER = 16
"""Where so many are counted, prompts and cache are smaller by this factor. Leaves go whole all the same."""

BLOCK = 16
"""Tokens of a block by vLLM's rules, its default."""


@cache
def by_order(sizes: Sizes, sessions: int, policy: str, seed: int) -> dict[str, float]:
    """The share of returns that find their document, taking turns and irregularly, by SGLang's rules.

    A round of rounds, one less than there are sessions, lets each be unlucky once. All is smaller by SMALLER.
    """
    small = sizes.smaller(SMALLER)
    orders = {
        "turns": taking_turns(sessions, sessions * (sessions - 1) * ROUNDS),
        "irregular": irregular(sessions, RETURNS, seed),
    }
    return {
        name: fmean(own > 0 for own in _own(SglangCache(small.capacity, policy=policy), small, sessions, order))
        for name, order in orders.items()
    }


def round_seconds(roofline: Roofline, sizes: Sizes, sessions: int) -> float:
    """Seconds of prefill of one round in which each of so many sessions returns once."""
    return sum(turn.seconds for turn in returns(roofline, sizes, sessions, taking_turns(sessions, sessions)))


def by_blocks(sizes: Sizes, sessions: int) -> float:
    """The share of its document that a return finds on average, taking turns, by vLLM's rules."""
    rules = VllmCache(sizes.capacity // BLOCK, BLOCK)
    return fmean(_own(rules, sizes, sessions, taking_turns(sessions, sessions * ROUNDS))) / sizes.document


def with_ends(sizes: Sizes, sessions: int, question: int, reply: int) -> float:
    """The same by SGLang's rules, where a turn leaves its question and its reply in the cache.

    The next turn begins with the document only, so these ends are of no use to anybody, and take room.
    """
    order = taking_turns(sessions, sessions * ROUNDS)
    own = _own(SglangCache(sizes.capacity), sizes, sessions, order, question, reply)
    return fmean(own) / sizes.document


def _own(
    rules: Cache[int], sizes: Sizes, sessions: int, order: Sequence[int], question: int = 0, reply: int = 0
) -> list[int]:
    """Tokens of its document that each turn of `order` finds, after each session has come once."""
    fresh = _fresh(sizes.working_set(sessions), question + reply)
    matched = []
    for turn, session in enumerate((*range(sessions), *order)):
        asked = next(fresh)
        whole = prompt(sizes.head, sizes.document, session) + asked[:question]
        matched.append(run(rules, turn, whole, asked[question:]).matched)
    return [max(0, tokens - sizes.head) for tokens in matched[sessions:]]


def _fresh(start: int, count: int) -> Iterator[tuple[int, ...]]:
    """Token numbers that nobody has used, `count` at a time."""
    while True:
        yield tuple(range(start, start + count))
        start += count
