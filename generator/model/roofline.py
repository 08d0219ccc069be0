"""The plain roofline: how long a pass takes if every operator is bound by arithmetic or by memory alone.

Each operator takes max(FLOP / rate, bytes / bandwidth), at the stated share of the peaks (Williams, Waterman,
Patterson: "Roofline", CACM 2009). No activations, no links between cards, no launch time: see `calibrated`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generator.errors import UnknownName
from generator.model import presets
from generator.model.hardware import Node
from generator.model.operators import BYTES, Count, Work, decode_step, operators, prompt
from generator.model.passes import Bound, Part, Pass
from generator.model.transformer import Transformer

Seconds = NDArray[np.float64]


class DoesNotFit(ValueError):
    """The model's weights exceed the node's memory, by `missing_bytes`."""

    def __init__(self, message: str, missing_bytes: float) -> None:
        super().__init__(message)
        self.missing_bytes = missing_bytes


@dataclass(frozen=True)
class Roofline:
    """One model on one node. Times in seconds, tokens as counts, bytes over all cards together."""

    model: Transformer
    node: Node
    weights: str
    cache: str
    reserve: float
    bandwidth_efficiency: float
    arithmetic_efficiency: float

    @staticmethod
    def of(
        model: str | Transformer,
        node: str | Node,
        *,
        weights: str = "bf16",
        cache: str = "bf16",
        reserve: float = 0.10,
        bandwidth_efficiency: float | None = None,
        arithmetic_efficiency: float | None = None,
        must_fit: bool = True,
    ) -> Roofline:
        """A model and a node, by preset name or as values.

        `weights` and `cache` are number formats ("bf16", "fp8", "int8"); `reserve` is the share of memory
        kept back for activations, buffers and graphs; efficiencies default to those of the card's family.
        Raises UnknownName for a name that is not known, ValueError for a value out of range, DoesNotFit when
        the weights exceed the memory (unless told not to mind: single kernels can be timed all the same).
        """
        model = presets.model(model) if isinstance(model, str) else model
        node = presets.node(node) if isinstance(node, str) else node
        family = node.card.family
        for number_format in (weights, cache):
            if number_format not in BYTES:
                raise UnknownName("number format", number_format, BYTES)
        roofline = Roofline(
            model,
            node,
            weights,
            cache,
            reserve,
            family.bandwidth_efficiency if bandwidth_efficiency is None else bandwidth_efficiency,
            family.arithmetic_efficiency if arithmetic_efficiency is None else arithmetic_efficiency,
        )
        roofline._check_shares()
        if must_fit and roofline.cache_budget_bytes < 0:
            raise DoesNotFit(roofline._misfit(), -roofline.cache_budget_bytes)
        return roofline

    def prefill(self, new_tokens: int, cached_tokens: int = 0) -> Pass:
        """One prompt: `new_tokens` (at least 1) computed over `cached_tokens` found in the cache."""
        return self._pass(prompt(new_tokens, cached_tokens))

    def decode(self, batch: int, contexts: int | Sequence[int]) -> Pass:
        """One new token for each of `batch` conversations, over contexts of one length or one length each."""
        return self._pass(decode_step(batch, contexts))

    def mixed(self, sequences: Sequence[tuple[int, int]]) -> Pass:
        """One pass over several sequences of (new, cached) tokens, prompts and conversations that decode."""
        return self._pass([sequence for new, cached in sequences for sequence in prompt(new, cached)])

    def prefill_seconds(self, new_tokens: NDArray[np.int64], cached_tokens: NDArray[np.int64]) -> Seconds:
        """Seconds of many prefills at once, each alone: two arrays of n counts give n times as `prefill` has them."""
        if new_tokens.size and (new_tokens.min() < 1 or cached_tokens.min() < 0):
            raise ValueError("every prefill computes at least one new token over a count of cached ones")
        works = self.work([(new_tokens, cached_tokens)])
        times = [np.maximum(w.flops / self.rate(w.name), w.bytes / self.bytes_per_second) for w in works]
        total: Seconds = np.sum(np.broadcast_arrays(*times), axis=0)
        return total

    def work(self, sequences: Sequence[tuple[Count, Count]]) -> tuple[Work, ...]:
        """FLOP and bytes of one pass over `sequences` of (new, cached) tokens."""
        return operators(self.model, sequences, self.weights, self.cache, self.cache_copies)

    def peak(self, operator: str) -> float:
        """Peak FLOP per second for an operator: attention in bf16, other products in the weights' format."""
        return self.node.peak("bf16" if operator == "attention" else self.weights)

    def rate(self, operator: str) -> float:
        """FLOP per second that kernels reach for an operator."""
        return self.peak(operator) * self.arithmetic_efficiency

    def _pass(self, sequences: Sequence[tuple[int, int]]) -> Pass:
        return Pass(tuple(self._part(work) for work in self.work(sequences)))

    def _part(self, work: Work) -> Part:
        arithmetic = work.flops / self.rate(work.name)
        memory = work.bytes / self.bytes_per_second
        bound: Bound = "arithmetic" if arithmetic > memory else "memory"
        return Part(work.name, work.flops, work.bytes, max(arithmetic, memory), bound)

    @cached_property
    def bytes_per_second(self) -> float:
        """Bandwidth that kernels reach, all cards together."""
        return self.node.bytes_per_second * self.bandwidth_efficiency

    @cached_property
    def cache_copies(self) -> float:
        """How often the node holds each cached value (1 unless heads are too few, or latent)."""
        return self.model.cache_copies(self.node.count)

    @cached_property
    def floor_seconds(self) -> float:
        """One new token on an empty cache: one reading of the weights."""
        return self.prefill(1).seconds

    @property
    def ridge_tokens(self) -> float:
        """New tokens whose arithmetic on the weights takes as long as reading them.

        Rate x bytes per weight / (2 x bandwidth); with experts, times the weights read per weight used, for a
        token is multiplied with a few of the experts while such a pass reads them all.
        """
        spread = self.model.streamed_parameters / self.model.active_parameters
        return self.rate("MLP") * BYTES[self.weights] / (2 * self.bytes_per_second) * spread

    @property
    def kv_bytes_per_token(self) -> int:
        """What one token takes in the cache, over all cards and with every copy they hold.

        Layers with a sliding window are counted like the others, as a new token writes to them all.
        """
        return round(self.model.cached_values_per_token * self.cache_copies) * BYTES[self.cache]

    @property
    def weights_held_bytes(self) -> int:
        """Resident weights, the input embedding included."""
        return self.model.parameters * BYTES[self.weights]

    @property
    def weights_streamed_bytes(self) -> int:
        """Weights one pass reads (every expert, where there are experts): all but the input embedding."""
        return self.model.streamed_parameters * BYTES[self.weights]

    @property
    def memory_bytes(self) -> int:
        """Nominal memory of all cards."""
        return self.node.memory_bytes

    @property
    def cache_budget_bytes(self) -> float:
        """Memory left for the cache: all of it, less the reserve and the resident weights."""
        return self.memory_bytes * (1 - self.reserve) - self.weights_held_bytes

    @property
    def cache_budget_tokens(self) -> int:
        """Whole tokens that fit in the cache."""
        return int(self.cache_budget_bytes // self.kv_bytes_per_token)

    def _check_shares(self) -> None:
        if not 0 <= self.reserve < 1:
            raise ValueError(f"the reserve is a share of the memory, from 0 to below 1, not {self.reserve:g}")
        for efficiency in (self.bandwidth_efficiency, self.arithmetic_efficiency):
            if not 0 < efficiency <= 1:
                raise ValueError(f"an efficiency is a share of the peak, above 0 to 1, not {efficiency:g}")

    def _misfit(self) -> str:
        usable = self.memory_bytes * (1 - self.reserve)
        return (
            f"{self.model.name} does not fit on {self.node.name}: its {self.weights} weights take "
            f"{self.weights_held_bytes / 1e9:.1f} GB of the {usable / 1e9:.1f} GB left after the reserve, "
            f"{-self.cache_budget_bytes / 1e9:.1f} GB too much"
        )
