"""A log of real requests, replayed minute by minute through one shared cache, of every size at once.

Rules: the reference LRU over the log's block ids. A partial last block counts, nothing is pinned, replies are not in
the ids. Only memory is asked for: the log is a fleet's, and prefilling it would keep one node busy for many hours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, replace
from functools import lru_cache

from generator.model import hour_told as told
from generator.model import presets
from generator.model.hour import ONE_NODE, UNLIMITED, Hour
from generator.model.hour_curves import HourCurves
from generator.model.log_files import read_curve, read_log
from generator.model.log_minutes import LogMinutes, Minute
from generator.model.quoted import node_facts
from generator.model.rates import RateAxis, RateCurve, RateDot, RateLimit
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter, DataFile, blame, parameter
from generator.units import number, tokens

FEWEST, MOST = 12, 60  # minutes: enough for a story, and as many steps as a figure may have
BEATS = {2: "First minutes", 11: "The curve settles", 41: "The plateau"}


@dataclass(frozen=True)
class Scenario:
    """Which log, and in whose memory its hit rates are told. Raises BadParameter for what makes no sense."""

    log: DataFile = parameter(MISSING, "the log: compact, or JSON lines with timestamp, input_length and hash_ids")
    published: DataFile | None = parameter(None, "a curve that was published of this log: capacity_tokens,hit_rate")
    block_tokens: int = parameter(512, "tokens to a block of the log")
    model: str = parameter("llama-3.1-70b", "the model, by preset name")
    node: str = parameter("4x a100-80gb", "the cards it runs on: how many, and a preset name")
    host_memory_gb: int = parameter(1000, "host memory to add to the node's, in GB of 10^9 bytes")

    def __post_init__(self) -> None:
        with blame("model"):
            presets.model(self.model)
        with blame("node"):
            fit = self.roofline().cache_budget_tokens
        if not 1 <= self.block_tokens <= fit:
            hint = f"from 1 to {number(fit)}, which fit on the node"
            raise BadParameter("block_tokens", f"{tokens(self.block_tokens)} are no block", hint)
        if self.host_memory_gb < 0:
            raise BadParameter("host_memory_gb", f"is {number(self.host_memory_gb)}", "the least is 0")

    def roofline(self) -> Roofline:
        """The model on its node."""
        return Roofline.of(self.model, self.node)


@dataclass(frozen=True)
class Step:
    """A minute of the log. Rates are shares from 0 to 1 of all prompt tokens up to its end; places are nodes.

    `minute` is what came in it, None before the first; `memory` is the one that the minutes are shown with.
    """

    name: str
    caption: str
    rate_axis: RateAxis
    memory: str = UNLIMITED
    minute: Minute | None = None
    rate_curves: tuple[RateCurve, ...] = ()
    rate_dots: tuple[RateDot, ...] = ()
    rate_limits: tuple[RateLimit, ...] = ()
    beat: str = ""
    quick: bool = False


def simulate(scenario: Scenario) -> Iterator[Step]:
    """What will come, then a minute a step, and at the end where one node stands."""
    hour = _hour(scenario)
    yield Step("nothing", told.what_came(hour), hour.curves.axis, beat="What came")
    last = hour.minutes.count
    for at in range(1, last - 1):
        looks_back = at in BEATS and at > told.EARLIER
        caption = told.so_far(hour, at) if looks_back else told.minute(hour, at)
        yield replace(_show(hour, at, caption), beat=BEATS.get(at, ""), quick=at > 1 and at not in BEATS)
    yield replace(_show(hour, last - 1, told.question(hour, last - 1)), name="where", beat="One node")
    yield replace(
        _show(hour, last, told.answer(hour)),
        name="one-node",
        memory=ONE_NODE,
        rate_curves=(hour.curves.ours(last), *hour.curves.others),
        rate_dots=(hour.curves.everything(last), hour.curves.one_node(last)),
        rate_limits=(hour.curves.limit,),
    )


def _show(hour: Hour, at: int, caption: str) -> Step:
    """The picture after `at` minutes."""
    return Step(
        name=f"minute-{at}",
        caption=caption,
        rate_axis=hour.curves.axis,
        minute=hour.each[at - 1],
        rate_curves=(hour.curves.ours(at),),
        rate_dots=(hour.curves.everything(at),),
    )


@lru_cache(maxsize=1)
def _hour(scenario: Scenario) -> Hour:
    """The log, replayed once for steps and facts. Raises BadParameter for files that are no log and no curve."""
    with blame("log"):
        minutes = LogMinutes(read_log(scenario.log.content, scenario.block_tokens))
        if not FEWEST <= minutes.count <= MOST:
            raise ValueError(f"it lasts {number(minutes.count)} minutes, a figure takes {FEWEST} to {MOST}")
    with blame("published"):
        published = read_curve(scenario.published.content) if scenario.published else ()
    roofline = scenario.roofline()
    return Hour(minutes, HourCurves(minutes, roofline.cache_budget_tokens, published), roofline)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """What prose may quote: counts, seconds, and hit rates of the whole log, weighted by tokens."""
    hour = _hour(scenario)
    return {
        **node_facts(hour.roofline),
        **hour.counts(),
        "minutes": len(steps) - 1,
        "one": hour.kept(hour.node),
        "host": hour.kept(hour.with_host(scenario.host_memory_gb * 10**9)),
        "best": hour.kept(hour.unlimited),
        "full_blocks": hour.unlimited.rate_of_full_blocks,
        **hour.curve(),
    }
