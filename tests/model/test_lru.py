"""The reference LRU by hand, and against the hits expected for the conversation log; `ideal` as a cache."""

import gzip
import json
from pathlib import Path

import pytest

from generator.model.cache import Extra, run
from generator.model.ideal import IdealCache
from generator.model.lru import LruCache
from generator.model.prefix_tree import Segment

TRACES = Path(__file__).parent.parent / "data" / "traces"


def lines(name, limit=None):
    with gzip.open(TRACES / f"{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line, _ in zip(file, range(limit or 10**9), strict=False)]


def test_tails_go_before_heads():
    cache = LruCache(4, block_tokens=16)
    cache.start("ana", [1, 2, 3])
    outcome = cache.start("ben", [1, 9, 8])
    assert [(lost.owner, lost.start) for lost in outcome.evicted] == [("ana", 32)]
    assert cache.hits([1, 2, 3]) == 2


def test_a_request_longer_than_the_capacity_leaves_its_head():
    cache = LruCache(2)
    run(cache, "ana", [1, 2, 3, 4])
    assert cache.hits([1, 2, 3, 4]) == cache.held_blocks == 2


def test_matched_tokens_end_with_the_prompt():
    cache = LruCache(None, block_tokens=512)
    run(cache, 0, [1, 2], tokens=700)
    outcome = cache.start(1, [1, 2], tokens=700)
    assert (outcome.matched, outcome.computed, outcome.kv_tokens) == (700, 0, 700)


def test_a_reply_is_held_and_touches_the_whole_sequence():
    cache = LruCache(4, block_tokens=16)
    cache.start("ana", [1, 2])
    cache.start("ben", [7])
    cache.append("ana", [3])
    cache.start("chen", [8])
    assert [cache.hits([name]) for name in (1, 2, 3, 7, 8)] == [1, 1, 1, 0, 1]


def test_extras_keep_equal_ids_apart_and_unknown_requests_are_not_ok():
    cache = LruCache()
    run(cache, 0, [1, 2])
    assert cache.probe([1, 2], extra=Extra(salt="x")) == 0
    assert not cache.append(5, [1]).ok and not cache.finish(5).ok
    with pytest.raises(ValueError, match="not negative"):
        LruCache(-1)


@pytest.mark.parametrize(("capacity", "key"), [(None, "hit_inf"), (10_000, "hit_10000"), (1_000, "hit_1000")])
def test_hits_of_the_conversation_log(capacity, key):
    cache = LruCache(capacity, block_tokens=1)
    for row, expected in zip(lines("conversation_trace", 1000), lines("expected_hits_conversation"), strict=True):
        found = run(cache, expected["i"], row["hash_ids"]).matched
        assert found == expected[key]


def test_ideal_is_a_cache_like_the_others():
    cache = IdealCache()
    support, hello, reply = Segment("support", 2048), Segment("hello", 52), Segment("reply", 110)
    assert run(cache, "ana-1", [support, hello], [reply]).computed == 2100
    again = run(cache, "ana-2", [support, hello, reply, Segment("more", 40)])
    assert (again.ok, again.matched, again.computed) == (True, 2210, 40)
    assert cache.probe([support]) == 2048 and cache.tree().tokens == 2250
    assert cache.probe([support], extra=Extra(salt="x")) == 0
    assert not cache.append("nobody", [reply]).ok and not cache.finish("nobody").ok
