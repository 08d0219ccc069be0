"""Who comes back to a model: how much they say in a turn, how many they are, and where their turns go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from generator.model.think_time import ThinkTime

BLOCK = 16
"""Tokens of a block, vLLM's default."""


@dataclass(frozen=True)
class Talk:
    """Tokens of what a conversation opens with, and of the message and the reply that each turn adds."""

    opening: int
    message: int
    reply: int

    def prompt(self, turn: int) -> int:
        """Tokens of the prompt of a turn, counted from 1."""
        return self.opening + (turn - 1) * (self.message + self.reply) + self.message

    def whole(self, turn: int) -> int:
        """Tokens of the conversation once that turn is answered."""
        return self.prompt(turn) + self.reply

    def left(self, turn: int) -> int:
        """Those that the turn leaves in the cache: in full blocks, and the last token has no keys and values yet."""
        return (self.whole(turn) - 1) // BLOCK * BLOCK

    def after(self, turns: int) -> Talk:
        """The same kind of conversation, as long at its opening as this one is after so many turns."""
        return replace(self, opening=self.whole(turns))


@dataclass(frozen=True)
class Crowd:
    """Who comes, how long they pause, and where their turns go.

    `pauses` are first pauses in seconds that are set, by name; all others are drawn. With `sticky` a session stays on
    the node of its first turn, else each turn goes to any of the `nodes`. A node's cards hold `capacity_tokens`, its
    host memory `host_tokens` (0: there is none), copies of what the cards hold included.
    """

    sessions: int
    think: ThinkTime
    talk: Talk
    capacity_tokens: int
    seed: int
    pauses: Mapping[str, float] = field(default_factory=dict)
    nodes: int = 1
    sticky: bool = True
    host_tokens: int = 0
