"""Markdown to HTML: CommonMark, and the stories of `markup`, found by file name."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from markdown_it import MarkdownIt

import generator.markup
from generator import fences
from generator.context import Context, Link
from generator.glossary import Entry
from generator.htmltags import ids

Story = Callable[[MarkdownIt, Context], None]


@dataclass(frozen=True)
class Rendered:
    """The body of a page as HTML, its headings as (level, id, text), and every id that a link may lead to."""

    html: str
    headings: tuple[tuple[int, str, str], ...]
    ids: frozenset[str]


@cache
def stories() -> tuple[Story, ...]:
    """`extend` of every module in `generator/markup`, in the order of their names."""
    names = sorted(module.name for module in pkgutil.iter_modules(generator.markup.__path__))
    return tuple(import_module(f"generator.markup.{name}").extend for name in names)


def render(body: str, context: Context) -> Rendered:
    """The HTML of a page's `body`; what is wrong with it is noted in `context.findings`."""
    env: dict[str, Any] = {}
    html = _parser(context).render(body, env)
    headings = tuple(env.get("headings", ()))
    found = {name for name, _ in ids(html)} | context.reserved_ids | {"top"}  # "#top" leads to the top of any page
    return Rendered(html, headings, frozenset(found))


def entries(body: str) -> tuple[Entry, ...]:
    """The terms that the definition lists of a page explain."""
    env: dict[str, Any] = {}
    _parser(Context("", 0, Link)).parse(body, env)
    return tuple(env.get("entries", ()))


def figures(body: str) -> list[fences.Fence]:
    """The figure fences of a page's `body`, before anything is known of runs."""
    md = _parser(Context("", 0, Link))
    md.core.ruler.enableOnly(["normalize", "block"])
    return fences.figures(md.parse(body), body)


def _parser(context: Context) -> MarkdownIt:
    md = MarkdownIt("commonmark").enable("strikethrough")
    for story in stories():
        story(md, context)
    return md
