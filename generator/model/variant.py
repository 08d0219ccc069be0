"""One of several ways of doing the same thing, and how many it was good for."""

from __future__ import annotations

from dataclasses import dataclass

from generator.units import number


@dataclass(frozen=True)
class Variant:
    """`count` of something, in `state` (a word of the key); `short_name` is for where there is little room."""

    name: str
    short_name: str
    count: int
    state: str

    @property
    def text(self) -> str:
        """The count in full."""
        return number(self.count)
