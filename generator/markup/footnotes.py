"""Footnotes: `[^name]` in the text and `[^name]: the note` below; a note without its other half is said."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from mdit_py_plugins.footnote import footnote_plugin

from generator.context import Context

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
    md.core.ruler.after("inline", "unused_footnotes", unused)
    md.core.ruler.after("inline", "missing_footnotes", missing)
