"""Definition lists: a term on one line, `: ` and its meaning on the next."""

from __future__ import annotations

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin

from generator.context import Context


def extend(md: MarkdownIt, _: Context) -> None:
    """Read definition lists."""
    deflist_plugin(md)
