"""The command: logs in, tables or JSON out, and every complaint with its line."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from generator.replay import CONTENT, GOOD, USAGE, Options, capacities, main, window

DATA = Path(__file__).parent.parent / "data"
CONVERSATION = DATA / "traces" / "conversation_trace.jsonl.gz"
ROW = {"timestamp": 0, "input_length": 700, "output_length": 5, "hash_ids": [1, 2]}


def replay(path, **options):
    out, err = io.StringIO(), io.StringIO()
    code = main(path, Options(**options), out, err)
    return code, out.getvalue(), err.getvalue()


@pytest.fixture
def log(tmp_path):
    """Writes rows (texts as they are) to a file and replays it."""

    def write_and_replay(*rows, **options):
        path = tmp_path / "log.jsonl"
        path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
        code, out, err = replay(path, **options)
        return code, out, err.replace(str(path), "log.jsonl")

    return write_and_replay


def test_the_whole_curve_as_json():
    code, out, err = replay(CONVERSATION, json=True)
    result = json.loads(out)
    assert (code, err) == (GOOD, "")
    assert (result["rules"], result["weight"], result["block_tokens"], result["window"]) == ("lru", "tokens", 512, None)
    assert (result["requests"], result["tokens"]) == (12_031, 144_793_823)
    assert (result["working_set_blocks"], result["unique_tokens"]) == (182_790, 90_695_412)
    assert result["mean_length"] == pytest.approx(144_793_823 / 12_031)
    curve = {point["capacity_blocks"]: point["hit_rate"] for point in result["curve"]}
    assert round(curve[None], 4) == 0.3736 == round(result["best"], 4)
    ordered = [point["capacity_blocks"] for point in result["curve"][:-1]]
    assert ordered == sorted(set(ordered)) and result["curve"][-1]["capacity_blocks"] is None
    rates = [point["hit_rate"] for point in result["curve"]]
    assert rates == sorted(rates)
    for share, capacity in result["reaching"].items():
        assert (
            curve[capacity]
            >= float(share) * curve[None]
            > max(rate for size, rate in curve.items() if size is not None and size < capacity)
        )


def test_capacities_weight_and_window_as_asked():
    _, out, _ = replay(CONVERSATION, json=True, capacities=(10_000, 1_000, None), weight="requests")
    points = [(point["capacity_blocks"], round(point["hit_rate"], 4)) for point in json.loads(out)["curve"]]
    assert points == [(1_000, 0.1453), (10_000, 0.2756), (None, 0.3843)]
    _, out, _ = replay(CONVERSATION, json=True, capacities=(1_000,), window=(0, 60))
    result = json.loads(out)
    assert result["window"] == [0, 60] and 0 < result["requests"] < 300
    assert [point["capacity_blocks"] for point in result["curve"]] == [1_000]


def test_prefill_saved_and_nodes():
    options = {"model": "llama-3.1-70b", "node": "4x a100-80gb"}
    _, out, _ = replay(CONVERSATION, json=True, capacities=(1_002, 6_962), **options)
    prefill = json.loads(out)["prefill"]
    assert (prefill["budget_blocks"], round(prefill["seconds"])) == (1_002, 29_816)
    assert [round(saved["seconds"]) for saved in prefill["saved"]] == [1_052, 4_418, 10_764]
    assert [saved["nodes"] and round(saved["nodes"], 2) for saved in prefill["saved"]] == [1.0, 6.95, None]
    _, out, _ = replay(CONVERSATION, window=(0, 60), **options)
    assert "Prefill of llama-3.1-70b on 4x a100-80gb, each request alone" in out and "1,002 blocks" in out


def test_the_table_says_what_its_rates_are():
    code, out, _ = replay(CONVERSATION, window=(0, 600))
    assert code == GOOD
    assert "Weighted by tokens; blocks of 512 tokens; requests from 0 to 600 s after the first." in out
    assert "the reference LRU" in out and "█" in out and "90 % takes" in out
    assert all(line == line.rstrip() for line in out.splitlines())


@pytest.mark.parametrize("rules", ["vllm", "sglang"])
def test_the_engines_rules_on_hash_ids_say_what_they_leave_out(rules):
    code, out, _ = replay(CONVERSATION, rules=rules, window=(0, 120), capacities=(1_000,))
    assert code == GOOD
    assert "an id is taken for a block, and replies are not seen" in out
    assert "full" in out and "at most all tokens but the last" in out
    _, out, _ = replay(CONVERSATION, rules=rules, window=(0, 120), json=True)
    assert [point["capacity_blocks"] for point in json.loads(out)["curve"]] == [10, 100, 1_000, None]


def test_a_sample_prints_its_error():
    code, out, _ = replay(CONVERSATION, sample=0.1)
    assert code == GOOD and "Estimated from 0.1 of the block ids." in out
    _, out, _ = replay(CONVERSATION, sample=0.1, json=True, capacities=(10_000,))
    result = json.loads(out)
    assert 0 < result["sample"]["mean_error"] < result["sample"]["largest_error"] < 0.005
    assert result["curve"][0]["hit_rate"] == pytest.approx(0.2157, abs=0.005)


def test_logs_of_tokens(log):
    rows = [{"tokens": list(range(40)), "output": [50, 51]}, {"tokens": [*range(40), 50, 7]}]
    code, out, _ = log(*rows, json=True, block_tokens=4)
    result = json.loads(out)
    assert code == GOOD and result["block_tokens"] == 4
    assert result["best"] == pytest.approx(40 / 82)
    for rules, matched in (("vllm", 40), ("sglang", 40)):
        _, out, _ = log(*rows, json=True, rules=rules, block_tokens=4, capacities=(None,))
        assert json.loads(out)["best"] == pytest.approx(matched / 82)
    _, out, _ = log(*rows, json=True)
    assert json.loads(out)["block_tokens"] == 16


def test_bad_rows_are_named_and_end_it_unless_skipped(log):
    rows = [
        ROW,
        "{not json",
        "[1, 2]",
        {"hash_ids": [1]},
        {**ROW, "input_length": -7},
        {**ROW, "hash_ids": [1]},
        {**ROW, "hash_ids": [1, 1]},
        {**ROW, "timestamp": -1},
        {"prompt": "hello"},
        {"tokens": [1]},
        "",
        {**ROW, "timestamp": 5},
        {**ROW, "timestamp": 4},
    ]
    code, out, err = log(*rows)
    assert (code, out) == (CONTENT, "")
    assert err.splitlines() == [
        "log.jsonl:2: not JSON",
        "log.jsonl:3: a list where an object belongs",
        "log.jsonl:4: no 'timestamp'",
        "log.jsonl:5: input_length is -7, less than 1",
        "log.jsonl:6: 1 hash_ids do not fit input_length 700: 2 blocks of 512",
        "log.jsonl:7: an id twice in hash_ids",
        "log.jsonl:8: timestamp is -1, not a time in milliseconds",
        'log.jsonl:9: neither "hash_ids" nor "tokens" nor "ops"',
        "log.jsonl:10: a row with tokens in a log of hash_ids",
        "log.jsonl:13: timestamp 4 comes after 5: the rows are not sorted by time",
    ]
    code, out, skipped = log(*rows, skip_bad=True, json=True)
    assert code == GOOD and skipped == err
    assert json.loads(out)["requests"] == 2


def test_the_first_twenty_bad_rows_and_a_count(log):
    code, _, err = log(*["?"] * 30)
    assert code == CONTENT
    assert len(err.splitlines()) == 21 and err.splitlines()[-1] == "log.jsonl: 30 bad rows in all"


def test_a_log_without_requests(log):
    assert log("") == (CONTENT, "", "log.jsonl: no requests\n")


def test_a_broken_gzip_stream(tmp_path):
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(ROW).encode() * 1000)[:-20])
    code, _, err = replay(path)
    assert code == CONTENT and "the gzip stream is broken" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"block_tokens": 16}, "--block-tokens 16: the ids of this log stand for 512 tokens"),
        ({"rules": "lur"}, 'unknown rules "lur" (did you mean "lru"?)'),
        ({"weight": "token"}, 'unknown weight "token" (did you mean "tokens"?)'),
        ({"model": "llama-3.1-70b"}, "--model and --node go together"),
        ({"model": "lama-3.1-70b", "node": "4x h100"}, 'unknown model "lama-3.1-70b" (did you mean "llama-3.1-70b"?)'),
        ({"sample": 0.1, "rules": "vllm"}, "only lru is sampled"),
        ({"sample": 2.0}, "a sampling rate lies above 0 and is at most 1"),
        ({"window": (100, 200)}, "no request between 100 and 200 s"),
        ({"rules": "vllm", "capacities": (0,)}, "at least one block"),
    ],
)
def test_options_that_do_not_fit(log, options, message):
    code, out, err = log(ROW, **options)
    assert (code, out) == (USAGE, "") and message in err and err.startswith("flipbook: ")


def test_a_file_that_is_not_there(tmp_path):
    code, _, err = replay(tmp_path / "nowhere.jsonl")
    assert code == USAGE and "nowhere.jsonl" in err


def test_texts_of_the_command_line():
    assert capacities("all") is None and capacities("1000,10,infinite") == (1000, 10, None)
    assert window("0:600") == (0, 600) and window("1.5:2") == (1.5, 2)
    for text in ("", "1000,", "-5", "1e3"):
        with pytest.raises(ValueError, match="cannot read"):
            capacities(text)
    with pytest.raises(ValueError, match="cannot read"):
        window("10")
    with pytest.raises(ValueError, match="ends before it begins"):
        window("10:5")


PEAK = """
import resource, sys
import numpy
bare = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
from pathlib import Path
from generator.replay import Options, main
with open("/dev/null", "w") as nowhere:
    assert main(Path(sys.argv[1]), Options(json=True), nowhere, sys.stderr) == 0
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - bare) * 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted in kilobytes on Linux only")
def test_memory_stays_within_200_bytes_per_block_access():
    done = subprocess.run([sys.executable, "-c", PEAK, CONVERSATION], capture_output=True, text=True, check=True)
    assert int(done.stdout) / 288_500 < 200
