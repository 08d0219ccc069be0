"""Room for whole conversations, and memory dealt out in squares."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.model.prefix_tree import Segment
from generator.model.roofline import Roofline
from generator.model.room import Room
from generator.model.squares import Label, Share, Squares, by_card


def test_a_conversation_is_held_whole_or_not_at_all():
    room = Room(100)
    assert room.admit((Segment("a", 60),)) and room.held == 60
    assert not room.admit((Segment("b", 41),)) and (room.held, room.conversations) == (60, 1)
    assert room.admit((Segment("b", 40),)) and (room.held, room.conversations) == (100, 2)
    assert not room.admit((Segment("c", 1),))


def test_what_begins_alike_is_held_once():
    room = Room(100)
    assert room.admit((Segment("prompt", 50), Segment("ana", 20)))
    assert room.admit((Segment("prompt", 50), Segment("ben", 30)))
    assert room.held == 100
    assert room.admit((Segment("prompt", 50), Segment("ben", 30))) and room.held == 100


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 40)), max_size=30), st.integers(1, 300))
def test_the_capacity_is_never_exceeded(arrivals, capacity):
    room = Room(capacity)
    for number, (head, own) in enumerate(arrivals):
        before = room.held
        fits = room.admit((Segment(f"head {head}", 10 + head), Segment(f"own {number}", own)))
        assert room.held <= capacity
        assert fits or room.held == before


def test_squares_of_four_a100():
    """2,048 tokens of 320 KiB are a 512th of 4 x 80 GiB; 141.1 GB are 210.3 squares, a tenth is 51.2."""
    squares = Squares(Roofline.of("llama-3.1-70b", "4x a100-80gb"), 2048 * 327_680)
    assert (squares.all, squares.weights, squares.working, squares.room) == (512, 210, 52, 250)
    assert [squares.of_tokens(tokens) for tokens in (1, 2047, 2048, 4096)] == [0, 0, 1, 2]


def test_every_card_has_an_equal_part():
    shares = (Share("weights", 5, "weights"), Share("weights", 2, "working space"), Share("held", 3))
    one, two = by_card(2, shares, 4, Share("refused", 2, "Kofi"))
    assert one.squares == ("weights",) * 4 + ("held",) + ("",) * 2
    assert two.squares == ("weights",) * 3 + ("held",) * 2 + ("",) * 2
    assert one.labels == (Label("weights", 0, 3), Label("working space", 3, 1))
    assert (one.outside, two.outside, two.outside_label) == ((), ("refused", "refused"), "Kofi")
    assert (one.title, two.title) == ("Card 1", "Card 2")
