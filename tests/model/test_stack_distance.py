"""Stack distances: by hand, against the step-by-step cache at every capacity, and their bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.cache import run
from generator.model.lru import LruCache
from generator.model.stack_distance import NEVER, first_seen, sampled, stack_distances

N = NEVER
requests_of_ids = st.lists(st.lists(st.integers(-5, 25), max_size=10, unique=True), max_size=25)


def columns(requests):
    ids = np.array([block for ids in requests for block in ids], np.int64)
    return ids, np.cumsum([0, *map(len, requests)])


def distances(*requests):
    return stack_distances(*columns(requests)).tolist()


def test_an_id_lies_as_deep_as_ids_were_touched_since():
    # After [1, 2, 3] the stack is 1, 2, 3; after [4] it is 4, 1, 2, 3.
    assert distances([1, 2, 3], [4], [1, 2, 3]) == [N, N, N, N, 2, 3, 4]


def test_rank_counts_when_the_request_arrives_not_when_the_id_is_touched():
    assert distances([1, 2], [1, 3, 2]) == [N, N, 1, N, N]
    assert distances([1], [2], [2, 1]) == [N, N, 1, 2]


def test_a_distance_is_raised_to_the_largest_before_it_because_only_leading_ids_count():
    assert distances([1], [2], [1, 2]) == [N, N, 2, 2]


def test_what_stands_behind_a_new_id_is_never_a_hit():
    assert distances([1, 2], [9, 1, 2]) == [N, N, N, N, N]


def test_nothing_in_nothing_out():
    assert distances() == [] and distances([], []) == []
    assert first_seen(np.zeros(0, np.int64)).tolist() == []


def test_first_seen():
    assert first_seen(np.array([5, -1, 5, 7, -1])).tolist() == [True, True, False, True, False]


def test_ids_may_lie_far_apart():
    far = 2**62
    assert distances([far, -far], [far, -far]) == [N, N, 1, 2]


@settings(max_examples=300, deadline=None)
@given(requests_of_ids)
def test_it_equals_the_step_by_step_cache_at_every_capacity(requests):
    ids, starts = columns(requests)
    found = stack_distances(ids, starts)
    for capacity in range(len(set(ids.tolist())) + 2):
        cache = LruCache(capacity, block_tokens=1)
        for number, prompt in enumerate(requests):
            hits = int((found[starts[number] : starts[number + 1]] <= capacity).sum())
            assert hits == run(cache, number, prompt).matched


def test_a_sample_is_the_same_ids_always_and_about_as_many_as_asked():
    ids = np.arange(100_000)
    kept = sampled(ids, 0.1)
    assert 0.095 < kept.mean() < 0.105
    assert (sampled(ids[::-1], 0.1)[::-1] == kept).all()
    assert (sampled(ids, 0.2) >= kept).all() and sampled(ids, 1.0).all()
    for rate in (0, -1, 1.5):
        with pytest.raises(ValueError, match="sampling rate"):
            sampled(ids, rate)
