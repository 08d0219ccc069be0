"""A node that takes conversations of one length until one does not fit, and what a reader sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from generator.model import cast
from generator.model.prefix_tree import Segment
from generator.model.room import Room
from generator.model.squares import Map, Share, Squares, by_card
from generator.model.variant import Variant
from generator.model.ways import Way
from generator.units import gb, number, tokens


@dataclass(frozen=True)
class Moment:
    """The memory and the tally after one event. Counts are conversations or squares, other sizes tokens and bytes.

    The tally (`variants`) has the most conversations held at once, for each way that was tried; `shown` is the
    way that the map shows. `refused` is who found no room, "" for nobody, and wanted `refused_squares`.
    """

    name: str
    caption: str
    cards: int
    square_bytes: int
    square_tokens: int
    shares: tuple[Share, ...]
    free_squares: int
    variants: tuple[Variant, ...]
    shown: str
    conversations: int
    held_tokens: int
    held_bytes: int
    held_squares: int
    refused: str = ""
    refused_squares: int = 0
    beat: str = ""
    quick: bool = False

    @cached_property
    def maps(self) -> tuple[Map, ...]:
        """The memory, card by card."""
        refused = Share("refused", self.refused_squares, self.refused) if self.refused else None
        return by_card(self.cards, self.shares, self.free_squares, refused)

    @property
    def map_title(self) -> str:
        """What a square stands for."""
        return f"A square: {gb(self.square_bytes, 2)}, {tokens(self.square_tokens)}"

    @property
    def map_note(self) -> str:
        """The squares counted: "210 weights · 52 working space · 250 free"."""
        parts = [(share.squares, share.label or share.state) for share in self.shares]
        return " · ".join(f"{number(count)} {text}" for count, text in (*parts, (self.free_squares, "free")) if count)

    @property
    def counted(self) -> str:
        """What the tally counts."""
        return "Conversations held at once"


class Fitting:
    """The node and who is on it. A square is the cache of `head` tokens, in the first of the `ways`.

    Everybody's conversation comes to `whole` tokens, of which the first `head` are the system prompt.
    """

    def __init__(self, ways: Sequence[Way], head: int, whole: int) -> None:
        self.ways = tuple(ways)
        self.head, self.whole = head, whole
        self.square_bytes = head * ways[0].roofline.kv_bytes_per_token
        self.tally: dict[str, int] = {}
        self.change(ways[0])

    def change(self, way: Way) -> None:
        """Empty the caches, and go on in another way."""
        self.way = way
        self.room = Room(way.roofline.cache_budget_tokens)
        self.squares = Squares(way.roofline, self.square_bytes)

    @property
    def each(self) -> int:
        """Squares that a conversation wants that shares nothing; a part of a square counts as one."""
        return ceil(self.whole * self.way.roofline.kv_bytes_per_token / self.square_bytes)

    @property
    def held(self) -> int:
        """Squares that are held."""
        return self.squares.of_tokens(self.room.held)

    @property
    def held_bytes(self) -> int:
        return self.room.held * self.way.roofline.kv_bytes_per_token

    @property
    def newest(self) -> str:
        """Who came last."""
        return cast.name(self.room.conversations - 1)

    @property
    def next(self) -> str:
        """Who comes next."""
        return cast.name(self.room.conversations)

    def fill(self, conversations: int | None = None) -> None:
        """Let people in, until there are so many or until one does not fit."""
        while self.room.conversations != conversations and self._admit():
            pass
        self.tally[self.way.name] = self.room.conversations

    def _admit(self) -> bool:
        prompt = "system prompt" if self.way.shared else f"{self.next}'s copy of the system prompt"
        return self.room.admit((Segment(prompt, self.head), Segment(self.next, self.whole - self.head)))

    def show(
        self, name: str, caption: str, *, stage: int = 2, held: int | None = None, refused: bool = False
    ) -> Moment:
        """What there is now. At `stage` 0 the memory is bare, at 1 it has the weights, at 2 the working space too.

        `held` tokens are in the cache, if not those of whole conversations; `refused`: the next finds no room.
        """
        held = self.room.held if held is None else held
        shares = self._shares(stage, held)
        return Moment(
            name=name,
            caption=caption,
            cards=self.way.roofline.node.count,
            square_bytes=self.square_bytes,
            square_tokens=self.head,
            shares=shares,
            free_squares=self.squares.all - sum(share.squares for share in shares),
            variants=tuple(
                Variant(way.name, way.short_name, self.tally[way.name], "held")
                for way in self.ways
                if way.name in self.tally
            ),
            shown=self.way.name,
            conversations=self.room.conversations,
            held_tokens=held,
            held_bytes=held * self.way.roofline.kv_bytes_per_token,
            held_squares=self.squares.of_tokens(held),
            refused=self.next if refused else "",
            refused_squares=self.each if refused else 0,
        )

    def _shares(self, stage: int, held: int) -> tuple[Share, ...]:
        """What is taken of the memory, in the order of the map."""
        fixed = (
            Share("weights", self.squares.weights, "weights"),
            Share("weights", self.squares.working, "working space"),
        )
        reused = self.squares.of_tokens(self.head) if self.way.shared and self.room.conversations > 1 else 0
        cache = (Share("reused", reused), Share("held", self.squares.of_tokens(held) - reused))
        return (*fixed[:stage], *(share for share in cache if share.squares))
