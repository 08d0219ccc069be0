"""The two stories of returns: what each beat has to show, from their steps and facts, and parameters that make none."""

from __future__ import annotations

from itertools import pairwise

import pytest

from generator import runs
from generator.model.scenario import BadParameter
from generator.simulations import returns, routing


@pytest.fixture(scope="module")
def day():
    return runs.run("day", "returns", {})


@pytest.fixture(scope="module")
def nodes():
    return runs.run("nodes", "routing", {})


def test_the_figures_are_as_long_as_planned_and_have_their_key_steps(day, nodes):
    assert len(day.steps) == 24 and len(nodes.steps) == 15
    assert day.steps["line"].limits and nodes.steps["same-node"].variants


def test_no_line_is_shown_before_the_question_is_asked(day):
    names = [step.name for step in day.steps]
    assert not any(step.limits for step in list(day.steps)[: names.index("line")])
    assert len({step.limits for step in list(day.steps)[names.index("line-moves") :]}) == 1


def test_blue_lies_left_of_the_line_and_orange_right_but_for_about_one_in_ten(day):
    step = day.steps["line"]
    right = [(dot.state == "reused") == (dot.pause < step.limits[0].at) for dot in step.returns]
    assert 0.85 < sum(right) / len(right) < 1 and day.facts["sorted"] == sum(right)


def test_twice_the_people_change_states_and_no_pause(day):
    before, after = ({dot.key: dot for dot in day.steps[name].returns} for name in ("sorted", "price"))
    assert before.keys() == after.keys()
    assert all(before[key].pause == pytest.approx(after[key].pause, abs=0.01) for key in before)
    assert all(before[key].state == "reused" for key in after if after[key].state == "reused")
    assert day.steps["price"].reused < day.steps["sorted"].reused


def test_time_goes_forward_and_begins_again_once(day):
    clocks = [step.clock for step in day.steps]
    back = [number for number, (one, two) in enumerate(pairwise(clocks)) if two < one]
    assert [day.steps[number + 1].name for number in back] == ["line-moves"]


def test_many_sessions_come_nearer_to_the_equation_than_few(day):
    few, many = day.facts["few"], day.facts["many"]
    assert many["sorted"] > few["sorted"] and many["spread"] < few["spread"]
    assert abs(many["found"] - many["predicted"]) < 0.03


def test_bars_count_the_dots_beside_them(nodes):
    for name in ("one-node", "any-node", "same-node", "parked"):
        step = nodes.steps[name]
        (bar,) = (variant for variant in step.variants if variant.name == step.shown)
        assert bar.count == pytest.approx(sum(dot.state != "computed" for dot in step.returns) / len(step.returns))


def test_a_second_node_helps_only_who_goes_back_to_it(nodes):
    bars = nodes.facts["bars"]
    assert bars["either of two"] < bars["one node"] < bars["same of two"]
    assert bars["twice the people"] < bars["one node"] / 2 + 0.02


def test_the_figures_tell_of_the_same_returns(day, nodes):
    one, other = (step.returns for step in (day.steps["sorted"], nodes.steps["one-node"]))
    assert sorted(dot.key for dot in one) == sorted(dot.key for dot in other)
    assert {dot.key: dot.state for dot in one} == {dot.key: dot.state for dot in other}


@pytest.mark.parametrize(
    ("parameters", "blamed"),
    [
        ({"model": "llama-9"}, "model"),
        ({"node": "4x abacus"}, "node"),
        ({"room_for": 24}, "room_for"),
        ({"room_for": 3}, "room_for"),
        ({"conversation_tokens": 100_000}, "room_for"),
        ({"sessions": 99}, "sessions"),
        ({"opening_tokens": 0}, "opening_tokens"),
        ({"median_pause_seconds": 0.0}, "median_pause_seconds"),
        ({"pause_spread": -1.0}, "pause_spread"),
        ({"minutes": 2}, "minutes"),
        ({"many": 20}, "many"),
    ],
)
def test_parameters_that_make_no_story_are_blamed(parameters, blamed):
    with pytest.raises(BadParameter) as problem:
        returns.Scenario(**parameters)
    assert problem.value.parameter == blamed


@pytest.mark.parametrize(
    ("parameters", "blamed"), [({"host_room_for": 12}, "host_room_for"), ({"node": "4x l40s"}, "node")]
)
def test_a_host_needs_room_and_a_link(parameters, blamed):
    with pytest.raises(BadParameter) as problem:
        routing.Scenario(**parameters)
    assert problem.value.parameter == blamed
