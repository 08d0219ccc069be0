"""In which order sessions come back: each in its turn, or whoever happens to be next."""

from __future__ import annotations

import random
from collections.abc import Callable


def taking_turns(sessions: int, turns: int, seed: int = 0) -> tuple[int, ...]:  # noqa: ARG001 (orders are called alike)
    """`turns` places of sessions, counted from 0: 0, 1, …, sessions - 1, and from the start again."""
    return tuple(turn % sessions for turn in range(turns))


def irregular(sessions: int, turns: int, seed: int = 0) -> tuple[int, ...]:
    """`turns` places of sessions, each as likely as any other to be next, whoever was last.

    That is how sessions return whose pauses are exponentially distributed with one mean: no pause
    remembers how long it has lasted.
    """
    stream = random.Random(f"irregular {seed}")
    return tuple(stream.randrange(sessions) for _ in range(turns))


ORDERS: dict[str, Callable[[int, int, int], tuple[int, ...]]] = {"taking turns": taking_turns, "irregular": irregular}
