"""JSON that can stand in a script element of a page."""

from __future__ import annotations

import json
from typing import Any


def script_json(data: Any) -> str:
    """Compact JSON that nothing in it can break out of a script element. Raises ValueError for NaN and infinities."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
