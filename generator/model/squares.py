"""Memory as squares, each of one fixed size: who has each square, map by map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from generator.model.roofline import Roofline

FREE = ""
"""The state of a square that nobody has."""


@dataclass(frozen=True)
class Label:
    """A text on the `count` squares from number `first` on."""

    text: str
    first: int
    count: int


@dataclass(frozen=True)
class Map:
    """Squares in order, each by its state (`FREE` for none), and what is written around them.

    `outside` are the squares of what found no room, whose name is `outside_label`.
    """

    title: str
    squares: tuple[str, ...]
    labels: tuple[Label, ...] = ()
    outside: tuple[str, ...] = ()
    outside_label: str = ""
    below: str = ""


@dataclass(frozen=True)
class Share:
    """So many squares of one state; `label` says what they are where the state alone does not, else "" ."""

    state: str
    squares: int
    label: str = ""


@dataclass(frozen=True)
class Squares:
    """The memory of a node in squares of `bytes`.

    Weights are counted in whole squares, and so is what is left for the cache; the working space (the reserve)
    takes those between, and with them what is not a whole square.
    """

    roofline: Roofline
    bytes: int

    @property
    def all(self) -> int:
        """Whole squares of the nominal memory."""
        return self.roofline.memory_bytes // self.bytes

    @property
    def weights(self) -> int:
        """Whole squares that the resident weights fill."""
        return self.roofline.weights_held_bytes // self.bytes

    @property
    def working(self) -> int:
        """Squares neither filled by the weights nor left for the cache."""
        return self.all - self.weights - self.room

    @property
    def room(self) -> int:
        """Whole squares left for the cache."""
        return int(self.roofline.cache_budget_bytes // self.bytes)

    def of_tokens(self, tokens: int) -> int:
        """Whole squares that the cache of `tokens` fills."""
        return tokens * self.roofline.kv_bytes_per_token // self.bytes


def by_card(cards: int, shares: Sequence[Share], free: int, refused: Share | None = None) -> tuple[Map, ...]:
    """A map for each card. `refused` stands outside the last.

    Squares are dealt to the cards in turn, in the order of the shares and then the `free` ones, since each card
    has an equal part of everything.
    """
    dealt = [share for share in (*shares, Share(FREE, free)) for _ in range(share.squares)]
    maps = [_card(f"Card {card + 1}", dealt[card::cards]) for card in range(cards)]
    if refused:
        maps[-1] = replace(maps[-1], outside=(refused.state,) * refused.squares, outside_label=refused.label)
    return tuple(maps)


def _card(title: str, dealt: Sequence[Share]) -> Map:
    labelled = [share for share in dict.fromkeys(dealt) if share.label]
    labels = tuple(Label(share.label, dealt.index(share), dealt.count(share)) for share in labelled)
    return Map(title, tuple(share.state for share in dealt), labels)
