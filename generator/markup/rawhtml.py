"""Raw HTML passes through, except for what would swallow the page: that is shown as text, with a warning.

A bare tag name in prose ("the <script> element"), a comment that is never closed, a tag without its end or
an end without its beginning: each is one slip, and a browser hides or breaks everything after it.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import html_inline
from markdown_it.token import Token

from generator.context import Context
from generator.htmltags import NEVER, OPTIONAL_END, VERBATIM, Pairing, Tag, escaped_at, tags
from generator.positions import keep_lines, with_lines

_VERBATIM_START = re.compile(rf"<({'|'.join(sorted(VERBATIM))}|pre)(?=[\s>]|$)", re.I)

_BARE = re.compile(r"<(?:area|col|embed|img|input|source|track)\s*/?>", re.I)
"""Void elements that are nothing without an attribute, so that only their name can be meant."""


def extend(md: MarkdownIt, context: Context) -> None:
    """Guard blocks as they are read, and all raw HTML once the page is."""

    def block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start] + state.tShift[start]
        if state.src.startswith(("<?", "<!"), at) and not state.src.startswith("<!--", at):
            return False  # a declaration or an instruction: browsers drop it, so it is text
        if state.src.startswith("<!--", at) and not _comment_closed(state.src, at):
            if not silent:
                _warn_of_comment(context, start)
            return False
        verbatim = _VERBATIM_START.match(state.src, at)
        if verbatim and not _verbatim_closed(state, start, verbatim[1]):
            return False
        if state.src.startswith("<", at) and not _begins_with_html(state, at):
            return False
        return html_block(state, start, end, silent)

    def guard(state: StateCore) -> None:
        _guard_blocks(state.tokens, context)
        for token in state.tokens:
            if token.type == "inline":
                _guard_inline(token, context)

    md.block.ruler.at("html_block", block, {"alt": ["paragraph", "reference", "blockquote"]})
    keep_lines(md, "html_inline", html_inline)
    md.core.ruler.after("inline", "guard_html", guard)


def _comment_closed(source: str, at: int) -> bool:
    end = source.find("-->", at + 2)
    return end >= 0 and source.find("<!--", at + 4, end) < 0


def _verbatim_closed(state: StateBlock, start: int, name: str) -> bool:
    """Whether the element ends: before the next blank line, or anywhere if its start tag has the line to itself."""
    at = state.bMarks[start] + state.tShift[start]
    first_line = state.src[at : state.eMarks[start]].rstrip()
    end = re.compile(rf"</{name}\s*>", re.I).search(state.src, at)
    if end is None:
        return False
    return (first_line.endswith(">") and first_line.count(">") == 1) or "\n\n" not in state.src[at : end.start()]


def _begins_with_html(state: StateBlock, at: int) -> bool:
    """Whether the line begins with a tag that can stand as HTML: a whole one, and one that a page may hold."""
    paragraph = state.src[at:].split("\n\n", 1)[0]
    tag = next(tags(paragraph), None)
    return tag is None or tag.start > 0 or not (tag.stray or tag.name in NEVER)


def _guard_blocks(tokens: list[Token], context: Context) -> None:
    """Tags of raw blocks must pair up over the whole page: `<details>` may open in one and close in another."""
    blocks = [token for token in tokens if token.type == "html_block"]
    pairing: Pairing[tuple[int, int]] = Pairing()  # a place is the number of the block and the position in it
    for number, token in enumerate(blocks):
        for tag in tags(token.content):
            pairing.take(tag, (number, tag.start))
            _warn_of_policy(context, _line(token, tag.start), token.content[tag.start : tag.end])
    left_open = [(name, place) for name, place in pairing.open if name not in VERBATIM]
    bad = {*pairing.unpaired, *(place for name, place in pairing.open if name in VERBATIM)}
    for name, (number, at) in left_open:
        line = _line(blocks[number], at)
        context.warn(line, f"<{name}> is never closed; it was closed at the end of the page", f"write </{name}>")
    for number, token in enumerate(blocks):
        places = {at for block, at in bad if block == number}
        for at in sorted(places):
            _warn(context, _line(token, at), token.content[at:])
        token.content = escaped_at(token.content, places)
    if left_open:
        closing = "".join(f"</{name}>" for name, _ in reversed(left_open))
        tokens.append(Token("html_block", "", 0, content=f"{closing}\n"))


def _line(block: Token, at: int) -> int:
    return (block.map[0] if block.map else 0) + block.content.count("\n", 0, at)


def _guard_inline(inline: Token, context: Context) -> None:
    """Within a paragraph, heading or cell every start tag needs its end tag there, and the other way round."""
    pairing: Pairing[tuple[Token, int]] = Pairing()
    for child, line in with_lines([inline]):
        if child.type == "html_inline":
            tag = next(tags(child.content), None) or Tag(0, 0, stray=True)
            _warn_of_policy(context, line, child.content)
            named_only = _BARE.fullmatch(child.content) or (tag.name in OPTIONAL_END and not pairing.open)
            if tag.name in VERBATIM or named_only:
                pairing.unpaired.append((child, line))
            else:
                pairing.take(tag, (child, line))
        elif child.type == "text" and "<!--" in child.content:
            _warn_of_comment(context, line)
    for token, line in [*pairing.unpaired, *(place for _, place in pairing.open)]:
        _warn(context, line, token.content)
        token.type = "text"


def _warn_of_comment(context: Context, line: int) -> None:
    context.warn(line, "this comment is never closed, so it is shown as text", 'end it with "-->"')


def _warn_of_policy(context: Context, line: int, tag: str) -> None:
    """Pages forbid styles and scripts of their own, so a browser would only complain in its console."""
    found = re.search(r"\s(style|on[a-z]+)\s*=", tag, re.I)
    if found and not tag.startswith("<!--"):
        context.warn(line, f"browsers ignore {found[1]}= here: the pages' policy forbids it", "put it into theme/")


def _warn(context: Context, line: int, html: str) -> None:
    tag = re.match(r"<[^\s>]*", html)
    hint = "put it in back-ticks, or give it its other half"
    context.warn(line, f"{tag[0] if tag else html}> is shown as text: as HTML it would break the page", hint)
