"""One node, one pass at a time: what a reader sees of a pass, and how far its curve has been walked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generator.model.diamonds import Diamond
from generator.model.roofline import Roofline


@dataclass(frozen=True)
class PassStep:
    """One pass of the model. Times are in seconds, rates in FLOP or bytes per second.

    The pass computes `new_tokens` over `reused_tokens` (0 new: nothing has run); `seconds_without` is its time with
    nothing reused, None where that is the same; `bound` is what takes the greater part, "memory" or "arithmetic".
    `curve` has the time of every pass up to the longest so far, as (tokens, seconds), `curve_without_attention` the
    same without attention where the step shows it. `ridge` is in tokens, None until it is shown. `look_closer` are
    the ends of the token axis, where a step shrinks it.
    """

    name: str
    caption: str
    floor: float
    bytes_per_second: float
    peak_flops: float
    new_tokens: int = 0
    reused_tokens: int = 0
    seconds: float | None = None
    seconds_without: float | None = None
    attention_seconds: float | None = None
    flop_per_byte: float | None = None
    flops_per_second: float | None = None
    bound: str = ""
    ridge: float | None = None
    curve: tuple[tuple[int, float], ...] = ()
    curve_without_attention: tuple[tuple[int, float], ...] = ()
    measured: tuple[Diamond, ...] = ()
    look_closer: tuple[float, float] | None = None
    beat: str = ""
    quick: bool = False


class Bench:
    """A node, how far its curve has been walked, and whether the ridge is shown yet."""

    def __init__(self, roofline: Roofline) -> None:
        self.roofline = roofline
        self.ridge: float | None = None
        self._furthest = 0

    def show(self, name: str, caption: str) -> PassStep:
        """What there is now, with nothing running."""
        return PassStep(
            name,
            caption,
            floor=self.roofline.floor_seconds,
            bytes_per_second=self.roofline.bytes_per_second,
            peak_flops=self.roofline.rate("MLP"),
            ridge=self.ridge,
            curve=self.curve(),
        )

    def run(self, name: str, caption: str, new: int, reused: int = 0) -> PassStep:
        """A pass over `new` tokens, with `reused` ones before them."""
        if not reused:
            self._furthest = max(self._furthest, new)
        done = self.roofline.prefill(new, reused)
        flops = sum(part.flops for part in done.parts)
        return replace(
            self.show(name, caption),
            new_tokens=new,
            reused_tokens=reused,
            seconds=done.seconds,
            seconds_without=self.seconds(new + reused) if reused else None,
            attention_seconds=self.attention(new, reused),
            flop_per_byte=flops / sum(part.bytes for part in done.parts),
            flops_per_second=flops / done.seconds,
            bound=done.bound,
        )

    def seconds(self, new: int, reused: int = 0) -> float:
        """The time of a pass."""
        return self.roofline.prefill(new, reused).seconds

    def attention(self, new: int, reused: int = 0) -> float:
        """What attention takes of it, in seconds."""
        return sum(part.seconds for part in self.roofline.prefill(new, reused).parts if part.name == "attention")

    def arithmetic(self, new: int) -> float:
        """What the arithmetic of a pass would take if no byte had to be read, in seconds."""
        return sum(part.flops / self.roofline.rate(part.name) for part in self.roofline.prefill(new).parts)

    def curve(self) -> tuple[tuple[int, float], ...]:
        """Two points an octave are enough for straight lines, and two at the ridge make its corner sharp."""
        halves = (round(2 ** (half / 2)) for half in range(2 * self._furthest.bit_length() + 1))
        ridge = int(self.roofline.ridge_tokens)
        counts = {*halves, ridge, ridge + 1, self._furthest}
        return tuple((n, self.seconds(n)) for n in sorted(counts) if 1 <= n <= self._furthest)
