"""Block tables as a reader sees them: where a request's blocks 0, 1, 2 … lie, and what is in each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A line of a table: the physical `block`, and how many `tokens` it holds, in what `state`."""

    block: int
    tokens: int
    state: str


@dataclass(frozen=True)
class Table:
    """The blocks of `who`, in the order of the text; none while nothing of it is held."""

    who: str
    entries: tuple[Entry, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens held in all."""
        return sum(entry.tokens for entry in self.entries)

    @property
    def reused(self) -> int:
        """Blocks found in the cache."""
        return sum(entry.state == "reused" for entry in self.entries)


def block_table(who: str, blocks: tuple[int, ...], held: int, seen: int, reused: int, block_tokens: int) -> Table:
    """The table of a request that holds `held` tokens in `blocks`, of which the first `reused` were found.

    Of the rest, what came after the first `seen` tokens has just been computed. A block is in one state.
    """
    entries = []
    for index, block in enumerate(blocks):
        end = min(held, (index + 1) * block_tokens)
        computed = "computed" if end > seen else "held"
        entries.append(Entry(block, end - index * block_tokens, "reused" if end <= reused else computed))
    return Table(who, tuple(entries))
