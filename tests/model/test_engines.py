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
