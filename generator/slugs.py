"""Names of pages: one rule from a file's name to its address.

The name is normalised to NFC (macOS hands out decomposed names), letters and digits of every script are
kept as they are, so are `.`, `_` and `~`; every run of anything else becomes one hyphen. Addresses are
percent-encoded once, when they are written as a link.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Container
from urllib.parse import quote


def nfc(name: str) -> str:
    """`name` in composed form, the only form that output, comparisons and links use."""
    return unicodedata.normalize("NFC", name)


def slug(name: str) -> str:
    """The address of a page or folder called `name`; empty if nothing of the name is left."""
    kept = re.sub(r"[^\w.~]+", "-", nfc(name))
    return kept.strip("-.")


def heading_id(text: str) -> str:
    """The id of a heading: lower case, words joined by hyphens, letters of every script kept."""
    words = re.sub(r"[^\w\s-]", "", nfc(text).lower())
    return re.sub(r"[\s_-]+", "-", words).strip("-")


def free(name: str, taken: Container[str]) -> str:
    """`name`, or with the first number that makes it another than those `taken`: `weights-2`."""
    number, unused = 1, name
    while unused in taken:
        number += 1
        unused = f"{name}-{number}"
    return unused


def encode(path: str) -> str:
    """`path` percent-encoded once, for an href or an absolute address."""
    return quote(nfc(path), safe="/~!$&'()*+,;=:@-._")


def relative(target: str, page: str) -> str:
    """The link from the output file `page` to the output file `target`, both from the site's root, encoded."""
    folder = posixpath.dirname(page)
    path = encode(posixpath.relpath(target or ".", folder or "."))
    head = path.split("/", 1)[0]
    return f"./{path}" if ":" in head else path
