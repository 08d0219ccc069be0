"""The cache page's story: what its storyboard promises, worked out by hand, and parameters that make no sense."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from generator.model import presets
from generator.model.scenario import BadParameter
from generator.model.ways import every_head
from generator.runs import Steps
from generator.simulations.what_fits import Scenario, facts, simulate


def story(**parameters):
    scenario = Scenario(**parameters)
    steps = Steps(simulate(scenario))
    return steps, facts(scenario, steps)


@pytest.fixture(scope="module")
def cards():
    return story()


def test_the_order_of_events_is_the_storyboards(cards):
    steps, _ = cards
    assert [step.name for step in steps] == [
        *("empty", "weights", "working-space", "one-token", "ana-prompt", "ana"),
        *(f"conversations-{count}" for count in (2, 4, 8, 16, 32, 64)),
        *("nearly-full", "full", "refused", "every-head-asks", "every-head", "every-head-refused"),
        *("eight-bit", "eight-bit-full", "ana-again", "ben-shares", "shared-full", "four-bars"),
    ]
    assert {number: step.beat for number, step in enumerate(steps) if step.beat} == {
        0: "Before the first word",
        3: "One token",
        6: "Doubling each time",
        12: "Until one does not fit",
        15: "A head per query head",
        18: "Half the bytes",
        20: "Say the beginning once",
        23: "No card was bought",
    }
    assert [number for number, step in enumerate(steps) if step.quick] == list(range(6, 12))


def test_numbers_worked_out_by_hand(cards):
    """2 x 80 layers x 8 heads x 128 values x 2 bytes a token; 4 x 80 GiB, less a tenth, less 141.1 GB, is room for
    513,092 of them: 125 times 4,096, an eighth of that with 64 heads, twice it in 8 bits, and 2,048 once plus 249
    times 2,048 when the system prompt is shared."""
    steps, values = cards
    token = 2 * 80 * 8 * 128 * 2
    assert values["kv_bytes_per_token"] == token == 320 * 1024
    budget = int((4 * 80 * 2**30 * 0.9 - 141_107_412_992) // token)
    assert values["budget"] == budget == 513_092
    assert values["fit"]["plain"] == budget // 4096 == 125
    assert values["fit"]["every_head"] == budget // 8 // 4096 == 15
    assert values["fit"]["eight_bit"] == 2 * budget // 4096 == 250
    assert values["fit"]["shared"] == (budget - 2048) // 2048 == 249
    assert values["squares"] == 4 * 80 * 2**30 // (2048 * token) == 512
    assert [step.free_squares for step in steps][:6] == [512, 302, 250, 250, 249, 248]


def test_what_the_room_buys(cards):
    """A decode step reads 139.0 GB once, and 4,096 x 320 KiB for each conversation, at 0.75 of 8.156 TB/s."""
    _, values = cards
    for name, batch in (("one", 1), ("some", 64), ("all", 125)):
        read = 139_006_066_688 + batch * (4096 + 1) * 327_680
        assert values[name]["step"] == pytest.approx(read / (0.75 * 4 * 2.039e12), rel=1e-4)
        assert values[name]["tokens_per_second"] == pytest.approx(batch / values[name]["step"])
    assert [round(values[name]["tokens_per_second"]) for name in ("one", "some", "all")] == [44, 1741, 2492]


def test_no_step_holds_more_than_there_is_room_for(cards):
    steps, values = cards
    for step in steps:
        assert step.held_bytes <= values["budget_bytes"] and step.free_squares >= 0
        assert sum(len(shown.squares) for shown in step.maps) == 512
        assert {len(shown.squares) for shown in step.maps} == {128}
        held = sum(state in ("held", "reused") for shown in step.maps for state in shown.squares)
        assert held == step.held_squares


def test_whoever_is_refused_stands_outside_and_would_not_have_fitted(cards):
    steps, values = cards
    for name, who, wanted in (("refused", "session 126", 2), ("every-head-refused", "Pia", 16)):
        step = steps[name]
        assert (step.refused, step.refused_squares) == (who, wanted)
        assert [len(shown.outside) for shown in step.maps] == [0, 0, 0, wanted]
        assert step.free_squares < wanted
        assert step.held_bytes + values["square_bytes"] * wanted > values["budget_bytes"]
    assert sum(bool(step.refused) for step in steps) == 2


def test_only_the_shared_beginning_is_reused(cards):
    steps, _ = cards
    reused = {step.name: sum(shown.squares.count("reused") for shown in step.maps) for step in steps}
    assert {name for name, count in reused.items() if count} == {"ben-shares", "shared-full", "four-bars"}
    assert reused["shared-full"] == 1


def test_the_surprise_follows_the_question_and_the_last_step_has_all_bars(cards):
    steps, values = cards
    assert steps["every-head-asks"].caption.endswith("How many conversations fit?")
    assert steps["every-head"].caption.startswith("Only 15:")
    assert not any(variant.count == 15 for variant in steps["every-head-asks"].variants)
    assert [variant.count for variant in steps["four-bars"].variants] == list(values["fit"].values())


def test_a_head_for_every_query_head_keeps_the_size_of_the_model():
    for name in ("llama-3.1-70b", "llama-3.1-8b", "qwen3-32b"):
        model = presets.model(name)
        every = every_head(model)
        assert every.kv_heads == model.heads
        assert abs(every.parameters - model.parameters) < 0.0001 * model.parameters
        assert replace(every, kv_heads=model.kv_heads, ffn=model.ffn) == model


def test_other_cards_and_models_have_a_story_too():
    steps, values = story(model="llama-3.1-8b", node="1x h100", system_prompt_tokens=2048, conversation_tokens=8192)
    assert values["fit"]["plain"] == values["budget"] // 8192
    assert steps["refused"].conversations == values["fit"]["plain"]
    assert [len(step.maps) for step in steps] == [1] * len(steps)
    assert steps["empty"].caption.startswith("One card of 80 GiB")


@pytest.mark.parametrize(
    ("parameters", "field", "message"),
    [
        ({"model": "llama-3.1-70x"}, "model", "unknown model"),
        ({"model": "deepseek-v3"}, "model", "no dense model"),
        ({"node": "4x a100-8gb"}, "node", "a100-8gb"),
        ({"node": "1x a100-80gb"}, "node", "does not fit"),
        ({"reserve": 1.0}, "reserve", "share of the memory"),
        ({"system_prompt_tokens": 4096}, "system_prompt_tokens", "4,096 tokens of a conversation of 4,096"),
        ({"system_prompt_tokens": 512}, "system_prompt_tokens", "2,048 squares"),
        ({"conversation_tokens": 100_000}, "conversation_tokens", "5 fit"),
    ],
)
def test_parameters_that_make_no_sense(parameters, field, message):
    with pytest.raises(BadParameter) as error:
        Scenario(**parameters)
    assert error.value.parameter == field
    assert re.search(message, str(error.value))
