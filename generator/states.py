"""State words as HTML: the class that the theme colours, and captions with the words marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from generator.quantities import kept_together


def css_class(word: str) -> str:
    """The classes of a state word: "reserved, empty" is `state state-reserved-empty`."""
    return "state state-" + re.sub(r"[\s,]+", "-", word.lower())


def marked(text: str, states: Sequence[str]) -> str:
    """Plain `text` as HTML with every state word in it wrapped; no line ends between a number and what it counts."""
    if not states:
        return kept_together(escape(text))
    words = "|".join(re.escape(word) for word in sorted(states, key=lambda word: (-len(word), word)))
    parts = re.split(rf"(?<![\w-])({words})(?![\w-])", text, flags=re.IGNORECASE)
    html = "".join(
        f'<span class="{css_class(part)}">{escape(part)}</span>' if index % 2 else escape(part)
        for index, part in enumerate(parts)
    )
    return kept_together(html)
