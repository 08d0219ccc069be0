"""Lists and quotes within each other: the parser leaves out what lies too deep, so its author is told."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from generator.context import Context

DEEPEST = 100


def extend(md: MarkdownIt, context: Context) -> None:
    """Allow more than Markdown's usual depth, and report what is deeper still."""
    md.options["maxNesting"] = DEEPEST

    def too_deep(state: StateCore) -> None:
        deep = (token for token in state.tokens if token.level >= DEEPEST - 1 and token.map)
        for token in list(deep)[:1]:
            assert token.map is not None
            context.problem(token.map[0], "this is nested too deeply to be read", f"{DEEPEST} levels are the most")

    md.core.ruler.after("block", "too_deep", too_deep)
