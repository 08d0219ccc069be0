"""The story of one session too many: what its storyboard promises, other sizes, and parameters that make no sense."""

from __future__ import annotations

from itertools import pairwise

import pytest

from generator.model.scenario import BadParameter
from generator.runs import Steps
from generator.simulations.prefix_cache import Scenario, facts, simulate
from generator.units import span


def story(**parameters):
    scenario = Scenario(**parameters)
    steps = Steps(simulate(scenario))
    return steps, facts(scenario, steps)


@pytest.fixture(scope="module")
def contest():
    return story()


def evicted(step):
    return [name.name for name in step.names for box in step.boxes
            if box.state == "evicted" and box.row == name.row]  # fmt: skip


def test_the_order_of_events_is_the_storyboards(contest):
    steps, _ = contest
    assert [step.name for step in steps] == [
        *("empty", "ana-1", "ben-1", "chen-1", "dara-1", "emil-1", "second-round"),
        *("fay-1-arrives", "fay-1-evicts", "fay-1"),
        *("ana-3-arrives", "ana-3", "ben-3", "chen-3", "dara-3", "thrash"),
        *("fay-2", "ana-4", "a-round"),
        *(f"irregular-{position}" for position in range(1, 7)),
        *("most-recent", "most-recent-round", "best-for-turns"),
    ]
    assert {number: step.beat for number, step in enumerate(steps) if step.beat} == {
        0: "Five fit",
        7: "Fay arrives",
        10: "Each evicts the next",
        16: "The shared beginning stays",
        19: "Out of turn",
        25: "Another rule",
    }


def test_each_evicts_the_next_to_come(contest):
    steps, _ = contest
    assert [evicted(steps[name]) for name in ("fay-1-evicts", "ana-3", "ben-3", "chen-3", "dara-3", "thrash")] == [
        ["Ana"],
        ["Ben"],
        ["Chen"],
        ["Dara"],
        ["Emil"],
        ["Fay"],
    ]
    assert evicted(steps["best-for-turns"]) == ["Dara"]


def test_a_question_gives_nothing_away(contest):
    step = contest[0]["ana-3-arrives"]
    assert {piece.state for piece in step.strip} == {"without"} and {box.state for box in step.boxes} == {"held"}


def test_numbers_worked_out_by_hand(contest):
    """All but the last of 3,072 tokens; 6 x 169 ms a round against 5 x 22.9; (513,092 - 2,048) / 1,024 = 499."""
    steps, values = contest
    assert values["hit"]["reused"] == 3071 and values["miss"] == {
        "reused": 2048,
        "computed": 1024,
        "time": steps["thrash"].time_to_first_token,
    }
    assert span(values["hit"]["time"]) == "22.9 ms" and span(values["miss"]["time"]) == "169 ms"
    assert values["round"]["over"] == pytest.approx(6 * values["miss"]["time"])
    assert values["round"]["fitting"] == pytest.approx(5 * values["hit"]["time"])
    assert values["fit_on_node"] == 499 and values["working_set"] == 8192
    assert values["policies"]["mru"]["turns"] == 0.8
    assert all(shares["irregular"] == pytest.approx(5 / 6, abs=0.02) for shares in values["policies"].values())
    assert values["by_blocks"] == {"fitting": 63 / 64, "over": 2 / 64}


def test_memory_is_never_more_than_there_is(contest):
    for step in contest[0]:
        held = sum(box.tokens for box in step.boxes if box.state != "evicted")
        assert step.held_tokens <= step.capacity_tokens
        assert step.name == "fay-1-evicts" or held == step.held_tokens


def test_boxes_of_one_row_do_not_overlap_and_names_stand_at_their_end(contest):
    for step in contest[0]:
        for name in step.names:
            spans = sorted((b.start, b.start + b.tokens) for b in step.boxes if b.row <= name.row < b.row + b.rows)
            assert all(end == start for (_, end), (start, _) in pairwise(spans))
            assert spans[-1][1] == name.end


@pytest.mark.parametrize("many", [3, 4, 8])
def test_other_numbers_of_sessions(many):
    steps, values = story(room_for=many)
    assert values["sessions"] == many + 1 and values["policies"]["lru"]["turns"] == 0
    assert steps["thrash"].computed == values["document"]
    assert all(len(step.caption.split()) <= 26 and step.caption[-1] in ".?" for step in steps)
    assert len(steps) <= 61 and len({step.name for step in steps}) == len(steps)


def test_other_lengths():
    steps, values = story(
        shared_tokens=100, document_tokens=2000, spare_tokens=1, model="llama-3.1-8b", node="a100-80gb"
    )
    assert values["hit"]["reused"] == 2099 and steps["thrash"].reused == 100


@pytest.mark.parametrize(
    ("parameters", "parameter", "says"),
    [
        ({"room_for": 2}, "room_for", "is 2"),
        ({"room_for": 9}, "room_for", "is 9"),
        ({"spare_tokens": 0}, "spare_tokens", "is 0"),
        ({"spare_tokens": 1024}, "spare_tokens", "is 1,024"),
        ({"shared_tokens": 0}, "shared_tokens", "is 0"),
        ({"document_tokens": 200_000}, "document_tokens", "the cards hold 513,092"),
        ({"question_tokens": 0}, "question_tokens", "0 tokens"),
        ({"reply_tokens": 0}, "reply_tokens", "0 tokens"),
        ({"model": "lama-3.1-70b"}, "model", 'unknown model "lama-3.1-70b"'),
        ({"node": "1x a100-80gb"}, "node", "does not fit"),
    ],
)
def test_what_makes_no_sense_is_said_plainly(parameters, parameter, says):
    with pytest.raises(BadParameter, match=says) as caught:
        Scenario(**parameters)
    assert caught.value.parameter == parameter
