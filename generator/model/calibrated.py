"""The calibrated roofline: the plain one with what real passes add to it, its constants fitted on measured ones.

* A soft knee: an operator whose arithmetic takes a seconds and whose bytes take m takes (a^p + m^p)^(1/p). Plain is
  p = infinity; kernels never overlap the two that well.
* Launch time: so long a layer for its kernels to start, and for the element-wise ones to run.
* Two all-reduces a layer, over a ring: each takes a latency, and 2 (c - 1) / c times the activations over the link
  of a card (c cards; Patarasuk and Yuan, 2009).

Constants belong to a card family. `data/calibration.json` holds them, with how they were fitted; a family that nobody
measured has none, and no other family's are put in their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.model import presets
from generator.model.operators import BYTES, Work, decode_step, prompt
from generator.model.passes import Bound, Part, Pass
from generator.model.roofline import Roofline


@dataclass(frozen=True)
class Calibration:
    """The constants of one card family; efficiencies are shares of the peak, `fitted` says how they came about."""

    family: str
    bandwidth_efficiency: float
    arithmetic_efficiency: float
    knee: float
    launch_seconds_per_layer: float
    link_latency_seconds: float
    link_efficiency: float
    fitted: str


def calibration(family: str) -> Calibration | None:
    """The constants of a card family, None if nothing of it was measured."""
    row = presets.rows("calibration").get(family)
    return None if row is None else Calibration(family, **row)


@dataclass(frozen=True)
class Calibrated:
    """One model on one node, timed with a family's constants. Shapes, formats and bytes are the roofline's."""

    roofline: Roofline
    calibration: Calibration

    @staticmethod
    def of(roofline: Roofline) -> Calibrated | None:
        """The same model and node, calibrated; None where the card's family was not measured."""
        constants = calibration(roofline.node.card.family.name)
        return None if constants is None else Calibrated(roofline, constants)

    def prefill(self, new_tokens: int, cached_tokens: int = 0) -> Pass:
        """As `Roofline.prefill`, with parts "launch" and "all-reduce" besides."""
        return self._pass(prompt(new_tokens, cached_tokens))

    def decode(self, batch: int, contexts: int | Sequence[int]) -> Pass:
        """As `Roofline.decode`, with parts "launch" and "all-reduce" besides."""
        return self._pass(decode_step(batch, contexts))

    def products_seconds(self, tokens: int) -> float:
        """The four matrix products of every layer alone (projections and MLP), for `tokens` tokens."""
        parts = (self._part(work) for work in self.roofline.work(prompt(tokens, 0)))
        return sum(part.seconds for part in parts if part.name in ("projections", "MLP"))

    def _pass(self, sequences: list[tuple[int, int]]) -> Pass:
        parts = [self._part(work) for work in self.roofline.work(sequences)]
        return Pass((*parts, self._launch(), self._all_reduce(sum(new for new, _ in sequences))))

    def _part(self, work: Work) -> Part:
        c = self.calibration
        arithmetic = work.flops / (self.roofline.peak(work.name) * c.arithmetic_efficiency)
        memory = work.bytes / (self.roofline.node.bytes_per_second * c.bandwidth_efficiency)
        bound: Bound = "arithmetic" if arithmetic > memory else "memory"
        return Part(work.name, work.flops, work.bytes, soft_maximum(arithmetic, memory, c.knee), bound)

    def _launch(self) -> Part:
        seconds = self.roofline.model.layers * self.calibration.launch_seconds_per_layer
        return Part("launch", 0.0, 0.0, seconds, "launch")

    def _all_reduce(self, new_tokens: int) -> Part:
        cards = self.roofline.node.count
        if cards == 1:
            return Part("all-reduce", 0.0, 0.0, 0.0, "link")
        c = self.calibration
        model = self.roofline.model
        activations = new_tokens * model.hidden * BYTES["bf16"]
        sent = 2 * (cards - 1) / cards * activations
        link = self.roofline.node.card.link_bytes_per_second * c.link_efficiency
        return Part("all-reduce", 0.0, 0.0, 2 * model.layers * (c.link_latency_seconds + sent / link), "link")


def soft_maximum(a: float, b: float, p: float) -> float:
    """The p-norm of two times: the larger for p without bounds, their sum for p = 1."""
    high, low = max(a, b), min(a, b)
    return high * (1 + (low / high) ** p) ** (1 / p) if high else 0.0
