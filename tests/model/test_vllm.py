"""vLLM's rules by hand: extra keys, preemption, block tables, and what is drawn of them."""

import pytest

from generator.model.cache import Extra, Image, run
from generator.model.vllm import BlockState, HitStatistics, VllmCache

COMMON = list(range(48))


def prompt(*unique):
    return [*COMMON, *unique]


def test_cache_salt_isolates():
    cache = VllmCache(capacity_blocks=10, block_tokens=16)
    first, other = prompt(*range(100, 111)), prompt(*range(200, 211))
    matched = [
        run(cache, number, tokens, extra=Extra(salt=salt)).matched
        for number, (tokens, salt) in enumerate([(first, "salt1"), (other, "salt1"), (other, "salt2")])
    ]
    assert matched == [0, 48, 0]


def test_a_salt_enters_the_first_block_only_and_the_chain_carries_it_on():
    cache = VllmCache(10, 16)
    plain, salted = cache.names(COMMON), cache.names(COMMON, extra=Extra(salt="tenant"))
    assert not set(plain) & set(salted)
    assert cache.names(COMMON[:16]) == plain[:1]


def test_image_hash_in_key():
    # 59 tokens whose images stand at 11 (10 tokens), 30 (18) and 48 (7), behind equal placeholders.
    text = [1] * 11 + [-1] * 10 + [2] * 9 + [-1] * 18 + [-1] * 7
    images = (Image("a", 11, 10), Image("b", 30, 18), Image("c", 48, 7))
    cache = VllmCache(capacity_blocks=10, block_tokens=16)
    assert run(cache, 0, [*text, 3, 3, 3, 3], extra=Extra(images=images)).matched == 0
    assert run(cache, 1, [*text, 4, 4, 4, 4, 4], extra=Extra(images=images)).matched == 48
    other = (Image("a", 11, 10), Image("another", 30, 18), Image("c", 48, 7))
    assert run(cache, 2, [*text, 4, 4, 4, 4, 4], extra=Extra(images=other)).matched == 16


def test_an_image_elsewhere_in_its_block_is_another_key():
    cache = VllmCache(10, 16)
    tokens = [-1] * 16
    assert cache.names(tokens, extra=Extra(images=(Image("a", 0, 4),))) != cache.names(
        tokens, extra=Extra(images=(Image("a", 1, 4),))
    )


def test_an_adapter_separates_equal_prompts():
    cache = VllmCache(10, 16)
    run(cache, "plain", prompt(1))
    assert cache.probe(prompt(1), extra=Extra(adapter="legal")) == 0
    assert cache.probe(prompt(1)) == 48


def test_stats_exclude_preempted():
    cache = VllmCache(capacity_blocks=10, block_tokens=16)
    cache.start("ana", prompt(1, 2, 3))
    cache.append("ana", [4, 5])
    cache.preempt("ana")
    assert cache.free_blocks == 10
    resumed = cache.resume("ana")
    assert (resumed.matched, resumed.computed, resumed.kv_tokens) == (48, 5, 53)
    assert cache.statistics == HitStatistics(queries=51, hits=0, preempted_queries=53, preempted_hits=48)
    assert cache.append("ana", [6, 7]).kv_tokens == 54


def test_a_resumed_request_without_room_stays_preempted():
    cache = VllmCache(capacity_blocks=4, block_tokens=16)
    cache.start("ana", prompt(1))
    cache.preempt("ana")
    cache.start("ben", list(range(500, 560)))
    assert not cache.resume("ana").ok
    cache.finish("ben")
    assert cache.resume("ana").ok


def test_a_block_table_names_blocks_and_two_tables_may_name_the_same():
    cache = VllmCache(capacity_blocks=8, block_tokens=16)
    cache.start("ana", prompt(1))
    cache.start("ben", prompt(2))
    assert cache.table("ana") == (1, 2, 3, 4)
    assert cache.table("ben") == (1, 2, 3, 5)
    assert [block.references for block in cache.blocks()] == [2, 2, 2, 1, 1, 0, 0, 0]
    assert cache.blocks()[3] == BlockState(4, 1, None)
    assert [block.name for block in cache.blocks()[:3]] == list(cache.names(COMMON))


def test_one_early_token_changes_every_name_and_a_late_one_only_the_last():
    cache = VllmCache(10, 16)
    names = cache.names(COMMON)
    early, late = [99, *COMMON[1:]], [*COMMON[:-1], 99]
    assert all(a != b for a, b in zip(cache.names(early), names, strict=True))
    assert cache.names(late)[:2] == names[:2] and cache.names(late)[2] != names[2]


def test_a_request_without_room_touches_nothing_and_is_unknown_afterwards():
    cache = VllmCache(capacity_blocks=4, block_tokens=16)
    run(cache, 0, COMMON)
    before = cache.free_queue, cache.cached_blocks
    dropped = cache.start(1, prompt(*range(100, 140)))
    assert (dropped.ok, dropped.matched, dropped.computed) == (False, 48, 0)
    assert (cache.free_queue, cache.cached_blocks) == before
    assert not cache.append(1, [1]).ok and not cache.finish(1).ok


def test_a_block_is_told_by_who_first_spelled_it_even_a_request_that_was_dropped():
    cache = VllmCache(capacity_blocks=2, block_tokens=4)
    assert not cache.start("ana", list(range(9))).ok
    run(cache, "ben", list(range(8)))
    assert [(lost.owner, lost.start) for lost in run(cache, "chen", [90, 91]).evicted] == [("ana", 4)]


def test_an_outputs_last_token_fills_a_block_by_name_only():
    cache = VllmCache(capacity_blocks=4, block_tokens=4)
    run(cache, "ana", [1, 2, 3], [4])
    assert cache.cached_blocks == 0
    run(cache, "ben", [1, 2, 3, 4, 5])
    evicted = run(cache, "chen", list(range(50, 66))).evicted
    assert [(lost.owner, lost.start) for lost in evicted] == [("ana", 0)]


def test_misuse_is_refused_in_words():
    cache = VllmCache(4, 16)
    with pytest.raises(ValueError, match="at least one token"):
        cache.start("ana", [])
    cache.start("ana", [1])
    with pytest.raises(ValueError, match="'ana' is running already"):
        cache.start("ana", [1])
    with pytest.raises(ValueError, match="at least one block"):
        VllmCache(0, 16)
    with pytest.raises(KeyError):
        cache.table("ben")
