"""What may be wider than the window: tables, each in a group of its own that scrolls sideways, and code.

They can be reached by key, else nobody without a pointer could scroll them. A table's group is named by its columns.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from generator.context import Context

_PRE = '<pre tabindex="0">'


def extend(md: MarkdownIt, _: Context) -> None:
    """Put each table into `<div class="wide">`, and let keys reach that and `<pre>`."""

    def wrap(state: StateCore) -> None:
        tokens: list[Token] = []
        for index, token in enumerate(state.tokens):
            if token.type == "table_open":
                columns = [name for name in _columns(state.tokens[index:]) if name]
                label = ": ".join(["Table", ", ".join(columns)] if columns else ["Table"])
                attributes: dict[str, str | int | float] = {
                    "class": "wide", "role": "group", "aria-label": label, "tabindex": "0"
                }  # fmt: skip
                tokens.append(Token("wide_open", "div", 1, attrs=attributes, block=True))
            tokens.append(token)
            if token.type == "table_close":
                tokens.append(Token("wide_close", "div", -1, block=True))
        state.tokens = tokens

    md.core.ruler.push("scrolling", wrap)
    md.add_render_rule("fence", _fence)
    md.add_render_rule("code_block", _code_block)


def _fence(*values: Any) -> str:
    return RendererHTML.fence(*values).replace("<pre>", _PRE, 1)


def _code_block(*values: Any) -> str:
    return RendererHTML.code_block(*values).replace("<pre>", _PRE, 1)


def _columns(table: list[Token]) -> list[str]:
    """The names of the columns of the table that begins here."""
    head = takewhile(lambda token: token.type != "thead_close", table)
    cells = (token.children or [] for token in head if token.type == "inline")
    return ["".join(child.content for child in cell if child.type in ("text", "code_inline")).strip() for cell in cells]
