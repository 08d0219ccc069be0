"""The story of the time of day: full columns, then one and seven at the floor, worked out by hand."""

from __future__ import annotations

import re

import pytest

from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter
from generator.runs import Steps
from generator.simulations.timestamp import Scenario, facts, simulate


def story(**parameters):
    scenario = Scenario(**parameters)
    steps = Steps(simulate(scenario))
    return steps, facts(scenario, steps)


@pytest.fixture(scope="module")
def clock():
    return story()


def test_the_order_of_events_is_the_storyboards(clock):
    steps, _ = clock
    rounds = [f"{place}-{number}" for place in ("first", "last") for number in range(1, 9)]
    assert [step.name for step in steps] == ["nothing", *rounds]
    assert {number: step.beat for number, step in enumerate(steps) if step.beat} == {
        0: "The time comes first",
        3: "Nobody is spared",
        9: "The time comes last",
        11: "Down to the floor",
    }
    assert [number for number, step in enumerate(steps) if step.quick] == [*range(3, 8), *range(11, 16)]


def test_first_costs_all_and_last_costs_what_is_new(clock):
    steps, values = clock
    roofline = Roofline.of("llama-3.1-70b", "4x a100-80gb")
    for number in range(1, 9):
        first, last = steps[f"first-{number}"], steps[f"last-{number}"]
        assert first.context == last.context and first.who == last.who
        assert (first.reused, first.computed) == (0, first.context)
        assert last.reused == (0 if number == 1 else 2048)
        for step in (first, last):
            assert step.time_to_first_token == roofline.prefill(step.computed, step.reused).seconds
            assert step.time_without == roofline.prefill(step.context).seconds
            assert sum(piece.tokens for piece in step.strip) == step.context
    assert values["hit_rate"]["first"] == 0
    assert values["hit_rate"]["last"] == 7 * 2048 / sum(steps[f"last-{n}"].context for n in range(1, 9))
    assert round(values["hit_rate"]["last"], 2) == 0.86
    assert values["slowest_warm"] < 1.02 * roofline.floor_seconds


def test_the_time_stands_before_all_but_the_template_and_then_behind_all(clock):
    steps, _ = clock
    assert [piece.label for piece in steps["first-3"].strip] == ["template", "time", "support prompt", "message 1"]
    assert [piece.label for piece in steps["last-3"].strip] == ["support prompt", "message 1", "time"]


def test_the_places_between(clock):
    """Two turns each. Before the history a second turn computes its history, first everything, last hardly more than
    without any time; a minute lasts three requests, so there are three among eight."""
    _, values = clock
    places = values["places"]
    assert list(places) == ["nowhere", "last", "between", "first", "not_kept"]
    assert places["first"]["vllm"] == 0 < places["first"]["sglang"] < 0.003
    rates = [places[place]["vllm"] for place in ("nowhere", "last", "not_kept", "between", "first")]
    assert rates == sorted(rates, reverse=True) and rates[1] > 0.99 * rates[0]
    for place in places.values():
        assert place["vllm"] <= place["sglang"]
    assert places["last"]["second_computed"] < 60 < 200 < places["between"]["second_computed"] < 300
    assert values["by_minute"]["misses"] == values["by_minute"]["times"] == 3


def test_a_slower_clock_and_more_people():
    steps, values = story(people=12, seconds_between=60, system_prompt_tokens=1024)
    assert len(steps) == 25
    assert values["by_minute"]["misses"] == 12 and values["by_minute"]["hit_rate"] == 0


@pytest.mark.parametrize(
    ("parameters", "field", "message"),
    [
        ({"model": "llama-3.1-70x"}, "model", "unknown model"),
        ({"node": "1x a100-80gb"}, "node", "does not fit"),
        ({"people": 2}, "people", "is 2"),
        ({"people": 0}, "people", "is 0"),
        ({"template_tokens": 16}, "template_tokens", "is 16"),
        ({"system_prompt_tokens": 40_000}, "system_prompt_tokens", "is 40,000"),
        ({"stamp_tokens": 0}, "stamp_tokens", "is 0"),
        ({"seconds_between": 1000}, "seconds_between", "is 1,000"),
        ({"message_tokens": (40, 20)}, "message_tokens", "down to 20"),
    ],
)
def test_parameters_that_make_no_sense(parameters, field, message):
    with pytest.raises(BadParameter) as error:
        Scenario(**parameters)
    assert error.value.parameter == field
    assert re.search(message, str(error.value))
