"""Memory handed out in pieces, each in one place: first fit, as engines did before they had blocks."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True)
class Extent:
    """`tokens` places in a row, the first of them number `start`."""

    start: int
    tokens: int

    @property
    def end(self) -> int:
        """The first place after it."""
        return self.start + self.tokens


class Contiguous:
    """`capacity` places for tokens. A piece lies where the first hole is that is long enough, and never moves.

    (First fit: Knuth, The Art of Computer Programming 1, section 2.5.)
    """

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError(f"a memory holds at least one token, not {capacity}")
        self.capacity = capacity
        self._pieces: dict[Hashable, Extent] = {}

    def reserve(self, name: Hashable, tokens: int) -> Extent | None:
        """Set `tokens` aside in a row; None, and nothing changes, if no hole is so long.

        Raises ValueError for a name that has a piece, or for less than a token.
        """
        if name in self._pieces or tokens < 1:
            raise ValueError(f"{name!r} has a piece already" if name in self._pieces else "a piece is at least 1 token")
        hole = next((hole for hole in self.holes() if hole.tokens >= tokens), None)
        if hole is None:
            return None
        self._pieces[name] = Extent(hole.start, tokens)
        return self._pieces[name]

    def release(self, name: Hashable) -> Extent:
        """Give a piece back. Raises KeyError for a name that has none."""
        return self._pieces.pop(name)

    def piece(self, name: Hashable) -> Extent:
        """Where the piece of `name` lies. Raises KeyError."""
        return self._pieces[name]

    def holes(self) -> tuple[Extent, ...]:
        """The places that nobody has, in order, each hole as long as it goes."""
        holes = []
        start = 0
        for piece in (*sorted(self._pieces.values(), key=lambda piece: piece.start), Extent(self.capacity, 0)):
            if piece.start > start:
                holes.append(Extent(start, piece.start - start))
            start = piece.end
        return tuple(holes)

    @property
    def reserved_tokens(self) -> int:
        """Places that have been set aside, whether a token is in them or not."""
        return sum(piece.tokens for piece in self._pieces.values())

    @property
    def longest_hole(self) -> int:
        """Tokens of the longest piece that would fit."""
        return max((hole.tokens for hole in self.holes()), default=0)
