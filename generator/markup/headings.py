"""Headings with ids, so that they can be linked to and listed; no two are the same on a page."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from generator.context import Context
from generator.slugs import free, heading_id


def extend(md: MarkdownIt, context: Context) -> None:
    """Give each heading an id and note it in `env["headings"]` as (level, id, text)."""

    def headings(state: StateCore) -> None:
        taken: set[str] = set(context.reserved_ids) | state.env.get("ids", set())
        found = state.env.setdefault("headings", [])
        for index, token in enumerate(state.tokens):
            if token.type == "heading_open":
                text = _text(state.tokens[index + 1].children or [])
                name = free(heading_id(text) or "section", taken)
                taken.add(name)
                token.attrSet("id", name)
                found.append((int(token.tag[1:]), name, text))

    md.core.ruler.push("headings", headings)


def _text(children: list[Token]) -> str:
    """What a reader sees of a heading, tags left out."""
    parts = []
    for child in children:
        if child.type in ("text", "code_inline", "math_inline", "text_special"):
            parts.append(child.content)
        elif child.type == "image":
            parts.append(_text(child.children or []))
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts).strip()
