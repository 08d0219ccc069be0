"""A second node, and host memory behind one: whose newest reply is where the next turn goes.

The rules are vLLM's, in blocks of 16 tokens, and for host memory SGLang's, which keeps a copy of everything; times are
those of the plain roofline, for a request alone. The same people come in each variant, after the same pauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from generator.model import cast
from generator.model.host_tier import LINK_EFFICIENCY, reading_back
from generator.model.moment import bare
from generator.model.pausing import LONG, Pausing
from generator.model.quoted import node_facts
from generator.model.return_counts import Counted, counted, over_days
from generator.model.returning import Returning, Turn
from generator.model.returns_told import PauseLimit, ReturnDot, Share, dots, key, limit
from generator.model.scenario import BadParameter, blame, parameter
from generator.model.visitors import Crowd
from generator.units import number, percent, span, tokens

COUNTED = "Returns that find their newest reply"
DAYS = 3
"""Of the counts beside the story."""


@dataclass(frozen=True)
class Scenario(Pausing):
    """As `Pausing`, with more memory in several ways. Raises BadParameter for what makes no sense."""

    host_room_for: int = parameter(18, "how many conversations fit into host memory, copies of the cards' included")

    def __post_init__(self) -> None:
        super().__post_init__()
        with blame("node"):
            reading_back(self.roofline(), 1)
        if not self.room_for < self.host_room_for < self.sessions:
            hint = f"more than the {self.room_for:,} on the cards, fewer than {self.sessions:,}"
            raise BadParameter("host_room_for", f"is {self.host_room_for:,}", hint)

    @property
    def host_tokens(self) -> int:
        """Tokens of the host's memory."""
        return self.host_room_for * self.conversation_tokens


@dataclass(frozen=True)
class Step:
    """Returns by where their newest reply was, under the variant called `shown`."""

    name: str
    caption: str
    returns: tuple[ReturnDot, ...]
    limits: tuple[PauseLimit, ...]
    variants: tuple[Share, ...]
    shown: str
    counted: str = COUNTED
    beat: str = ""
    quick: bool = False


@dataclass
class _Story:
    """Each variant as it came out, and the bars so far."""

    scenario: Scenario
    bars: list[Share] = field(default_factory=list)

    def _run(self, **others: object) -> Counted:
        """The returns of the scenario's people."""
        return counted(self._day(**others), LONG, self.scenario.sessions)

    def _day(self, **others: object) -> Returning:
        day = Returning(self.scenario.roofline(), self.scenario.crowd(**others))
        day.until(self.scenario.until)
        return day

    @cached_property
    def one(self) -> Counted:
        """One node."""
        return self._run()

    @cached_property
    def any_node(self) -> Counted:
        """Two, and each turn goes to either."""
        return self._run(nodes=2, sticky=False)

    @cached_property
    def twice(self) -> Counted:
        """The same with twice the people."""
        return self._run(nodes=2, sticky=False, sessions=2 * self.scenario.sessions)

    @cached_property
    def same(self) -> Counted:
        """Two, and everybody goes back to that of their first turn."""
        return counted(self.same_day, LONG)

    @cached_property
    def same_day(self) -> Returning:
        """That day, with the turns before returns are counted."""
        return self._day(nodes=2)

    @cached_property
    def host(self) -> Counted:
        """One node with host memory."""
        return self._run(host_tokens=self.scenario.host_tokens)

    @property
    def line(self) -> float:
        """The characteristic time of one node, in seconds."""
        return self.one.limit(self.scenario.capacity_tokens, self.scenario.sessions)

    @property
    def host_line(self) -> float:
        """The same of its host memory."""
        return self.host.limit(self.scenario.host_tokens, self.scenario.sessions)

    @property
    def limits(self) -> tuple[PauseLimit, ...]:
        """The line of one node."""
        return (limit("characteristic time", self.line),)

    def at_node(self, node: int) -> int:
        """People whose turns all go there."""
        return len({turn.session for turn in self.same_day.turns if turn.node == node})

    def bar(self, name: str, short: str, share: float, state: str = "reused") -> None:
        """One more variant."""
        self.bars.append(Share(name, short, share, state))

    def show(self, name: str, caption: str, turns: Sequence[Turn], *limits: PauseLimit) -> Step:
        """The bars so far, the latest being shown, and a dot for each of `turns`."""
        return Step(name, caption, dots(turns), limits, tuple(self.bars), self.bars[-1].name)


def simulate(scenario: Scenario) -> Iterator[Step]:
    """The same day with more memory: on another node, any or the same, and on the host."""
    story = _Story(scenario)
    for title, beat in _BEATS:
        for position, step in enumerate(beat(story)):
            yield replace(step, beat="" if position else title)


def _any_node(story: _Story) -> Iterator[Step]:
    one, either = story.one, story.any_node
    story.bar("one node", "one node", one.found)
    caption = (
        f"One node: of {len(one.turns)} returns {_found(one)} find their newest reply reused, "
        f"for {len(one.turns) - _found(one)} it is computed."
    )
    yield story.show("one-node", caption, one.turns, *story.limits)
    caption = "A second node doubles the memory, and each turn goes to either. How many find their reply now?"
    yield story.show("second-node", caption, one.turns, *story.limits)
    story.bar("two nodes, either", "either of two", either.found)
    caption = (
        f"{_found(either)} of {len(either.turns)} are reused: fewer, with twice the memory. "
        f"Half of the time the newest reply lies on the other node, however short the pause."
    )
    yield story.show("any-node", caption, either.turns)
    caption = (
        f"Often an older part of the conversation is there. So {percent(either.hit_rate)} of all prompt tokens are "
        f"reused, and one node had {percent(one.hit_rate)}."
    )
    yield story.show("older-part", caption, either.turns)
    twice = story.twice
    story.bar("two nodes, either, twice the people", "twice the people", twice.found)
    caption = (
        f"Fleets grow with their people. With {cast.count(story.scenario.sessions)} a node, and each turn to either, "
        f"{percent(twice.found)} of these returns are reused."
    )
    yield story.show("per-node", caption, twice.turns)


