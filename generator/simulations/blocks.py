"""Five prompts against one cache, block by block: a name is made of a block's tokens and of the name before it.

Blocks and names are those of vLLM's rules; the same prompts go through SGLang's beside them. Blocks are few, so that
they can be read, and nothing is evicted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.model import cast
from generator.model.alike import ANA, BEN, CHEN, DARA, Alike
from generator.model.cache import Extra
from generator.model.name_chain import Asked, NameChain, NameStep
from generator.model.scenario import BadParameter, check_range, parameter
from generator.units import number, tokens

Step = NameStep


@dataclass(frozen=True)
class Scenario:
    """How prompts are cut, and where they differ. Raises BadParameter for what makes no sense."""

    block_tokens: int = parameter(16, "tokens in a block, by vLLM's rules")
    page_tokens: int = parameter(1, "tokens in a page, by SGLang's rules")
    blocks: int = parameter(12, "length of the first prompt, in blocks")
    own_tokens: int = parameter(8, "what the second person adds, in tokens: less than a block")
    shared_tokens: int = parameter(70, "how far the third prompt is like the first, in tokens")
    early_token: int = parameter(3, "the token in which the fourth prompt differs, counted from 1")

    def __post_init__(self) -> None:
        check_range("block_tokens", (self.block_tokens, 1024), lowest=2)
        check_range("page_tokens", (self.page_tokens, self.block_tokens))
        for name, least, most in (
            ("blocks", 4, 16),
            ("own_tokens", 1, self.block_tokens - 1),
            ("shared_tokens", self.block_tokens + 1, self.prompt_tokens - 1),
            ("early_token", 1, self.block_tokens),
        ):
            if not least <= getattr(self, name) <= most:
                raise BadParameter(name, f"is {getattr(self, name):,}", f"from {least:,} to {most:,}")
        if self.shared_tokens % self.block_tokens == 0:
            message = f"{number(self.shared_tokens)} is the end of a block"
            raise BadParameter("shared_tokens", message, "one token more ends within a block")

    @property
    def prompt_tokens(self) -> int:
        """Length of the first prompt: whole blocks."""
        return self.blocks * self.block_tokens

    @property
    def alike(self) -> Alike:
        """The prompts."""
        return Alike(self.prompt_tokens, self.own_tokens, self.shared_tokens, self.early_token)

    def chain(self) -> NameChain:
        """Both caches, empty, with room for everything."""
        return self.alike.chain(self.block_tokens, self.page_tokens)


@dataclass(frozen=True)
class _Day:
    scenario: Scenario
    chain: NameChain
    prompts: Iterator[tuple[str, tuple[int, ...]]]

    def next(self) -> Asked:
        """The next prompt comes in."""
        return self.chain.ask(*next(self.prompts))

    def split(self, asked: Asked) -> str:
        """What vLLM's rules found of a prompt: "176 reused, 16 computed"."""
        return _split(asked.by_block, asked)


def _split(reused: int, asked: Asked) -> str:
    found = f"{number(reused)} reused" if reused else "none reused"
    return f"{found}, {number(asked.tokens - reused)} computed"


def simulate(scenario: Scenario) -> Iterator[Step]:
    """The prompts in the order in which they come."""
    day = _Day(scenario, scenario.chain(), iter(scenario.alike))
    for title, beat in _BEATS:
        for position, step in enumerate(beat(day)):
            yield replace(step, beat="" if position else title)


def _names(day: _Day) -> Iterator[Step]:
    cut = day.scenario
    asked = day.next()
    caption = (
        f"{ANA}'s {tokens(asked.tokens)} are cut into {cut.blocks} blocks of {cut.block_tokens}, few enough to be "
        "read. Nothing is held: all are to compute."
    )
    yield day.chain.show("cut", caption, "to compute", named=0)
    caption = (
        f"{ANA}'s first block is named by a hash of its {tokens(cut.block_tokens)}. "
        "Whoever sends these tokens gets this name."
    )
    yield day.chain.show("first-name", caption, "to compute", named=1)
    caption = (
        f"Every other name is made of a block's tokens and the name before it. {ANA}: {tokens(asked.tokens)} computed, "
        f"{cut.blocks} blocks held."
    )
    yield day.chain.show("ana", caption, "computed")


def _nobody_declared_anything(day: _Day) -> Iterator[Step]:
    own = day.scenario.own_tokens
    asked = day.next()
    caption = (
        f"{BEN} declares nothing. He sends the same {tokens(day.scenario.prompt_tokens)} and {own} more. "
        f"The same tokens have the same names: {number(asked.by_block)} reused."
    )
    yield day.chain.show("ben-arrives", caption, "to compute")
    caption = (
        f"{BEN}'s own {tokens(own)} are computed. They do not fill a block, so they get no name under which "
        "anybody could find them."
    )
    yield day.chain.show("ben", caption, "computed")


