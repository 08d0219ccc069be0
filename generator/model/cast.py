"""Who talks to the model: the same people on every page, in the same order, then numbered sessions."""

from __future__ import annotations

from collections.abc import Sequence

SUPPORT = ("Ana", "Ben", "Chen", "Dara", "Emil", "Fay", "Gus", "Hana")
CODING = ("Mina", "Noor")
LATER = (
    *("Ines", "Jun", "Kofi", "Lena", "Omar", "Pia", "Rosa"),
    *("Sam", "Tara", "Uma", "Vik", "Wen", "Yara", "Zoe"),
)
EVERYBODY = (*SUPPORT, *CODING, *LATER)


def name(position: int) -> str:
    """The name of the person at `position`, counted from 0: "Ana", …, "Zoe", "session 25", …"""
    return EVERYBODY[position] if position < len(EVERYBODY) else f"session {position + 1}"


def groups(sizes: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Names for groups of the given sizes, nobody in two of them.

    The first group is Ana's and the second Mina's; whoever they lack is found among the rest, in order.
    """
    regulars = (SUPPORT, CODING, *[()] * len(sizes))
    seated = [list(people[:size]) for people, size in zip(regulars, sizes, strict=False)]
    taken = {person for group in seated for person in group}
    others = iter([name(i) for i in range(sum(sizes) + len(EVERYBODY)) if name(i) not in taken])
    for group, size in zip(seated, sizes, strict=True):
        group += [next(others) for _ in range(size - len(group))]
    return tuple(map(tuple, seated))


def slug(person: str) -> str:
    """A person in the name of a step: "Ana" is "ana", "session 25" is "session-25"."""
    return person.lower().replace(" ", "-")


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def ordinal(turn: int) -> str:
    """A turn in words, counted from 1: "first", …, "tenth", then "11th"."""
    if turn <= len(_ORDINALS):
        return _ORDINALS[turn - 1]
    last = {1: "st", 2: "nd", 3: "rd"}.get(turn % 10, "th")
    return f"{turn}{'th' if turn % 100 in (11, 12, 13) else last}"


def count(people: int) -> str:
    """How many, in words up to twelve, from 1: "eight", then "13"."""
    return _COUNTS[people - 1] if people <= len(_COUNTS) else f"{people:,}"
