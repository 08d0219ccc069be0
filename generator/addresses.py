"""Where addresses in the content lead: pages by their source, files beside them, places on the web."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from generator.context import Link
from generator.sandbox import ValueProblem
from generator.slugs import encode, nfc, relative

GENERATED = frozenset(("index.html", "robots.txt", "sitemap.xml", "feed.xml"))
"""Files that are there although no source of this name need be; the home page, too."""
_ELSEWHERE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


@dataclass(frozen=True)
class Addresses:
    """Everything that can be linked to.

    `pages` has the output file of each page by its source, `drafts` the sources of pages that are not
    published, `files` the names of other files, `base_path` the path of the site's root on its host.
    `used` grows: each file that a page links to, with the pages that do.
    """

    pages: Mapping[str, str]
    drafts: frozenset[str]
    files: frozenset[str]
    base_path: str
    used: dict[str, set[str]] = field(default_factory=dict)

    def resolve(self, address: str, source: str, page: str) -> Link:
        """The link that `address` stands for in the page `source`, which is written to `page`.

        Raises ValueProblem if it leads nowhere.
        """
        if _ELSEWHERE.match(address):
            return Link(address)
        before, hash_sign, fragment = address.partition("#")
        fragment = nfc(unquote(fragment))
        path, question, query = before.partition("?")
        if not address:
            raise ValueProblem("a link without an address")
        if not path:
            return Link(f"{question}{query}#{encode(fragment)}" if hash_sign else address, page, fragment)
        name = self._name(nfc(unquote(path)), source)
        target = self._page(name, path, source)
        if target is None:
            self.used.setdefault(name, set()).add(source)
            return Link(self.url(name, page) + address[len(path) :])
        tail = f"{question}{query}" + (f"#{encode(fragment)}" if fragment else "")
        return Link(self.url(target, page) + tail, target, fragment)

    def url(self, target: str, page: str) -> str:
        """The address of the output file `target` on `page`: relative, except on the page for missing ones."""
        return self.base_path + encode(target) if page == "404.html" else relative(target, page)

    def _name(self, path: str, source: str) -> str:
        folder = "" if path.startswith("/") else posixpath.dirname(source)
        name = posixpath.normpath(posixpath.join(folder, path.lstrip("/")) or ".")
        if name == ".." or name.startswith("../"):
            raise ValueProblem(f'"{path}" leads out of the content folder')
        return "" if name == "." else name

    def _page(self, name: str, path: str, source: str) -> str | None:
        """The page called `name`: by its source, its address, or its folder; None for another file."""
        outputs = set(self.pages.values())
        for candidate in (name, f"{name}.md", posixpath.join(name, "index.md"), f"{name.removesuffix('.html')}.md"):
            if candidate in self.drafts:
                raise ValueProblem(
                    f'"{path}" is a draft, which is not published', "link to it when it is, or build with --drafts"
                )
            if candidate in self.pages and (candidate != name or name.endswith(".md")):
                return self.pages[candidate]
        for output in (name, f"{name}.html", posixpath.join(name, "index.html")):
            if output in outputs:
                return output
        if name in self.files:
            return None
        if name in GENERATED or name in ("", "index.md"):
            return name if name in GENERATED else "index.html"
        known = [*self.pages, *self.files]
        raise ValueProblem(f'there is no page or file "{path}"', _nearest(name, known, source))


def _nearest(name: str, known: list[str], source: str) -> str:
    """The hint for an address that leads nowhere: what it may have meant, as the page `source` would write it."""
    same = sorted(other for other in known if posixpath.basename(other) == posixpath.basename(name))
    near = same[:1] or difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    if near:
        return f'did you mean "{posixpath.relpath(near[0], posixpath.dirname(source) or ".")}"?'
    return "addresses start at the page's own folder, or with / at the content folder" if "/" in name else ""
