"""Numbers as text, once for captions, filters, axes and tables. Values come in base units."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal


def _fixed(value: float, digits: int) -> str:
    """`value` with `digits` decimals and commas in thousands, halves rounded away from zero.

    Binary floats are rounded by their shortest decimal form, so 0.125 with two digits is 0.13.
    Raises ValueError for a value that is not finite.
    """
    if not math.isfinite(value):
        raise ValueError(f"not a finite number: {value!r}")
    rounded = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{rounded:,f}"
    return text.removeprefix("-") if not rounded else text


def number(value: float, digits: int = 0) -> str:
    """A bare count: 16384 is "16,384"."""
    return _fixed(value, digits)


def tokens(value: float) -> str:
    """Tokens, in full: "2,337 tokens", "1 token"."""
    text = _fixed(value, 0)
    return f"{text} token" if text == "1" else f"{text} tokens"


def ms(seconds: float, digits: int = 0) -> str:
    """Seconds as milliseconds: 0.0227 is "23 ms", with one digit "22.7 ms"."""
    return f"{_fixed(seconds * 1000, digits)} ms"


def span(seconds: float) -> str:
    """A time as captions have it: one decimal below 100 ms, whole above: "23.0 ms", "336 ms"."""
    return ms(seconds, 1 if abs(seconds) < 0.09995 else 0)


def seconds(value: float, digits: int = 1) -> str:
    """Seconds: 1.38 is "1.4 s"."""
    return f"{_fixed(value, digits)} s"


def gb(value: float, digits: int = 1) -> str:
    """Bytes as gigabytes of 10^9 bytes: 141_107_412_992 is "141.1 GB"."""
    return f"{_fixed(value / 1e9, digits)} GB"


def kib(value: float, digits: int = 0) -> str:
    """Bytes as KiB of 1,024 bytes: 327_680 is "320 KiB"."""
    return f"{_fixed(value / 1024, digits)} KiB"


def percent(ratio: float, digits: int = 0) -> str:
    """A ratio as a percentage: 0.373 is "37 %"."""
    return f"{_fixed(ratio * 100, digits)} %"


def times(ratio: float, digits: int = 1) -> str:
    """A factor: 8.04 is "8.0 times"."""
    return f"{_fixed(ratio, digits)} times"
