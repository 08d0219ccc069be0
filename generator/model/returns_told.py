"""What a reader sees of people who come back: a lane each, what is held between turns, and a dot per return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.model import cast
from generator.model.returning import Returning, Turn
from generator.units import number, percent


@dataclass(frozen=True)
class LaneTurn:
    """A turn on a lane, at `at` seconds, and until when its reply was held. `number` counts the session's turns.

    `state` says where the reply before it was found.
    """

    number: int
    at: float
    held_from: float
    held_until: float
    state: str


@dataclass(frozen=True)
class Lane:
    """A session and its turns so far."""

    who: str
    turns: tuple[LaneTurn, ...]


@dataclass(frozen=True)
class ReturnDot:
    """A return after a `pause` in seconds; `key` is the same for the same return in another run."""

    key: str
    pause: float
    state: str


@dataclass(frozen=True)
class PauseLimit:
    """How long something lasts, in seconds."""

    name: str
    at: float


def key(turn: Turn) -> str:
    """A return's name: "ana 2"."""
    return f"{cast.slug(cast.name(turn.session))} {turn.number}"


def dots(turns: Sequence[Turn]) -> tuple[ReturnDot, ...]:
    """A dot for each return."""
    return tuple(ReturnDot(key(turn), round(turn.pause or 0, 2), turn.state) for turn in turns)


def lanes(returning: Returning, people: int, now: float) -> tuple[Lane, ...]:
    """The first so many people's lanes up to `now`: from a reply's end it is held, until evicted or asked for."""
    turns: dict[int, list[Turn]] = {person: [] for person in range(people)}
    for turn in returning.turns:
        if turn.session < people and turn.start <= now:
            turns[turn.session].append(turn)
    return tuple(
        Lane(cast.name(person), tuple(_on_lane(returning, turn, later, now) for turn, later in _with_next(own)))
        for person, own in turns.items()
    )


def _with_next(turns: Sequence[Turn]) -> list[tuple[Turn, Turn | None]]:
    return list(zip(turns, (*turns[1:], None), strict=False))


def _on_lane(returning: Returning, turn: Turn, later: Turn | None, now: float) -> LaneTurn:
    held_from = min(turn.end, now)
    asked = later.start if later else now
    until = min(returning.lost.get((turn.session, turn.number), asked), asked)
    return LaneTurn(turn.number, round(turn.start, 1), round(held_from, 1), round(max(until, held_from), 1), turn.state)


def limit(name: str, at: float) -> PauseLimit:
    """A limit that says its seconds: "characteristic time 102 s"."""
    return PauseLimit(f"{name} {number(at)} s", at)


def split(turns: Sequence[Turn]) -> str:
    """How many found their reply and how many did not: "5 reused, 6 computed"."""
    found = sum(turn.found for turn in turns)
    return f"{number(found)} reused, {number(len(turns) - found)} computed"


@dataclass(frozen=True)
class Share:
    """A variant and the share of returns that it was good for, `count`; see `variant.Variant` for the rest."""

    name: str
    short_name: str
    count: float
    state: str

    @property
    def text(self) -> str:
        """The share: "49 %"."""
        return percent(self.count)
