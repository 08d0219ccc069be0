"""Gaps between a session's requests, worked out by hand, and those of the conversation log."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from generator.model.request_log import RequestLog
from generator.model.return_gaps import middle_half, return_gaps

TRACES = Path(__file__).parents[1] / "data" / "traces"


def log(rows):
    """Rows of (milliseconds, ids)."""
    starts = np.cumsum([0, *(len(ids) for _, ids in rows)])
    ids = np.array([block for _, ids in rows for block in ids])
    counts = np.diff(starts)
    return RequestLog(ids, starts, counts * 512, counts, np.array([time for time, _ in rows], dtype=float), 512)


def test_gaps_by_hand():
    """Block 0 is everybody's. 1 comes back after 4 s, longer; its longer end after 2 s more; 2 never does."""
    rows = [(0, [0, 1]), (1000, [0, 2]), (4000, [0, 1, 3]), (6000, [0, 1, 3, 4]), (7000, [5, 1])]
    assert return_gaps(log(rows)).tolist() == [4.0, 2.0]


def test_a_log_without_times_is_refused_in_words():
    bare = RequestLog(np.array([1]), np.array([0, 1]), np.array([512]), np.array([1]), np.array([]), 512)
    with pytest.raises(ValueError, match="has none"):
        return_gaps(bare)


def test_the_middle_half():
    assert middle_half(np.array([1.0, 2, 3, 4, 5])) == (2, 4)


def test_the_conversation_log():
    """Of an hour: half of the returns come after 66 to 264 s."""
    with gzip.open(TRACES / "conversation_trace.jsonl.gz", "rt") as lines:
        rows = [(row["timestamp"], row["hash_ids"]) for row in map(json.loads, lines)]
    gaps = return_gaps(log(rows))
    assert len(gaps) == 4658 and [round(end) for end in middle_half(gaps)] == [66, 264]
