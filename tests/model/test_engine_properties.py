"""What holds under any workload: of vLLM's and SGLang's rules, one by one, against each other, and of LRU."""

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.block_key import ROOT, block_keys
from generator.model.cache import PLAIN, run
from generator.model.lru import LruCache
from generator.model.radix_node import POLICIES
from generator.model.sglang import EVICT_RULES, SglangCache
from generator.model.vllm import VllmCache

# Few different tokens, so that beginnings are shared often.
tokens = st.lists(st.integers(0, 2), min_size=1, max_size=24)
replies = st.lists(st.integers(0, 2), max_size=8)
# Who, what, and how: operations on a handful of requests that run at the same time.
operations = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["start", "append", "finish"]), tokens, replies), max_size=40
)
sizes = st.integers(1, 4)


def play(cache, script):
    """Does what is possible of a script and yields what each start found, with its prompt."""
    running = set()
    for who, what, prompt, reply in script:
        if what == "start" and who not in running:
            outcome = cache.start(who, prompt)
            if outcome.ok:
                running.add(who)
            yield prompt, outcome
        elif what == "append":
            cache.append(who, reply)
        elif what == "finish":
            cache.finish(who)
            running.discard(who)
        yield None


def check_hits(found):
    if found:
        prompt, outcome = found
        assert 0 <= outcome.matched <= len(prompt) - 1
        assert not outcome.ok or outcome.matched + outcome.computed == len(prompt) == outcome.kv_tokens


@settings(max_examples=200, deadline=None)
@given(operations, sizes, st.integers(1, 16))
def test_vllm_keeps_no_key_without_its_parents_and_never_exceeds_its_capacity(script, block_tokens, capacity):
    cache = VllmCache(capacity, block_tokens)
    parents = {}
    for found in play(cache, script):
        check_hits(found)
        for _, _, prompt, reply in script:
            keys = list(block_keys([*prompt, *reply], block_tokens, PLAIN))
            parents |= dict(zip(keys, [ROOT, *keys], strict=False))
        blocks = cache.blocks()
        cached = {block.key for block in blocks if block.key}
        assert all(parents[key] in cached or parents[key] == ROOT for key in cached & parents.keys())
        assert len(blocks) == capacity
        assert set(cache.free_queue) == {block.number for block in blocks if not block.references}
        assert cache.free_blocks == len(cache.free_queue) and cache.cached_blocks == len(cached)


@settings(max_examples=200, deadline=None)
@given(operations, sizes, st.integers(1, 16), st.sampled_from(list(POLICIES)), st.sampled_from(EVICT_RULES))
def test_sglang_keeps_no_node_without_its_parent_and_never_exceeds_its_capacity(script, page, capacity, policy, rule):
    cache = SglangCache(capacity, page, policy, rule)
    for found in play(cache, script):
        check_hits(found)
        nodes = {node.number: node for node in cache.nodes()}
        for node in nodes.values():
            if node.parent:
                above = nodes[node.parent]
                assert above.start + len(above.tokens) == node.start and above.locks >= node.locks
            assert node.tokens and len(node.tokens) % page == 0
        assert cache.tree_tokens == sum(len(node.tokens) for node in nodes.values())
        assert cache.protected_tokens == sum(len(node.tokens) for node in nodes.values() if node.locks)
        assert 0 <= cache.free_tokens <= cache.capacity_tokens - cache.tree_tokens
        children = {}
        for node in nodes.values():
            children.setdefault(node.parent, []).append(node.tokens[:page])
        assert all(len(set(pages)) == len(pages) for pages in children.values())


@settings(max_examples=100, deadline=None)
@given(operations, sizes, st.integers(1, 16), st.sampled_from(EVICT_RULES))
def test_when_all_have_finished_every_page_is_free_or_in_the_tree(script, page, capacity, rule):
    cache = SglangCache(capacity, page, "lru", rule)
    list(play(cache, script))
    for who in range(4):
        cache.finish(who)
    assert cache.protected_tokens == 0
    assert cache.free_tokens + cache.tree_tokens == cache.capacity_tokens


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(tokens, replies), max_size=12), sizes, st.sampled_from(list(POLICIES)))
def test_alone_and_with_room_for_all_both_engines_match_the_same(requests, size, policy):
    vllm, sglang = VllmCache(1000, size), SglangCache(1000, size, policy)
    for name, (prompt, reply) in enumerate(requests):
        here, there = run(vllm, name, prompt, reply), run(sglang, name, prompt, reply)
        assert here == there


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=12, unique=True), max_size=30), st.integers(0, 30))
def test_a_larger_lru_never_hits_less(requests, capacity):
    small, large = LruCache(capacity, 1), LruCache(capacity + 1, 1)
    for name, ids in enumerate(requests):
        assert run(small, name, ids).matched <= run(large, name, ids).matched
        assert small.held_blocks <= capacity
