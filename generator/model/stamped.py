"""Conversations whose prompts carry the time of day somewhere, served one at a time from one engine's cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.model.cache import Cache, run
from generator.model.conversation import Conversation, label
from generator.model.icicle import Piece
from generator.model.job import words
from generator.model.prefix_tree import Segment
from generator.model.roofline import Roofline

PLACES = ("nowhere", "last", "between", "first")
"""Where the time stands: in no prompt, at the end of each message, between system prompt and history, or before all
but the template."""


@dataclass(frozen=True)
class Part:
    """A labelled part of a prompt, as token numbers."""

    label: str
    words: tuple[int, ...]


@dataclass(frozen=True)
class Stamps:
    """How prompts are written: `place` is one of PLACES; the template begins the system prompt. Counts are tokens.

    With `kept`, a message of the history still has the time at which it was sent.
    """

    place: str
    template_tokens: int
    stamp_tokens: int
    kept: bool = True

    def prompt(self, segments: Sequence[Segment], times: Sequence[str]) -> tuple[Part, ...]:
        """System prompt, then messages and replies in turn; `times` has one entry for each message."""
        system, *history = segments
        whole = words(system.key, system.tokens)
        now = self._stamp(times[-1])
        talk = tuple(part for number, segment in enumerate(history) for part in self._said(number, segment, times))
        head = Part(label(system.key), whole)
        if self.place == "first":
            cut = self.template_tokens
            return (Part("template", whole[:cut]), now, Part(head.label, whole[cut:]), *talk)
        return (head, now, *talk) if self.place == "between" else (head, *talk)

    def _said(self, number: int, segment: Segment, times: Sequence[str]) -> tuple[Part, ...]:
        part = Part(label(segment.key), words(segment.key, segment.tokens))
        turn = number // 2
        stamped = number % 2 == 0 and (self.kept or turn == len(times) - 1)
        return (part, self._stamp(times[turn])) if stamped and self.place == "last" else (part,)

    def _stamp(self, time: str) -> Part:
        return Part("time", words(time, self.stamp_tokens))


@dataclass(frozen=True)
class Served:
    """A request and what it found. Counts are tokens; seconds are from its start to the first token."""

    conversation: Conversation
    parts: tuple[Part, ...]
    matched: int
    seconds: float
    seconds_without: float

    @property
    def tokens(self) -> int:
        """Length of the prompt."""
        return sum(len(part.words) for part in self.parts)

    @property
    def computed(self) -> int:
        """Tokens of the prompt that were not found."""
        return self.tokens - self.matched

    @property
    def strip(self) -> tuple[Piece, ...]:
        """The prompt as it was served; a part that was found only in part is two pieces."""
        pieces, start = [], 0
        for part in self.parts:
            end = start + len(part.words)
            found = min(max(self.matched - start, 0), len(part.words))
            pieces += [Piece(part.label, found, "reused"), Piece(part.label, end - start - found, "computed")]
            start = end
        return tuple(piece for piece in pieces if piece.tokens)


class StampedDesk:
    """A node that serves one request at a time; replies go into the cache, and nothing is evicted before it is full."""

    def __init__(self, roofline: Roofline, cache: Cache[int]) -> None:
        self.roofline = roofline
        self._cache = cache
        self._talks: dict[tuple[str, Stamps], tuple[Conversation, tuple[str, ...]]] = {}

    def serve(self, newcomer: Conversation, stamps: Stamps, time: str) -> Served:
        """The next message of `newcomer`, sent at `time`, with all that was said before under the same stamps."""
        talk, times = self._talks.get((newcomer.who, stamps), (newcomer, ()))
        asked, times = talk.asked(), (*times, time)
        answered = asked.answered()
        parts = stamps.prompt(asked.segments, times)
        prompt = [word for part in parts for word in part.words]
        reply = answered.segments[-1]
        name = (newcomer.who, stamps, asked.turn)
        found = run(self._cache, name, prompt, words(reply.key, reply.tokens))
        if not found.ok:
            raise ValueError(f"the cache has no room for a prompt of {len(prompt):,} tokens")
        self._talks[newcomer.who, stamps] = answered, times
        return Served(
            asked,
            parts,
            found.matched,
            self.roofline.prefill(found.computed, found.matched).seconds,
            self.roofline.prefill(len(prompt)).seconds,
        )


def hit_rate(served: Sequence[Served]) -> float:
    """Prompt tokens found over prompt tokens."""
    return sum(one.matched for one in served) / sum(one.tokens for one in served)
