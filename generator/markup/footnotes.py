"""Footnotes: `[^name]` in the text and `[^name]: the note` below; a note without its other half is said."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore, inline
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import footnote_inline, footnote_tail

from generator.context import Context
from generator.positions import keep_lines, with_lines

_LEFT_OVER = re.compile(r"\[\^([^\]\s]+)\]")


def extend(md: MarkdownIt, context: Context) -> None:
    """Collect notes at the end of their page."""

    def missing(state: StateCore) -> None:
        for token in state.tokens:
            line = token.map[0] if token.map else 0
            for child in token.children or []:
                line += child.type in ("softbreak", "hardbreak")
                for match in _LEFT_OVER.finditer(child.content if child.type == "text" else ""):
                    context.problem(line, f"there is no footnote [^{match[1]}]", f"add a line [^{match[1]}]: …")

    def unused(state: StateCore) -> None:
        for name, number in state.env.get("footnotes", {}).get("refs", {}).items():
            if number < 0:
                mark = f"[^{name.removeprefix(':')}]"
                lines = state.src.split("\n")
                line = next((at for at, text in enumerate(lines) if text.lstrip(" >").startswith(f"{mark}:")), 0)
                context.warn(line, f"the footnote {mark} is not referred to, so it is not shown")

    footnote_plugin(md)
    md.core.ruler.at("inline", _inline_and_notes)
    md.core.ruler.disable("footnote_tail")
    keep_lines(md, "footnote_inline", footnote_inline)
    md.core.ruler.after("inline", "unused_footnotes", unused)
    md.core.ruler.after("inline", "missing_footnotes", missing)


def _inline_and_notes(state: StateCore) -> None:
    """Read inline text, then gather the notes at once, so that all other rules find those within the text, too."""
    inline(state)
    lines = {token.meta["id"]: line for token, line in with_lines(state.tokens) if token.type == "footnote_ref"}
    footnote_tail(state)
    note = 0
    for token in state.tokens:
        note = token.meta["id"] if token.type == "footnote_open" else note
        if token.type == "inline" and token.map is None:
            token.map = [lines.get(note, 0), lines.get(note, 0) + 1]
