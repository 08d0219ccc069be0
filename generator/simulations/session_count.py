"""More and more sessions in one cache: how much of a prompt is reused, taking turns and in irregular order.

The rules are SGLang's, with pages of one token; times are those of the plain roofline, for a request alone unless a
queue is named. A turn repeats the shared beginning and its session's document and adds nothing. Counted are returns:
turns of sessions that have come before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.model import cast, presets
from generator.model.contest import Sizes, check_contest, room_for
from generator.model.crowd import IRREGULAR, TURNS, Crowd, Point
from generator.model.crowd_told import CrowdStep, Walk
from generator.model.log_files import read_log
from generator.model.moment import bare
from generator.model.prefill_queue import least_hits
from generator.model.quoted import node_facts
from generator.model.return_gaps import middle_half, return_gaps
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter, DataFile, blame, check_counts, parameter
from generator.units import number, percent, span, tokens

Step = CrowdStep
MOST_SESSIONS, MOST_RETURNS = 1000, 100_000


@dataclass(frozen=True)
class Scenario:
    """How many fit, how many come, and how fast. Raises BadParameter for what makes no sense."""

    model: str = parameter("llama-3.1-70b", "the model, by preset name")
    node: str = parameter("4x a100-80gb", "the cards it runs on: how many, and a preset name")
    shared_tokens: int = parameter(2048, "length of the beginning that all prompts share, in tokens")
    document_tokens: int = parameter(1024, "length of each session's document, in tokens")
    room_for: int = parameter(12, "how many sessions fit; one more comes, and then many more")
    spare_tokens: int = parameter(32, "room beyond those sessions, in tokens")
    fewest: int = parameter(4, "sessions where the lines begin")
    most: int = parameter(32, "sessions where the lines end")
    returns: int = parameter(400, "how many irregular returns are counted for each number of sessions")
    turns_per_second: float = parameter(5.0, "how many turns a second come to the queue")
    turn_tokens: int = parameter(2440, "length of a turn that is either reused or computed as a whole, in tokens")
    seed: int = parameter(9, "draws the irregular order and the arrivals")
    log: DataFile | None = parameter(None, "a log of requests, for how long its sessions stay away; facts only")
    block_tokens: int = parameter(512, "tokens to a block of that log")

    def __post_init__(self) -> None:
        with blame("model"):
            presets.model(self.model)
        with blame("node"):
            roofline = self.roofline()
        check_counts("returns", {"irregular": self.returns}, "returns", most=MOST_RETURNS)
        check_counts("most", {"sessions": self.most}, "sessions", most=MOST_SESSIONS)
        check_counts("block_tokens", {"block": self.block_tokens}, "tokens")
        check_counts("turn_tokens", {"turn": self.turn_tokens}, "tokens")
        if not 1 <= self.fewest < self.room_for < self.most - 1:
            hint = "more than the fewest sessions (at least 1), and fewer than the most less one"
            raise BadParameter("room_for", f"is {self.room_for:,}", hint)
        check_contest(self.sizes, self.room_for, roofline.cache_budget_tokens)
        if not 0 < self.turns_per_second < 1 / roofline.floor_seconds:
            most = number(1 / roofline.floor_seconds, 1)
            raise BadParameter("turns_per_second", f"is {self.turns_per_second:g}", f"above 0 and below {most}")

    @property
    def sizes(self) -> Sizes:
        """What competes, and the room for it."""
        return room_for(self.shared_tokens, self.document_tokens, self.room_for, self.spare_tokens)

    def roofline(self) -> Roofline:
        """The model on its node."""
        return Roofline.of(self.model, self.node)

    def returns_of_log(self) -> dict[str, object]:
        """How many returns the log has, and the seconds between which half of them come; nothing without a log."""
        if self.log is None:
            return {}
        with blame("log"):
            gaps = return_gaps(read_log(self.log.content, self.block_tokens))
        low, high = middle_half(gaps)
        return {"log": {"returns": len(gaps), "half_from": low, "half_to": high}}

    def walk(self) -> Walk:
        """Nobody has come yet."""
        crowd = Crowd(self.roofline(), self.sizes, self.returns, self.seed, {})
        return Walk(crowd, self.fewest, self.room_for, self.most)


def simulate(scenario: Scenario) -> Iterator[Step]:
    """More and more sessions, in turns, then irregularly."""
    walk = scenario.walk()
    words = {"many": cast.count(walk.fits), "late": cast.ordinal(walk.fits + 1)}
    for title, beat in _BEATS:
        for position, step in enumerate(beat(walk)):
            yield replace(step, beat="" if position else title.format(**words))


def _fit(walk: Walk) -> Iterator[Step]:
    sizes = walk.crowd.sizes
    caption = (
        f"Room for {tokens(sizes.capacity)}: a beginning of {number(sizes.head)} that all share, and "
        f"{cast.count(walk.fits)} documents of {number(sizes.document)}. Nobody has come, nothing is held."
    )
    yield walk.show("empty", caption)
    halfway = (walk.fewest + walk.fits) // 2
    yield walk.at(TURNS, walk.fewest, _all_found)
    if walk.fewest < halfway < walk.fits:
        yield replace(walk.at(TURNS, halfway, _all_found), quick=True)
    yield walk.at(TURNS, walk.fits, _full)


def _full(point: Point) -> str:
    who = cast.count(point.sessions)
    return (
        f"The cache is full, and each of {who} sessions in turn finds {tokens(point.reused)} reused. "
        f"First token after {span(point.mean)} instead of {bare(point.seconds_without)}."
    )


def _all_found(point: Point) -> str:
    return (
        f"{_sessions(point)} take turns: {tokens(point.reused)} reused each time. "
        f"First token after {span(point.mean)} instead of {bare(point.seconds_without)}."
    )


def _one_more(walk: Walk) -> Iterator[Step]:
    before = walk.crowd.run(TURNS, walk.fits)
    late = cast.ordinal(walk.fits + 1)
    caption = f"A {late} session comes, and all go on taking turns. How much of a prompt is reused now?"
    yield walk.show(f"turns-{walk.fits + 1}-asks", caption, before)

    def fallen(point: Point) -> str:
        return (
            f"{percent(point.hit_rate)}, the shared beginning: {tokens(point.reused)} reused, the document computed "
            f"every time. First token after {span(point.mean)} instead of {bare(before.mean)}."
        )

    yield walk.at(TURNS, walk.fits + 1, fallen)
    for sessions in _between(walk):
        yield replace(walk.at(TURNS, sessions, _on_the_shelf), quick=True)

    def at_the_end(point: Point) -> str:
        return (
            f"{_sessions(point)} in turn: still {percent(point.hit_rate)} reused. "
            f"Below the cliff lies a shelf, the {tokens(point.reused)} that all share."
        )

    yield walk.at(TURNS, walk.most, at_the_end)


def _between(walk: Walk) -> tuple[int, ...]:
    """Two numbers of sessions from the cliff to the end."""
    first = walk.fits + 1
    third = (walk.most - first) // 3
    return tuple(dict.fromkeys((first + third, first + 2 * third))) if third else ()


def _on_the_shelf(point: Point) -> str:
    return (
        f"{_sessions(point)} in turn: {percent(point.hit_rate)} reused. "
        f"First token after {span(point.mean)} instead of {bare(point.seconds_without)}."
    )


def _irregularly(walk: Walk) -> Iterator[Step]:
    walk.crowd.run(IRREGULAR, walk.fewest)

    def as_before(point: Point) -> str:
        return (
            f"Now anybody may be next. {_sessions(point)} fit as before: "
            f"{tokens(point.reused)} reused, first token after {span(point.mean)}."
        )

    yield walk.at(IRREGULAR, walk.fits, as_before)
    yield walk.at(IRREGULAR, walk.fits + 1, _on_the_slope)
    middle = (walk.fits + 1 + _between(walk)[0]) // 2 if _between(walk) else 0
    for sessions in dict.fromkeys((middle, *_between(walk))):
        if walk.fits + 1 < sessions < walk.most:
            yield replace(walk.at(IRREGULAR, sessions, _on_the_slope), quick=True)

    def at_the_end(point: Point) -> str:
        found, room = percent(point.document_rate), percent(walk.fits / point.sessions)
        return (
            f"{_sessions(point)} in irregular order: {percent(point.hit_rate)} reused. "
            f"Returns find {found} of their documents, and {room} have room."
        )

    yield walk.at(IRREGULAR, walk.most, at_the_end)


def _on_the_slope(point: Point) -> str:
    return (
        f"{_sessions(point)} in irregular order: {percent(point.hit_rate)} reused. "
        f"First token after {span(point.mean)} on average."
    )


def _both(walk: Walk) -> Iterator[Step]:
    over = walk.fits + 1
    turns, irregular = walk.crowd.run(TURNS, over), walk.crowd.run(IRREGULAR, over)
    caption = (
        f"One session too many: in turns {percent(turns.hit_rate)} is reused and the first token takes "
        f"{span(turns.mean)}; in irregular order {percent(irregular.hit_rate)}, and {span(irregular.mean)}."
    )
    yield walk.show("one-too-many", caption, turns, irregular)


def _sessions(point: Point) -> str:
    return f"{cast.count(point.sessions).capitalize()} sessions"


_BEATS: tuple[tuple[str, Callable[[Walk], Iterator[Step]]], ...] = (
    ("Room for {many}", _fit),
    ("A {late} session", _one_more),
    ("In irregular order", _irregularly),
    ("One too many", _both),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """What prose may quote: shares, seconds, tokens, and turns a second."""
    crowd, roofline, over = scenario.walk().crowd, scenario.roofline(), scenario.room_for + 1
    loads = {
        name: crowd.run(order, sessions).load(scenario.turns_per_second, scenario.seed)
        for name, order, sessions in (
            ("fitting", TURNS, scenario.room_for),
            ("in_turns", TURNS, over),
            ("irregular", IRREGULAR, over),
        )
    }
    hit, miss = roofline.prefill(1, scenario.turn_tokens - 1).seconds, roofline.prefill(scenario.turn_tokens).seconds
    return (
        node_facts(roofline)
        | loads
        | scenario.returns_of_log()
        | {
            "capacity": scenario.sizes.capacity,
            "fits": scenario.room_for,
            "over": over,
            "most": scenario.most,
            "returns": scenario.returns,
            "documents_found": {step.sessions: step.document_rate for step in steps if step.order == IRREGULAR},
            "documents_with_room": {
                step.sessions: min(1, scenario.room_for / step.sessions) for step in steps if step.sessions
            },
            "turns_per_second": scenario.turns_per_second,
            "turn": {
                "tokens": scenario.turn_tokens,
                "hit": hit,
                "miss": miss,
                "least_hits": least_hits(hit, miss, scenario.turns_per_second),
            },
        }
    )
