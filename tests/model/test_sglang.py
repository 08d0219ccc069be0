"""SGLang's rules by hand: where nodes split, who is locked, who goes first."""

import pytest

from generator.errors import UnknownName
from generator.model.cache import Extra, Image, run
from generator.model.sglang import SglangCache

SHARED = list(range(8))


def shape(cache):
    return [(node.start, len(node.tokens), node.locks) for node in cache.nodes()]


def test_a_node_splits_where_prompts_part_and_running_requests_lock_their_path():
    cache = SglangCache(40)
    cache.start("ana", [*SHARED, 100, 101])
    assert shape(cache) == [(0, 10, 1)]
    cache.start("ben", [*SHARED, 200])
    assert shape(cache) == [(0, 8, 2), (8, 2, 1), (8, 1, 1)]
    assert cache.protected_tokens == cache.tree_tokens == 11
    cache.finish("ana")
    assert shape(cache) == [(0, 8, 1), (8, 2, 0), (8, 1, 1)]
    assert (cache.evictable_tokens, cache.free_tokens) == (2, 29)


def test_nodes_name_parent_and_owner_so_that_a_tree_can_be_drawn():
    cache = SglangCache(40)
    run(cache, "ana", [*SHARED, 100])
    run(cache, "ben", [*SHARED, 200])
    upper, ana, ben = cache.nodes()
    assert upper.parent == 0 and ana.parent == ben.parent == upper.number
    assert [node.owner for node in (upper, ana, ben)] == ["ana", "ana", "ben"]
    assert [node.leaf for node in (upper, ana, ben)] == [False, True, True]


def test_a_whole_leaf_goes_although_one_token_is_missing():
    cache = SglangCache(10)
    run(cache, "ana", SHARED)
    outcome = run(cache, "ben", [50, 51, 52])
    assert [(lost.owner, lost.start, lost.tokens) for lost in outcome.evicted] == [("ana", 0, 8)]


def test_what_is_locked_is_not_evicted_and_its_child_is():
    cache = SglangCache(12)
    run(cache, "ana", [*SHARED, 100, 101])
    cache.start("ben", [*SHARED, 200])
    outcome = cache.start("chen", [300, 301])
    assert [(lost.start, lost.tokens) for lost in outcome.evicted] == [(8, 2)]
    assert not cache.start("dara", [400, 401]).ok
    assert cache.probe([*SHARED, 200]) == 9


def test_of_one_request_the_reply_goes_before_the_prompt_of_its_like():
    # Both have priority 1; the older prompt outranks the newer reply because it has a reply below it.
    cache = SglangCache(18, policy="priority")
    run(cache, "ana", [1, 2, 3, 4], [5, 6, 7], priority=1)
    run(cache, "ben", [11, 12, 13, 14], [15, 16, 17], priority=1)
    for wanted in (2, 2):
        cache.evict(wanted)
    assert cache.probe([1, 2, 3, 4, 5]) == 4 and cache.probe([11, 12, 13, 14, 15]) == 4
    run(cache, "chen", [21, 22, 23], priority=1)
    cache.evict(1)
    assert cache.probe([21, 22, 23]) == 0


def hits(cache):
    return [(node.start, len(node.tokens), node.hits) for node in cache.nodes()]


def test_a_request_counts_a_node_once_and_its_prompt_at_the_start():
    cache = SglangCache(40, policy="lfu")
    cache.start("ana", [1, 2, 3, 4])
    assert hits(cache) == [(0, 4, 1)]
    cache.append("ana", [5, 6, 7])
    cache.finish("ana")
    assert hits(cache) == [(0, 4, 1), (4, 2, 1)]


def test_an_output_that_is_held_already_counts_as_well():
    cache = SglangCache(40)
    for name in ("ana", "ben"):
        run(cache, name, [1, 2, 3, 4], [5, 6, 7])
    # Ben matched all of his prompt but its last token, and there the node was split.
    assert hits(cache) == [(0, 3, 2), (3, 1, 2), (4, 2, 2)]
    assert cache.tree_tokens == 6


def test_a_request_that_stops_within_a_node_counts_its_upper_part_only():
    cache = SglangCache(40)
    run(cache, "ana", [1, 2, 3, 4], [5, 6, 7, 8, 9])
    run(cache, "ben", [1, 2, 3, 4], [5, 6, 7])
    assert hits(cache) == [(0, 3, 2), (3, 1, 2), (4, 2, 2), (6, 2, 1)]


