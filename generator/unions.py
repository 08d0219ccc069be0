"""Things over all steps, there or not: one stable order, and a stand-in wherever one is absent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def in_order(lists: Sequence[Sequence[str]]) -> list[str]:
    """The union, each newcomer behind the one it follows where it first appears."""
    order: list[str] = []
    known: set[str] = set()
    for names in lists:
        if known.issuperset(names):
            continue
        place = 0
        for name in names:
            if name in known:
                place = order.index(name) + 1
            else:
                order.insert(place, name)
                known.add(name)
                place += 1
    return order


def filled(versions: Sequence[T | None]) -> list[T]:
    """Each gap is filled with what comes next, or with the last there was."""
    whole: list[T | None] = list(versions)
    for k in range(len(whole) - 2, -1, -1):
        whole[k] = whole[k] if whole[k] is not None else whole[k + 1]
    for k in range(1, len(whole)):
        whole[k] = whole[k] if whole[k] is not None else whole[k - 1]
    return [version for version in whole if version is not None]
