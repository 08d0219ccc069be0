"""First fit by hand, and what holds for any order of reserving and releasing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model.contiguous import Contiguous, Extent


def test_the_first_hole_that_is_long_enough_is_taken():
    memory = Contiguous(100)
    for name, tokens in (("a", 30), ("b", 20), ("c", 30), ("d", 10)):
        memory.reserve(name, tokens)
    memory.release("b")
    assert memory.holes() == (Extent(30, 20), Extent(90, 10))
    assert memory.reserve("e", 10) == Extent(30, 10)
    assert memory.reserve("f", 10) == Extent(40, 10)
    assert memory.reserve("g", 10) == Extent(90, 10)


def test_holes_that_would_do_together_do_not():
    memory = Contiguous(100)
    for name in "abcd":
        memory.reserve(name, 25)
    memory.release("a")
    memory.release("c")
    assert memory.capacity - memory.reserved_tokens == 50 and memory.longest_hole == 25
    assert memory.reserve("e", 26) is None
    assert memory.reserved_tokens == 50


def test_neighbouring_holes_are_one():
    memory = Contiguous(100)
    for name in "abcd":
        memory.reserve(name, 25)
    memory.release("b")
    memory.release("c")
    assert memory.holes() == (Extent(25, 50),)
    assert memory.reserve("e", 50) == memory.piece("e") == Extent(25, 50)
    assert memory.longest_hole == 0


def test_what_makes_no_sense_is_an_error():
    memory = Contiguous(10)
    memory.reserve("a", 1)
    with pytest.raises(ValueError, match="has a piece already"):
        memory.reserve("a", 1)
    with pytest.raises(ValueError, match="at least 1"):
        memory.reserve("b", 0)
    with pytest.raises(ValueError, match="at least one token"):
        Contiguous(0)
    with pytest.raises(KeyError):
        memory.release("b")


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9), st.integers(1, 40))))
def test_pieces_and_holes_tile_the_memory(operations):
    memory = Contiguous(100)
    held = {}
    for take, name, tokens in operations:
        if take and name not in held:
            longest = memory.longest_hole
            piece = memory.reserve(name, tokens)
            assert (piece is None) == (tokens > longest)
            if piece:
                held[name] = piece
        elif not take and name in held:
            assert memory.release(name) == held.pop(name)
        extents = sorted([*held.values(), *memory.holes()], key=lambda extent: extent.start)
        assert extents[0].start == 0 and extents[-1].end == 100
        assert all(before.end == after.start for before, after in pairwise(extents))
        assert memory.reserved_tokens == sum(piece.tokens for piece in held.values())
