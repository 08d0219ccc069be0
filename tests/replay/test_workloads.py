"""Recorded workloads through the command: as they are, with results for machines, and with differences found."""

import io
import json
from pathlib import Path

import pytest

from generator.replay import CONTENT, GOOD, Options, main
from generator.replay_file import Problems, rows

SHIPPED = Path(__file__).parents[2] / "content" / "data" / "engines"
FILES = {"vllm": SHIPPED / "vllm-0.33.0.jsonl.gz", "sglang": SHIPPED / "sglang-0.5.23.jsonl.gz"}


def replay(path, **options):
    out, err = io.StringIO(), io.StringIO()
    code = main(path, Options(**options), out, err)
    return code, out.getvalue(), err.getvalue()


def recorded(engine):
    return [row for _, row in rows(FILES[engine], Problems(""))]


@pytest.fixture
def workloads(tmp_path):
    def write_and_replay(*found, **options):
        path = tmp_path / "workloads.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in found))
        code, out, err = replay(path, **options)
        return code, out, err.replace(str(path), "workloads.jsonl")

    return write_and_replay


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
def test_rows_as_they_are_agree_with_the_engine(engine):
    code, out, err = replay(FILES[engine], json=True)
    assert (code, err) == (GOOD, "")
    lines = [json.loads(line) for line in out.splitlines()]
    assert len(lines) == 80
    for line, row in zip(lines, recorded(engine), strict=True):
        assert line["name"] == row["name"] and len(line["results"]) == len(row["ops"])
        for result, operation in zip(line["results"], row["ops"], strict=True):
            assert isinstance(result["ok"], bool)
            assert ("matched" in result and "computed" in result) == (operation["op"] in ("run", "start"))


def test_without_json_a_line_each_and_a_sum():
    code, out, _ = replay(FILES["vllm"], rules="vllm")
    assert code == GOOD
    assert out.splitlines()[0].startswith("vllm_seq_1041: 15 requests, 224 tokens matched, 119 computed")
    assert out.splitlines()[-1] == "80 workloads, 0 of them differ from what was recorded"


def test_expectations_are_optional(workloads):
    row = recorded("vllm")[0]
    bare = {key: row[key] for key in ("name", "engine", "config", "ops")}
    code, out, err = workloads(bare, json=True)
    assert (code, err) == (GOOD, "")
    assert [result["matched"] for result in json.loads(out)["results"]] == [did["matched"] for did in row["expect"]]


def test_differences_go_to_stderr_and_the_exit_is_1(workloads):
    row = recorded("sglang")[0]
    row["expect"][2]["matched"] += 4
    row["final_probe_tokens"]["1"] += 4
    code, out, err = workloads(row, recorded("sglang")[1], json=True)
    assert code == CONTENT and len(out.splitlines()) == 2
    first, second = err.splitlines()
    assert first == "workloads.jsonl:1: sglang_seq_1185: op 2: matched is 4, expected 8"
    assert second.startswith("workloads.jsonl:1: sglang_seq_1185: final probe of request 1: ")


def test_a_dropped_request_is_data(workloads):
    row = {
        "engine": "vllm",
        "config": {"block_size": 4, "capacity_blocks": 2},
        "ops": [
            {"op": "run", "id": 0, "prompt": [1] * 40},
            {"op": "start", "id": 1, "prompt": [1] * 40},
            {"op": "append", "id": 1, "tokens": [2]},
            {"op": "run", "id": 2, "prompt": [1] * 4},
        ],
    }
    code, out, err = workloads(row, json=True)
    assert (code, err) == (GOOD, "")
    result = json.loads(out)
    assert result["name"] == "row 1"
    assert [did["ok"] for did in result["results"]] == [False, False, False, True]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"engine": "vlm"}, 'unknown engine "vlm" (did you mean "vllm"?)'),
        ({"config": {"block_size": 4}}, "no 'capacity_blocks'"),
        ({"config": {"block_size": 0, "capacity_blocks": 3}}, "not a workload: a cache has at least one block"),
        ({"ops": [{"op": "begin", "id": 0}]}, 'unknown operation "begin"'),
        ({"ops": [{"op": "start", "id": 0}]}, "no 'prompt'"),
        ({"ops": 5}, "not a workload"),
    ],
)
def test_a_row_that_is_no_workload_is_a_bad_row(workloads, change, message):
    row = recorded("vllm")[0]
    code, out, err = workloads({**row, **change}, row, json=True)
    assert code == CONTENT and len(out.splitlines()) == 1
    assert err.startswith("workloads.jsonl:1: ") and message in err
    assert workloads({**row, **change}, row, json=True, skip_bad=True)[0] == GOOD


def test_rules_that_are_not_the_rows_own(workloads):
    code, _, err = workloads(recorded("vllm")[0], rules="sglang")
    assert code == CONTENT and "--rules sglang, but the row says vllm" in err
