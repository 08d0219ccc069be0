"""Terms of the glossary: the first use of each in the prose of a page is a link to what it means.

The glossary is the page `glossary.md`, with a definition list. Headings, links, code and marked words are
left alone; case does not matter, and a plural in "s" is the term as well.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from generator.context import Context


def extend(md: MarkdownIt, context: Context) -> None:
    """Link the first use of each term in `context.glossary`."""
    if not context.glossary:
        return
    words = "|".join(re.escape(term) for term in sorted(context.glossary, key=lambda term: (-len(term), term)))
    term = re.compile(rf"(?<![\w-])({words})(?:s)?(?![\w-])", re.IGNORECASE)

    def link_terms(state: StateCore) -> None:
        unused = dict(context.glossary)
        for before, token in zip(state.tokens, state.tokens[1:], strict=False):
            if token.type == "inline" and before.type == "paragraph_open":
                token.children = _linked(token.children or [], term, unused)

    md.core.ruler.push("glossary", link_terms)


def _linked(children: list[Token], term: re.Pattern[str], unused: dict[str, str]) -> list[Token]:
    """The tokens of a paragraph with links put in; terms that got theirs leave `unused`."""
    found: list[Token] = []
    depth = 0
    for child in children:
        depth += child.nesting if child.type.startswith(("link", "state")) else 0
        if child.type != "text" or depth:
            found.append(child)
            continue
        position = 0
        for match in term.finditer(child.content):
            if address := unused.pop(match[1].lower(), ""):
                found += [_text(child.content[position : match.start()]), *_link(address, match[0])]
                position = match.end()
        found.append(_text(child.content[position:]))
    return found


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link(address: str, words: str) -> list[Token]:
    attributes: dict[str, str | int | float] = {"href": address, "class": "term"}
    return [Token("link_open", "a", 1, attrs=attributes), _text(words), Token("link_close", "a", -1)]
