"""Hit rates of the reference LRU at every capacity from one pass over a log: Mattson's stack distances.

Mattson, Gecsei, Slutz, Traiger, "Evaluation techniques for storage hierarchies", IBM Systems Journal 9 (1970).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Small = NDArray[np.int32]
# A block that no cache holds, however large: seen for the first time, or behind one that is.
NEVER = np.iinfo(np.int32).max


def stack_distances(ids: Ints, starts: Ints) -> Small:
    """The smallest capacity in blocks at which each access of a log is a hit; NEVER if there is none.

    `ids` (accesses,) are the block ids of all requests one after the other, each id once in a request;
    `starts` (requests + 1,) says where each begins, the last entry being `len(ids)`.

    The distance of an id is its rank by recency when its request arrives, so that the request's own later
    ids do not count, raised to the largest rank before it in the request, because only leading ids are
    hits. Raises ValueError for more than 2^31 - 2 accesses.
    """
    if len(ids) >= NEVER:
        raise ValueError(f"{len(ids)} accesses are too many for one pass; sample them")
    distances = np.full(len(ids), NEVER, np.int32)
    if not len(ids):
        return distances
    lengths = np.diff(starts)
    arrival = np.repeat(starts[:-1].astype(np.int32), lengths)
    # A request touches its ids from last to first: `turned` is when each access is touched.
    turned = arrival + np.repeat(starts[1:].astype(np.int32) - 1, lengths)
    turned -= np.arange(len(ids), dtype=np.int32)
    previous = _previous_touch(ids[turned])
    warm = np.flatnonzero(_leading((previous >= 0)[turned], starts))
    distances[warm] = _ranks(previous, previous[turned[warm]], arrival[warm])
    del turned, arrival, previous, warm
    return _running_maximum(distances, starts)


def first_seen(ids: Ints) -> NDArray[np.bool_]:
    """Which accesses are the first to their id, (accesses,)."""
    return np.asarray(_previous_touch(ids) < 0) if len(ids) else np.zeros(0, np.bool_)


def sampled(ids: Ints, rate: float) -> NDArray[np.bool_]:
    """Which ids belong to a spatial sample of `rate` (0 to 1): the same id always, or never.

    Waldspurger, Park, Garthwaite, Ahmad, "Efficient MRC construction with SHARDS", FAST 2015. The hash
    is the finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
    """
    if not 0 < rate <= 1:
        raise ValueError(f"a sampling rate lies above 0 and is at most 1, not {rate}")
    mixed = ids.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return (mixed >> np.uint64(11)).astype(np.float64) < rate * 2.0**53


def _previous_touch(touched: Ints) -> Small:
    """For each touch the time of the same id's touch before it; -1 for its first."""
    count = len(touched)
    low, high = int(touched.min()), int(touched.max())
    if (high - low + 1) * count >= 2**63:
        touched = np.unique(touched, return_inverse=True)[1].astype(np.int64)
        low = 0
    # One sort of (id, time) packed into a number; twice as fast as a stable sort by id.
    packed = (touched - low) * count
    packed += np.arange(count)
    packed.sort()
    time = (packed % count).astype(np.int32)
    packed //= count
    same = packed[1:] == packed[:-1]
    previous = np.full(count, -1, np.int32)
    previous[time[1:][same]] = time[:-1][same]
    return previous


def _leading(seen: NDArray[np.bool_], starts: Ints) -> NDArray[np.bool_]:
    """Which accesses have been seen before together with all before them in their request."""
    missed = np.concatenate((np.zeros(1, np.int32), np.cumsum(~seen, dtype=np.int32)))
    return np.asarray(missed[1:] == np.repeat(missed[starts[:-1]], np.diff(starts)))


def _ranks(previous: Small, since: Small, arrival: Small) -> Small:
    """Ranks by recency at times `arrival` of ids that were touched last at times `since`.

    `previous` gives for each touch of the log the same id's touch before it (-1: none). At or above an id
    in the stack are the touches since its own that were not repeated before `arrival`: all of them, less
    those whose repetition came before `arrival`. A repetition is a touch m with previous(m) >= since, so
    counting them is a question of dominance in two dimensions.
    """
    repeats = previous >= 0
    marked = np.zeros(len(previous), np.bool_)
    marked[previous[repeats]] = True
    rank = _count_before(marked)
    # No two touches repeat the same one, so these ranks are a permutation.
    permutation = rank[previous[repeats]]
    at_least = rank[since]
    del marked, rank
    before = _count_before(repeats)[arrival]
    del repeats
    return np.asarray(arrival - since - _count_dominated(permutation, before, at_least), np.int32)


def _count_before(marks: NDArray[np.bool_]) -> Small:
    """For each place how many marks come before it."""
    counts = np.cumsum(marks, dtype=np.int32)
    counts -= marks
    return counts


def _count_dominated(permutation: Small, before: Small, at_least: Small) -> Small:
    """For each query, how many of the first `before` values of `permutation` are `at_least` so large.

    A wavelet matrix (Claude, Navarro, Ordóñez 2015), built and asked a bit at a time from the highest:
    zeros move to the front, ones to the back, and a query follows the bits of its bound.
    """
    values = permutation
    low = np.zeros_like(before)
    high = before.copy()
    found = np.zeros_like(before)
    for bit in reversed(range(len(permutation).bit_length())):
        ones = (values >> bit) & 1
        ones_before = np.concatenate((np.zeros(1, np.int32), np.cumsum(ones, dtype=np.int32)))
        zeros = len(values) - int(ones_before[-1])
        ones_low, ones_high = ones_before[low], ones_before[high]
        bound = (at_least >> bit) & 1 == 1
        found += np.where(bound, 0, ones_high - ones_low)
        low = np.where(bound, zeros + ones_low, low - ones_low)
        high = np.where(bound, zeros + ones_high, high - ones_high)
        is_one = ones == 1
        values = np.concatenate((values[~is_one], values[is_one]))
    return found + (high - low)


def _running_maximum(distances: Small, starts: Ints) -> Small:
    """`distances` raised to the largest before them in their request.

    One maximum over all, kept apart by adding to each request's values more than all before can reach.
    """
    request = np.repeat(np.arange(len(starts) - 1, dtype=np.int64), np.diff(starts))
    request <<= 32
    raised = np.maximum.accumulate(request + distances)
    return np.asarray(raised & 0xFFFFFFFF, np.int32)
