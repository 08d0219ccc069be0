"""Figure fences: where one stands, the finished figure is put."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from generator.context import Context
from generator.fences import is_figure


def extend(md: MarkdownIt, context: Context) -> None:
    """Replace each figure fence by its HTML; one that could not be drawn has been reported already."""

    def place(state: StateCore) -> None:
        for token in state.tokens:
            if is_figure(token) and token.map:
                token.type, token.content = "html_block", context.figures.get(token.map[0], "")

    md.core.ruler.push("figures", place)
