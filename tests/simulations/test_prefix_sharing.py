"""The sharing page's story: what its storyboard promises, other casts, and parameters that make no sense."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from generator.model.scenario import BadParameter
from generator.runs import Steps
from generator.simulations.prefix_sharing import Scenario, facts, simulate
from generator.units import ms, span


def story(**parameters):
    scenario = Scenario(**parameters)
    steps = Steps(simulate(scenario))
    return steps, facts(scenario, steps)


@pytest.fixture(scope="module")
def desk():
    return story()


def test_the_order_of_events_is_the_storyboards(desk):
    steps, _ = desk
    assert [step.name for step in steps] == [
        *("empty", "ana-1-arrives", "ana-1", "ana-1-reply", "ben-1-arrives", "ben-1"),
        *("mina-1-arrives", "mina-1", "chen-1", "noor-1", "ana-2-arrives", "ana-2"),
        *("dara-1", "emil-1", "ben-2", "fay-1", "gus-1", "mina-2", "hana-1", "copies"),
        *("chen-2", "dara-2", "noor-2", "ana-3", "hana-2", "floor"),
    ]
    assert {number: step.beat for number, step in enumerate(steps) if step.beat} == {
        0: "Nothing is cached",
        1: "Ana pays",
        4: "Ben does not",
        6: "Another beginning",
        8: "Along a conversation",
        12: "The crowd",
        20: "The floor",
    }
    assert [number for number, step in enumerate(steps) if step.quick] == list(range(12, 19))


def test_numbers_worked_out_by_hand(desk):
    """23.0 ms: 52 tokens over 2,048 read 139.0 GB of weights and 0.7 GB of cache at 0.75 of 8.156 TB/s, with causal
    attention bound by arithmetic; 336 ms: 2,100 tokens from nothing, bound by arithmetic."""
    steps, values = desk
    ben = steps["ben-1"]
    assert ben.caption == (
        "Ben's first message: 2,048 tokens reused, 52 computed. First token after 23.0 ms instead of 336."
    )
    assert span(steps["ana-1"].time_to_first_token) == "336 ms"
    assert 500e-3 < steps["mina-1"].time_to_first_token < 510e-3
    assert steps["copies"].caption == (
        "Without sharing these eight hold eight copies: 16,384 tokens of cache for 2,048 tokens of information."
    )
    assert steps["floor"].caption.endswith("Of Hana's 23.1 ms, 22.7 are one reading of the weights.")
    assert steps["floor"].look_closer == pytest.approx(0.030)
    assert ms(values["floor"]) == "23 ms" and round(values["ridge"]) == 143
    assert ms(values["long_context_time"]) == "38 ms" and ms(values["time_per_thousand_cached"], 1) == "0.1 ms"
    assert values["warm_times"]["ratio"] < 1.03


def test_what_a_request_lacks_is_what_the_tree_gains(desk):
    steps, values = desk
    held = 0
    for before, step in pairwise(steps):
        gained = step.held_tokens - before.held_tokens
        reply = gained - step.computed
        assert reply == 0 or 110 <= reply <= 260 or step.name == "floor"
        held = max(held, step.held_tokens)
        if step.strip and step.request:
            assert step.reused + step.computed == step.context == sum(piece.tokens for piece in step.strip)
    assert held == values["held"] == sum(box.tokens for box in steps.last.boxes)


def test_width_times_height_is_the_memory_without_sharing(desk):
    for step in desk[0]:
        assert sum(box.tokens for box in step.boxes) == step.held_tokens
        assert sum(box.tokens * box.rows for box in step.boxes) == step.held_tokens_without
        assert step.held_tokens_without == sum(name.end for name in step.names)


def test_boxes_never_move_and_never_shrink(desk):
    seen = {}
    for step in desk[0]:
        for box in step.boxes:
            start, tokens, row, rows = seen.get(box.key, (box.start, box.tokens, box.row, 1))
            assert (start, tokens, row) == (box.start, box.tokens, box.row) and box.rows >= rows
            seen[box.key] = box.start, box.tokens, box.row, box.rows


def test_boxes_of_one_row_do_not_overlap(desk):
    for step in desk[0]:
        for row in range(step.row_count):
            spans = sorted((b.start, b.start + b.tokens) for b in step.boxes if b.row <= row < b.row + b.rows)
            assert all(end == start for (_, end), (start, _) in pairwise(spans))


def test_captions_use_the_state_words_and_no_others(desk):
    for step in desk[0][1:]:
        assert (
            re.search(r"\b(to compute|computed|reused|held|without|weights)\b", step.caption, re.I)
            or "?" in step.caption
        )
        assert not re.search(r"\b(cached|hits?|miss(es)?|recomputed|idle|matched|stored)\b", step.caption)


def test_a_question_gives_nothing_away(desk):
    step = desk[0]["ben-1-arrives"]
    assert {piece.state for piece in step.strip} == {"without"}
    assert {box.state for box in step.boxes} == {"held"}
    assert step.reused == 0


def test_a_person_says_the_same_whoever_else_is_there(desk):
    alone, _ = story(users={"support": 1})
    assert alone["ana-3"].strip == desk[0]["ana-3"].strip


@pytest.mark.parametrize(
    "users", [{"support": 1}, {"support": 2}, {"coding": 3}, {"support": 3, "coding": 1}, {"coding": 40}]
)
def test_other_casts(users):
    steps, values = story(users=users)
    assert values["people"] == sum(users.values()) == len(steps.last.names)
    assert values["copies"] == max(users.values())
    assert ("copies" in {step.name for step in steps}) == (max(users.values()) > 1)
    assert steps["ana-1"].computed == steps["ana-1"].context
    assert all(len(step.caption.split()) <= 26 for step in steps)


def test_people_beyond_the_cast_are_numbered():
    steps, _ = story(users={"support": 26})
    assert steps["session-25-1"].caption.startswith("session 25's first message: 2,048 tokens reused")


def test_another_model_on_one_card():
    steps, values = story(model="llama-3.1-8b", node="a100-80gb")
    assert values["floor"] < 0.012 and steps["floor"].look_closer < 0.02
    assert steps.last.time_to_first_token is None


@pytest.mark.parametrize(
    ("parameters", "parameter", "says"),
    [
        ({"users": {}}, "users", "is empty"),
        ({"users": {"support": 0}}, "users", '"support" has 0 users'),
        ({"users": {"suport": 8}}, "users", 'unknown system prompt "suport"'),
        ({"users": {"support": 101}}, "users", "more than a figure can show"),
        ({"system_prompts": {"support": -5, "coding": 1}}, "system_prompts", '"support" has -5 tokens'),
        ({"model": "lama-3.1-70b"}, "model", 'unknown model "lama-3.1-70b"'),
        ({"node": "4x a100-80g"}, "node", 'unknown card "a100-80g"'),
        ({"node": "1x a100-80gb"}, "node", "does not fit"),
        ({"message_tokens": (-1, 80)}, "message_tokens", "starts at -1"),
        ({"reply_tokens": (260, 110)}, "reply_tokens", "runs from 260 down to 110"),
        ({"system_prompts": {"support": 513_080}, "users": {"support": 1}}, "users", "the cards hold 513,092"),
    ],
)
def test_what_makes_no_sense_is_said_plainly(parameters, parameter, says):
    with pytest.raises(BadParameter, match=says.replace("(", r"\(")) as caught:
        story(**parameters)
    assert caught.value.parameter == parameter
