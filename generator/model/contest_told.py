"""What a reader sees of a contest at one moment: the prompt served, the tree, what was evicted, and the room."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from generator.model import cast
from generator.model.contest import Contest, Turn
from generator.model.icicle import Piece, RowName, TreeBox
from generator.model.moment import Moment, bare
from generator.units import number, span, tokens

HEAD = "shared beginning"


@dataclass(frozen=True)
class Teller:
    """Tells of `contest`, to which `row_count` people come in all."""

    contest: Contest
    row_count: int

    def show(self, name: str, caption: str, state: str = "held", touched: Collection[int] = ()) -> Moment:
        """What is held now, nobody being served; the documents of `touched`, and what they share, in `state`."""
        contest, states = self.contest, dict.fromkeys(touched, state)
        return Moment(
            name=name,
            caption=caption,
            who="",
            strip=(),
            boxes=tuple(self._boxes(states, state if touched else "held")),
            names=self._names(),
            row_count=self.row_count,
            held_tokens=contest.held_tokens,
            held_tokens_without=contest.sizes.working_set(len(contest.come)) if contest.come else 0,
            floor=contest.roofline.floor_seconds,
            capacity_tokens=contest.sizes.capacity,
        )

    def arrives(self, name: str, session: int, caption: str) -> Moment:
        """The prompt of `session` is matched with what is held."""
        found = self.contest.finds(session)
        states = {session: "reused"} if found > self.contest.sizes.head else {}
        return replace(
            self.show(name, caption),
            who=cast.name(session),
            strip=self._strip(found, "reused", "to compute"),
            boxes=tuple(self._boxes(states, "reused" if found else "held")),
            reused=found,
            context=self.contest.sizes.prompt,
        )

    def asks(self, name: str, session: int, caption: str) -> Moment:
        """The same, but `caption` is a question: the strip is an outline and gives nothing away."""
        strip = self._strip(0, "without", "without")
        return replace(self.show(name, caption), who=cast.name(session), strip=strip, context=self.contest.sizes.prompt)

    def makes_room(self, before: Moment, name: str, turn: Turn, caption: str) -> Moment:
        """What was lost for `turn` is crossed out, its own tokens are not computed yet. Memory is as `before`."""
        shown = self._served(name, turn, caption, "to compute")
        own, head = cast.name(turn.session), self.contest.head_held
        return replace(
            shown,
            boxes=tuple(box for box in shown.boxes if box.key != own),
            names=tuple(replace(row, end=head) if row.name == own else row for row in shown.names),
            held_tokens=before.held_tokens,
            held_tokens_without=before.held_tokens_without,
        )

    def answer(self, name: str, turn: Turn, caption: str = "", crossed: bool = True) -> Moment:
        """`turn` has its first token. With `crossed`, what it cost others is shown; else it has been already."""
        return replace(
            self._served(name, turn, caption or outcome(turn), "computed", crossed),
            computed=turn.computed,
            request=cast.name(turn.session),
            time_to_first_token=turn.seconds,
            time_without=turn.seconds_without,
        )

    def _served(self, name: str, turn: Turn, caption: str, rest: str, crossed: bool = True) -> Moment:
        head = self.contest.sizes.head
        states = {turn.session: "reused" if turn.reused > head else rest}
        head_state = "reused" if turn.reused else rest
        return replace(
            self.show(name, caption),
            who=cast.name(turn.session),
            strip=self._strip(turn.reused, "reused", rest),
            boxes=tuple(self._boxes(states, head_state, turn if crossed else None)),
            names=self._names(turn if crossed else None),
            reused=turn.reused,
            context=turn.reused + turn.computed,
        )

    def _strip(self, found: int, match: str, rest: str) -> tuple[Piece, ...]:
        """Beginning and document, cut where what is found ends."""
        head, end = self.contest.sizes.head, self.contest.sizes.prompt
        cuts = sorted({0, head, end} | ({found} if found else set()))
        return tuple(
            Piece(HEAD if stop <= head else "document", stop - start, match if stop <= found else rest)
            for start, stop in pairwise(cuts)
        )

    def _boxes(self, states: dict[int, str], head_state: str, turn: Turn | None = None) -> Iterator[TreeBox]:
        """The beginning over the rows of all who have come, and of each document what is held or was just lost."""
        contest, head = self.contest, self.contest.sizes.head
        if contest.head_held:
            rows = 1 + max(contest.come)
            yield TreeBox("head", HEAD, 0, contest.head_held, 0, rows, head_state)
        for session in sorted(contest.come):
            who, held = cast.name(session), contest.held(session)
            lost = _lost(turn, session)
            if held:
                state = states.get(session, "held")
                yield TreeBox(who, "document", head, held, session, 1, state)
            if lost:
                key = f"{who}, tail" if held else who
                yield TreeBox(key, "document", head + held, lost, session, 1, "evicted")

    def _names(self, turn: Turn | None = None) -> tuple[RowName, ...]:
        """All who have come, each beside what is held of the prompt or was just lost."""
        contest = self.contest
        return tuple(
            RowName(cast.name(session), session, contest.head_held + contest.held(session) + _lost(turn, session))
            for session in sorted(contest.come)
        )


def _lost(turn: Turn | None, session: int) -> int:
    """Tokens that `session` lost to `turn`."""
    return sum(lost.tokens for lost in turn.lost if lost.session == session) if turn else 0


def outcome(turn: Turn) -> str:
    """What a turn found and how long its first token took, and who lost what to it."""
    who = cast.name(turn.session)
    found = f"{tokens(turn.reused)} reused, {number(turn.computed)} computed" if turn.reused else (
        f"none reused, {tokens(turn.computed)} computed"
    )  # fmt: skip
    if turn.losers:
        losers = " and ".join(f"{cast.name(session)}'s" for session in turn.losers)
        return f"{who}: {found}, first token after {span(turn.seconds)}. {losers} document is evicted for it."
    instead = f" instead of {bare(turn.seconds_without)}" if turn.reused else ""
    return f"{who}: {found}. First token after {span(turn.seconds)}{instead}."
