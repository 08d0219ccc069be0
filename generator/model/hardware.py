"""The cards, and a node of several of them: memory, bandwidth, arithmetic, links, in bytes and seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

GIB = 2**30


@dataclass(frozen=True)
class Family:
    """Cards of one architecture, which share the part of their peaks that kernels reach; `basis` says why."""

    name: str
    bandwidth_efficiency: float
    arithmetic_efficiency: float
    basis: str


@dataclass(frozen=True)
class Card:
    """One accelerator at its datasheet's peaks, dense (no sparsity), links one way.

    `flops` maps a number format to its peak rate per second. `host_link` is None where not known.
    """

    name: str
    family: Family
    memory_bytes: int
    bytes_per_second: float
    flops: Mapping[str, float]
    link_bytes_per_second: float
    host_link_bytes_per_second: float | None
    source: str

    def peak(self, number_format: str) -> float:
        """Peak FLOP per second of matrix products with weights in `number_format`.

        A format the card has no rate for is widened to bf16 on the way in: fewer bytes, the same arithmetic.
        """
        return self.flops.get(number_format, self.flops["bf16"])


@dataclass(frozen=True)
class Node:
    """`count` equal cards that serve one model together, each with a share of everything (tensor parallel)."""

    count: int
    card: Card

    @property
    def name(self) -> str:
        return f"{self.count}x {self.card.name}"

    @property
    def memory_bytes(self) -> int:
        """Nominal memory of all cards: 80 GiB a card sold as 80 GB, 85.9e9 bytes."""
        return self.count * self.card.memory_bytes

    @property
    def bytes_per_second(self) -> float:
        return self.count * self.card.bytes_per_second

    @property
    def host_link_bytes_per_second(self) -> float | None:
        """Peak of all cards' links to the host together, one way; None where not known."""
        link = self.card.host_link_bytes_per_second
        return None if link is None else self.count * link

    def peak(self, number_format: str) -> float:
        """Peak FLOP per second of all cards together; see `Card.peak`."""
        return self.count * self.card.peak(number_format)
