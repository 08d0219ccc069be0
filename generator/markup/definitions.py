"""Definition lists: a term on one line, `: ` and its meaning on the next; each term is a place to link to."""

from __future__ import annotations

import re
from itertools import takewhile

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from generator.context import Context
from generator.glossary import Entry, forms
from generator.slugs import free, heading_id

_FORMS = re.compile(r"(?<=\s)\([^()]*\)\s*$")
_PIECES = ("inline", "fence", "code_block", "html_block", "math_block")


def extend(md: MarkdownIt, _: Context) -> None:
    """Read definition lists, and note each term as an `Entry` in `env["entries"]`."""

    def entries(state: StateCore) -> None:
        found: list[Entry] = state.env.setdefault("entries", [])
        for index, token in enumerate(state.tokens):
            if token.type == "dt_open":
                words = state.tokens[index + 1]
                names = forms("".join(child.content for child in words.children or []))
                words.children = _with_forms_apart(words.children or [])
                name = free(f"term-{heading_id(names[0])}", {entry.id for entry in found})
                token.attrSet("id", name)
                line = token.map[0] if token.map else 0
                found.append(Entry(names, name, line, _meanings(state.tokens[index + 3 :])))

    deflist_plugin(md)
    md.core.ruler.push("entries", entries)


def _with_forms_apart(children: list[Token]) -> list[Token]:
    """The tokens of a term, its other forms in brackets as an element of their own."""
    last = children[-1] if children else None
    match = _FORMS.search(last.content) if last and last.type == "text" else None
    if last is None or match is None:
        return children
    parts = [Token("text", "", 0, content=text) for text in (last.content[: match.start()], match[0])]
    opening = Token("span_open", "span", 1, attrs={"class": "forms"})
    return [*children[:-1], parts[0], opening, parts[1], Token("span_close", "span", -1)]


def _meanings(after: list[Token]) -> tuple[str, ...]:
    """What is written about a term, piece by piece, in the tokens that come `after` it."""
    own = takewhile(lambda token: token.type not in ("dt_open", "dl_close"), after)
    return tuple(token.content for token in own if token.type in _PIECES and token.content.strip())
