"""Links and images: `.md` addresses become pages, root-relative ones start at the site's root, and each is checked.

The same holds for addresses in raw HTML. A link to a step (`#tree=hana-2`) gets a class, so that the player
moves the figure and leaves the reader where they are.
"""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import image, link

from generator.context import Context, Fragment, Link, step_fragment
from generator.htmltags import ADDRESS, tags, value_of
from generator.positions import keep_lines, with_lines
from generator.sandbox import ValueProblem
from generator.slugs import encode

_SCHEMES = r"(?:javascript|vbscript|data|file):"
_NO_LINK = re.compile(
    rf"\[(?P<text>[^\[\]]*)\]\((?P<address>{_SCHEMES}[^()\s]*|[^()\s<][^()\n]*\s[^()\n]*?\.\w{{2,5}}(?:#[^()\s]*)?)[)(]",
    re.I,
)
"""What looks like a link to a reader but is none in Markdown."""
_REFERENCE = re.compile(r"\[[^\[\]]+\]\[[^\[\]]*\]")


def extend(md: MarkdownIt, context: Context) -> None:
    """Resolve every address of the page against the site."""

    def resolve(state: StateCore) -> None:
        for token, line in with_lines(state.tokens):
            if token.type in ("link_open", "image"):
                name = "src" if token.type == "image" else "href"
                found = _resolved(context, str(token.attrGet(name) or ""), line)
                token.attrSet(name, found.url)
                if "=" in found.fragment:
                    token.attrSet("class", "step-link")
            elif token.type in ("html_block", "html_inline"):
                token.content = _raw(context, token.content, line)
            elif token.type == "text" and (match := _NO_LINK.search(token.content)):
                address = match["address"]
                spaced = re.search(r"\s", address)
                hint = f"write [{match['text']}](<{address}>)" if spaced else "link to a page, a file or the web"
                what = "its address has a space" if spaced else "an address of this kind is not allowed"
                context.problem(line, f"[{match['text']}]({address}) is no link: {what}", hint)
            elif token.type == "text" and (match := _REFERENCE.search(token.content)):
                context.problem(
                    line, f"{match[0]} refers to an address that is not given", "add a line [name]: address"
                )

    keep_lines(md, "link", link)
    keep_lines(md, "image", image)
    md.core.ruler.before("text_join", "links", resolve)


def _resolved(context: Context, address: str, line: int) -> Link:
    try:
        found = context.resolve(address)
        fragment = found.fragment
        if found.page and "=" in fragment and (steps := context.steps.get(found.page)) is not None:
            fragment = step_fragment(fragment, steps)
            return Link(found.url.split("#")[0] + "#" + encode(fragment), found.page, fragment)
    except ValueProblem as problem:
        context.problem(line, problem.message, problem.hint)
        return Link(address)
    if found.page and fragment:
        context.findings.fragments.append(Fragment(line + context.line, found.page, fragment))
    return found


def _raw(context: Context, html: str, line: int) -> str:
    parts, position = [], 0
    for tag in tags(html):
        if tag.name and not tag.closing:
            at = line + html.count("\n", 0, tag.start)
            piece = ADDRESS.sub(lambda match, at=at: _attribute(context, match, at), html[tag.start : tag.end])  # type: ignore[misc]
            parts += [html[position : tag.start], piece]
            position = tag.end
    return "".join(parts) + html[position:]


def _attribute(context: Context, match: re.Match[str], line: int) -> str:
    value = value_of(match)
    if match["name"].lower() == "srcset":
        candidates = [candidate.split() for candidate in value.split(",") if candidate.strip()]
        new = ", ".join(" ".join([_resolved(context, url, line).url, *size]) for url, *size in candidates)
    else:
        new = _resolved(context, value, line).url
    return f'{match["lead"]}"{escape(new)}"'
