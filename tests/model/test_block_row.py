"""Rows of blocks by hand: where prompts differ, what is cut where, and names that depend on all before them."""

from __future__ import annotations

import pytest

from generator.model.alike import KINDS, Alike
from generator.model.block_row import NamedPiece, differences, in_blocks, in_pages
from generator.model.cache import Extra


@pytest.mark.parametrize(
    ("prompt", "other", "ranges"),
    [
        ((1, 2, 3), (1, 2, 3), ()),
        ((1, 9, 3), (1, 2, 3), ((1, 2),)),
        ((9, 9, 3, 9), (1, 2, 3, 4), ((0, 2), (3, 4))),
        ((1, 2, 3, 4), (1, 2), ((2, 4),)),
        ((1,), (1, 2), ()),
    ],
)
def test_differences_are_ranges_of_positions(prompt, other, ranges):
    assert differences(prompt, other) == ranges


def test_a_prompt_is_cut_into_blocks_of_which_only_named_ones_have_a_name():
    assert in_blocks(10, 4, ("aaaa", "bbbb"), 4, "computed") == (
        NamedPiece("aaaa", 4, "reused"),
        NamedPiece("bbbb", 4, "computed"),
        NamedPiece("", 2, "computed"),
    )


def test_pages_are_two_runs_and_one_where_nothing_was_found():
    assert in_pages(10, 7) == (NamedPiece("", 7, "reused"), NamedPiece("", 3, "computed"))
    assert in_pages(10, 0) == (NamedPiece("", 10, "computed"),)


ALIKE = Alike(tokens=32, own=3, shared=13, early=2)


def test_what_each_engine_finds_worked_out_by_hand():
    """Blocks of 8: an exact repeat loses the last block, 13 tokens are one block, and one early token costs all."""
    by_block = ALIKE.found(ALIKE.chain(8, 1), lambda asked: asked.by_block)
    by_page = ALIKE.found(ALIKE.chain(8, 1), lambda asked: asked.by_page)
    assert dict(zip(KINDS, (0, 32, 24, 8, 0, 24), strict=True)) == by_block
    assert dict(zip(KINDS, (0, 32, 31, 13, 1, 31), strict=True)) == by_page
    assert ALIKE.found(ALIKE.chain(8, 8), lambda asked: asked.by_page) == by_block


@pytest.mark.parametrize("extra", [Extra(salt="s"), Extra(adapter="a")])
def test_another_key_finds_nothing_and_has_other_names(extra):
    told = ALIKE.told_apart(ALIKE.chain(8, 1), extra)
    assert (told["same_names"], told["vllm"], told["sglang"]) == (0, 0, 0)
    assert told["name"] != ALIKE.told_apart(ALIKE.chain(8, 1), Extra())["name"]


def test_the_same_key_finds_all_it_may():
    told = ALIKE.told_apart(ALIKE.chain(8, 1), Extra())
    assert (told["same_names"], told["vllm"], told["sglang"]) == (4, 24, 31)