def _nothing_new(day: _Day) -> Iterator[Step]:
    asked = day.next()
    caption = (
        f"{ANA} repeats her {tokens(asked.tokens)} exactly, and all {day.scenario.blocks} of her blocks are held. "
        "How much must be computed?"
    )
    yield day.chain.show("ana-again-asks", caption, "without", match="without")
    caption = (
        f"The next word comes out of {ANA}'s last token, so that must be computed. vLLM reuses whole blocks: "
        f"{day.split(asked)}."
    )
    yield day.chain.show("ana-again", caption, "computed")
    yield day.chain.by_page("ana-again-by-token", f"{_sglang(day)}: {ANA} has {_split(asked.by_page, asked)}.")


def _sglang(day: _Day) -> str:
    return f"SGLang matches pages, here of {tokens(day.scenario.page_tokens)}"


def _mid_block(day: _Day) -> Iterator[Step]:
    cut = day.scenario
    asked = day.next()
    whole, more = divmod(cut.shared_tokens, cut.block_tokens)
    broken = cast.ordinal(whole + 1)
    caption = (
        f"{CHEN}'s first {tokens(cut.shared_tokens)} are {ANA}'s: {whole} blocks and {more} tokens of the {broken}. "
        f"{number(asked.tokens - asked.by_block)} are to compute."
    )
    yield day.chain.show("chen-arrives", caption, "to compute")
    caption = (
        f"{CHEN}'s {broken} block holds other tokens, so it has another name, and all after it too: {day.split(asked)}."
    )
    yield day.chain.show("chen", caption, "computed")
    caption = (
        f"By the {_page(day)} {CHEN} has {_split(asked.by_page, asked)}. "
        f"Matching by the block loses {tokens(asked.by_page - asked.by_block)} where the match ends."
    )
    yield day.chain.by_page("chen-by-token", caption)


def _page(day: _Day) -> str:
    return "token" if day.scenario.page_tokens == 1 else "page"


def _domino(day: _Day) -> Iterator[Step]:
    early = day.scenario.early_token
    asked = day.next()
    caption = (
        f"{DARA}'s prompt is {ANA}'s but for token {early}, the hour. Her first block has another name. "
        "How many names after it stay?"
    )
    yield day.chain.first_block_only("dara-asks", caption)
    caption = (
        f"None: each name is made of the one before. {DARA}'s {day.scenario.blocks} blocks are all new: "
        f"{_split(asked.by_block, asked)}, for 1 token that differs."
    )
    yield day.chain.show("domino", caption, "computed")
    before = "gets back what stands before the hour" if asked.by_page else "finds nothing before the hour"
    caption = f"Smaller pages are no cure. By the {_page(day)} {DARA} {before}: {_split(asked.by_page, asked)}."
    yield day.chain.by_page("domino-by-token", caption)


def _put_it_last(day: _Day) -> Iterator[Step]:
    asked = day.next()
    caption = (
        f"{DARA} moves the hour to the end. All names but the last are {ANA}'s again: {day.split(asked)}, "
        "as if nothing had changed."
    )
    yield day.chain.show("last", caption, "computed")
    caption = f"By the {_page(day)} as well: {DARA} has {_split(asked.by_page, asked)}. What varies goes last."
    yield day.chain.by_page("last-by-token", caption)


_BEATS: tuple[tuple[str, Callable[[_Day], Iterator[Step]]], ...] = (
    ("What names a block", _names),
    ("Nobody declared anything", _nobody_declared_anything),
    ("Nothing new", _nothing_new),
    ("In mid-block", _mid_block),
    ("One early token", _domino),
    ("Put it last", _put_it_last),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """Tokens, and names of four digits.

    `found` has what each engine finds of every prompt, SGLang also with pages as long as vLLM's blocks; `salted`
    and `adapted` what is found of the first prompt, which is held, under another key, and its first block's name.
    """
    alike, block = scenario.alike, scenario.block_tokens
    names = [[piece.name for piece in row.pieces] for row in steps[-1].rows]
    return {
        "prompt": scenario.prompt_tokens,
        "blocks": scenario.blocks,
        "block": block,
        "shared": scenario.shared_tokens,
        "early": scenario.early_token,
        "ana": {"first": names[0][0], "second": names[0][1]},
        "dara": {"first": names[4][0], "second": names[4][1]},
        "new_names": len(set(names[4]) - set(names[0])),
        "found": {
            "vllm": alike.found(scenario.chain(), lambda asked: asked.by_block),
            "sglang": alike.found(scenario.chain(), lambda asked: asked.by_page),
            "long_pages": alike.found(alike.chain(block, block), lambda asked: asked.by_page),
        },
        "salted": alike.told_apart(scenario.chain(), Extra(salt="another tenant")),
        "adapted": alike.told_apart(scenario.chain(), Extra(adapter="legal")),
    }
