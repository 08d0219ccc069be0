"""Times that others measured on real cards, as they ship in `data/measured.json`: to fit on, and to compare with.

The sources and licences are in `data/SOURCES.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Protocol

from generator.model import presets
from generator.model.passes import Pass


class Timing(Protocol):
    """What can time a pass: the plain roofline, or the calibrated one."""

    def prefill(self, new_tokens: int, cached_tokens: int = 0) -> Pass: ...

    def decode(self, batch: int, contexts: int) -> Pass: ...


@dataclass(frozen=True)
class MeasuredPass:
    """A whole pass: `batch` sequences of `new` tokens over `cached` ones each, added up from measured kernels."""

    model: str
    node: str
    stage: str
    batch: int
    new: int
    cached: int
    seconds: float

    @property
    def family(self) -> str:
        return presets.node(self.node).card.family.name

    def by(self, timing: Timing) -> Pass:
        """The same pass as a model times it."""
        if self.stage == "decode":
            return timing.decode(self.batch, self.cached)
        return timing.prefill(self.new, self.cached)


@dataclass(frozen=True)
class MeasuredProducts:
    """The four matrix products of every layer for `tokens` tokens, and apart from them the element-wise kernels."""

    model: str
    node: str
    tokens: int
    seconds: float
    other_seconds: float

    @property
    def family(self) -> str:
        return presets.node(self.node).card.family.name


@dataclass(frozen=True)
class PublishedDecode:
    """A published decode rate at batch 1, weights in `weights`, contexts short: seconds per token."""

    model: str
    node: str
    weights: str
    seconds: float


@cache
def whole_passes() -> tuple[MeasuredPass, ...]:
    return tuple(
        MeasuredPass(
            model=row["model"],
            node=row["node"],
            stage=row["stage"],
            batch=row["batch"],
            new=row["new"],
            cached=row["cached"],
            seconds=row["ms"] / 1e3,
        )
        for row in presets.rows("measured")["whole_passes"]
    )


@cache
def matrix_products() -> tuple[MeasuredProducts, ...]:
    return tuple(
        MeasuredProducts(row["model"], row["node"], row["tokens"], row["ms"] / 1e3, row["other_ms"] / 1e3)
        for row in presets.rows("measured")["matrix_products"]
    )


@cache
def published_decodes() -> tuple[PublishedDecode, ...]:
    return tuple(
        PublishedDecode(row["model"], row["node"], row["weights"], 1 / row["tokens_per_second"])
        for row in presets.rows("measured")["published_decodes"]
    )
