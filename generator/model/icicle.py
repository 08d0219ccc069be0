"""A prefix tree laid out as an icicle: as wide as the tokens held, as tall as the conversations that share them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from generator.model.conversation import Conversation, label
from generator.model.prefix_tree import PrefixTree, Segment


@dataclass(frozen=True)
class Piece:
    """A run of the prompt being served; `state` says what became of it."""

    label: str
    tokens: int
    state: str


@dataclass(frozen=True)
class TreeBox:
    """A segment held: `tokens` wide from `start`, `rows` tall from `row` down. `key` never changes."""

    key: str
    label: str
    start: int
    tokens: int
    row: int
    rows: int
    state: str


@dataclass(frozen=True)
class RowName:
    """Whose row it is; the conversation ends after `end` tokens."""

    name: str
    row: int
    end: int


def strip(segments: Sequence[Segment], found: int, rest: str, match: str = "reused") -> tuple[Piece, ...]:
    """`segments` as pieces: in state `match` up to `found` tokens, in state `rest` after them."""
    ends = accumulate(segment.tokens for segment in segments)
    return tuple(
        Piece(label(segment.key), segment.tokens, match if end <= found else rest)
        for segment, end in zip(segments, ends, strict=True)
    )


def boxes(
    tree: PrefixTree, present: Iterable[Conversation], served: Conversation | None, pieces: Sequence[Piece]
) -> tuple[TreeBox, ...]:
    """The tree with each conversation in its row; what `served` touches has the states of its `pieces`.

    A piece that is an outline only ("without") has not been matched, so it touches nothing.
    """
    row: dict[tuple[str, ...], int] = {}
    for conversation in sorted(present, key=lambda one: one.row):
        for path in _paths(conversation):
            row.setdefault(path, conversation.row)
    touched = _paths(served) if served else []
    state = {path: piece.state for path, piece in zip(touched, pieces, strict=False) if piece.state != "without"}
    return tuple(
        TreeBox(
            key="|".join(node.path),
            label=label(node.key),
            start=node.start,
            tokens=node.tokens,
            row=row[node.path],
            rows=node.leaves,
            state=state.get(node.path, "held"),
        )
        for node in tree.nodes()
    )


def names(present: Iterable[Conversation]) -> tuple[RowName, ...]:
    """The people present, from the top, each at the end of what is held of the conversation."""
    people = sorted(present, key=lambda one: one.row)
    return tuple(RowName(one.who, one.row, one.tokens) for one in people)


def _paths(conversation: Conversation) -> list[tuple[str, ...]]:
    keys = [segment.key for segment in conversation.segments]
    return [tuple(keys[: i + 1]) for i in range(len(keys))]
