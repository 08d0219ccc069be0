"""What the returns of a crowd came to, beside what Che's equation says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean, pstdev

from generator.model.characteristic_time import characteristic_time
from generator.model.returning import Returning, Turn, returns
from generator.model.roofline import Roofline
from generator.model.visitors import Crowd


@dataclass(frozen=True)
class Counted:
    """Returns of one kind of crowd, from one day or several. `ages` are those of newest replies when evicted, in s."""

    crowd: Crowd
    turns: tuple[Turn, ...]
    ages: tuple[float, ...]

    @property
    def found(self) -> float:
        """The share that found their newest reply on the cards."""
        return fmean(turn.found for turn in self.turns)

    @property
    def fetched(self) -> float:
        """The share that found it in the host's memory."""
        return fmean(turn.fetched for turn in self.turns)

    @property
    def some(self) -> float:
        """The share that found at least some of their conversation on the cards."""
        return fmean(turn.reused > 0 for turn in self.turns)

    @property
    def hit_rate(self) -> float:
        """Prompt tokens reused over prompt tokens."""
        return sum(turn.reused for turn in self.turns) / sum(turn.prompt for turn in self.turns)

    @cached_property
    def tokens(self) -> float:
        """What a session leaves behind, on average."""
        return fmean(self.crowd.talk.left(turn.number - 1) for turn in self.turns)

    @cached_property
    def busy_seconds(self) -> float:
        """From request to the end of the reply, on average."""
        return fmean(turn.end - turn.start for turn in self.turns)

    def limit(self, tokens: int, sessions: int) -> float:
        """The characteristic time of a cache of `tokens` that so many of these sessions use."""
        return characteristic_time(self.crowd.think, sessions, tokens / self.tokens, self.busy_seconds)

    def sorted_by(self, limit: float) -> float:
        """The share for which it holds: found if, and only if, the pause was shorter than the limit."""
        return fmean(turn.found == ((turn.pause or 0) < limit) for turn in self.turns)

    @property
    def facts(self) -> Mapping[str, float]:
        """All this by name, for one node; `spread` is the standard deviation of the ages over their mean."""
        limit = self.limit(self.crowd.capacity_tokens, self.crowd.sessions)
        return {
            "sessions": self.crowd.sessions,
            "returns": len(self.turns),
            "characteristic_time": limit,
            "predicted": self.crowd.think.within(limit),
            "found": self.found,
            "some": self.some,
            "hit_rate": self.hit_rate,
            "sorted": self.sorted_by(limit),
            "age": fmean(self.ages) if self.ages else limit,
            "spread": pstdev(self.ages) / fmean(self.ages) if self.ages else 0.0,
        }


def counted(returning: Returning, since: float, people: int | None = None) -> Counted:
    """The returns since a time (see `returning.returns`), of the first so many people (None: of all)."""
    turns = [turn for turn in returns(returning, since) if people is None or turn.session < people]
    ends = {(turn.session, turn.number): turn.end for turn in returning.turns}
    ages = tuple(at - ends[turn] for turn, at in returning.lost.items() if at >= since)
    return Counted(returning.crowd, tuple(turns), ages)


def over_days(roofline: Roofline, crowd: Crowd, days: int, since: float, until: float) -> Counted:
    """The same crowd on several days, other pauses each day, counted from `since` to `until`."""
    parts = []
    for day in range(days):
        returning = Returning(roofline, replace(crowd, seed=crowd.seed + day))
        returning.until(until)
        parts.append(counted(returning, since))
    turns = tuple(turn for part in parts for turn in part.turns)
    return Counted(crowd, turns, tuple(age for part in parts for age in part.ages))
