"""What is handed out in two ways: a slice of a node's memory, to how many people, and how much to each."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice

from generator.errors import did_you_mean
from generator.model import presets
from generator.model.job import Crowd, Job, words
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter, blame, check_range, parameter
from generator.units import number, tokens

RESERVATIONS = ("allowed", "full", "power-of-two", "known")
"""How much is set aside in one piece: for the longest answer allowed, the longest context, the answer that will come
rounded up to a power of two, or exactly. (Max, Pow2 and Oracle of the PagedAttention paper are the last three, of
which two know what nobody can.)"""

MOST_PEOPLE = 1000
OWN_TOKENS = (20, 60)  # of the prompt of somebody who returns, after what all begin with


@dataclass(frozen=True)
class Scenario:
    """Who comes, and what memory there is. Raises BadParameter for what makes no sense."""

    model: str = parameter("llama-3.1-70b", "the model, by preset name")
    node: str = parameter("4x a100-80gb", "the cards it runs on: how many, and a preset name")
    blocks: int = parameter(512, "the memory: a slice of the node's, in blocks")
    block_tokens: int = parameter(16, "tokens in a block")
    reservation: str = parameter("allowed", "tokens set aside in one piece: allowed, full, power-of-two or known")
    people: int = parameter(60, "how many come")
    per_second: float = parameter(9.2, "how many come in a second, on average")
    prompt_tokens: tuple[int, int] = parameter((100, 260), "shortest and longest prompt, in tokens")
    answer_tokens: tuple[int, int] = parameter((100, 400), "shortest and longest answer, in tokens")
    allowed_tokens: int = parameter(512, "the longest answer that is allowed, in tokens")
    full_tokens: int = parameter(2048, "the longest context that is allowed, in tokens")
    shared_tokens: int = parameter(150, "tokens with which two prompts begin alike at the end")
    measured_seconds: float = parameter(12.0, "the time after which both ways are compared, in seconds")
    seed: int = parameter(77609, "draws who comes when, with how long a prompt and answer")

    def __post_init__(self) -> None:
        with blame("model"):
            presets.model(self.model)
        with blame("node"):
            self.roofline()
        for name, least in (("blocks", 1), ("block_tokens", 1), ("people", 2), ("shared_tokens", 1)):
            if getattr(self, name) < least:
                raise BadParameter(name, f"is {getattr(self, name)}", f"the least is {least}")
        if self.people > MOST_PEOPLE:
            raise BadParameter("people", f"is {self.people:,}", f"at most {MOST_PEOPLE:,}")
        for name in ("per_second", "measured_seconds"):
            if not getattr(self, name) > 0:
                raise BadParameter(name, f"is {getattr(self, name):g}", "more than 0")
        check_range("prompt_tokens", self.prompt_tokens)
        check_range("answer_tokens", self.answer_tokens)
        if self.reservation not in RESERVATIONS:
            hint = did_you_mean(self.reservation, RESERVATIONS) or f"one of {', '.join(RESERVATIONS)}"
            raise BadParameter("reservation", f'unknown way to reserve "{self.reservation}"', hint)
        self._check_lengths()

    def _check_lengths(self) -> None:
        longest = self.prompt_tokens[1] + self.allowed_tokens
        if self.allowed_tokens < self.answer_tokens[1]:
            raise BadParameter("allowed_tokens", "is less than the longest answer", "at least as much")
        if self.full_tokens < longest:
            raise BadParameter(
                "full_tokens", f"is less than a prompt and its answer: {number(longest)}", "at least that"
            )
        if self.memory_tokens < max(longest, self.full_tokens):
            raise BadParameter("blocks", f"hold {tokens(self.memory_tokens)}, less than one request", "more of them")
        if self.memory_tokens > (budget := self.roofline().cache_budget_tokens):
            raise BadParameter("blocks", f"hold more than the node has for the cache: {tokens(budget)}", "fewer")

    @property
    def memory_tokens(self) -> int:
        """Places for tokens."""
        return self.blocks * self.block_tokens

    def roofline(self) -> Roofline:
        """The model on its node."""
        return Roofline.of(self.model, self.node)

    def crowd(self) -> tuple[Job, ...]:
        """Everybody, in order of arrival."""
        ranges = self.prompt_tokens, self.answer_tokens, self.allowed_tokens
        return tuple(islice(Crowd(self.per_second, *ranges, self.seed), self.people))

    def set_aside(self, job: Job) -> int:
        """Tokens that `job` needs in a row where it gets one piece."""
        answers = {
            "allowed": self.allowed_tokens,
            "full": self.full_tokens - len(job.prompt),
            "power-of-two": 1 << (len(job.answer) - 1).bit_length(),
            "known": len(job.answer),
        }
        return len(job.prompt) + answers[self.reservation]

    def returning(self, job: Job, answer_tokens: int) -> Job:
        """The next request of somebody who was here: it begins as all who return do, then has words of its own."""
        name = f"{job.name} again"
        own = random.Random(f"{self.seed} {name}").randint(*OWN_TOKENS)
        prompt = words("what all begin with", self.shared_tokens) + words(name, own)
        return Job(name, job.who, job.arrival, prompt, words(f"{name}: answer", answer_tokens), self.allowed_tokens)
