"""Terms of the glossary: the first use of each in the prose of a page is a link to what it means.

Prose is paragraphs, those of lists, quotes and notes included. Headings, tables, captions, links, code and
marked state words are left as they are. So is the bold sentence that opens a paragraph, which is read as a
whole; only a term that stands nowhere else on its page is linked there. Where the author links to a term, that
is its link on the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from generator.context import Context, Term
from generator.glossary import Finder, finder
from generator.htmltags import tags

_CLOSED = frozenset(("a", "button", "code", "kbd", "samp", "summary"))
"""Raw HTML in which no link belongs."""


def extend(md: MarkdownIt, context: Context) -> None:
    """Link the first use of each term in `context.glossary`, and note it in `context.findings`."""
    if not context.glossary:
        return
    find = finder([term.forms for term in context.glossary])

    def link_terms(state: StateCore) -> None:
        links = {child.attrGet("href") for token in state.tokens for child in token.children or []}
        page = _Page(find, context.glossary, {term for term in context.glossary if term.url not in links})
        prose = [token for before, token in pairwise(state.tokens) if before.type == "paragraph_open"]
        for lead_ins in (False, True):
            for token in prose:
                token.children = page.linked(token.children or [], lead_ins)
        context.findings.terms.update(term.forms[0] for term in context.glossary if term not in page.unused)

    md.core.ruler.push("glossary", link_terms)


@dataclass(frozen=True)
class _Page:
    """One page: what finds the terms, the terms, and those of them that have no link yet."""

    find: Finder
    terms: tuple[Term, ...]
    unused: set[Term]

    def linked(self, children: list[Token], lead_ins: bool) -> list[Token]:
        """The tokens of a paragraph with links put in, in the bold sentence that opens it too if `lead_ins`."""
        found: list[Token] = []
        for open_to_links, group in groupby(_with_state(children, lead_ins), key=lambda pair: pair[1]):
            tokens = [token for token, _ in group]
            found += self._words("".join(map(_content, tokens))) if open_to_links else tokens
        return found

    def _words(self, text: str) -> list[Token]:
        """Plain text as tokens, with a link at the first use of each term that has none yet."""
        found: list[Token] = []
        position = 0
        for number, match in self.find.uses(text):
            term = self.terms[number]
            if term in self.unused:
                self.unused.remove(term)
                found += [_text(text[position : match.start()]), *_link(term.url, match[0])]
                position = match.end()
        return [*found, _text(text[position:])]


def _with_state(children: list[Token], lead_ins: bool) -> Iterator[tuple[Token, bool]]:
    """Each token of a paragraph, and whether it is text that terms may be linked in."""
    depth, begun, bold = 0, False, False
    for child in children:
        if child.type.startswith(("link", "state")):
            depth += child.nesting
        elif child.type == "html_inline":
            depth += sum(-1 if tag.closing else 1 for tag in tags(child.content) if tag.name in _CLOSED)
        elif child.type == "strong_open" and not begun:
            bold = not lead_ins
        elif child.type == "strong_close" and child.level == 0:
            bold = False
        begun = begun or bool(child.content.strip())
        yield child, child.type in ("text", "softbreak") and depth == 0 and not bold


def _content(token: Token) -> str:
    """The text of a token; a term may go over the end of a line."""
    return "\n" if token.type == "softbreak" else token.content


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link(url: str, words: str) -> list[Token]:
    attributes: dict[str, str | int | float] = {"href": url, "class": "term"}
    return [Token("link_open", "a", 1, attrs=attributes), _text(words), Token("link_close", "a", -1)]
