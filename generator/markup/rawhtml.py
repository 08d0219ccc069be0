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
from generator.htmltags import NEVER, OPTIONAL_END, VERBATIM, escaped_at, tags
from generator.positions import keep_lines, with_lines

_VERBATIM_START = re.compile(rf"<({'|'.join(sorted(VERBATIM))}|pre)(?=[\s>]|$)", re.I)


def extend(md: MarkdownIt, context: Context) -> None:
    """Guard blocks as they are read, and all raw HTML once the page is."""

    def block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start] + state.tShift[start]
        if state.src.startswith(("<?", "<!"), at) and not state.src.startswith("<!--", at):
            return False  # a declaration or an instruction: browsers drop it, so it is text
        if state.src.startswith("<!--", at) and not _comment_closed(state.src, at):
            if not silent:
                context.warn(start, "this comment is never closed, so it is shown as text", 'end it with "-->"')
            return False
        verbatim = _VERBATIM_START.match(state.src, at)
        if verbatim and not _verbatim_closed(state, start, verbatim[1]):
            return False
        return html_block(state, start, end, silent)

    def guard(state: StateCore) -> None:
        _guard_blocks([token for token in state.tokens if token.type == "html_block"], state.tokens, context)
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


def _guard_blocks(blocks: list[Token], tokens: list[Token], context: Context) -> None:
    """Tags of raw blocks must pair up over the whole page: `<details>` may open in one and close in another."""
    open_tags: list[tuple[str, Token, int]] = []
    bad: dict[int, set[int]] = {}
    for token in blocks:
        for tag in tags(token.content):
            if tag.comment or tag.empty:
                continue
            if (
                tag.stray
                or tag.name in NEVER
                or (tag.name in VERBATIM and not _paired(token.content, tag.end, tag.name, tag.closing))
            ):
                bad.setdefault(id(token), set()).add(tag.start)
            elif tag.name in OPTIONAL_END or tag.name in VERBATIM:
                continue
            elif not tag.closing:
                open_tags.append((tag.name, token, tag.start))
            elif any(name == tag.name for name, _, _ in open_tags):
                while open_tags.pop()[0] != tag.name:
                    pass
            else:
                bad.setdefault(id(token), set()).add(tag.start)
    for token in blocks:
        assert token.map is not None
        for place in sorted(bad.get(id(token), ())):
            _warn(context, token.map[0] + token.content.count("\n", 0, place), token.content[place:])
        token.content = escaped_at(token.content, bad.get(id(token), set()))
    for name, token, place in open_tags:
        assert token.map is not None
        line = token.map[0] + token.content.count("\n", 0, place)
        context.warn(line, f"<{name}> is never closed; it was closed at the end of the page", f"write </{name}>")
    closing = "".join(f"</{name}>" for name, _, _ in reversed(open_tags))
    if closing:
        tokens.append(Token("html_block", "", 0, content=closing + "\n"))


def _paired(html: str, at: int, name: str, closing: bool) -> bool:
    if closing:
        return re.search(rf"<{name}[\s>]", html[:at], re.I) is not None
    return re.search(rf"</{name}\s*>", html[at:], re.I) is not None


def _guard_inline(inline: Token, context: Context) -> None:
    """Within a paragraph, heading or cell every start tag needs its end tag there, and the other way round."""
    open_tags: list[tuple[str, Token, int]] = []
    bad: list[tuple[Token, int]] = []
    for child, line in with_lines([inline]):
        if child.type != "html_inline":
            continue
        tag = next(tags(child.content), None)
        if tag is not None and (tag.comment or tag.empty or tag.name in OPTIONAL_END):
            continue
        if tag is None or tag.stray or tag.name in NEVER | VERBATIM:
            bad.append((child, line))
        elif not tag.closing:
            if not child.content.endswith("/>"):
                open_tags.append((tag.name, child, line))
        elif any(name == tag.name for name, _, _ in open_tags):
            while (opened := open_tags.pop())[0] != tag.name:
                bad.append((opened[1], opened[2]))
        else:
            bad.append((child, line))
    for token, line in [*bad, *((token, line) for _, token, line in open_tags)]:
        _warn(context, line, token.content)
        token.type = "text"
    for child, line in with_lines([inline]):
        if child.type == "text" and "<!--" in child.content:
            context.warn(line, "this comment is never closed, so it is shown as text", 'end it with "-->"')


def _warn(context: Context, line: int, html: str) -> None:
    tag = re.match(r"<[^\s>]*", html)
    hint = "put it in back-ticks, or give it its other half"
    context.warn(line, f"{tag[0] if tag else html}> is shown as text: as HTML it would break the page", hint)
