"""Logs and curves as files: the copy that ships is the log it was made of, and what is no log says in which line."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from generator.model.log_files import HEADER, compact, read_curve, read_log

ROOT = Path(__file__).parents[2]
ROW = '{"timestamp": 5, "input_length": 1000, "output_length": 3, "hash_ids": [7, 8]}'


def columns(log):
    return [getattr(log, name).tolist() for name in ("ids", "starts", "lengths", "prompt_blocks", "times")]


def test_the_copy_that_ships_is_the_log_it_was_made_of():
    original = read_log((ROOT / "tests/data/traces/conversation_trace.jsonl.gz").read_bytes(), 512)
    packed = (ROOT / "content/data/mooncake-conversation.csv.gz").read_bytes()
    assert len(packed) < 120_000
    assert gzip.decompress(packed).decode() == compact(original)
    assert columns(read_log(packed, 512)) == columns(original)


def test_ids_that_follow_one_another_are_joined():
    row = ROW.replace("[7, 8]", "[0, 15550, 15551, 15552, 4]").replace("1000", "2500")
    log = read_log(row.encode(), 512)
    assert compact(log) == f"{HEADER}\n5,2500,0 15550x3 4\n"
    assert read_log(compact(log).encode(), 512).ids.tolist() == [0, 15550, 15551, 15552, 4]


def test_times_keep_their_fractions():
    log = read_log(ROW.replace('"timestamp": 5', '"timestamp": 3536999.5').encode(), 512)
    assert read_log(compact(log).encode(), 512).times.tolist() == [3536999.5]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it holds no request"),
        (f"{HEADER}\n".encode(), "it holds no request"),
        (f"{ROW}\nnonsense".encode(), "line 2: not JSON"),
        (b"[1]", "line 1: no JSON object"),
        (ROW.replace("[7, 8]", "[7]").encode(), "line 1: 1 hash_ids do not fit input_length 1000"),
        (f"{ROW}\n{ROW.replace('5', '4', 1)}".encode(), "line 2: timestamp 4 comes after 5"),
        (f"{HEADER}\n0,1000,1x2\n1,1000".encode(), 'line 3: "1,1000" is no request'),
        (f"{HEADER}\n0,1000,1x2x3".encode(), 'line 2: "0,1000,1x2x3" is no request'),
        (f"{HEADER}\n0,1000,a b".encode(), 'line 2: "0,1000,a b" is no request'),
        (f"{HEADER}\n0,1000,1 1".encode(), "line 2: an id twice"),
        (gzip.compress(ROW.encode())[:-9], "the gzip stream is broken"),
    ],
)
def test_what_is_no_log_is_told_by_its_line(content, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_log(content, 512)


def test_a_published_curve():
    points = read_curve((ROOT / "content/data/mooncake-published.csv").read_bytes())
    assert len(points) == 10 and points[0] == (10_000, 0.0449) and points[-1] == (100_000_000, 0.4006)
    assert np.all(np.diff([rate for _, rate in points]) > 0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"tokens,rate\n1,0.5", 'begins with "tokens,rate"'),
        (b"capacity_tokens,hit_rate\n1,0.5\n2,half", 'line 3: "2,half"'),
        (b"capacity_tokens,hit_rate\n2,0.5\n1,0.6", "do not rise"),
        (b"capacity_tokens,hit_rate\n", "holds no point"),
        (b"capacity_tokens,hit_rate\n1,45", 'line 2: "1,45"'),
        (b"capacity_tokens,hit_rate\n0,0.1", 'line 2: "0,0.1"'),
    ],
)
def test_what_is_no_curve_says_why(content, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_curve(content)
