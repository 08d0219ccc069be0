"""Tags in raw HTML: finding them, and telling those that a page can carry from those that would swallow it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Generic, TypeVar

_ATTRIBUTE = r"""\s+[a-zA-Z_:@][\w.:@-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?"""
_PIECE = re.compile(
    rf"(?P<comment><!-->|<!--->|<!--.*?-->)|<(?P<close>/?)(?P<name>[a-zA-Z][\w-]*)(?:{_ATTRIBUTE})*\s*(?P<self>/?)>"
    r"|(?P<stray><(?=[a-zA-Z/!?]))",
    re.DOTALL,
)
_VALUE = r"""(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'=<>`]+))"""
ADDRESS = re.compile(rf"(?P<lead>\s(?P<name>href|src|poster|srcset|data)\s*=\s*){_VALUE}", re.I)
_ID = re.compile(rf"\sid\s*=\s*{_VALUE}", re.I)
_ANCHOR = re.compile(rf"\sname\s*=\s*{_VALUE}", re.I)

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
DRAWN = frozenset(("svg", "math"))
"""Within these other rules hold: `<path/>` is whole, and a title is the drawing's."""


@dataclass(frozen=True)
class Tag:
    """A tag or comment (`name` is empty) in a piece of HTML; `stray` is a `<` that begins neither."""

    start: int
    end: int
    name: str = ""
    closing: bool = False
    comment: bool = False
    stray: bool = False
    self_closed: bool = False


def tags(html: str) -> Iterator[Tag]:
    """The tags and comments of `html` in order; what is within scripts, styles and text areas is skipped."""
    position = 0
    while match := _PIECE.search(html, position):
        name = (match["name"] or "").lower()
        position = match.end()
        yield Tag(
            match.start(),
            match.end(),
            name,
            closing=bool(match["close"]),
            comment=match["comment"] is not None,
            stray=match["stray"] is not None,
            self_closed=bool(match["self"]),
        )
        if name in VERBATIM and not match["close"]:
            end = re.compile(rf"</{name}\s*>", re.I).search(html, position)
            position = end.start() if end else position


def value_of(attribute: re.Match[str]) -> str:
    """The value of a matched attribute, however it is quoted, with its character references resolved."""
    return unescape(next(value for value in attribute.group("double", "single", "bare") if value is not None))


def ids(html: str) -> Iterator[tuple[str, int]]:
    """Every id in `html`, and every name of an anchor without one, with its position."""
    for tag in tags(html):
        inside = html[tag.start : tag.end]
        found = _ID.search(inside) or (_ANCHOR.search(inside) if tag.name == "a" else None)
        if found and tag.name and not tag.closing and value_of(found):
            yield value_of(found), tag.start


Place = TypeVar("Place")


@dataclass
class Pairing(Generic[Place]):
    """Start and end tags as they come, each with its place; `unpaired` grows by those that must not be HTML."""

    unpaired: list[Place] = field(default_factory=list)
    open: list[tuple[str, Place]] = field(default_factory=list)

    def take(self, tag: Tag, place: Place) -> None:
        """Pair the next tag. Tags left open by the end tag of what they are in are unpaired."""
        names = [name for name, _ in self.open]
        drawing = bool(DRAWN.intersection(names))
        if tag.comment or tag.name in VOID | OPTIONAL_END or (drawing and tag.self_closed):
            return
        if tag.stray or (tag.name in NEVER and not drawing):
            self.unpaired.append(place)
        elif not tag.closing:
            self.open.append((tag.name, place))
        elif tag.name not in names:
            self.unpaired.append(place)
        else:
            while (opened := self.open.pop())[0] != tag.name:
                self.unpaired.append(opened[1])


def escaped_at(html: str, places: set[int]) -> str:
    """`html` with the `<` at each of `places` as text."""
    return "".join("&lt;" if index in places else char for index, char in enumerate(html)) if places else html
