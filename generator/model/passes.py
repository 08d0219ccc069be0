"""A pass of the model as parts: what each operator took, and what bound it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Bound = Literal["memory", "arithmetic", "launch", "link"]


@dataclass(frozen=True)
class Part:
    """One operator's share of a pass; `bytes` over all cards, `bound` by what takes longer."""

    name: str
    flops: float
    bytes: float
    seconds: float
    bound: Bound


@dataclass(frozen=True)
class Pass:
    """One pass of the model, operators one after the other."""

    parts: tuple[Part, ...]

    @cached_property
    def seconds(self) -> float:
        return sum(part.seconds for part in self.parts)

    @property
    def bound(self) -> Bound:
        """What binds most of the time."""
        bounds: tuple[Bound, ...] = ("memory", "arithmetic", "launch", "link")
        return max(bounds, key=lambda bound: sum(part.seconds for part in self.parts if part.bound == bound))