def test_all_of_a_prompts_path_outranks_its_reply_although_the_reply_was_held():
    cache = SglangCache(40, policy="priority")
    run(cache, "ana", [1, 2, 3], [4, 5, 6])
    run(cache, "ben", [1, 2, 3], [4, 5, 6], priority=1)
    run(cache, "chen", [21, 22, 23], priority=1)
    # Ranks: the prompt's two nodes 2, the reply 1 and older than Chen's prompt, which has 1 as well.
    cache.evict(1)
    assert cache.probe([1, 2, 3, 4, 5]) == 3
    cache.evict(1)
    assert cache.probe([21, 22, 23]) == 0
    # Whoever comes with 1 now goes before each of the two nodes, the upper one too.
    run(cache, "dara", [31, 32], priority=1)
    cache.evict(1)
    assert cache.probe([31, 32]) == 0 and cache.probe([1, 2, 3]) == 3
    run(cache, "eve", [31, 32, 33], priority=2)
    cache.evict(1)
    assert cache.probe([1, 2, 3]) == 2
    run(cache, "fay", [41, 42], priority=1)
    cache.evict(1)
    assert cache.probe([41, 42]) == 0 and cache.probe([1, 2, 3]) == 2


def test_an_output_of_less_than_a_page_raises_nothing():
    cache = SglangCache(10, page_tokens=4, policy="priority")
    run(cache, "ana", [1, 2, 3, 4], [5, 6, 7], priority=1)
    run(cache, "ben", [11, 12, 13, 14], priority=1)
    cache.evict(1)
    assert cache.probe([1, 2, 3, 4]) == 0 and cache.probe([11, 12, 13, 14]) == 4


def test_a_start_that_finds_no_room_has_evicted_all_the_same():
    cache = SglangCache(12)
    run(cache, "ana", [1, 2, 3, 4])
    cache.start("ben", list(range(50, 56)))
    dropped = cache.start("chen", [*range(50, 54), *range(90, 100)])
    assert (dropped.ok, dropped.matched, dropped.computed) == (False, 4, 0)
    assert [(lost.owner, lost.tokens) for lost in dropped.evicted] == [("ana", 4)]
    # Its match has split a node and is unlocked again.
    assert shape(cache) == [(0, 4, 1), (4, 2, 1)]
    assert (cache.free_tokens, cache.evictable_tokens) == (6, 0)


def test_the_schedulers_estimate_is_evicted_for_but_need_not_fit():
    prompt = list(range(20, 29))  # three pages; the estimate is thirteen tokens
    for rule, kept in (("exact", 4), ("scheduler", 0)):
        cache = SglangCache(4, 4, evict_rule=rule)
        run(cache, "ana", [1, 2, 3, 4])
        assert cache.start("ben", prompt).ok
        assert cache.probe([1, 2, 3, 4]) == kept
    assert SglangCache(3, 4, evict_rule="scheduler").start("ben", prompt).ok


@pytest.mark.parametrize(
    ("policy", "order", "lost"),
    [
        ("lru", "abca", "b"),
        ("mru", "abca", "a"),
        ("fifo", "abca", "a"),
        ("filo", "abca", "c"),
        ("lfu", "abcbaa", "c"),
        ("slru", "abca", "b"),
        ("slru", "aabc", "b"),
        ("lru", "aabc", "a"),
    ],
)
def test_who_goes_first(policy, order, lost):
    prompts = {"a": [1, 2, 3, 4], "b": [11, 12, 13, 14], "c": [21, 22, 23, 24]}
    cache = SglangCache(20, policy=policy)
    for number, name in enumerate(order):
        run(cache, number, [*prompts[name], 99])
    cache.evict(1)
    assert [name for name, tokens in prompts.items() if cache.probe([*tokens, 99]) < 5] == [lost]


def test_adapter_salt_and_images_keep_prompts_apart():
    cache = SglangCache(100)
    run(cache, 0, SHARED)
    for extra in (Extra(salt="x"), Extra(adapter="x"), Extra(images=(Image("x", 0, 4),))):
        assert cache.probe(SHARED, extra=extra) == 0
        run(cache, extra, SHARED, extra=extra)
        assert cache.probe(SHARED, extra=extra) == 8
    assert cache.tree_tokens == 32


def test_a_page_that_straddles_prompt_and_output_belongs_to_nobody_until_it_is_full():
    cache = SglangCache(10, page_tokens=4)
    cache.start("ana", [1, 2])
    assert (cache.tree_tokens, cache.free_tokens) == (0, 36)
    cache.append("ana", [3, 4, 5])
    cache.finish("ana")
    assert (cache.tree_tokens, cache.free_tokens) == (4, 36)


def test_misuse_is_refused_in_words():
    with pytest.raises(UnknownName, match='unknown eviction policy "lur"') as caught:
        SglangCache(4, policy="lur")
    assert caught.value.hint == 'did you mean "lru"?'
    with pytest.raises(UnknownName, match='unknown evict rule "exactly"'):
        SglangCache(4, evict_rule="exactly")
    with pytest.raises(ValueError, match="at least one page"):
        SglangCache(0)
    cache = SglangCache(4)
    with pytest.raises(ValueError, match="at least one token"):
        cache.start("ana", [])
    cache.start("ana", [1])
    with pytest.raises(ValueError, match="'ana' is running already"):
        cache.start("ana", [1])
    with pytest.raises(ValueError, match="no room"):
        cache.insert([1, 2, 3, 4])
    assert not cache.append("ben", [1]).ok and not cache.finish("ben").ok
