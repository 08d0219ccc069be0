"""A server that runs whoever has found room, a token each in every pass: continuous batching.

The order is vLLM's (0.33.0, v1/core/sched/scheduler.py, first come first served): first whoever runs gets
room for the next token, in order of admission, and where there is none the last to be admitted is preempted;
then, unless somebody was, those who wait are let in, in order, until one finds no room. Prompts ride along in
the pass, whole. Times are the plain roofline's.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from generator.model.job import Job
from generator.model.memory import Memory
from generator.model.roofline import Roofline


@dataclass(frozen=True)
class Preemption:
    """A running request that lost its memory at `seconds`: `tokens` with keys and values."""

    job: Job
    seconds: float
    tokens: int


@dataclass(frozen=True)
class Tally:
    """Requests running, places with a token of theirs, and places taken for them; also sums and means of these."""

    running: float = 0
    held_tokens: float = 0
    taken_tokens: float = 0

    def plus(self, other: Tally) -> Tally:
        return Tally(
            self.running + other.running, self.held_tokens + other.held_tokens, self.taken_tokens + other.taken_tokens
        )

    def times(self, factor: float) -> Tally:
        return Tally(self.running * factor, self.held_tokens * factor, self.taken_tokens * factor)


class Server:
    """Requests come to one memory. Every event happens at `now`, in seconds; `step` goes to the next one.

    `blocked` is the first of those who wait, if there was no room the last time that somebody could be let in.
    """

    def __init__(self, memory: Memory, roofline: Roofline) -> None:
        self.memory = memory
        self.roofline = roofline
        self.now = 0.0
        self.running: list[Job] = []
        self.waiting: deque[Job] = deque()
        self.finished: list[Job] = []
        self.preemptions: list[Preemption] = []
        self.computed_again = 0
        self.blocked: Job | None = None
        self._sums = Tally()
        self._to_come: deque[Job] = deque()
        self._sampled: dict[str, int] = {}
        self._admitted: list[Job] = []
        self._pass_ends = math.inf

    def expect(self, jobs: Iterable[Job]) -> None:
        """`jobs` will come, in order of arrival, none before those that are expected already."""
        self._to_come.extend(jobs)

    @property
    def next_event(self) -> float:
        """When somebody comes or a pass ends; infinite when neither will."""
        return min(self._pass_ends, self._to_come[0].arrival if self._to_come else math.inf)

    @property
    def expects(self) -> int:
        """How many are still to come."""
        return len(self._to_come)

    @property
    def tally(self) -> Tally:
        """How things stand now."""
        return Tally(len(self.running), self.memory.held_tokens, self.memory.taken_tokens)

    @property
    def mean(self) -> Tally:
        """The same on average over the time from 0 to now (nothing at 0)."""
        return self._sums.times(1 / self.now if self.now else 0)

    def step(self) -> None:
        """Go to the next event, and let what follows from it happen."""
        self.wait_until(self.next_event)
        if self._pass_ends <= self.now:
            self._sample()
        else:
            self.waiting.append(self._to_come.popleft())
        if math.isinf(self._pass_ends):
            self._start_pass()

    def wait_until(self, seconds: float) -> None:
        """Let time pass. No event may lie before `seconds`."""
        self._sums = self._sums.plus(self.tally.times(seconds - self.now))
        self.now = seconds

    def _start_pass(self) -> None:
        """Room for every running request's newest token, then for those who wait, then the pass begins."""
        preempted = len(self.preemptions)
        grown = self._grow()
        sequences = [(1, self.memory.held[job.name] - 1) for job in grown]
        if len(self.preemptions) == preempted:
            sequences += self._admit()
        self._pass_ends = self.now + self.roofline.mixed(sequences).seconds if sequences else math.inf

    def _sample(self) -> None:
        """The pass is over: whoever runs has one more token, and is done if it was the last."""
        for job in self._admitted:
            self.memory.grow(job)
        self._admitted = []
        for job in tuple(self.running):
            self._sampled[job.name] += 1
            if self._sampled[job.name] == len(job.answer):
                self.running.remove(job)
                self.memory.finish(job)
                self.finished.append(job)
        self._pass_ends = math.inf

    def _grow(self) -> list[Job]:
        grown: list[Job] = []
        for job in tuple(self.running):
            while job in self.running and not self.memory.grow(job):
                self._preempt(self.running.pop())
            if job in self.running:
                grown.append(job)
        return grown

    def _preempt(self, job: Job) -> None:
        self.preemptions.append(Preemption(job, self.now, self.memory.held[job.name]))
        self.memory.preempt(job)
        self.waiting.appendleft(job)

    def _admit(self) -> list[tuple[int, int]]:
        sequences = []
        self.blocked = None
        while self.waiting:
            outcome = self.memory.start(self.waiting[0])
            if not outcome.ok:
                self.blocked = self.waiting[0]
                break
            job = self.waiting.popleft()
            self.running.append(job)
            self._admitted.append(job)
            if job.name in self._sampled:
                self.computed_again += outcome.computed
            self._sampled.setdefault(job.name, 0)
            sequences.append((outcome.computed, outcome.matched))
        return sequences
