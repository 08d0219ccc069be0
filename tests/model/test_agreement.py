"""Recordings replayed by kind: what is counted, that a difference is found, and files that hold something else."""

from __future__ import annotations

import gzip
import json

import pytest

from generator.model.agreement import replay


def recording(setting=4, **changes):
    """Two requests with the same prompt of nine tokens, as vLLM's rules serve them, block by block."""
    stood = {"cached_blocks": 2, "free_blocks": 8}
    row = {
        "name": "by hand",
        "engine": "vllm",
        "version": "0.33.0",
        "config": {"block_size": setting, "capacity_blocks": 8},
        "ops": [{"op": "run", "id": name, "prompt": list(range(9)), "output": []} for name in (1, 2)],
        "expect": [
            {"ok": True, "matched": 0, "computed": 9, "stored_events": 2, **stood},
            {"ok": True, "matched": 8, "computed": 1, "stored_events": 0, **stood},
        ],
        "final_probe_tokens": {"1": 8, "2": 8},
    }
    return row | changes


def packed(*rows):
    return gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())


def test_what_is_stated_is_counted_by_kind():
    apart = [{"op": "start", "id": 1, "prompt": [1]}, {"op": "finish", "id": 1}]
    together = recording(ops=apart, expect=[{"ok": True}, {"ok": True}], final_probe_tokens={"1": 0})
    first, second = replay(packed(together, recording(), recording()), "vllm")
    assert (first.together, first.setting, first.workloads, first.operations) == (False, "4", 2, 4)
    assert first.stated == 2 * (2 * 5 + 2)  # stored_events says nothing about the rules; two final probes
    assert (second.together, second.workloads, second.stated) == (True, 1, 3)
    assert first.mismatches == second.mismatches == 0


def test_a_fact_that_the_rules_do_not_bear_out_is_a_mismatch():
    wrong = recording()
    wrong["expect"][1]["matched"] = 9
    wrong["final_probe_tokens"]["2"] = 0
    (kind,) = replay(packed(wrong), "vllm")
    assert kind.mismatches == 2


def test_settings_are_in_order():
    kinds = replay(packed(*(recording(size, expect=[], final_probe_tokens={}, ops=[]) for size in (16, 2, 8))), "vllm")
    assert [kind.setting for kind in kinds] == ["2", "8", "16"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"plain text", "no text packed by gzip"),
        (packed(recording())[:40], "no text packed by gzip"),
        (gzip.compress(b"\xff"), "no text packed by gzip"),
        (gzip.compress(b"{\n"), "line 1: not JSON"),
        (packed(recording(), recording(engine="sglang")), 'line 2: it was recorded on "sglang", not on "vllm"'),
        (packed({"engine": "vllm"}), "line 1: 'config'"),
        (packed(recording(config={"block_size": 4})), "line 1: 'capacity_blocks'"),
        (packed([1]), "line 1: "),
        (packed(), "it holds no recording"),
    ],
)
def test_what_is_no_recording(content, message):
    with pytest.raises(ValueError, match=message.replace("'", ".")):
        replay(content, "vllm")
