"""How long people pause between a reply and their next message."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass


@dataclass(frozen=True)
class ThinkTime:
    """Pauses with a log-normal distribution: half of them are shorter than `median_seconds`, a few very long.

    Two pauses in three lie within a factor of exp(`spread`) of the median. Raises ValueError unless both are above 0.
    """

    median_seconds: float
    spread: float

    def __post_init__(self) -> None:
        if not (self.median_seconds > 0 and self.spread > 0):
            raise ValueError(f"pauses need a median and a spread above 0, not {self.median_seconds:g}, {self.spread:g}")

    @property
    def mean_seconds(self) -> float:
        """The average pause; the long ones put it above the median."""
        return self.median_seconds * math.exp(self.spread**2 / 2)

    def within(self, seconds: float) -> float:
        """The share F of pauses of at most `seconds`."""
        return _normal(self._place(seconds))

    def mean_within(self, seconds: float) -> float:
        """The integral of 1 - F from 0 to `seconds`: the mean of a pause, none counted longer than that."""
        if math.isinf(seconds):
            return self.mean_seconds
        shorter = self.mean_seconds * _normal(self._place(seconds) - self.spread)
        return shorter + (seconds * (1 - self.within(seconds)) if seconds else 0.0)

    def draw(self, stream: random.Random) -> float:
        """A pause in seconds."""
        return stream.lognormvariate(math.log(self.median_seconds), self.spread)

    def draw_interrupted(self, stream: random.Random) -> tuple[float, float]:
        """A pause in the midst of which somebody is found at a random moment: seconds passed, and still to come.

        Long pauses are met more often, in proportion to their length; that makes the median `spread` squared higher
        on the logarithmic scale, and the moment is anywhere in the pause.
        """
        pause = stream.lognormvariate(math.log(self.median_seconds) + self.spread**2, self.spread)
        passed = pause * stream.random()
        return passed, pause - passed

    def _place(self, seconds: float) -> float:
        """How many spreads above the median."""
        return math.log(seconds / self.median_seconds) / self.spread if seconds > 0 else -math.inf


def _normal(place: float) -> float:
    """The standard normal distribution function."""
    return (1 + math.erf(place / math.sqrt(2))) / 2
