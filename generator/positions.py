"""Lines of inline elements, which the Markdown parser does not keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

InlineRule = Callable[[StateInline, bool], bool]


def keep_lines(md: MarkdownIt, name: str, rule: InlineRule) -> None:
    """Have the inline `rule` called `name` note, on the first token it makes, how many lines down it began."""

    def noting(state: StateInline, silent: bool) -> bool:
        count, start = len(state.tokens), state.pos
        found = rule(state, silent)
        if found and not silent and len(state.tokens) > count:
            pending = state.tokens[count].type == "text" and len(state.tokens) > count + 1
            state.tokens[count + pending].meta["lines_down"] = state.src.count("\n", 0, start)
        return found

    md.inline.ruler.at(name, noting)


def with_lines(tokens: list[Token]) -> Iterator[tuple[Token, int]]:
    """Every token, blocks and what is inside them, with its line counted from 0."""
    line = 0
    for token in tokens:
        line = token.map[0] if token.map else line
        yield token, line
        yield from _inside(token.children or [], line)


def _inside(children: list[Token], line: int) -> Iterator[tuple[Token, int]]:
    at = line
    for child in children:
        at = line + int(child.meta["lines_down"]) if "lines_down" in child.meta else at
        yield child, at
        at += child.type in ("softbreak", "hardbreak")
        yield from _inside(child.children or [], at)
