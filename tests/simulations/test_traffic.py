"""The traffic page's story: what its storyboard promises, other logs, and what makes no sense."""

from __future__ import annotations

import re

import pytest
from transcript import made

from generator.model.scenario import BadParameter, DataFile
from generator.runs import Steps
from generator.simulations.traffic import Scenario, facts, simulate
from generator.units import percent


@pytest.fixture(scope="module")
def run():
    return made("traffic")


def log_of(minutes, ids=lambda at: [0, at % 5 + 1], length=1000):
    rows = [
        f'{{"timestamp": {20_000 * at}, "input_length": {length}, "output_length": 1, "hash_ids": {ids(at)}}}'
        for at in range(3 * minutes)
    ]
    return DataFile("log.jsonl", "\n".join(rows).encode())


def test_a_minute_a_step_and_the_beats_of_the_storyboard(run):
    assert [step.name for step in run.steps] == [
        "nothing", *(f"minute-{at}" for at in range(1, 58)), "where", "one-node"
    ]  # fmt: skip
    assert {number: step.beat for number, step in enumerate(run.steps) if step.beat} == {
        0: "What came",
        2: "First minutes",
        11: "The curve settles",
        41: "The plateau",
        58: "One node",
    }
    assert [number for number, step in enumerate(run.steps) if not step.quick] == [0, 1, 2, 11, 41, 58, 59]


def test_minutes_add_up_to_the_log(run):
    minutes = [step.minute for step in run.steps[1:]]
    assert sum(minute.requests for minute in minutes) == run.facts["requests"] == 12_031
    asked = sum(minute.tokens for minute in minutes)
    assert asked == run.facts["tokens"] == 144_793_823
    for memory, kept in (("with unlimited memory", "best"), ("on one node", "one")):
        reused = sum(minute.reused[memory] for minute in minutes)
        assert reused / asked == pytest.approx(run.facts[kept]["rate"])


def test_where_one_node_and_a_terabyte_more_stand(run):
    one, host, best = (run.facts[name] for name in ("one", "host", "best"))
    assert (one["blocks"], host["blocks"], best["blocks"]) == (1002, 6962, None)
    assert [round(kept["rate"], 4) for kept in (one, host, best)] == [0.0454, 0.1617, 0.3736]
    assert [round(kept["saved"]) for kept in (one, host, best)] == [1052, 4418, 10_764]
    assert round(run.facts["prefill_seconds"]) == 29_816
    assert all(kept["saved_share"] < kept["rate"] for kept in (one, host, best))
    assert [percent(kept["at_most_first_block"], 1) for kept in (one, best)] == ["99.6 %", "61.3 %"]
    assert best["without"] == 1


def test_rules_and_the_published_curve(run):
    assert round(run.facts["full_blocks"], 4) == 0.3734
    assert round(run.facts["common_rate"], 4) == 0.0425
    apart = run.facts["published"]
    assert (round(apart["least"], 3), round(apart["most"], 3)) == (0.002, 0.037)


def test_the_last_step_alone_shows_one_node(run):
    *before, last = run.steps
    assert {step.memory for step in before} == {"with unlimited memory"} and last.memory == "on one node"
    assert not any(step.rate_limits for step in before)
    assert [dot.key for dot in last.rate_dots] == ["unlimited", "one-node"]
    assert [(curve.name, curve.thin) for curve in last.rate_curves] == [("this log", False), ("published", True)]
    assert last.rate_dots[1].place == last.rate_limits[0].at == 1


def test_the_hit_rate_settles_and_what_is_held_does_not(run):
    dots = [step.rate_dots[0] for step in run.steps[1:]]
    places = [dot.place for dot in dots]
    assert places == sorted(places) and places[-1] > 1.3 * places[40]
    assert abs(dots[-1].rate - dots[40].rate) < 0.02


def test_another_log_without_a_published_curve():
    scenario = Scenario(log=log_of(14))
    steps = Steps(simulate(scenario))
    assert len(steps) == 15 and steps.last.name == "one-node"
    assert [step.beat for step in steps if step.beat] == ["What came", "First minutes", "The curve settles", "One node"]
    found = facts(scenario, steps)
    assert found["published"] == {} and found["one"]["rate"] == found["best"]["rate"] > 0.8
    assert "12,031" not in steps.first.caption and steps.first.caption.startswith("42 requests")


def test_a_log_in_which_nothing_comes_again_has_a_story_too():
    steps = Steps(simulate(Scenario(log=log_of(12, lambda at: [2 * at, 2 * at + 1]))))
    assert "0.0 % is reused" in steps["one-node"].caption
    assert steps.first.caption.startswith("36 requests") and "1 of them begin" in steps.first.caption


@pytest.mark.parametrize(
    ("parameters", "blamed", "message"),
    [
        ({"log": DataFile("x", b"nonsense")}, "log", "line 1: not JSON"),
        ({"log": log_of(3)}, "log", "3 minutes"),
        ({"log": log_of(61)}, "log", "61 minutes"),
        ({"published": DataFile("x", b"nonsense")}, "published", "nonsense"),
        ({"model": "llama-70b"}, "model", "llama-70b"),
        ({"node": "1x a100-80gb"}, "node", "does not fit"),
        ({"block_tokens": 0}, "block_tokens", "0 tokens"),
        ({"block_tokens": 64}, "log", "do not fit input_length"),
        ({"host_memory_gb": -1}, "host_memory_gb", "is -1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_the_authors_words(parameters, blamed, message):
    with pytest.raises(BadParameter, match=re.escape(message)) as caught:
        list(simulate(Scenario(**{"log": log_of(12)} | parameters)))
    assert caught.value.parameter == blamed
