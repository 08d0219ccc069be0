"""The measurements as a story, and the recorded engines: each row once, questions answered, facts as the steps say."""

from __future__ import annotations

import gzip
import json

import pytest
from transcript import made

from generator import runs
from generator.model.measured import whole_passes
from generator.parameters import BadParameters


@pytest.fixture(scope="module")
def measured():
    return made("measurements")


@pytest.fixture(scope="module")
def engines():
    return made("recorded-engines")


def test_every_measured_pass_has_its_step(measured):
    shown = sorted(step.measured_seconds for step in measured.steps if step.measured_seconds is not None)
    assert shown == sorted(row.seconds for row in whole_passes())
    assert measured.facts["passes"] == 48


def test_where_plain_is_furthest_off_the_reader_is_asked_first(measured):
    asked = measured.steps.number("furthest-asked")
    answer = measured.steps[asked + 1]
    assert answer.name == "a100-128-over-0"
    assert answer.plain_off == min(step.plain_off for step in measured.steps if step.plain_off is not None)
    assert "22.7 ms" in measured.steps[asked].caption and "40 % below" in answer.caption


def test_facts_are_what_the_steps_show(measured):
    for card, rows in measured.facts["rows"].items():
        for name, row in rows.items():
            step = measured.steps[f"{card}-{name}"]
            assert (step.measured_seconds, step.plain_off, step.calibrated_off) == (
                row.measured,
                row.plain_off,
                row.calibrated_off,
            )
    shares = [abs(step.calibrated_off) for step in measured.steps if step.calibrated_off is not None]
    assert measured.facts["off"]["all"]["calibrated_worst"] == max(shares) < 0.16
    assert measured.facts["off"]["all"]["calibrated_mean"] == pytest.approx(sum(shares) / 48)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"model": "llama-3.1-8b"}, "nobody measured llama-3.1-8b on 4x a100-80gb"),
        ({"other-node": "4x b200"}, "nobody measured llama-3.1-70b on 4x b200"),
        ({"node": "4x a100"}, 'unknown card "a100"'),
        ({"other-node": "4x a100-80gb"}, "4x a100-80gb is much like 4x a100-80gb"),
    ],
)
def test_what_nobody_measured_is_the_authors_mistake(parameters, message):
    with pytest.raises(BadParameters, match=message):
        runs.run("bad", "measurements", parameters)


def test_no_recorded_fact_differs(engines):
    both = engines.facts["all"]
    assert (both["workloads"], both["mismatches"]) == (160, 0)
    assert [engines.facts[name]["workloads"] for name in ("vllm", "sglang")] == [80, 80]
    assert both["stated"] == sum(step.stated for step in engines.steps)


def test_a_recording_that_differs_is_told_and_counted():
    row = {
        "engine": "sglang",
        "version": "0.5.23",
        "config": {"page_size": 1, "capacity_pages": 8, "policy": "lru"},
        "ops": [{"op": "run", "id": 1, "prompt": [1, 2, 3]}],
        "expect": [{"ok": True, "matched": 1, "computed": 2}],
        "final_probe_tokens": {},
    }
    vllm = row | {"engine": "vllm", "config": {"block_size": 1, "capacity_blocks": 8}}
    files = {name: gzip.compress(json.dumps(each).encode()) for name, each in (("v", vllm), ("s", row))}
    run = runs.run("differing", "recorded-engines", {"vllm": "v", "sglang": "s"}, files)
    assert [step.caption for step in run.steps][1:] == [
        "vLLM, blocks of 1 token: 1 recording, 3 facts, 2 of them differ.",
        "SGLang, the least recently used leaf goes first: 1 recording, 3 facts, 2 of them differ.",
    ]
    assert run.facts["all"]["mismatches"] == 4


def test_a_file_that_holds_something_else_is_the_authors_mistake():
    with pytest.raises(BadParameters, match='"sglang": it is no text packed by gzip'):
        good = gzip.compress(b"")
        runs.run("bad", "recorded-engines", {"vllm": "v", "sglang": "s"}, {"v": _one("vllm"), "s": b"x" + good})


def _one(engine):
    row = {"engine": engine, "version": "1", "config": {"block_size": 1, "capacity_blocks": 8}, "ops": [], "expect": []}
    return gzip.compress(json.dumps(row | {"final_probe_tokens": {}}).encode())
