"""Eight people on one system prompt, with the time of day before it and then behind the message: who pays in full.

The rules are vLLM's, on the plain roofline, one request at a time. Both rounds go through one cache, which is large
enough to evict nothing. Facts have the places between, over two turns of each conversation, by both engines' rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.model import cast, presets
from generator.model.conversation import gathered
from generator.model.moment import bare
from generator.model.quoted import context_facts, node_facts
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter, blame, check_range, parameter
from generator.model.stamped import PLACES, Served, Stamps
from generator.model.stamped_crowd import HOUR, StampedCrowd, StampStep
from generator.units import number, span, tokens

Step = StampStep


@dataclass(frozen=True)
class Scenario:
    """Who comes, and what the prompts carry. Raises BadParameter for what makes no sense."""

    model: str = parameter("llama-3.1-70b", "the model, by preset name")
    node: str = parameter("4x a100-80gb", "the cards it runs on: how many, and a preset name")
    block_tokens: int = parameter(16, "tokens in a block, by vLLM's rules")
    people: int = parameter(8, "how many come in each round")
    system_prompt_tokens: int = parameter(2048, "length of everybody's system prompt, the template included, in tokens")
    template_tokens: int = parameter(5, "what the chat template puts before the system prompt's text, in tokens")
    stamp_tokens: int = parameter(8, "length of the time of day, in tokens; none are alike at two times")
    message_tokens: tuple[int, int] = parameter((20, 40), "shortest and longest message, in tokens")
    reply_tokens: tuple[int, int] = parameter((110, 260), "shortest and longest reply, in tokens")
    seconds_between: int = parameter(20, "from one request to the next, in seconds")
    seed: int = parameter(104, "draws the lengths of messages and replies")

    def __post_init__(self) -> None:
        with blame("model"):
            presets.model(self.model)
        with blame("node"):
            roofline = self.roofline()
        check_range("message_tokens", self.message_tokens)
        check_range("reply_tokens", self.reply_tokens)
        people = max(1, self.people)
        room = roofline.cache_budget_tokens // (2 * people) - self._said_tokens
        for name, least, most in (
            ("block_tokens", 1, 1024),
            ("people", 3, 24),
            ("template_tokens", 1, self.block_tokens - 1),
            ("system_prompt_tokens", 2 * self.block_tokens, room),
            ("stamp_tokens", 1, 1024),
            ("seconds_between", 1, HOUR // people),
        ):
            if not least <= getattr(self, name) <= most:
                raise BadParameter(name, f"is {getattr(self, name):,}", f"from {least:,} to {most:,}")

    @property
    def _said_tokens(self) -> int:
        """The most that two turns add to a system prompt, blocks that are not full included."""
        return 2 * (self.stamp_tokens + self.message_tokens[1] + self.reply_tokens[1]) + self.block_tokens

    def roofline(self) -> Roofline:
        """The model on its node."""
        return Roofline.of(self.model, self.node)

    def crowd(self) -> StampedCrowd:
        """Everybody, before the first word, and a cache as large as could be needed: nothing is evicted."""
        prompts = {"support": self.system_prompt_tokens}
        (people,) = gathered({"support": self.people}, prompts, self.message_tokens, self.reply_tokens, self.seed)
        room = 2 * self.people * (self.system_prompt_tokens + self._said_tokens)
        return StampedCrowd(self.roofline(), people, room, self.block_tokens, self.seconds_between)

    def stamps(self, place: str, kept: bool = True) -> Stamps:
        """How prompts are written with the time in this place."""
        return Stamps(place, self.template_tokens, self.stamp_tokens, kept)


class _Day:
    """One cache, and two rounds of the same people through it."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        crowd = scenario.crowd()
        self.floor = crowd.roofline.floor_seconds
        desk = crowd.desk()
        self._rounds = {
            place: crowd.round(desk, scenario.stamps(place), number) for number, place in enumerate(("first", "last"))
        }
        self.served: dict[str, list[Served]] = {"first": [], "last": []}

    def serve(self, place: str) -> Served:
        """The next person, with the time in this place."""
        self.served[place].append(next(self._rounds[place]))
        return self.served[place][-1]

    def left(self, place: str) -> int:
        """How many are still to come."""
        return self.scenario.people - len(self.served[place])

    def show(self, place: str, served: Served, caption: str, quick: bool = False) -> Step:
        """The request just answered."""
        return Step(
            name=f"{place}-{len(self.served[place])}",
            caption=caption,
            floor=self.floor,
            who=served.conversation.who,
            strip=served.strip,
            request=served.conversation.who,
            time_to_first_token=served.seconds,
            time_without=served.seconds_without,
            reused=served.matched,
            computed=served.computed,
            context=served.tokens,
            quick=quick,
        )


