"""A number stays on the line of its unit. Units write a plain space; here a line may not end at it."""

from __future__ import annotations

import re

_UNITS = "ms|s|h|minutes?|hours?|seconds?|tokens?|blocks?|GB|GiB|KiB|MiB|MB|TB|TFLOPS?|FLOPS?|times|nodes?|cards?|%"
QUANTITY = re.compile(rf"(?<![\w.,])\d[\d,]*(?:\.\d+)?[ \n](?:{_UNITS})(?:/s)?(?!\w)")
"""A number, a space or the end of a line in the source, and a unit."""
_COUNTED = re.compile(r'(?<![\w.,])\d[\d,]* <span class="state [^>]*>[^<]*</span>')
CLASS = "nobr"
"""The class of what must not be broken."""


def kept_together(html: str) -> str:
    """Escaped text, with state words marked or not, with its quantities and counted states in elements of their own.

    Its text stays what it was.
    """
    for pattern in (QUANTITY, _COUNTED):
        html = pattern.sub(rf'<span class="{CLASS}">\g<0></span>', html)
    return html
