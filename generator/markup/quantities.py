"""Quantities in prose: "24.3 ms" is not broken at the end of a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from generator.context import Context
from generator.quantities import CLASS, QUANTITY

_WORDS = ("text", "softbreak")


def extend(md: MarkdownIt, _: Context) -> None:
    """Put each number with its unit into an element of its own."""

    def keep_together(state: StateCore) -> None:
        for token in state.tokens:
            if token.type == "inline" and QUANTITY.search(_joined(token.children or [])):
                token.children = [child for group in _groups(token.children or []) for child in group]

    md.core.ruler.push("quantities", keep_together)


def _groups(children: list[Token]) -> Iterator[list[Token]]:
    """Tokens in their order, words with their quantities apart; the source may end a line within one."""
    for words, group in groupby(children, key=lambda child: child.type in _WORDS):
        tokens = list(group)
        yield list(_parts(_joined(tokens))) if words else tokens


def _joined(children: list[Token]) -> str:
    return "".join("\n" if child.type == "softbreak" else child.content for child in children)


def _parts(text: str) -> Iterator[Token]:
    position = 0
    for match in QUANTITY.finditer(text):
        yield Token("text", "", 0, content=text[position : match.start()])
        yield Token("quantity_open", "span", 1, attrs={"class": CLASS})
        yield Token("text", "", 0, content=match[0])
        yield Token("quantity_close", "span", -1)
        position = match.end()
    yield Token("text", "", 0, content=text[position:])
