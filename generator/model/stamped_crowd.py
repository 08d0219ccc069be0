"""People who come one after the other to a node where prompts carry the time of day, and what they find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from generator.model.cache import Cache
from generator.model.conversation import Conversation
from generator.model.icicle import Piece
from generator.model.roofline import Roofline
from generator.model.sglang import SglangCache
from generator.model.stamped import Served, StampedDesk, Stamps, hit_rate
from generator.model.vllm import VllmCache

MORNING = 9 * 3600  # seconds after midnight
HOUR = 3600  # seconds from one round to the next


@dataclass(frozen=True)
class StampStep:
    """A request is answered. Counts are tokens, times seconds; `request` is "" and times None where nobody is."""

    name: str
    caption: str
    floor: float
    who: str = ""
    strip: tuple[Piece, ...] = ()
    request: str = ""
    time_to_first_token: float | None = None
    time_without: float | None = None
    look_closer: float | None = None
    reused: int = 0
    computed: int = 0
    context: int = 0
    beat: str = ""
    quick: bool = False


@dataclass(frozen=True)
class StampedCrowd:
    """`people`, before their first word, come every `seconds_between`; `room_tokens` hold all that they ever say."""

    roofline: Roofline
    people: tuple[Conversation, ...]
    room_tokens: int
    block_tokens: int
    seconds_between: int

    def desk(self, engine: str = "vllm") -> StampedDesk:
        """The node with an empty cache, by the rules of `engine`: "vllm", or "sglang" with pages of one token."""
        blocks = self.room_tokens // self.block_tokens
        cache: Cache[int] = VllmCache(blocks, self.block_tokens) if engine == "vllm" else SglangCache(self.room_tokens)
        return StampedDesk(self.roofline, cache)

    def round(self, desk: StampedDesk, stamps: Stamps, number: int = 0, unit: int = 1) -> Iterator[Served]:
        """Everybody's next message, an hour after the round before; the time is told in units of `unit` seconds."""
        for position, person in enumerate(self.people):
            yield desk.serve(person, stamps, self.time(position, number, unit))

    def time(self, position: int, number: int = 0, unit: int = 1) -> str:
        """When somebody comes: "09:00:20"."""
        at = (MORNING + HOUR * number + position * self.seconds_between) // unit * unit
        return f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}"

    def two_turns(self, stamps: Stamps) -> dict[str, float]:
        """Everybody twice: shares of prompt tokens reused by both engines; means of second turns by vLLM's rules."""
        rates: dict[str, float] = {}
        second: list[Served] = []
        for engine in ("sglang", "vllm"):
            desk = self.desk(engine)
            first, second = (list(self.round(desk, stamps, number)) for number in range(2))
            rates[engine] = hit_rate(first + second)
        return rates | {
            "second_reused": hit_rate(second),
            "second_computed": fmean(one.computed for one in second),
            "second_time": fmean(one.seconds for one in second),
        }

    def by_minute(self, stamps: Stamps) -> dict[str, float]:
        """One round with the time told to the minute: how many times there were, and who found nothing."""
        served = list(self.round(self.desk(), stamps, unit=60))
        times = {self.time(position, unit=60) for position in range(len(self.people))}
        misses = sum(not one.matched for one in served)
        return {"times": len(times), "misses": misses, "hit_rate": hit_rate(served)}
