"""One node, two system prompts, ten people: a shared beginning is computed once, by whoever comes first.

The rules are the `ideal` ones (whole segments, nothing evicted), times the plain roofline, one request at a
time. A step that answers a request shows the moment of its first token; the reply is held by the next step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from generator.errors import did_you_mean
from generator.model import cast, presets
from generator.model.conversation import Conversation, gathered
from generator.model.desk import Desk, Request
from generator.model.moment import Moment, Narrator, bare, totals
from generator.model.quoted import context_facts, node_facts
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter, blame, check_counts, check_range, parameter
from generator.units import ms, number, span, tokens

Step = Moment
MOST_PEOPLE = 100  # a row each, and at least a step each


@dataclass(frozen=True)
class Scenario:
    """Who comes, with what, to which model. Raises BadParameter for what makes no sense."""

    model: str = parameter("llama-3.1-70b", "the model, by preset name")
    node: str = parameter("4x a100-80gb", "the cards it runs on: how many, and a preset name")
    system_prompts: dict[str, int] = parameter(
        {"support": 2048, "coding": 3072}, "each system prompt and its length in tokens"
    )
    users: dict[str, int] = parameter({"support": 8, "coding": 2}, "how many people use each system prompt")
    message_tokens: tuple[int, int] = parameter((40, 80), "shortest and longest message, in tokens")
    reply_tokens: tuple[int, int] = parameter((110, 260), "shortest and longest reply, in tokens")
    seed: int = parameter(104, "draws the lengths of messages and replies")

    def __post_init__(self) -> None:
        with blame("model"):
            presets.model(self.model)
        with blame("node"):
            self.roofline()
        check_counts("system_prompts", self.system_prompts, "tokens")
        check_counts("users", self.users, "users", most=MOST_PEOPLE)
        for name in self.users.keys() - self.system_prompts.keys():
            hint = did_you_mean(name, self.system_prompts)
            raise BadParameter("users", f'unknown system prompt "{name}"', hint)
        check_range("message_tokens", self.message_tokens)
        check_range("reply_tokens", self.reply_tokens)

    def roofline(self) -> Roofline:
        """The model on its node."""
        return Roofline.of(self.model, self.node)


@dataclass(frozen=True)
class _Day:
    """Everybody who comes to the desk, by system prompt and in order of arrival, and who tells of it."""

    teller: Narrator
    groups: tuple[tuple[Conversation, ...], ...]

    @property
    def newcomers(self) -> list[Conversation]:
        """Those who come once it is clear how it goes, from all groups in turn."""
        later = zip_longest(self.groups[0][3:], *(group[2:] for group in self.groups[1:]))
        return [person for person in chain.from_iterable(later) if person]

    def asks(self, person: Conversation) -> Request:
        """The next message of `person` comes in."""
        return self.teller.desk.ask(person)

    def answer(self, person: Conversation) -> Step:
        """The next message of `person` comes in and has its first token."""
        return self.teller.first_token(self.asks(person))


def simulate(scenario: Scenario) -> Iterator[Step]:
    """The day at the desk, in the order things happen. Raises BadParameter if the cards cannot hold it all."""
    desk = Desk(scenario.roofline())
    ranges = scenario.message_tokens, scenario.reply_tokens
    groups = gathered(scenario.users, scenario.system_prompts, *ranges, scenario.seed)
    day = _Day(Narrator(desk, row_count=sum(map(len, groups))), groups)
    budget = desk.roofline.cache_budget_tokens
    for title, beat in _BEATS:
        for position, step in enumerate(beat(day)):
            if step.held_tokens > budget:
                message = f"the conversations come to {tokens(step.held_tokens)}, the cards hold {number(budget)}"
                raise BadParameter("users", message, "nothing is evicted here: fewer people, or more memory")
            yield replace(step, beat="" if position else title)


def _nothing_is_cached(day: _Day) -> Iterator[Step]:
    caption = "The first request from each system prompt pays for it in full; everyone after it does not."
    yield day.teller.show("empty", caption)


def _first_pays(day: _Day) -> Iterator[Step]:
    first = day.groups[0][0]
    request = day.asks(first)
    caption = (
        f"{first.who}'s first message comes after a system prompt of {tokens(first.tokens)}. "
        f"Nothing is held yet: all {number(request.context)} are to compute."
    )
    yield day.teller.arrives(request, caption)
    yield day.teller.first_token(request)
    yield day.teller.reply(request.conversation)


def _second_does_not(day: _Day) -> Iterator[Step]:
    for person in day.groups[0][1:2]:
        request = day.asks(person)
        both = f"the same {tokens(request.reused)}, then {number(request.computed)} new"
        yield day.teller.asks(request, f"{person.who} brings {both}. How much must be computed?")
        yield day.teller.first_token(request)


def _another_beginning(day: _Day) -> Iterator[Step]:
    for person, *_ in day.groups[1:]:
        request = day.asks(person)
        caption = (
            f"{person.who}'s prompt begins otherwise: {tokens(day.teller.desk.tree.tokens)} are held and none of "
            f"them helps. All {number(request.context)} are to compute."
        )
        yield day.teller.arrives(request, caption)
        yield day.teller.first_token(request)


def _along_a_conversation(day: _Day) -> Iterator[Step]:
    for person in chain(day.groups[0][2:3], *(group[1:2] for group in day.groups[1:])):
        yield day.answer(person)
    first = day.groups[0][0]
    request = day.asks(first)
    found = f"{tokens(request.reused)} reused, only {number(request.computed)} to compute"
    caption = f"{first.who} writes again. System prompt, message and reply are found: {found}."
    yield day.teller.arrives(request, caption)
    yield day.teller.first_token(request)


def _crowd(day: _Day) -> Iterator[Step]:
    queue = day.newcomers
    queue[2:2] = day.groups[0][1:2]
    queue[-1:-1] = [group[0] for group in day.groups[1:]]
    for person in queue:
        yield replace(day.answer(person), quick=True)
    day.teller.desk.finish_reply()
    alike = max(day.groups, key=len)
    if len(alike) > 1:
        many, prompt = cast.count(len(alike)), alike[0].tokens
        caption = (
            f"Without sharing these {many} hold {many} copies: {tokens(len(alike) * prompt)} of cache "
            f"for {tokens(prompt)} of information."
        )
        yield replace(day.teller.show("copies", caption), cut=True)


def _floor(day: _Day) -> Iterator[Step]:
    second = chain.from_iterable(group[1:2] for group in day.groups[1:])
    back = (*day.groups[0][2:3], *day.newcomers[:1], *second, day.groups[0][0], *day.newcomers[-1:])
    for person in dict.fromkeys(back):
        step = day.answer(person)
        yield step
    last = day.teller.desk.answered[-1]
    end = _axis_end(max(request.seconds for request in day.teller.desk.answered if request.reused))
    caption = (
        f"Look closer: the axis ends at {ms(end, 0 if end >= 0.01 else 1)}. Of {step.who}'s {span(last.seconds)}, "
        f"{bare(step.floor)} are one reading of the weights."
    )
    nobody = replace(step, request="", time_to_first_token=None, time_without=None)
    yield replace(nobody, name="floor", caption=caption, look_closer=end)


_BEATS: tuple[tuple[str, Callable[[_Day], Iterator[Step]]], ...] = (
    ("Nothing is cached", _nothing_is_cached),
    ("Ana pays", _first_pays),
    ("Ben does not", _second_does_not),
    ("Another beginning", _another_beginning),
    ("Along a conversation", _along_a_conversation),
    ("The crowd", _crowd),
    ("The floor", _floor),
)


def _axis_end(seconds: float) -> float:
    """A round number of seconds a tenth or more above `seconds`: 0.03 for 0.0231."""
    power = 10.0 ** math.floor(math.log10(seconds))
    return next(power * step for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15) if power * step >= 1.1 * seconds)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """What prose may quote of the whole run: seconds, bytes, tokens and plain counts."""
    roofline = scenario.roofline()
    warm = [step for step in steps if step.request and step.reused]
    times = [step.time_to_first_token or 0.0 for step in warm]
    prompt, copies = max(scenario.users.items(), key=lambda entry: entry[1])
    prompt_tokens = scenario.system_prompts[prompt]
    return {
        **node_facts(roofline),
        **context_facts(roofline),
        **totals(steps),
        "people": sum(scenario.users.values()),
        "prompt_tokens": prompt_tokens,
        "copies": copies,
        "copies_tokens": copies * prompt_tokens,
        "warm_requests": len(warm),
        "warm_contexts": {"shortest": min(s.context for s in warm), "longest": max(s.context for s in warm)},
        "warm_times": {"shortest": min(times), "longest": max(times), "ratio": max(times) / min(times)},
        "warm_computed": {"least": min(s.computed for s in warm), "most": max(s.computed for s in warm)},
    }
