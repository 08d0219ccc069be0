"""The prefill page's story: what its storyboard promises, other cards and models, and what makes no sense."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from generator.model.scenario import BadParameter
from generator.runs import Steps
from generator.simulations.prefill import Scenario, facts, simulate
from generator.units import ms, percent


def story(**parameters):
    scenario = Scenario(**parameters)
    steps = Steps(simulate(scenario))
    return steps, facts(scenario, steps)


@pytest.fixture(scope="module")
def told():
    return story()


def test_the_order_of_events_is_the_storyboards(told):
    steps, _ = told
    assert [step.name for step in steps] == [
        *("nothing", "one-token"),
        *("how-much-longer", "tokens-2", "tokens-4", "tokens-8", "tokens-16", "tokens-32", "tokens-64"),
        *("ridge",),
        *("tokens-256", "tokens-512", "tokens-1024", "tokens-2048", "tokens-4096", "document"),
        *("attention-2048", "attention-8192"),
        *("reused-1024", "reused-4096", "how-long-now", "cached"),
        *("products", "whole-passes"),
    ]
    assert {number: step.beat for number, step in enumerate(steps) if step.beat} == {
        0: "One token",
        2: "Free riders",
        9: "The ridge",
        10: "Paying your own way",
        16: "Attention's share",
        18: "Take back what is cached",
        22: "Against real cards",
    }


def test_sixty_four_tokens_cost_what_one_costs(told):
    steps, _ = told
    assert steps["tokens-64"].seconds < 1.001 * steps["one-token"].seconds
    assert steps["tokens-64"].flops_per_second > 60 * steps["one-token"].flops_per_second


def test_past_the_ridge_each_doubling_doubles_the_time(told):
    steps, _ = told
    times = [step.seconds for step in steps[10:16]]
    assert all(1.99 < later / earlier < 2.08 for earlier, later in pairwise(times))
    assert {step.bound for step in steps[1:10]} == {"memory"}
    assert {step.bound for step in steps[10:16]} == {"arithmetic"}


def test_the_ridge_is_shown_from_its_step_on(told):
    steps, _ = told
    assert [step.ridge is not None for step in steps] == [False] * 9 + [True] * 15


def test_what_is_reused_brings_the_dot_back_to_the_floor(told):
    steps, _ = told
    assert all(step.reused_tokens and step.new_tokens == 64 for step in (steps[18], steps[19], steps["cached"]))
    assert steps["cached"].seconds - steps["cached"].floor < 2e-3
    assert steps["cached"].seconds_without == steps["document"].seconds


def test_the_second_line_is_the_curve_less_attention(told):
    steps, _ = told
    assert {step.name for step in steps if step.curve_without_attention} == {"attention-2048", "attention-8192"}
    step = steps["attention-8192"]
    assert step.curve_without_attention[-1] == (8192, pytest.approx(step.seconds - step.attention_seconds))


def test_only_the_last_beat_has_diamonds(told):
    steps, _ = told
    assert [bool(step.measured) for step in steps] == [False] * 22 + [True] * 2


def test_facts_that_the_page_quotes(told):
    _, facts = told
    assert [ms(facts["slopes"][name]) for name in ("products", "start", "end")] == ["157 ms", "159 ms", "175 ms"]
    assert (ms(facts["turn"]["after"]), ms(facts["turn"]["alone"])) == ("94 ms", "81 ms")
    assert (percent(facts["attention"]["part"]), percent(facts["attention"]["document"])) == ("2 %", "7 %")
    assert facts["busy"]["apart"] == pytest.approx(8 * 22.73e-3, rel=1e-3)


def test_another_node_has_its_own_ridge_and_its_own_diamonds():
    steps, facts = story(node="4x h100")
    assert round(facts["ridge"]) == 216
    assert steps[-1].name == "whole-passes" and "products" not in [step.name for step in steps]
    assert steps["tokens-64"].seconds < 1.001 * steps["one-token"].seconds


def test_a_model_that_nobody_measured_ends_before_the_diamonds():
    steps, facts = story(model="llama-3.1-8b", node="a100-80gb")
    assert steps[-1].name == "cached"
    assert facts["measured"]["passes"] == {}


def test_a_document_that_is_no_power_of_two_ends_the_doublings():
    steps, _ = story(document_tokens=6000, question_tokens=100)
    assert steps["document"].new_tokens == 6000 and steps["tokens-4096"].new_tokens == 4096
    assert steps["cached"].reused_tokens == 5900


@pytest.mark.parametrize(
    ("parameters", "blamed", "message"),
    [
        ({"model": "llama-70b"}, "model", "llama-70b"),
        ({"node": "4x a100"}, "node", "a100"),
        ({"node": "1x a100-80gb"}, "node", "does not fit"),
        ({"document_tokens": 1024}, "document_tokens", "1,024 tokens"),
        ({"document_tokens": 600_000}, "document_tokens", "600,000 tokens"),
        ({"question_tokens": 0}, "question_tokens", "0 tokens"),
        ({"question_tokens": 4096}, "question_tokens", "4,096 tokens"),
    ],
)
def test_what_makes_no_sense_is_refused_in_the_authors_words(parameters, blamed, message):
    with pytest.raises(BadParameter, match=re.escape(message)) as caught:
        Scenario(**parameters)
    assert caught.value.parameter == blamed
