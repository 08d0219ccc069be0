"""More and more sessions: the cliff, the shelf, the slope and the queue, and parameters that make no sense."""

from __future__ import annotations

import pytest

from generator.model.scenario import BadParameter, DataFile
from generator.runs import Steps
from generator.simulations.session_count import Scenario, facts, simulate
from generator.units import ms


def story(**parameters):
    scenario = Scenario(**parameters)
    steps = Steps(simulate(scenario))
    return steps, facts(scenario, steps)


@pytest.fixture(scope="module")
def crowd():
    return story()


def test_the_order_of_events_is_the_storyboards(crowd):
    steps, _ = crowd
    assert [step.name for step in steps] == [
        *("empty", "turns-4", "turns-8", "turns-12"),
        *("turns-13-asks", "turns-13", "turns-19", "turns-25", "turns-32"),
        *("irregular-12", "irregular-13", "irregular-16", "irregular-19", "irregular-25", "irregular-32"),
        "one-too-many",
    ]
    beats = {0: "Room for twelve", 4: "A 13th session", 9: "In irregular order", 15: "One too many"}
    assert {number: step.beat for number, step in enumerate(steps) if step.beat} == beats


def test_the_cliff_is_at_one_too_many_and_a_shelf_lies_below(crowd):
    steps, _ = crowd
    assert [steps[f"turns-{many}"].hit_rate for many in (4, 8, 12)] == [3071 / 3072] * 3
    assert [steps[f"turns-{many}"].hit_rate for many in (13, 19, 25, 32)] == [2048 / 3072] * 4
    assert all(steps[f"turns-{many}"].document_rate == 0 for many in (13, 32))


def test_the_slope_is_room_over_sessions(crowd):
    steps, values = crowd
    for many in (13, 16, 19, 25, 32):
        assert steps[f"irregular-{many}"].document_rate == pytest.approx(12 / many, abs=0.05)
        assert values["documents_with_room"][many] == 12 / many


def test_the_last_step_has_both_lines_whole_and_a_dot_on_each(crowd):
    step = crowd[0].last
    assert [curve.name for curve in step.rate_curves] == ["taking turns", "irregular"]
    assert all((curve.points[0][0], curve.points[-1][0]) == (4, 32) for curve in step.rate_curves)
    assert {dot.place for dot in step.rate_dots} == {13}


def test_numbers_worked_out_by_hand(crowd):
    """A queue of equal turns of s seconds, r a second, waits r s^2 / (2 (1 - r s)) on average (M/D/1): 0.45 s here."""
    _, values = crowd
    alone = values["in_turns"]["alone"]
    wait = 5 * alone**2 / (2 * (1 - 5 * alone))
    assert values["in_turns"]["queued"] == pytest.approx(alone + wait, rel=0.05)
    assert values["in_turns"]["most_per_second"] == pytest.approx(1 / alone)
    assert ms(values["turn"]["miss"]) == "392 ms" and values["turn"]["least_hits"] == pytest.approx(0.52, abs=0.001)


@pytest.mark.parametrize(("fewest", "fits", "most"), [(1, 2, 4), (2, 5, 7), (4, 12, 15), (3, 20, 60)])
def test_other_numbers_of_sessions(fewest, fits, most):
    steps, _ = story(fewest=fewest, room_for=fits, most=most, returns=40)
    assert steps[f"turns-{fits}"].document_rate > 0.99 and steps[f"turns-{fits + 1}"].document_rate == 0
    assert len({step.name for step in steps}) == len(steps) <= 61
    assert all(len(step.caption.split()) <= 26 for step in steps)


@pytest.mark.parametrize(
    ("parameters", "parameter", "says"),
    [
        ({"room_for": 4}, "room_for", "is 4"),
        ({"most": 13}, "room_for", "is 12"),
        ({"fewest": 0}, "room_for", "is 12"),
        ({"returns": 0}, "returns", "0 returns"),
        ({"turn_tokens": 0}, "turn_tokens", "0 tokens"),
        ({"spare_tokens": 0}, "spare_tokens", "is 0"),
        ({"turns_per_second": 0.0}, "turns_per_second", "is 0"),
        ({"turns_per_second": 44.1}, "turns_per_second", "is 44.1"),
        ({"document_tokens": 50_000}, "document_tokens", "the cards hold 513,092"),
        ({"node": "4x a100-80g"}, "node", "unknown card"),
    ],
)
def test_what_makes_no_sense_is_said_plainly(parameters, parameter, says):
    with pytest.raises(BadParameter, match=says) as caught:
        Scenario(**parameters)
    assert caught.value.parameter == parameter


def test_a_log_says_when_its_sessions_return():
    rows = ["0,1024,0 1", "4000,1536,0 1 3", "6000,2048,0 1 3 4"]
    content = "\n".join(["milliseconds,tokens,blocks", *rows, ""]).encode()
    scenario = Scenario(log=DataFile("a.csv", content))
    assert scenario.returns_of_log() == {"log": {"returns": 2, "half_from": 2.5, "half_to": 3.5}}
    assert "log" not in Scenario().returns_of_log()
    with pytest.raises(BadParameter, match="line 1") as caught:
        Scenario(log=DataFile("a.csv", b"nonsense\n")).returns_of_log()
    assert caught.value.parameter == "log"
