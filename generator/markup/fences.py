"""Fenced code that is never closed swallows the rest of a page; its author is told."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from generator.context import Context
from generator.fences import is_closed, is_figure, nearly_figure


def extend(md: MarkdownIt, context: Context) -> None:
    """Warn of every block of code whose fence is missing its end."""

    def closed(state: StateCore) -> None:
        lines = state.src.split("\n")
        for token in state.tokens:
            if token.type == "fence" and token.map and (word := nearly_figure(token)):
                context.problem(token.map[0], f'a fence of "{word}" is no figure', f"write {token.markup}figure")
            elif token.type == "fence" and token.map and not is_figure(token) and not is_closed(token, lines):
                hint = f"close it with {token.markup}"
                context.warn(token.map[0], "this code block is never closed; all that follows is in it", hint)

    md.core.ruler.after("block", "closed_fences", closed)
