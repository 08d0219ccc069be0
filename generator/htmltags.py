"""Tags in raw HTML: finding them, and telling those that a page can carry from those that would swallow it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ATTRIBUTE = r"""\s+[a-zA-Z_:@][\w.:@-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?"""
_PIECE = re.compile(
    rf"(?P<comment><!-->|<!--->|<!--.*?-->)|<(?P<close>/?)(?P<name>[a-zA-Z][\w-]*)(?:{_ATTRIBUTE})*\s*/?>"
    r"|(?P<stray><(?=[a-zA-Z/!?]))",
    re.DOTALL,
)
ADDRESS = re.compile(
    r"""(?P<lead>\s(?P<name>href|src|poster|srcset|data)\s*=\s*)(?P<quote>["'])(?P<value>.*?)(?P=quote)""", re.I | re.S
)

VOID = frozenset(("area", "br", "col", "embed", "hr", "img", "input", "source", "track", "wbr"))
OPTIONAL_END = frozenset(
    ("p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "option", "optgroup", "rp", "rt")
)
VERBATIM = frozenset(("script", "style", "textarea"))
"""What is in these is no HTML; left open they hide the rest of the page."""
NEVER = frozenset(("base", "body", "frame", "frameset", "head", "html", "iframe", "link", "meta")) | frozenset(
    ("noembed", "noframes", "noscript", "plaintext", "template", "title", "xmp")
)
"""Tags that mean something to the whole document; a browser hides what follows, or worse. Always text."""


@dataclass(frozen=True)
class Tag:
    """A tag or comment (`name` is empty) in a piece of HTML; `stray` is a `<` that begins neither."""

    start: int
    end: int
    name: str = ""
    closing: bool = False
    comment: bool = False
    stray: bool = False

    @property
    def empty(self) -> bool:
        """Whether the element has no content, so that no end tag is due."""
        return self.name in VOID


def tags(html: str) -> Iterator[Tag]:
    """The tags and comments of `html` in order; what is within scripts, styles and text areas is skipped."""
    position = 0
    while match := _PIECE.search(html, position):
        name = (match["name"] or "").lower()
        position = match.end()
        yield Tag(
            match.start(), match.end(), name, bool(match["close"]), bool(match["comment"]), match["stray"] is not None
        )
        if name in VERBATIM and not match["close"]:
            end = re.compile(rf"</{name}\s*>", re.I).search(html, position)
            position = end.start() if end else position


def escaped_at(html: str, places: set[int]) -> str:
    """`html` with the `<` at each of `places` as text."""
    return "".join("&lt;" if index in places else char for index, char in enumerate(html)) if places else html
