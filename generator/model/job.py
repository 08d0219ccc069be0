"""Requests as a batching server sees them: when they come, what they bring, how long their answer gets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from generator.model import cast


@dataclass(frozen=True, eq=False)
class Job:
    """A request. `name` is unique; `arrival` in seconds, lengths in tokens.

    `answer` is what will be sampled, whose length nobody knows beforehand: at most `allowed_tokens`.
    """

    name: str
    who: str
    arrival: float
    prompt: tuple[int, ...]
    answer: tuple[int, ...]
    allowed_tokens: int


@dataclass(frozen=True)
class Crowd:
    """People who come at random, `per_second` on average, with prompts and answers of lengths in a range.

    Lengths are drawn evenly, the time between two arrivals from an exponential distribution (a Poisson
    process). No two prompts have a token in common, unless told so.
    """

    per_second: float
    prompt_tokens: tuple[int, int]
    answer_tokens: tuple[int, int]
    allowed_tokens: int
    seed: int

    def __iter__(self) -> Iterator[Job]:
        """The first to come at 0 s, and so on without end."""
        stream = random.Random(self.seed)
        arrival = 0.0
        for position in count():
            who = cast.name(position)
            prompt, answer = stream.randint(*self.prompt_tokens), stream.randint(*self.answer_tokens)
            yield Job(who, who, arrival, words(who, prompt), words(f"{who}'s answer", answer), self.allowed_tokens)
            arrival += stream.expovariate(self.per_second)


def words(text: str, tokens: int) -> tuple[int, ...]:
    """`tokens` token numbers that make up `text`: the same for the same text, no two alike otherwise."""
    stream = random.Random(text)
    return tuple(stream.getrandbits(48) for _ in range(tokens))
