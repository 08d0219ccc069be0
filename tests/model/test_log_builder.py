"""Rows of logs: what they turn into, and what is wrong with bad ones."""

import pytest

from generator.model.cache import run
from generator.model.hit_curve import exact_curve, weights
from generator.model.log_builder import BadRow, LogBuilder
from generator.model.log_replay import serve
from generator.model.lru import LruCache

GOOD = {"timestamp": 10, "input_length": 700, "output_length": 5, "hash_ids": [1, 2]}


def test_columns_of_a_log_of_hash_ids():
    builder = LogBuilder(512)
    builder.add(GOOD)
    builder.add({**GOOD, "timestamp": 10.5, "input_length": 1024, "hash_ids": [1, 3]})
    log = builder.log()
    assert log.ids.tolist() == [1, 2, 1, 3] and log.starts.tolist() == [0, 2, 4]
    assert log.lengths.tolist() == [700, 1024] and log.times.tolist() == [10, 10.5]
    assert log.block_sizes().tolist() == [512, 188, 512, 512]
    assert (len(log), log.unique_blocks, log.unique_tokens) == (2, 3, 1212)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"timestamp": 9}, "timestamp 9 comes after 10: the rows are not sorted by time"),
        ({"timestamp": "now"}, "timestamp is 'now', not a time in milliseconds"),
        ({"timestamp": float("nan")}, "timestamp is nan, not a time in milliseconds"),
        ({"timestamp": None}, "no timestamp"),
        ({"input_length": -1}, "input_length is -1, less than 1"),
        ({"input_length": 0, "hash_ids": []}, "input_length is 0, less than 1"),
        ({"input_length": 700.0}, "input_length is 700.0, not a whole number"),
        ({"input_length": True}, "input_length is True, not a whole number"),
        ({"output_length": -5}, "output_length is -5, less than 0"),
        ({"hash_ids": [1]}, "1 hash_ids do not fit input_length 700: 2 blocks of 512"),
        ({"hash_ids": [1, 1]}, "an id twice in hash_ids"),
        ({"hash_ids": [1, "x"]}, "'x' where a whole number belongs"),
        ({"hash_ids": [1, 2**70]}, "an id beyond 64 bits"),
        ({"hash_ids": 7}, "hash_ids is 7, not a list"),
    ],
)
def test_a_bad_row_is_named_and_leaves_nothing_behind(change, message):
    builder = LogBuilder(512)
    builder.add(GOOD)
    with pytest.raises(BadRow) as caught:
        builder.add({**GOOD, **change})
    assert str(caught.value) == message
    builder.add(GOOD)
    assert builder.log().ids.tolist() == [1, 2, 1, 2]


@pytest.mark.parametrize("key", ["timestamp", "input_length", "output_length"])
def test_a_missing_key_is_named(key):
    with pytest.raises(BadRow, match=f"no '{key}'"):
        LogBuilder(512).add({name: value for name, value in GOOD.items() if name != key})


def test_tokens_become_blocks_named_by_themselves_and_all_before_them():
    builder = LogBuilder(4)
    builder.add({"tokens": [1, 2, 3, 4, 5], "output": [6, 7, 8, 9]})
    builder.add({"tokens": [1, 2, 3, 4, 5, 6, 7, 8]})
    builder.add({"tokens": [9, 2, 3, 4]})
    log = builder.log()
    first, second, third = (log.ids[log.starts[n] : log.starts[n + 1]].tolist() for n in range(3))
    assert len(first) == 3 and first[::2] == second and not set(third) & set(first)
    assert log.prompt_blocks.tolist() == [2, 2, 1] and log.lengths.tolist() == [5, 8, 4]
    # The second prompt is the first and its reply (without the last token, which has no KV).
    assert exact_curve(log, "tokens").best == pytest.approx(8 / 17)
    assert weights(log, "blocks").tolist() == [0.2, 0.2, 0, 0.2, 0.2, 0.2]


def test_a_log_of_tokens_equals_the_step_by_step_cache():
    builder = LogBuilder(4)
    rows = [([1] * 9, [2] * 6), ([3] * 4, []), ([1] * 9 + [2] * 6, [5]), ([1] * 9, [2, 2]), ([3] * 5, [1])]
    for prompt, reply in rows:
        builder.add({"tokens": prompt, "output": reply})
    log = builder.log()
    for capacity in range(12):
        cache = LruCache(capacity, 1)
        for request in range(len(log)):
            ids = log.ids[log.starts[request] : log.starts[request + 1]].tolist()
            asked = int(log.prompt_blocks[request])
            assert min(run(cache, request, ids).matched, asked) == serve(log, "lru", capacity).blocks[request]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"tokens": []}, "no tokens"),
        ({"tokens": "abc"}, "tokens is 'abc', not a list"),
        ({"tokens": [1, None]}, "None where a whole number belongs"),
        ({"tokens": [1], "output": [1.5]}, "1.5 where a whole number belongs"),
        ({"tokens": [1], "timestamp": 3}, "a timestamp, where rows before have none"),
    ],
)
def test_a_bad_row_of_tokens(row, message):
    builder = LogBuilder(4)
    builder.add({"tokens": [1, 2]})
    with pytest.raises(BadRow) as caught:
        builder.add(row)
    assert str(caught.value) == message


def test_a_window_counts_from_the_first_request():
    builder = LogBuilder(512)
    for seconds in (100, 101, 103):
        builder.add({**GOOD, "timestamp": seconds * 1000})
    log = builder.log()
    assert [len(log.window(*window)) for window in ((0, 1), (0, 1.001), (1, 99), (0, 4))] == [1, 2, 2, 3]
    assert log.window(1, 99).starts.tolist() == [0, 2, 4]
    with pytest.raises(ValueError, match=r"no request between 1\.5 and 3 s; the last at 3"):
        log.window(1.5, 3)
    untimed = LogBuilder(4)
    untimed.add({"tokens": [1]})
    with pytest.raises(ValueError, match="this log has none"):
        untimed.log().window(0, 1)
