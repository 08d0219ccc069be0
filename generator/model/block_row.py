"""A prompt as a row of blocks: what each is called, whether it was found, and where it differs from another prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class NamedPiece:
    """A run of `tokens` in one `state`. `name` is its block's four digits, "" where it has none."""

    name: str
    tokens: int
    state: str


@dataclass(frozen=True)
class BlockRow:
    """The prompt of `who`. `key` tells rows apart; `serving`: it is being served now.

    `apart` are the ranges of positions, each with its end excluded, at which it differs from the prompt it is
    compared with. `reused` tokens were found; None before anybody has looked.
    """

    key: str
    who: str
    pieces: tuple[NamedPiece, ...]
    apart: tuple[tuple[int, int], ...] = ()
    reused: int | None = None
    serving: bool = False


def in_blocks(
    tokens: int, block_tokens: int, names: Sequence[str], matched: int, rest: str, match: str = "reused"
) -> tuple[NamedPiece, ...]:
    """`tokens` cut into blocks, the last perhaps not full; names go to the first ones, as many as there are.

    Blocks within the first `matched` tokens are in state `match`, the others in state `rest`.
    """
    starts = range(0, tokens, block_tokens)
    return tuple(
        NamedPiece(
            names[index] if index < len(names) else "",
            min(block_tokens, tokens - start),
            match if start + block_tokens <= matched else rest,
        )
        for index, start in enumerate(starts)
    )


def in_pages(tokens: int, matched: int) -> tuple[NamedPiece, ...]:
    """The same prompt where pages are too small to be drawn: what was reused, then what was computed."""
    pieces = NamedPiece("", matched, "reused"), NamedPiece("", tokens - matched, "computed")
    return tuple(piece for piece in pieces if piece.tokens)


def differences(prompt: Sequence[int], other: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Ranges of positions at which `prompt` has not the token of `other`, or `other` has ended."""
    ranges: list[tuple[int, int]] = []
    for place, token in enumerate(prompt):
        if place >= len(other) or other[place] != token:
            start = ranges.pop()[0] if ranges and ranges[-1][1] == place else place
            ranges.append((start, place + 1))
    return tuple(ranges)
