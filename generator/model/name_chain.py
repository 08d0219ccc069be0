"""One small cache of each engine, asked in turn for the same prompts: the names of the blocks, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generator.model.block_row import BlockRow, NamedPiece, differences, in_blocks, in_pages
from generator.model.cache import PLAIN, Extra, run
from generator.model.sglang import SglangCache
from generator.model.vllm import VllmCache


@dataclass(frozen=True)
class Asked:
    """A prompt, the names of its full blocks, and how many of its tokens either engine found."""

    who: str
    prompt: tuple[int, ...]
    names: tuple[str, ...]
    by_block: int
    by_page: int

    @property
    def tokens(self) -> int:
        """Length of the prompt."""
        return len(self.prompt)


@dataclass(frozen=True)
class NameStep:
    """One step of the story of names. Counts are tokens, of the prompt being served; 0 where nobody has looked."""

    name: str
    caption: str
    rows: tuple[BlockRow, ...]
    block_tokens: int
    reused: int = 0
    computed: int = 0
    beat: str = ""
    quick: bool = False


class NameChain:
    """Both caches, with room for everything, and the rows of all prompts so far."""

    def __init__(self, block_tokens: int, page_tokens: int, capacity_tokens: int) -> None:
        self.block_tokens, self.page_tokens = block_tokens, page_tokens
        self._blocks = VllmCache(-(-capacity_tokens // block_tokens), block_tokens)
        self._pages = SglangCache(-(-capacity_tokens // page_tokens), page_tokens)
        self.asked: list[Asked] = []
        self._rows: list[BlockRow] = []

    def ask(self, who: str, prompt: tuple[int, ...], extra: Extra = PLAIN) -> Asked:
        """Serve `prompt` by both engines' rules, and name its blocks."""
        names = self._blocks.names(prompt, extra=extra)
        number = len(self.asked)
        by_block = run(self._blocks, number, prompt, extra=extra).matched
        by_page = run(self._pages, number, prompt, extra=extra).matched
        self.asked.append(Asked(who, prompt, names, by_block, by_page))
        return self.asked[-1]

    def show(self, name: str, caption: str, rest: str, *, named: int | None = None, match: str = "reused") -> NameStep:
        """The newest prompt is there and matched; what it lacks is in state `rest`, and `named` blocks have names.

        `match` other than "reused" hides what was found.
        """
        asked = self.asked[-1]
        names = asked.names[:named]
        pieces = in_blocks(asked.tokens, self.block_tokens, names, asked.by_block, rest, match)
        known = asked.by_block if match == "reused" else None
        self._place(pieces, known if rest == "computed" else None)
        computed = asked.tokens - asked.by_block if rest == "computed" else 0
        return NameStep(name, caption, tuple(self._rows), self.block_tokens, known or 0, computed)

    def first_block_only(self, name: str, caption: str) -> NameStep:
        """The newest prompt, of which only the first block has been named; nothing is given away of the others."""
        asked = self.asked[-1]
        first, *others = in_blocks(asked.tokens, self.block_tokens, asked.names[:1], 0, "without")
        self._place((replace(first, state="to compute"), *others), None)
        return NameStep(name, caption, tuple(self._rows), self.block_tokens)

    def by_page(self, name: str, caption: str) -> NameStep:
        """The newest prompt once more, below, by the rules that match pages."""
        asked = self.asked[-1]
        how = "by token" if self.page_tokens == 1 else "by page"
        pieces = in_pages(asked.tokens, asked.by_page)
        row = BlockRow("pages", how, pieces, self._rows[-1].apart, asked.by_page)
        rows = (*self._rows, row)
        return NameStep(name, caption, rows, self.block_tokens, asked.by_page, asked.tokens - asked.by_page)

    def _place(self, pieces: tuple[NamedPiece, ...], reused: int | None) -> None:
        asked, number = self.asked[-1], len(self.asked) - 1
        apart = differences(asked.prompt, self.asked[0].prompt)
        row = BlockRow(f"row-{number}", asked.who, pieces, apart, reused, serving=True)
        self._rows[number:] = [row]
        self._rows[:number] = [replace(row, serving=False) for row in self._rows[:number]]
