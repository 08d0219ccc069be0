"""What captions say of an hour of a log."""

from __future__ import annotations

from generator.model import cast
from generator.model.hour import ONE_NODE, UNLIMITED, Hour
from generator.units import number, percent, tokens

EARLIER = 10
"""Minutes: how far back a caption looks that says how the hit rate moves."""


def share(rate: float) -> str:
    """A hit rate: below a tenth it has a decimal."""
    return percent(rate, 1 if rate < 0.0995 else 0)


def what_came(hour: Hour) -> str:
    """Before the first request."""
    log, alike = hour.log, len(hour.minutes.alike())
    who = "All" if alike == len(log) else f"{number(alike)} of them"
    return (
        f"{number(len(log))} requests are about to come, {tokens(log.lengths.mean())} each on average. {who} begin "
        f"with the same block of {tokens(log.block_tokens)}. Nothing is held yet."
    )


def minute(hour: Hour, at: int) -> str:
    """What came in minute `at`, counted from 1, and what of it is reused."""
    here = hour.each[at - 1]
    came = f"{number(here.requests)} requests bring {tokens(here.tokens)}"
    reused = f"{share(here.share(UNLIMITED))} reused {UNLIMITED}, {share(here.share(ONE_NODE))} {ONE_NODE}"
    return f"{came}, the first of them to an empty cache: {reused}." if at == 1 else f"This minute's {came}: {reused}."


def so_far(hour: Hour, at: int) -> str:
    """How the hit rate moves, and what it takes, by the end of minute `at`."""
    now, earlier = (share(hour.curves.everything(end).rate) for end in (at, at - EARLIER))
    return (
        f"After {at} minutes {now} is reused {UNLIMITED}; ten minutes earlier it was {earlier}. All that is held would "
        f"fill {number(hour.curves.nodes_filled(at))} nodes."
    )


def question(hour: Hour, at: int) -> str:
    """Before the last minute: what unlimited memory has reused, and what one node holds."""
    return (
        f"After {at} minutes {share(hour.curves.everything(at).rate)} is reused {UNLIMITED}. "
        f"{_cards(hour).capitalize()} hold {number(hour.curves.node_blocks)} blocks of "
        f"{tokens(hour.log.block_tokens)}. Where do they stand?"
    )


def answer(hour: Hour) -> str:
    """What one node has reused in the whole hour, and how much of it is the beginning that most requests share."""
    common = hour.minutes.alike()[1:].sum()  # the first of them computes it
    share_of_reused = min(1, int(common) / max(1, int(hour.node.reused.sum())))
    beyond = hour.node.at_most(1) / len(hour.log)
    return (
        f"On {_cards(hour)} {share(hour.node.rate)} is reused, {percent(share_of_reused)} of it the common first "
        f"block. {percent(beyond, 1)} of requests reused nothing beyond it."
    )


def _cards(hour: Hour) -> str:
    count = hour.roofline.node.count
    return f"{cast.count(count)} card{'s' if count > 1 else ''}"