def _found(counts: Counted) -> int:
    return sum(turn.found for turn in counts.turns)


def _same_node(story: _Story) -> Iterator[Step]:
    same, before = story.same, story.any_node.turns
    story.bar("two nodes, the same", "same of two", same.found)
    for third, name in ((1, "sticky"), (2, "sticky-2")):
        shown = _mixed(before, same.turns, third / 3)
        came = shown[: len(same.turns) * third // 3]
        caption = (
            f"{'Now everybody goes' if third == 1 else 'Everybody goes'} back to the node of their first turn. "
            f"Of the first {len(came)} returns {sum(turn.found for turn in came)} are reused."
        )
        yield replace(story.show(name, caption, shown), quick=third > 1)
    caption = (
        f"Back to the same node, {_found(same)} of {len(same.turns)} returns find their newest reply reused. "
        f"One node reused {_found(story.one)}, two at random {_found(story.any_node)}."
    )
    yield story.show("same-node", caption, same.turns)
    most, least = sorted((story.at_node(node) for node in range(2)), reverse=True)
    loads = sorted(sum(turn.node == node for turn in same.turns) for node in range(2))
    caption = (
        f"The price is uneven load: {most} people stay with one node and {least} with the other. "
        f"One answers {loads[1]} of these returns, the other {loads[0]}."
    )
    yield story.show("uneven", caption, same.turns)


def _mixed(before: Sequence[Turn], after: Sequence[Turn], part: float) -> list[Turn]:
    """The first part of `after`, and of `before` what is not in it."""
    came = after[: int(len(after) * part)]
    names = {key(turn) for turn in came}
    return [*came, *(turn for turn in before if key(turn) not in names)]


def _on_the_host(story: _Story) -> Iterator[Step]:
    scenario, one, host = story.scenario, story.one, story.host
    caption = (
        f"One node again, and host memory for {cast.count(scenario.host_room_for)} conversations, copies included. "
        f"What becomes of those who are late?"
    )
    shown = replace(story.show("host", caption, one.turns, *story.limits), shown=story.bars[0].name)
    yield shown
    limits = (limit("on the cards", story.line), limit("on the host", story.host_line))
    caption = (
        f"What is evicted from the cards stays parked on the host until {number(story.host_line)} s. "
        f"Between the lines it is read back."
    )
    yield replace(story.show("host-line", caption, one.turns, *limits), shown=story.bars[0].name)
    story.bar("one node and host memory", "one and host", host.found + host.fetched, "parked")
    for third, name in ((1, "parked-1"), (2, "parked-2")):
        turns = _mixed(one.turns, host.turns, third / 3)
        came = turns[: len(host.turns) * third // 3]
        caption = f"Of the first {len(came)} returns {_states(came)}."
        yield replace(story.show(name, caption, turns, *limits), quick=True)
    yield story.show("parked", f"Of {len(host.turns)} returns {_states(host.turns)}.", host.turns, *limits)
    roofline, size = scenario.roofline(), scenario.conversation_tokens
    caption = (
        f"{tokens(size)} parked are read back in {span(reading_back(roofline, size))}, on top of the floor of "
        f"{bare(roofline.floor_seconds)}. Computed again, they take {span(roofline.prefill(size).seconds)}."
    )
    yield story.show("reading-back", caption, host.turns, *limits)


def _states(turns: Sequence[Turn]) -> str:
    counts = {state: sum(turn.state == state for turn in turns) for state in ("reused", "parked", "computed")}
    return (
        f"{counts['reused']} find their reply reused, {counts['parked']} have it parked, "
        f"for {counts['computed']} it is computed"
    )


_BEATS: tuple[tuple[str, Callable[[_Story], Iterator[Step]]], ...] = (
    ("Any node", _any_node),
    ("The same node", _same_node),
    ("Parked on the host", _on_the_host),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """What prose may quote: shares of returns over some days, seconds, bytes a second."""
    story, roofline = _Story(scenario), scenario.roofline()
    size, sessions = scenario.conversation_tokens, scenario.sessions
    bars = {share.short_name: share.count for share in steps[-1].variants}
    crowds: dict[str, Crowd] = {
        "one": scenario.any_day(),
        "either": scenario.any_day(nodes=2, sticky=False),
        "twice": scenario.any_day(nodes=2, sticky=False, sessions=2 * sessions),
    }
    # Two nodes need a while until what they hold no longer depends on how the day began.
    days = {name: over_days(roofline, crowd, DAYS, 300, 840) for name, crowd in crowds.items()}
    link = roofline.node.host_link_bytes_per_second
    assert link is not None, "the scenario was checked"
    return node_facts(roofline) | {
        "days": {name: {"found": day.found, "some": day.some, "hit_rate": day.hit_rate} for name, day in days.items()},
        "bars": bars,
        "returns": len(steps[0].returns),
        "line": steps[0].limits[0].at,
        "host_line": steps[-1].limits[1].at,
        "conversation": size,
        "reading": reading_back(roofline, size),
        "computing": roofline.prefill(size).seconds,
        "cards": roofline.node.count,
        "host_link": link / roofline.node.count,
        "card_link": roofline.node.card.link_bytes_per_second,
        "link_efficiency": LINK_EFFICIENCY,
        "host_fits": scenario.host_room_for,
        "people": sorted((story.at_node(node) for node in range(2)), reverse=True),
    }
