"""Prompts with the time of day in them: in which order the parts stand, and how far each order lets a cache match."""

from __future__ import annotations

import pytest

from generator.model.conversation import Conversation, system_prompt
from generator.model.prefix_tree import Segment
from generator.model.roofline import Roofline
from generator.model.sglang import SglangCache
from generator.model.stamped import PLACES, StampedDesk, Stamps, hit_rate
from generator.model.vllm import VllmCache

SEGMENTS = (
    Segment("system/support prompt", 20),
    Segment("Ana/message 1", 3),
    Segment("Ana/reply 1", 4),
    Segment("Ana/message 2", 2),
)
TIMES = ("09:00", "10:00")


def written(place, kept=True):
    return Stamps(place, 5, 6, kept).prompt(SEGMENTS, TIMES)


@pytest.mark.parametrize(
    ("place", "kept", "lengths"),
    [
        ("nowhere", True, (20, 3, 4, 2)),
        ("first", True, (5, 6, 15, 3, 4, 2)),
        ("between", True, (20, 6, 3, 4, 2)),
        ("last", True, (20, 3, 6, 4, 2, 6)),
        ("last", False, (20, 3, 4, 2, 6)),
    ],
)
def test_the_order_of_the_parts(place, kept, lengths):
    assert tuple(len(part.words) for part in written(place, kept)) == lengths


def test_all_places_hold_the_same_words_but_for_the_times():
    plain = [word for part in written("nowhere") for word in part.words]
    for place in PLACES:
        parts = written(place)
        assert [word for part in parts if part.label != "time" for word in part.words] == plain
        stamps = [part.words for part in parts if part.label == "time"]
        assert len(stamps) == len(set(stamps)) == {"nowhere": 0, "last": 2}.get(place, 1)


@pytest.fixture(scope="module")
def roofline():
    return Roofline.of("llama-3.1-70b", "4x a100-80gb")


def people():
    """Messages of 6 tokens and replies of 10, on a system prompt of 64."""
    return [
        Conversation(who, row, (system_prompt("support", 64),), (6, 6), (10, 10), 1) for row, who in enumerate("AB")
    ]


def matched(roofline, cache, place, kept=True):
    """A and B, and A's second message."""
    desk, stamps, (a, b) = StampedDesk(roofline, cache), Stamps(place, 5, 8, kept), people()
    return [desk.serve(a, stamps, "1"), desk.serve(b, stamps, "2"), desk.serve(a, stamps, "3")]


@pytest.mark.parametrize(
    ("place", "kept", "by_token", "by_block"),
    [
        ("nowhere", True, (0, 64, 79), (0, 64, 64)),
        ("last", True, (0, 64, 87), (0, 64, 80)),
        ("last", False, (0, 64, 70), (0, 64, 64)),
        ("between", True, (0, 64, 64), (0, 64, 64)),
        ("first", True, (0, 5, 5), (0, 0, 0)),
    ],
)
def test_how_far_each_place_lets_a_cache_match(roofline, place, kept, by_token, by_block):
    """By the token a second turn finds all but the reply's last token, which has no keys and values yet, as far as
    the prompt is what it was; by blocks of 16 the whole blocks of that."""
    for cache, expected in ((SglangCache(2000), by_token), (VllmCache(100, 16), by_block)):
        served = matched(roofline, cache, place, kept)
        assert tuple(one.matched for one in served) == expected
        assert hit_rate(served) == sum(expected) / sum(one.tokens for one in served)


def test_times_are_those_of_the_roofline_and_the_strip_is_the_prompt(roofline):
    for one in matched(roofline, SglangCache(2000), "last"):
        assert one.seconds == roofline.prefill(one.computed, one.matched).seconds
        assert one.seconds_without == roofline.prefill(one.tokens).seconds
        assert sum(piece.tokens for piece in one.strip) == one.tokens
        assert sum(piece.tokens for piece in one.strip if piece.state == "reused") == one.matched
    assert [(piece.label, piece.tokens, piece.state) for piece in one.strip][3:5] == [
        ("reply 1", 9, "reused"),
        ("reply 1", 1, "computed"),
    ]


def test_a_cache_without_room_is_no_silent_miss(roofline):
    with pytest.raises(ValueError, match="no room"):
        matched(roofline, VllmCache(3, 16), "last")
