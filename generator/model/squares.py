"""Memory as squares, each of one fixed size: who has each square, card by card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
class Squares:
    """The memory of a node in squares of `bytes`.

    Weights are counted in whole squares, and so is what is left for the cache; the working space (the reserve)
    takes those between, and with them what is not a whole square.
    """

    roofline: Roofline
    bytes: int

    @property
    def all(self) -> int:
        return self.roofline.memory_bytes // self.bytes

    @property
    def weights(self) -> int:
        return self.roofline.weights_held_bytes // self.bytes

    @property
    def working(self) -> int:
        return self.all - self.weights - self.room

    @property
    def room(self) -> int:
        """Whole squares left for the cache."""
        return int(self.roofline.cache_budget_bytes // self.bytes)

    def of_tokens(self, tokens: int) -> int:
        """Whole squares that the cache of `tokens` fills."""
        return tokens * self.roofline.kv_bytes_per_token // self.bytes

    def by_card(
        self, taken: Sequence[tuple[str, str, int]], refused: int = 0, refused_label: str = ""
    ) -> tuple[Map, ...]:
        """A map for each card, after `taken` has been handed out: (state, label or "", squares) in order.

        Squares are dealt to the cards in turn, since each holds an equal part of everything. What was refused
        stands outside the last card.
        """
        cards = self.roofline.node.count
        states = [state for state, _, count in taken for _ in range(count)]
        states += [FREE] * (self.all - len(states))
        labels = [text for _, text, count in taken for _ in range(count)]
        maps = [
            Map(f"Card {card + 1}", tuple(states[card::cards]), _labels(labels[card::cards])) for card in range(cards)
        ]
        if refused:
            last = maps[-1]
            maps[-1] = Map(last.title, last.squares, last.labels, ("refused",) * refused, refused_label)
        return tuple(maps)


def _labels(texts: Sequence[str]) -> tuple[Label, ...]:
    """A label for each run of squares of one text."""
    return tuple(Label(text, texts.index(text), texts.count(text)) for text in dict.fromkeys(texts) if text)
