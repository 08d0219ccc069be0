"""Sessions that compete for one cache: a shared beginning, and a document each, asked about again and again.

The rules are SGLang's, with pages of one token. A turn repeats beginning and document and adds nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from generator.model.cache import Outcome, run
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter
from generator.model.sglang import SglangCache
from generator.units import number, tokens


@dataclass(frozen=True)
class Sizes:
    """Tokens of the beginning that all share, of each document, and of the whole cache."""

    head: int
    document: int
    capacity: int

    @property
    def prompt(self) -> int:
        """The length of every prompt."""
        return self.head + self.document

    def working_set(self, sessions: int) -> int:
        """What so many sessions would hold if nothing were evicted."""
        return self.head + sessions * self.document

    def smaller(self, factor: int) -> Sizes:
        """The same proportions, as nearly as whole tokens allow; room for as many sessions, and a token to spare."""
        head, document = (max(2, count // factor) for count in (self.head, self.document))
        fitting = (self.capacity - self.head) // self.document
        spare = (self.capacity - self.working_set(fitting)) // factor
        return room_for(head, document, fitting, min(max(1, spare), document - 1))


def room_for(head: int, document: int, sessions: int, spare: int) -> Sizes:
    """A cache for so many sessions, and `spare` tokens.

    With none to spare, a repeated prompt would evict: its last token is computed before it is found to be held.
    """
    return Sizes(head, document, head + sessions * document + spare)


def check_contest(sizes: Sizes, sessions: int, budget: int) -> None:
    """Raise BadParameter unless exactly so many sessions fit, with a token to spare, on cards that hold `budget`."""
    for name, count in (("shared_tokens", sizes.head), ("document_tokens", sizes.document)):
        if count < 2:
            raise BadParameter(name, f"is {count:,}", "the least is 2")
    spare = sizes.capacity - sizes.working_set(sessions)
    if not 1 <= spare < sizes.document:
        hint = "at least the one token that a repeated prompt computes, and less than a document"
        raise BadParameter("spare_tokens", f"is {spare:,}", hint)
    if sizes.capacity > budget:
        message = f"the cache would have {tokens(sizes.capacity)}, the cards hold {number(budget)}"
        raise BadParameter("document_tokens", message, "shorter documents, fewer sessions, or more memory")


@dataclass(frozen=True)
class Lost:
    """Tokens of a session's prompt that were evicted, from position `start`."""

    session: int
    start: int
    tokens: int


@dataclass(frozen=True)
class Turn:
    """A prompt of `session`: tokens reused and computed, what was lost to make room, and seconds to the first token."""

    session: int
    reused: int
    computed: int
    lost: tuple[Lost, ...]
    seconds: float
    seconds_without: float

    @property
    def losers(self) -> tuple[int, ...]:
        """The sessions that lost something, in that order, each once."""
        return tuple(dict.fromkeys(lost.session for lost in self.lost))


class Contest:
    """The cache under one eviction policy, and the sessions that have come."""

    def __init__(self, roofline: Roofline, sizes: Sizes, policy: str = "lru") -> None:
        self.roofline = roofline
        self.sizes = sizes
        self.come: list[int] = []
        self._cache = SglangCache(sizes.capacity, page_tokens=1, policy=policy)
        self._turns = 0
        self._seconds = cache(lambda new, cached: roofline.prefill(new, cached).seconds)

    def ask(self, session: int) -> Turn:
        """One more turn of `session`. Raises ValueError if its prompt finds no room at all."""
        self._turns += 1
        outcome = run(self._cache, (session, self._turns), self.prompt(session))
        if not outcome.ok:
            raise ValueError(f"a prompt of {self.sizes.prompt} tokens has no room in {self.sizes.capacity}")
        if session not in self.come:
            self.come.append(session)
        return self._turn(session, outcome)

    def _turn(self, session: int, outcome: Outcome) -> Turn:
        return Turn(
            session,
            outcome.matched,
            outcome.computed,
            tuple(Lost(_session(lost.owner), lost.start, lost.tokens) for lost in outcome.evicted),
            self._seconds(outcome.computed, outcome.matched),
            self._seconds(self.sizes.prompt, 0),
        )

    def finds(self, session: int) -> int:
        """Tokens of its prompt that a turn of `session` would find now: all but the last at most."""
        return min(self._cache.probe(self.prompt(session)), self.sizes.prompt - 1)

    def held(self, session: int) -> int:
        """Tokens of the session's document that are held, from its first on."""
        return max(0, self._cache.probe(self.prompt(session)) - self.sizes.head)

    @property
    def head_held(self) -> int:
        """Tokens of the shared beginning that are held."""
        return self._cache.probe(self.prompt(0)[: self.sizes.head])

    @property
    def held_tokens(self) -> int:
        """All tokens held, what is shared once."""
        return self._cache.tree_tokens

    @property
    def free_tokens(self) -> int:
        """Room that nobody has taken."""
        return self._cache.free_tokens

    def prompt(self, session: int) -> tuple[int, ...]:
        """The session's prompt, in token numbers."""
        return prompt(self.sizes.head, self.sizes.document, session)


@cache
def prompt(head: int, document: int, session: int) -> tuple[int, ...]:
    """A prompt in token numbers: those of a document begin where those of the session before it end."""
    own = head + session * document
    return (*range(head), *range(own, own + document))


def _session(owner: Hashable) -> int:
    assert isinstance(owner, tuple)
    return int(owner[0])


def returns(roofline: Roofline, sizes: Sizes, sessions: int, order: Sequence[int], policy: str = "lru") -> list[Turn]:
    """The turns of `order`, after each session has come once."""
    contest = Contest(roofline, sizes, policy)
    for session in range(sessions):
        contest.ask(session)
    return [contest.ask(session) for session in order]


def hit_rate(turns: Sequence[Turn]) -> float:
    """Prompt tokens reused over prompt tokens."""
    return sum(turn.reused for turn in turns) / sum(turn.reused + turn.computed for turn in turns)


def found(turns: Sequence[Turn], sizes: Sizes) -> float:
    """The share of its document that a turn finds, on average."""
    return fmean(max(0, turn.reused - sizes.head) for turn in turns) / sizes.document