def _outcome(served: Served) -> str:
    found = f"{tokens(served.matched)} reused" if served.matched else "none reused"
    after = f"First token after {span(served.seconds)}"
    instead = f" instead of {bare(served.seconds_without)}" if served.matched else ""
    what = number(served.computed) if served.matched else tokens(served.computed)
    return f"{found}, {what} computed. {after}{instead}"


def simulate(scenario: Scenario) -> Iterator[Step]:
    """Everybody with the time first, then everybody with the time last."""
    day = _Day(scenario)
    for title, beat in _BEATS:
        for position, step in enumerate(beat(day)):
            yield replace(step, beat="" if position else title)


def _time_first(day: _Day) -> Iterator[Step]:
    scenario = day.scenario
    caption = (
        f"{cast.count(scenario.people).capitalize()} people share a system prompt of "
        f"{tokens(scenario.system_prompt_tokens)}. The time of day stands before it, to the second. Nothing is held."
    )
    yield Step("nothing", caption, day.floor)
    ana = day.serve("first")
    caption = (
        f"{ana.conversation.who} is the first: {_outcome(ana)}. "
        f"What can {cast.name(1)} reuse, {scenario.seconds_between} seconds later?"
    )
    yield day.show("first", ana, caption)
    ben = day.serve("first")
    caption = (
        f"Nothing. {ben.conversation.who}'s time is another, so every block of his has another name: {_outcome(ben)}."
    )
    yield day.show("first", ben, caption)


def _nobody_spared(day: _Day) -> Iterator[Step]:
    while day.left("first") > 1:
        served = day.serve("first")
        yield day.show("first", served, f"{served.conversation.who}, too: {_outcome(served)}.", quick=True)
    served = day.serve("first")
    total = sum(one.computed for one in day.served["first"])
    caption = f"{served.conversation.who}, too: {_outcome(served)}. Of everybody's {tokens(total)} none were reused."
    yield day.show("first", served, caption)


def _time_last(day: _Day) -> Iterator[Step]:
    ana = day.serve("last")
    caption = (
        f"Now the time stands last, after the message. {ana.conversation.who}: {_outcome(ana)}. "
        f"What can {cast.name(1)} reuse now?"
    )
    yield day.show("last", ana, caption)
    ben = day.serve("last")
    caption = f"{ben.conversation.who} finds the whole system prompt: {_outcome(ben)}."
    yield day.show("last", ben, caption)


def _at_the_floor(day: _Day) -> Iterator[Step]:
    while day.left("last") > 1:
        served = day.serve("last")
        yield day.show("last", served, f"{served.conversation.who}: {_outcome(served)}.", quick=True)
    served = day.serve("last")
    others = cast.count(len(day.served["last"]) - 1)
    caption = f"{served.conversation.who} is the last of {others} near the floor: {_outcome(served)}."
    yield day.show("last", served, caption)


_BEATS: tuple[tuple[str, Callable[[_Day], Iterator[Step]]], ...] = (
    ("The time comes first", _time_first),
    ("Nobody is spared", _nobody_spared),
    ("The time comes last", _time_last),
    ("Down to the floor", _at_the_floor),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """Shares, seconds and tokens; `places` are runs of two turns each, `by_minute` one round by a coarse clock."""
    rounds = {place: [step for step in steps if step.name.startswith(f"{place}-")] for place in ("first", "last")}
    crowd = scenario.crowd()
    places = {place: crowd.two_turns(scenario.stamps(place)) for place in PLACES}
    return {
        **node_facts(crowd.roofline),
        **context_facts(crowd.roofline),
        "people": scenario.people,
        "system_prompt": scenario.system_prompt_tokens,
        "template": scenario.template_tokens,
        "stamp": scenario.stamp_tokens,
        "between": scenario.seconds_between,
        "hit_rate": {
            place: sum(step.reused for step in served) / sum(step.context for step in served)
            for place, served in rounds.items()
        },
        "computed": {place: sum(step.computed for step in served) for place, served in rounds.items()},
        "time": {place: sum(step.time_to_first_token or 0.0 for step in served) for place, served in rounds.items()},
        "slowest_warm": max(step.time_to_first_token or 0.0 for step in rounds["last"][1:]),
        "places": places | {"not_kept": crowd.two_turns(scenario.stamps("last", kept=False))},
        "by_minute": crowd.by_minute(scenario.stamps("first")),
    }
