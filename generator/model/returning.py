"""People who come back: each asks, reads the reply, pauses, asks again, over one node or several.

The rules are vLLM's, in blocks of 16 tokens. Events come in time order: a request starts, its reply ends.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from generator.model import cast
from generator.model.cache import Evicted
from generator.model.host_tier import HostTier, reading_back
from generator.model.roofline import Roofline
from generator.model.visitors import BLOCK, Crowd
from generator.model.vllm import VllmCache

SECOND = 2
"""The turn with which a session's first pause ends."""

FAR_APART = 100_000
"""Token numbers from one conversation to the next."""


@dataclass(frozen=True)
class Turn:
    """A turn of a session: when it came, and what of its prompt was found where. Times in seconds, counts in tokens.

    `pause` is the time since the last reply ended (None for a first turn). `found`: the last reply was on the cards;
    `fetched`: it was not, but in the host's memory. What is neither `reused` nor `parked` was `computed`.
    """

    session: int
    number: int
    node: int
    start: float
    pause: float | None
    reused: int
    parked: int
    computed: int
    found: bool
    fetched: bool
    seconds: float
    end: float

    @property
    def prompt(self) -> int:
        """Tokens of the prompt."""
        return self.reused + self.parked + self.computed

    @property
    def state(self) -> str:
        """Where the last reply was: "reused", "parked" or "computed"."""
        return "reused" if self.found else "parked" if self.fetched else "computed"


class Returning:
    """What happens to a crowd. `turns` are those that came so far, in order of time.

    The clock starts in the midst of things: everybody has had a first turn before 0 and is pausing, except that those
    whose pauses are set come first at 0. `lost` has the time at which the newest reply of a (session, turn) was
    evicted from its node's cards.
    """

    def __init__(self, roofline: Roofline, crowd: Crowd) -> None:
        self.crowd = crowd
        self.now = 0.0
        self.turns: list[Turn] = []
        self.lost: dict[tuple[int, int], float] = {}
        self._roofline = roofline
        self._prefill = cache(lambda new, cached: roofline.prefill(new, cached).seconds)
        self._decode = cache(lambda context: roofline.decode(1, context).seconds)
        self._nodes = [VllmCache(crowd.capacity_tokens // BLOCK, BLOCK) for _ in range(crowd.nodes)]
        self._hosts = [HostTier(crowd.host_tokens, BLOCK) for _ in range(crowd.nodes)] if crowd.host_tokens else []
        self._streams = [random.Random(f"{crowd.seed} {cast.name(person)} pauses") for person in range(crowd.sessions)]
        self._ways = [random.Random(f"{crowd.seed} {cast.name(person)} ways") for person in range(crowd.sessions)]
        self._latest: list[Turn | None] = [None] * crowd.sessions
        self._pauses = dict(crowd.pauses)  # first ones
        self._due: list[tuple[float, int, Turn | None]] = [
            (self._first(person), person, None) for person in range(crowd.sessions)
        ]
        heapq.heapify(self._due)

    def _first(self, person: int) -> float:
        """When somebody first comes, and with it the first pause of those for whom none is set."""
        passed, to_come = self.crowd.think.draw_interrupted(self._streams[person])
        if cast.name(person) in self.crowd.pauses:
            return 0.0
        self._pauses[cast.name(person)] = passed + to_come
        return -passed

    def until(self, seconds: float) -> list[Turn]:
        """On to a time; the turns that came meanwhile."""
        before = len(self.turns)
        while self._due[0][0] <= seconds:
            self.now, person, running = heapq.heappop(self._due)
            heapq.heappush(self._due, self._end(running) if running else self._start(person))
        self.now = seconds
        return self.turns[before:]

    def _start(self, person: int) -> tuple[float, int, Turn]:
        """A prompt comes: matched, computed, and from here on locked."""
        last = self._latest[person]
        number = last.number + 1 if last else 1
        node = self._node(person, last)
        prompt = self._tokens(person, self.crowd.talk.prompt(number))
        outcome = self._nodes[node].start((person, number), prompt)
        if not outcome.ok:
            raise ValueError(f"a prompt of {len(prompt):,} tokens finds no room beside those that run")
        self._note(outcome.evicted)
        parked = self._hosts[node].parked(prompt, outcome.matched) if self._hosts else 0
        newest = self.crowd.talk.left(number - 1) if last else len(prompt)
        computed = outcome.computed - parked
        seconds = self._prefill(computed, len(prompt) - computed) + self._reading(parked)
        turn = Turn(
            session=person,
            number=number,
            node=node,
            start=self.now,
            pause=self.now - last.end if last else None,
            reused=outcome.matched,
            parked=parked,
            computed=computed,
            found=outcome.matched >= newest,
            fetched=outcome.matched < newest <= outcome.matched + parked,
            seconds=seconds,
            end=self.now + seconds + self.crowd.talk.reply * self._decode(len(prompt)),
        )
        self.turns.append(turn)
        return turn.end, person, turn

    def _end(self, turn: Turn) -> tuple[float, int, None]:
        """The reply is whole: it is held, no longer locked, and its age counts from here."""
        person, name = turn.session, (turn.session, turn.number)
        rules, talk = self._nodes[turn.node], self.crowd.talk
        whole = self._tokens(person, talk.whole(turn.number))
        self._latest[person] = turn
        self._note(rules.append(name, whole[talk.prompt(turn.number) :]).evicted)
        rules.finish(name)
        if self._hosts:
            self._hosts[turn.node].copy(whole[: talk.left(turn.number)])
        first = self._pauses[cast.name(person)] if turn.number == 1 else None
        return self.now + (first or self.crowd.think.draw(self._streams[person])), person, None

    def _node(self, person: int, last: Turn | None) -> int:
        if last and self.crowd.sticky:
            return last.node
        return self._ways[person].randrange(self.crowd.nodes)

    def _tokens(self, person: int, count: int) -> range:
        return range(person * FAR_APART, person * FAR_APART + count)

    def _reading(self, parked: int) -> float:
        return reading_back(self._roofline, parked) if parked else 0.0

    def _note(self, evicted: Iterable[Evicted]) -> None:
        """Keep the time at which a newest reply went: the last block that its session left."""
        for gone in evicted:
            latest = self._of(gone.owner)
            if latest and gone.start + gone.tokens == self.crowd.talk.left(latest.number):
                self.lost[latest.session, latest.number] = self.now

    def _of(self, owner: Hashable) -> Turn | None:
        """The turn called `owner`, if it is its session's latest."""
        assert isinstance(owner, tuple)
        latest = self._latest[owner[0]]
        return latest if latest and latest.number == owner[1] else None


def returns(returning: Returning, since: float) -> Iterator[Turn]:
    """The returns since a time, and those after a pause that was set, whenever they came."""
    for turn in returning.turns:
        after_set = turn.number == SECOND and cast.name(turn.session) in returning.crowd.pauses
        if turn.pause is not None and (turn.start >= since or after_set):
            yield turn
