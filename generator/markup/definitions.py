"""Definition lists: a term on one line, `: ` and its meaning on the next; each term is a place to link to."""

from __future__ import annotations

from itertools import takewhile

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from generator.context import Context
from generator.glossary import Entry, forms
from generator.slugs import free, heading_id

_PIECES = ("inline", "fence", "code_block", "html_block", "math_block")


def extend(md: MarkdownIt, _: Context) -> None:
    """Read definition lists, and note each term as an `Entry` in `env["entries"]`."""

    def entries(state: StateCore) -> None:
        found: list[Entry] = state.env.setdefault("entries", [])
        for index, token in enumerate(state.tokens):
            if token.type == "dt_open":
                names = forms("".join(child.content for child in state.tokens[index + 1].children or []))
                name = free(f"term-{heading_id(names[0])}", {entry.id for entry in found})
                token.attrSet("id", name)
                line = token.map[0] if token.map else 0
                found.append(Entry(names, name, line, _meanings(state.tokens[index + 3 :])))

    deflist_plugin(md)
    md.core.ruler.push("entries", entries)


def _meanings(after: list[Token]) -> tuple[str, ...]:
    """What is written about a term, piece by piece, in the tokens that come `after` it."""
    own = takewhile(lambda token: token.type not in ("dt_open", "dl_close"), after)
    return tuple(token.content for token in own if token.type in _PIECES and token.content.strip())
