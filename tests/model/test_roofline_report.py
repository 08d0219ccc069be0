"""What `flipbook roofline` says, to machines and to people."""

from __future__ import annotations

import json

import pytest

from generator.model.measured import whole_passes
from generator.roofline import batches, counts, report


def test_json_has_these_keys_and_numbers() -> None:
    said = report(new=(1, 512), cached=(0, 8192), decode=((64, 4096),)).json()
    assert json.loads(json.dumps(said)) == said
    rows, steps = said.pop("rows"), said.pop("decode")
    assert said == {
        "model": "llama-3.1-70b",
        "node": "4x a100-80gb",
        "floor_ms": pytest.approx(22.72, abs=0.01),
        "ridge_tokens": 143,
        "kv_bytes_per_token": 327_680,
        "cache_budget_tokens": 513_092,
        "calibrated_on": "a100",
    }
    assert isinstance(rows, list) and isinstance(steps, list)
    assert [(row["new"], row["cached"]) for row in rows] == [(1, 0), (512, 0), (1, 8192), (512, 8192)]
    assert [set(row) for row in rows] == [{"new", "cached", "plain_ms", "calibrated_ms", "bound"}] * 4
    assert [row["bound"] for row in rows] == ["memory", "arithmetic", "memory", "arithmetic"]
    assert rows[3]["plain_ms"] == pytest.approx(93.56, abs=0.01)
    assert [set(row) for row in steps] == [{"batch", "context", "plain_ms", "calibrated_ms"}]
    assert steps[0]["plain_ms"] == pytest.approx(36.77, abs=0.01)


@pytest.mark.parametrize("node", ["4x a100-80gb", "4x h100"])
def test_calibrated_times_are_those_measured(node: str) -> None:
    for row in whole_passes():
        if row.node == node and row.stage == "prefill":
            said = report(row.model, node, (row.new,), (row.cached,), ()).json()["rows"]
            assert isinstance(said, list)
            assert said[0]["calibrated_ms"] == pytest.approx(row.seconds * 1e3, rel=0.16)


def test_detail_adds_the_parts() -> None:
    said = report(new=(128,), decode=(), detail=True).json()["rows"]
    assert isinstance(said, list)
    parts = {part["name"]: part for part in said[0]["parts"]}
    assert list(parts) == ["projections", "attention", "MLP", "LM head", "launch", "all-reduce"]
    for level in ("plain_ms", "calibrated_ms"):
        assert sum(part[level] or 0 for part in parts.values()) == pytest.approx(said[0][level], abs=1e-3)
    assert parts["launch"]["plain_ms"] is None


def test_a_family_nobody_measured_is_not_calibrated() -> None:
    made = report("llama-3.1-70b", "4x b200", (1,), (0,), ((1, 128),))
    said = made.json()
    assert said["calibrated_on"] is None
    for rows in (said["rows"], said["decode"]):
        assert isinstance(rows, list)
        assert rows[0]["calibrated_ms"] is None
    assert "calibrated  none: no pass on a card of the family blackwell was measured" in made.text()


def test_text_says_all_of_it() -> None:
    lines = report(new=(64, 2048), cached=(0,), decode=((126, 4096),)).text().splitlines()
    assert lines[:7] == [
        "llama-3.1-70b on 4x a100-80gb",
        "",
        "weights     141.1 GB of 343.6 GB (bf16); a pass reads 139.0 GB",
        "floor       22.7 ms, one new token on an empty cache",
        "ridge       143 tokens",
        "KV cache    327,680 bytes a token (bf16)",
        "budget      513,092 tokens after 10 % kept back",
    ]
    assert any(line.startswith("plain       the slower of arithmetic and memory") for line in lines)
    assert any(line.startswith("calibrated  soft knee, launch time and two all-reduces a layer") for line in lines)
    assert "  new  cached      plain  calibrated  bound by" in lines
    assert any(line.split() == ["batch", "context", "plain", "calibrated", "bound", "by"] for line in lines)
    # 126 x 4,097 = 516,222 tokens
    assert lines[-1].endswith("memory    3,130 tokens more than the cache holds")


def test_copies_are_said() -> None:
    text = report("deepseek-v3", "8x h200", (1,), (0,), (), weights="fp8", cache="fp8").text()
    assert "281,088 bytes a token (fp8), each value held 8 times" in text
    assert "batch" not in text


def test_lists_of_the_command_line() -> None:
    assert counts("1,64,512") == (1, 64, 512)
    assert batches("16x2048,1x128") == ((16, 2048), (1, 128))
    for text in ("", "1,", "a", "-1", "1.5"):
        with pytest.raises(ValueError, match="cannot read"):
            counts(text)
    for text in ("", "16", "16x", "x128", "1x2x3"):
        with pytest.raises(ValueError, match="cannot read"):
            batches(text)
