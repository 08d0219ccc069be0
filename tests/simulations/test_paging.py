"""The paging page's story: what its storyboard promises, other ways to reserve, other blocks, and bad parameters."""

from __future__ import annotations

import pytest

from generator.model.scenario import BadParameter
from generator.runs import Steps
from generator.simulations.paging import Scenario, facts, simulate


def story(**parameters):
    scenario = Scenario(**parameters)
    steps = Steps(simulate(scenario))
    return steps, facts(scenario, steps)


@pytest.fixture(scope="module")
def day():
    return story()


def test_the_order_of_events_is_the_storyboards(day):
    steps, _ = day
    assert [step.name for step in steps] == [
        *("empty", "ana-asks", "ana", "ben"),
        *("chen-comes", "dara-comes", "emil-comes", "fay-comes", "gus-comes", "hana-comes", "mina-comes"),
        *("last-fits", "kofi-refused", "queue", "share", "wall"),
        *("ben-leaves", "hana-leaves", "holes", "blocks-are-free", "any-hole", "kofi-starts"),
        *("preempted", "computed-again", "later-1", "later-2", "later-3", "same-time"),
        *("ana-again", "table", "one-more", "last-block"),
        *("ben-again", "two-owners", "own-ends", "ana-leaves"),
    ]
    assert [number for number, step in enumerate(steps) if step.beat] == [0, 4, 11, 16, 22, 28, 32]
    assert [step.seconds for step in steps] == sorted(step.seconds for step in steps)


def test_numbers_worked_out_by_hand(day):
    """180 + 512 = 692 tokens; 180 / 16 = 11.25, so 12 blocks; 235 + 512 = 747; 513,092 // 16 = 32,068."""
    steps, values = day
    ana = steps["ana"]
    assert (ana.piece_held_tokens, ana.piece_taken_tokens, ana.block_taken_tokens) == (180, 692, 192)
    assert steps["kofi-refused"].needed_tokens == 747
    assert values["node_blocks"] == 32068 and values["memory_tokens"] == 8192


def test_squares_say_what_the_counts_say(day):
    for step in day[0]:
        piece, block = step.maps
        assert len(piece.squares) == len(block.squares) == 512
        in_use = sum(state != "" for state in block.squares)
        assert in_use * 16 == step.block_taken_tokens
        assert set(piece.squares) <= {"", "held", "computed", "reserved, empty"}
        taken = sum(state != "" for state in piece.squares) * 16
        assert 0 <= taken - step.piece_taken_tokens < 16 * (step.piece_running + 1)
        assert len(piece.outside) == -(-step.needed_tokens // 16)


def test_only_the_one_who_is_served_computes_and_reuses(day):
    steps, _ = day
    assert "computed" not in steps["wall"].maps[0].squares, "Kofi does not run in one piece"
    for step in steps:
        last = step.tables[-1].entries if step.tables else ()
        for state in ("computed", "reused"):
            named = sum(entry.state == state for entry in last)
            assert step.maps[1].squares.count(state) == named, step.name


def test_a_table_names_every_block_once_and_only_its_last_is_part_empty(day):
    for step in day[0]:
        for table in step.tables:
            blocks = [entry.block for entry in table.entries]
            assert len(blocks) == len(set(blocks))
            assert all(entry.tokens == 16 for entry in table.entries[:-1])
            assert all(step.maps[1].squares[block - 1] for block in blocks)


def test_a_question_gives_nothing_away(day):
    steps, _ = day
    assert "tokens" not in steps["share"].maps[0].below
    assert steps["share"].maps[0].squares == steps["wall"].maps[0].squares
    assert not any(steps["ana-asks"].maps[0].squares)


def test_the_wall(day):
    wall = day[0]["wall"]
    assert (wall.piece_running, wall.piece_waiting) == (12, 12)
    assert (wall.block_running, wall.block_waiting) == (24, 0)
    assert 0.30 < wall.piece_held_tokens / 8192 < 0.36
    assert wall.maps[0].outside_label == "Kofi"


def test_neither_hole_does_alone(day):
    holes = day[0]["holes"]
    assert holes.longest_hole < holes.needed_tokens < holes.free_in_holes


def test_two_owners_hold_nine_blocks_once(day):
    steps, _ = day
    ana, ben = steps["two-owners"].tables
    assert [entry.block for entry in ana.entries[:9]] == [entry.block for entry in ben.entries[:9]]
    assert [entry.state for entry in ben.entries] == ["reused"] * 9 + ["computed"] * 2
    left, still = steps["ana-leaves"].tables
    assert not left.entries and still.reused == 9


def test_preempted_tokens_are_computed_again(day):
    steps, values = day
    assert not steps["preempted"].tables[0].entries and steps["preempted"].maps[1].outside
    assert steps["computed-again"].tables[0].entries
    assert values["block"]["preemptions"] == 37


def test_the_less_is_promised_the_more_are_answered(day):
    ways = [story(reservation=way)[1]["piece"] for way in ("full", "power-of-two", "known")]
    ways.insert(1, day[1]["piece"])
    ways.append(day[1]["block"])
    assert [way["finished"] for way in ways] == sorted({way["finished"] for way in ways})
    assert [way["held_share"] for way in ways] == sorted(way["held_share"] for way in ways)


def test_what_larger_blocks_cost(day):
    sizes = [day[1], story(blocks=128, block_tokens=64)[1], story(blocks=32, block_tokens=256)[1]]
    assert [values["shared_reused"] for values in sizes] == [144, 128, 0]
    empty = [values["block"]["empty_share"] for values in sizes]
    assert empty == sorted(empty) and empty[0] < 0.03 < 0.25 < empty[2]
    assert len({round(values["piece"]["held_share"], 9) for values in sizes}) == 1


@pytest.mark.parametrize("seed", range(4))
def test_other_crowds(seed):
    steps, values = story(seed=seed, people=40)
    assert values["block"]["finished"] >= values["piece"]["finished"]
    assert {"wall", "same-time", "two-owners"} <= {step.name for step in steps}


@pytest.mark.parametrize(
    ("parameters", "parameter", "says"),
    [
        ({"reservation": "knwon"}, "reservation", "unknown way to reserve"),
        ({"blocks": 0}, "blocks", "is 0"),
        ({"blocks": 40}, "blocks", "less than one request"),
        ({"blocks": 40_000}, "blocks", "more than the node has"),
        ({"people": 1}, "people", "is 1"),
        ({"people": 5}, "people", "never fill the memory"),
        ({"per_second": 0.0}, "per_second", "is 0"),
        ({"allowed_tokens": 300}, "allowed_tokens", "less than the longest answer"),
        ({"full_tokens": 600}, "full_tokens", "less than a prompt and its answer"),
        ({"prompt_tokens": (0, 10)}, "prompt_tokens", "starts at 0"),
        ({"model": "lama-3.1-70b"}, "model", "unknown model"),
        ({"node": "1x a100-80gb"}, "node", "does not fit"),
    ],
)
def test_what_makes_no_sense_is_said_plainly(parameters, parameter, says):
    with pytest.raises(BadParameter, match=says) as caught:
        story(**parameters)
    assert caught.value.parameter == parameter
