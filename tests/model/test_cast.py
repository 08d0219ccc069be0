"""The cast: the same people in the same order, and numbered sessions when names run out."""

from __future__ import annotations

import pytest

from generator.model import cast


def test_alone_everybody_comes_in_order():
    (group,) = cast.groups([26])
    assert group[:11] == ("Ana", "Ben", "Chen", "Dara", "Emil", "Fay", "Gus", "Hana", "Mina", "Noor", "Ines")
    assert group[23:] == ("Zoe", "session 25", "session 26")


def test_support_is_anas_and_coding_is_minas():
    assert cast.groups([3, 2, 1]) == (("Ana", "Ben", "Chen"), ("Mina", "Noor"), ("Dara",))


def test_nobody_is_in_two_groups():
    support, coding = cast.groups([20, 12])
    assert support[8:] == tuple(cast.LATER[:12]) and coding[:4] == ("Mina", "Noor", "Yara", "Zoe")
    assert len({*support, *coding}) == 32 and coding[-1] == "session 32"


def test_names_of_steps():
    assert [cast.slug(cast.name(i)) for i in (0, 23, 24)] == ["ana", "zoe", "session-25"]


@pytest.mark.parametrize(
    ("turn", "word"), [(1, "first"), (10, "tenth"), (11, "11th"), (21, "21st"), (22, "22nd"), (111, "111th")]
)
def test_ordinals(turn, word):
    assert cast.ordinal(turn) == word


def test_counts():
    assert [cast.count(n) for n in (1, 12, 13, 1200)] == ["one", "twelve", "13", "1,200"]
