"""The prompt being served as one strip: what is reused, then what is to compute or computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from math import ceil
from typing import Protocol

from generator import lettering
from generator.marks import Axis, Box, Boxes, Layout, Margins, Mark, Note, Text
from generator.scales import linear
from generator.units import number, tokens

LEAST = 3
"""Pixels that a short run has at least, so that it is seen."""


class Piece(Protocol):
    """A part of the prompt. `state` is a word of `marks.STATES`."""

    @property
    def label(self) -> str: ...
    @property
    def tokens(self) -> int: ...
    @property
    def state(self) -> str: ...


class Step(Protocol):
    """`strip` in prompt order, empty when no prompt is served; `who` sent it."""

    @property
    def strip(self) -> Sequence[Piece]: ...
    @property
    def who(self) -> str: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Tokens along x, from 0 to the end of the longest prompt; room at the right for its count."""
    phone = width < 800
    longest = max((_length(step.strip) for step in steps), default=0) or 1
    left = 4
    right = max((_room(step, width, left, longest, phone) for step in steps), default=8)
    return Layout(
        title="Request",
        width=width,
        height=48 if phone else 62,
        margins=Margins(left, 4 if phone else 6, right, 20),
        x=tokens_axis(longest, phone),
        y=Axis(0, 1).padded(0.05),
        cuts=frozenset(k for k in range(1, len(steps)) if _other(steps[k - 1], steps[k])),
        places={"phone": float(phone)},
    )


def tokens_axis(longest: int, phone: bool) -> Axis:
    """The position in the prompt."""
    return linear(longest, most=3 if phone else 7, last=tokens, name="tokens").padded(0.002)


def _room(step: Step, width: int, left: int, longest: int, phone: bool) -> int:
    """The right margin with which the text beside this step's strip ends before the edge."""
    length = _length(step.strip)
    if not length:
        return 8
    scale = (width - left) * 0.75 / longest
    text = lettering.width(f" {_beside(step, _unlabelled(step, scale), phone)} ")
    return max(8, ceil(width - left - (width - left - text) * longest / length))


def _length(strip: Sequence[Piece]) -> int:
    return sum(piece.tokens for piece in strip)


def _other(before: Step, after: Step) -> bool:
    """Whether `after` serves another prompt: nothing of it is the same thing, so nothing may tween."""
    return [(p.label, p.tokens) for p in before.strip] != [(p.label, p.tokens) for p in after.strip]


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """The strip of the last step, the count of each run in or beside it, and whose it is."""
    step = steps[-1]
    if not step.strip:
        return ()
    scale = layout.px(1) - layout.px(0)
    starts = list(accumulate((piece.tokens for piece in step.strip), initial=0))
    counts = {run.widest: _text(run, scale) for run in _runs(step)}
    boxes = tuple(
        Box(f"piece-{k}", starts[k], 0, piece.tokens, 1, piece.state, (counts.get(k, ""),))
        for k, piece in enumerate(step.strip)
    )
    beside = _beside(step, _unlabelled(step, scale), bool(layout.places["phone"]))
    return (
        Boxes("strip", boxes, least=LEAST),
        Text("beside", (Note("beside", starts[-1], 0.5, beside, "start middle"),) if beside else ()),
    )


@dataclass(frozen=True)
class Run:
    """Neighbouring pieces of one state: all their tokens, and the widest piece, which may hold the count."""

    state: str
    tokens: int
    widest: int
    widest_tokens: int


def _runs(step: Step) -> list[Run]:
    runs = []
    for state, group in groupby(enumerate(step.strip), key=lambda numbered: numbered[1].state):
        pieces = list(group)
        widest, piece = max(pieces, key=lambda numbered: numbered[1].tokens)
        runs.append(Run(state, sum(piece.tokens for _, piece in pieces), widest, piece.tokens))
    return runs


def _text(run: Run, scale: float) -> str:
    """What fits into the run of its count and state, at `scale` pixels a token."""
    return lettering.fit((_count(run), number(run.tokens)), run.widest_tokens * scale - 8)


def _count(run: Run) -> str:
    """A hollow run is a question: its tokens only."""
    return tokens(run.tokens) if run.state == "without" else f"{number(run.tokens)} {run.state}"


def _unlabelled(step: Step, scale: float) -> list[Run]:
    return [run for run in _runs(step) if not _text(run, scale)]


def _beside(step: Step, runs: Sequence[Run], phone: bool) -> str:
    """Whose prompt it is, and the counts that found no room: "Ben: 52 to compute", on a phone "52"."""
    if phone:
        return " + ".join(number(run.tokens) for run in runs)
    counts = " + ".join(map(_count, runs))
    return f"{step.who}: {counts}" if counts else step.who
