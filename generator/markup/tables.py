"""Tables with a class for the side a column is set to: a style attribute would break the content policy."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from generator.context import Context


def extend(md: MarkdownIt, _: Context) -> None:
    """Tables, and `align-left`, `align-center` or `align-right` on cells of aligned columns."""

    def alignment(state: StateCore) -> None:
        for token in state.tokens:
            if token.type in ("td_open", "th_open"):
                style = str(token.attrs.pop("style", ""))
                if style.startswith("text-align:"):
                    token.attrSet("class", f"align-{style.removeprefix('text-align:')}")

    md.enable("table")
    md.core.ruler.push("table_alignment", alignment)
