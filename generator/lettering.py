"""How much room a text takes, estimated without a browser, so that labels can be shortened or dropped."""

from __future__ import annotations

from collections.abc import Iterable

SIZE = 12
"""Pixels; the one size of text in figures."""

HEIGHT = 12
"""Pixels from the top of a capital to the bottom of a descender, at `SIZE`."""

# Advance widths in hundredths of an em of DejaVu Sans, the widest of the usual system fonts: what fits
# in it fits everywhere.
_WIDTHS = {
    28: "ijl'|",
    32: " .,:;!",
    39: "ft()/-[]",
    41: "rI",
    53: "sczJ?",
    56: "kvxyLT·…",
    62: "aebdghnopqu0123456789FEPSYZ",
    70: "ABCKRVX",
    78: "DGHNOQUw+=<>",
    90: "%MW",
    98: "m@",
}
_WIDTH = {letter: hundredths / 100 for hundredths, letters in _WIDTHS.items() for letter in letters}
_UNKNOWN, _BOLD = 0.7, 1.12


def width(text: str, bold: bool = False) -> float:
    """Pixels that `text` takes at most, at `SIZE`."""
    em = sum(_WIDTH.get(letter, _UNKNOWN) for letter in text)
    return em * SIZE * (_BOLD if bold else 1)


def fit(candidates: Iterable[str], room: float, bold: bool = False) -> str:
    """The first of the candidates, best first, that takes at most `room` pixels; "" if none does."""
    return next((text for text in candidates if width(text, bold) <= room), "")


def shorter(text: str) -> tuple[str, ...]:
    """`text`, then its beginnings by whole words."""
    words = text.split()
    return tuple(" ".join(words[:count]) for count in range(len(words), 0, -1))
