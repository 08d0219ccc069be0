"""A conversation: a system prompt, then messages and replies, each prompt beginning with all that came before."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from generator.model import cast
from generator.model.prefix_tree import Segment


@dataclass(frozen=True)
class Conversation:
    """Somebody's conversation as far as it has come. `row` is the place of `who` in a list of all people.

    Lengths are drawn evenly from the ranges (lowest, highest), in tokens. Each has a stream of random numbers
    of its own, so a person says the same whoever else is there.
    """

    who: str
    row: int
    segments: tuple[Segment, ...]
    message_tokens: tuple[int, int]
    reply_tokens: tuple[int, int]
    seed: int
    turn: int = 0

    @property
    def tokens(self) -> int:
        """Length in tokens, system prompt included."""
        return sum(segment.tokens for segment in self.segments)

    def asked(self) -> Conversation:
        """The conversation with one more message at its end: the prompt of a request."""
        turn = self.turn + 1
        return replace(self, turn=turn, segments=(*self.segments, self._drawn("message", turn)))

    def answered(self) -> Conversation:
        """The conversation with the reply to its last message at its end."""
        return replace(self, segments=(*self.segments, self._drawn("reply", self.turn)))

    def _drawn(self, kind: str, turn: int) -> Segment:
        low, high = self.message_tokens if kind == "message" else self.reply_tokens
        stream = random.Random(f"{self.seed} {self.who} {kind} {turn}")
        return Segment(f"{self.who}/{kind} {turn}", stream.randint(low, high))


def system_prompt(name: str, tokens: int) -> Segment:
    """The segment of the system prompt called `name`."""
    return Segment(f"system/{name} prompt", tokens)


def label(key: str) -> str:
    """What a reader sees of a segment's key: "support prompt", "message 1", "reply 1"."""
    return key.partition("/")[2]


def gathered(
    users: Mapping[str, int],
    system_prompts: Mapping[str, int],
    message_tokens: tuple[int, int],
    reply_tokens: tuple[int, int],
    seed: int,
) -> tuple[tuple[Conversation, ...], ...]:
    """Everybody's conversation before the first word, a group for each system prompt in `users`.

    `users` has the number of people and `system_prompts` the length in tokens, both by the prompt's name. Rows
    go down the groups in order of arrival.
    """
    people = cast.groups(list(users.values()))
    rows = iter(range(sum(users.values())))
    prompts = [system_prompt(name, system_prompts[name]) for name in users]
    return tuple(
        tuple(Conversation(who, next(rows), (prompt,), message_tokens, reply_tokens, seed) for who in group)
        for prompt, group in zip(prompts, people, strict=True)
    )
