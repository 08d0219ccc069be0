"""The engines' rules against recorded runs of the real engines: every field that they state."""

import gzip
import json
from pathlib import Path

import pytest

from generator.model.recorded import cache_of, differences, final_probe, perform, probe_differences, replayed

TESTS = Path(__file__).parents[1]
SHIPPED = TESTS.parent / "content" / "data" / "engines"


def unpacked(path):
    return gzip.decompress(path.read_bytes()).decode()


WORKLOADS = [
    json.loads(line)
    for name in ("vllm-0.33.0", "sglang-0.5.23")
    for line in unpacked(SHIPPED / f"{name}.jsonl.gz").splitlines()
]
SCENARIOS = json.loads(unpacked(TESTS / "data" / "engines" / "scenarios.json.gz"))
IN_WORDS = ["stats_exclude_preempted", "image_hash_in_key", "cache_salt_isolates"]
RUNNABLE = [scenario for scenario in SCENARIOS if scenario["name"] not in IN_WORDS]


def test_all_recordings_are_here():
    assert [sum(row["engine"] == name for row in WORKLOADS) for name in ("vllm", "sglang")] == [80, 80]
    assert len(RUNNABLE) == 23


@pytest.mark.parametrize("row", WORKLOADS, ids=lambda row: row["name"])
def test_a_workload_agrees_on_every_field(row):
    assert {"expect", "final_probe_tokens"} <= set(row)
    assert replayed(row)[1] == []


@pytest.mark.parametrize("row", RUNNABLE, ids=lambda row: row["name"])
def test_a_scenario_agrees_on_every_field(row):
    cache = cache_of(row["engine"], row["config"])
    results = [perform(cache, operation) for operation in row["requests"]]
    assert list(differences(row["expect"], results)) == []


def test_a_difference_is_found_and_named():
    row = WORKLOADS[0]
    cache = cache_of(row["engine"], row["config"])
    results = [perform(cache, operation) for operation in row["ops"]]
    results[3]["matched"] += 1
    assert list(differences(row["expect"], results)) == [
        f"op 3: matched is {results[3]['matched']}, expected {results[3]['matched'] - 1}"
    ]
    probe = final_probe(cache, row["ops"])
    probe["2"] += 1
    assert list(probe_differences(row["final_probe_tokens"], probe)) == [
        f"final probe of request 2: {probe['2']}, expected {probe['2'] - 1}"
    ]


def test_a_final_probe_may_list_all_requests_or_those_that_were_not_dropped():
    row = {
        "engine": "vllm",
        "config": {"capacity_blocks": 3, "block_size": 4},
        "ops": [
            {"op": "run", "id": 0, "prompt": [1, 2, 3, 4, 5]},
            {"op": "run", "id": 1, "prompt": list(range(20, 40))},
            {"op": "run", "id": 2, "prompt": list(range(40, 48))},
        ],
    }
    for listed in ([4, 0, 8], [4, 8], {"0": 4, "2": 8}):
        assert replayed({**row, "final_probe_tokens": listed})[1] == []
    assert replayed({**row, "final_probe_tokens": [4]})[1] == ["final probe of 1 requests expected, 2 were not dropped"]
