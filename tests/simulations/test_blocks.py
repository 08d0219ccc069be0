"""The story of names: what its storyboard promises, worked out by hand, and parameters that make no sense."""

from __future__ import annotations

import re

import pytest

from generator.model.scenario import BadParameter
from generator.model.vllm import VllmCache
from generator.runs import Steps
from generator.simulations.blocks import Scenario, facts, simulate


def story(**parameters):
    scenario = Scenario(**parameters)
    steps = Steps(simulate(scenario))
    return steps, facts(scenario, steps)


@pytest.fixture(scope="module")
def names():
    return story()


def test_the_order_of_events_is_the_storyboards(names):
    steps, _ = names
    assert [step.name for step in steps] == [
        *("cut", "first-name", "ana", "ben-arrives", "ben"),
        *("ana-again-asks", "ana-again", "ana-again-by-token", "chen-arrives", "chen", "chen-by-token"),
        *("dara-asks", "domino", "domino-by-token", "last", "last-by-token"),
    ]
    assert {number: step.beat for number, step in enumerate(steps) if step.beat} == {
        0: "What names a block",
        3: "Nobody declared anything",
        5: "Nothing new",
        8: "In mid-block",
        11: "One early token",
        14: "Put it last",
    }


def test_what_is_reused_and_computed_by_hand(names):
    """12 blocks of 16. A repeat may match 191 tokens, so 11 blocks; 70 tokens fill 4; token 3 leaves 2 before it."""
    steps, _ = names
    split = {step.name: (step.reused, step.computed) for step in steps if step.computed}
    assert split == {
        "ana": (0, 192),
        "ben": (192, 8),
        "ana-again": (176, 16),
        "ana-again-by-token": (191, 1),
        "chen": (64, 128),
        "chen-by-token": (70, 122),
        "domino": (0, 192),
        "domino-by-token": (2, 190),
        "last": (176, 16),
        "last-by-token": (191, 1),
    }


def test_names_are_real_and_fall_like_dominoes(names):
    steps, values = names
    ana, ben, again, chen, dara, last = (
        [piece.name for piece in row.pieces if piece.name] for row in steps["last"].rows
    )
    assert ana == list(VllmCache(1, 16).names(next(iter(Scenario().alike))[1]))
    assert ana == ben == again and len(ana) == 12
    assert chen[:4] == ana[:4] and not set(chen[4:]) & set(ana)
    assert not set(dara) & set(ana) and values["new_names"] == 12
    assert last[:11] == ana[:11] and last[11] != ana[11]
    assert all(re.fullmatch("[0-9a-f]{4}", name) for name in ana + chen + dara + last)


def test_states_add_up_and_a_question_gives_nothing_away(names):
    steps, _ = names
    for step in steps:
        row = step.rows[-1]
        tokens = {state: sum(p.tokens for p in row.pieces if p.state == state) for state in ("reused", "computed")}
        if step.computed:
            assert tokens == {"reused": step.reused, "computed": step.computed} and row.reused == step.reused
        if step.caption.endswith("?"):
            assert tokens == {"reused": 0, "computed": 0} and row.reused is None
    assert [piece.name for piece in steps["dara-asks"].rows[-1].pieces[1:]] == [""] * 11


def test_rows_stay_where_they_are_and_as_they_were(names):
    steps, _ = names
    final = {row.key: row.pieces for row in steps["last"].rows}
    for step in steps[2:]:
        for row in step.rows:
            if not row.serving and row.key != "pages":
                assert row.pieces == final[row.key]
        assert [row.key for row in step.rows if row.key != "pages"] == list(final)[: len(step.rows)][
            : sum(row.key != "pages" for row in step.rows)
        ]


def test_only_what_differs_is_underlined(names):
    steps, _ = names
    assert [row.apart for row in steps["last"].rows] == [
        (), ((192, 200),), (), ((70, 192),), ((2, 3),), ((191, 192),),
    ]  # fmt: skip


def test_long_pages_match_like_blocks_and_other_keys_not_at_all(names):
    _, values = names
    assert values["found"]["long_pages"] == values["found"]["vllm"] != values["found"]["sglang"]
    for told in (values["salted"], values["adapted"]):
        assert (told["same_names"], told["vllm"], told["sglang"]) == (0, 0, 0)
        assert told["name"] != values["ana"]["first"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"page_tokens": 16},
        {"early_token": 1},
        {"block_tokens": 4, "blocks": 16, "own_tokens": 1, "shared_tokens": 33},
        {"block_tokens": 64, "blocks": 4},
    ],
)
def test_other_sizes_have_a_story_too(parameters):
    steps, _ = story(**parameters)
    assert len(steps) == 16 and steps["domino"].reused == 0
    assert all(len(step.caption.split()) <= 26 for step in steps)


@pytest.mark.parametrize(
    ("parameters", "field", "message"),
    [
        ({"block_tokens": 1}, "block_tokens", "starts at 1"),
        ({"page_tokens": 32}, "page_tokens", "32"),
        ({"blocks": 40}, "blocks", "is 40"),
        ({"own_tokens": 16}, "own_tokens", "is 16"),
        ({"shared_tokens": 64}, "shared_tokens", "end of a block"),
        ({"shared_tokens": 192}, "shared_tokens", "is 192"),
        ({"early_token": 17}, "early_token", "is 17"),
    ],
)
def test_parameters_that_make_no_sense(parameters, field, message):
    with pytest.raises(BadParameter) as error:
        Scenario(**parameters)
    assert error.value.parameter == field
    assert re.search(message, str(error.value))
