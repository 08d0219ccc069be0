"""Definition lists: a term on one line, `: ` and its meaning on the next; each term is a place to link to."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from mdit_py_plugins.deflist import deflist_plugin

from generator.context import Context
from generator.slugs import heading_id


def extend(md: MarkdownIt, _: Context) -> None:
    """Read definition lists, and note their terms in `env["terms"]` as (term, id)."""

    def terms(state: StateCore) -> None:
        found = state.env.setdefault("terms", [])
        for index, token in enumerate(state.tokens):
            if token.type == "dt_open":
                term = "".join(child.content for child in state.tokens[index + 1].children or []).strip()
                name = f"term-{heading_id(term)}"
                if all(name != other for _, other in found):
                    token.attrSet("id", name)
                    found.append((term, name))

    deflist_plugin(md)
    md.core.ruler.push("terms", terms)
