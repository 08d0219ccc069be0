"""Two ways of handing out one memory to requests that grow: in one piece each, or by the block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from generator.model.cache import Outcome
from generator.model.contiguous import Contiguous
from generator.model.job import Job
from generator.model.vllm import VllmCache


class Memory(Protocol):
    """What a batching server asks of its memory. A token gets keys and values one step after it was sampled.

    `held` is how many tokens of each running request have keys and values, by its name.
    """

    held: dict[str, int]

    @property
    def tokens(self) -> int:
        """Places in all."""

    @property
    def held_tokens(self) -> int:
        """Places with a token of a running request in them; one that two requests share counts once."""

    @property
    def taken_tokens(self) -> int:
        """Places that nobody else can have, whether a token is in them or not."""

    def start(self, job: Job) -> Outcome:
        """Room for all tokens of `job` so far, one that was preempted too; not ok: no room, nothing changed."""

    def grow(self, job: Job) -> bool:
        """Place the token sampled last and sample another; False: there is no place for it, nothing changed."""

    def preempt(self, job: Job) -> None:
        """Take everything from `job`, to be started again later."""

    def finish(self, job: Job) -> None:
        """`job` is done, what it had is free."""


class InOnePiece:
    """A piece for each request, as long as `reservation` says when it starts (at least what it will get to)."""

    def __init__(self, tokens: int, reservation: Callable[[Job], int]) -> None:
        self.pieces = Contiguous(tokens)
        self.reservation = reservation
        self.held: dict[str, int] = {}
        self._tokens: dict[str, int] = {}

    @property
    def tokens(self) -> int:
        return self.pieces.capacity

    @property
    def held_tokens(self) -> int:
        return sum(self.held.values())

    @property
    def taken_tokens(self) -> int:
        return self.pieces.reserved_tokens

    def start(self, job: Job) -> Outcome:
        if self.pieces.reserve(job.name, self.reservation(job)) is None:
            return Outcome(ok=False)
        self.held[job.name] = self._tokens[job.name] = len(job.prompt)
        return Outcome(ok=True, computed=len(job.prompt), kv_tokens=len(job.prompt))

    def grow(self, job: Job) -> bool:
        """Always true: the place was set aside."""
        self.held[job.name] = self._tokens[job.name]
        self._tokens[job.name] += 1
        return True

    def preempt(self, job: Job) -> None:
        raise NotImplementedError("a request with a piece of its own never runs out of room")

    def finish(self, job: Job) -> None:
        self.pieces.release(job.name)
        del self.held[job.name], self._tokens[job.name]


class ByTheBlock:
    """Blocks by vLLM's rules, taken when a token needs one. Freed blocks keep their content until they are taken."""

    def __init__(self, blocks: int, block_tokens: int) -> None:
        self.cache = VllmCache(blocks, block_tokens)
        self.held: dict[str, int] = {}
        self.reused: dict[str, int] = {}
        self._answers: dict[str, int] = {}

    @property
    def tokens(self) -> int:
        return self.cache.capacity_blocks * self.cache.block_tokens

    @property
    def held_tokens(self) -> int:
        size = self.cache.block_tokens
        lines = sum(-(-held // size) for held in self.held.values())  # of all block tables
        return sum(self.held.values()) - (lines * size - self.taken_tokens)

    @property
    def taken_tokens(self) -> int:
        return (self.cache.capacity_blocks - self.cache.free_blocks) * self.cache.block_tokens

    def start(self, job: Job) -> Outcome:
        outcome = self.cache.resume(job.name) if job.name in self._answers else self.cache.start(job.name, job.prompt)
        if outcome.ok:
            self._answers.setdefault(job.name, 0)
            self.held[job.name] = outcome.kv_tokens
            self.reused[job.name] = outcome.matched
        return outcome

    def grow(self, job: Job) -> bool:
        sampled, held = self._answers[job.name], self.held[job.name]
        full = len(job.prompt) + sampled > held and held % self.cache.block_tokens == 0
        if full and not self.cache.free_blocks:
            return False
        outcome = self.cache.append(job.name, job.answer[sampled : sampled + 1])
        self.held[job.name] = outcome.kv_tokens
        self._answers[job.name] += 1
        return True

    def preempt(self, job: Job) -> None:
        self.cache.preempt(job.name)
        del self.held[job.name], self.reused[job.name]

    def finish(self, job: Job) -> None:
        self.cache.finish(job.name)
        del self.held[job.name], self.reused[job.name], self._answers[job.name]
