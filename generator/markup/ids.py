"""Ids in raw HTML: links may lead to them, and nothing else on the page may have them."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from generator.context import Context
from generator.htmltags import ids
from generator.positions import with_lines


def extend(md: MarkdownIt, context: Context) -> None:
    """Note every id of raw HTML in `env["ids"]`; one that is there already is a problem."""

    def collect(state: StateCore) -> None:
        notes = len(state.env.get("footnotes", {}).get("list", ()))
        taken = {f"{kind}{number + 1}" for number in range(notes) for kind in ("fn", "fnref")}
        taken |= {str(token.attrGet("id")) for token in state.tokens if token.attrGet("id")} | context.reserved_ids
        for token, line in with_lines(state.tokens):
            if token.type in ("html_block", "html_inline"):
                for name, at in ids(token.content):
                    if name in taken:
                        down = token.content.count("\n", 0, at)
                        context.problem(line + down, f'the id "{name}" is taken on this page', "choose another id")
                    taken.add(name)
        state.env["ids"] = taken

    md.core.ruler.before("figures", "ids", collect)
