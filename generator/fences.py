"""Fenced blocks: which of them are figures, where they may stand, and which are never closed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it.token import Token


@dataclass(frozen=True)
class Fence:
    """The text of a figure fence; `line` is where it opens, counted from 0 in the body.

    `misplaced` says what it stands in when it is not at the left margin of the page.
    """

    text: str
    line: int
    misplaced: str = ""
    closed: bool = True
    markup: str = "```"


def is_figure(token: Token) -> bool:
    """Whether a token is a fenced block whose first word is `figure`."""
    return token.type == "fence" and token.info.split()[:1] == ["figure"]


def nearly_figure(token: Token) -> str:
    """The first word of a fenced block that seems to be meant for a figure, empty for all others."""
    word = "".join(token.info.split()[:1])
    meant = word.strip("{}:.").lower() in ("figure", "figures", "fig") and "panels:" in token.content
    return word if meant and word != "figure" else ""


def figures(tokens: list[Token], source: str) -> list[Fence]:
    """The figure fences among the blocks of a page, in order, also those that can only be mistakes."""
    lines, found = source.split("\n"), []
    containers: list[str] = []
    for token in tokens:
        if token.nesting == 1:
            containers.append(token.type.removesuffix("_open"))
        elif token.nesting == -1:
            containers.pop()
        if token.map is None:
            continue
        if is_figure(token):
            indented = lines[token.map[0]].startswith((" ", "\t"))
            place = _place(containers) or ("an indented line" if indented else "")
            found.append(Fence(token.content, token.map[0], place, is_closed(token, lines), token.markup))
        else:
            found.extend(_hidden(token))
    return found


def is_closed(token: Token, lines: list[str]) -> bool:
    """Whether the last line of a fenced block is its closing fence."""
    assert token.map is not None
    last = token.map[1] - 1
    return last > token.map[0] and lines[last].lstrip(" \t>").startswith(token.markup)


def _place(containers: list[str]) -> str:
    names = {"list_item": "a list", "blockquote": "a quote", "dd": "a list", "footnote_reference": "a footnote"}
    places = [names[container] for container in containers if container in names]
    return places[0] if places else ""


_OPENING = re.compile(r"[ |>\t]*(?:`{3,}|~{3,})[ \t]*figure(?:[ |\t][^`]*)?$")


def _hidden(token: Token) -> list[Fence]:
    """Fences that the parser takes for something else: indented by four, or within raw HTML."""
    places = {"code_block": "an indented line", "html_block": "raw HTML", "inline": "a table or paragraph"}
    if token.type not in places or token.content.lstrip().startswith("<!--"):
        return []
    assert token.map is not None
    return [
        Fence("", token.map[0] + offset, places[token.type])
        for offset, line in enumerate(token.content.split("\n"))
        if _OPENING.match(line)
    ]
