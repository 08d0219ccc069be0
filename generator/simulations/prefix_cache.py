"""One session more than fits: what each turn finds in a full cache, in turns, out of turn, and by another rule.

The rules are SGLang's, with pages of one token; times are those of the plain roofline, for one request at a time.
A turn repeats the shared beginning and its session's document and adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.model import cast, presets
from generator.model.contest import Contest, Sizes, Turn, check_contest, room_for
from generator.model.contest_counts import BLOCK, RETURNS, SMALLER, by_blocks, by_order, round_seconds, with_ends
from generator.model.contest_told import Teller, outcome
from generator.model.moment import Moment, bare
from generator.model.quoted import node_facts
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter, blame, check_counts, parameter
from generator.model.turn_order import irregular
from generator.units import number, percent, seconds, span, tokens

Step = Moment
FEWEST, MOST = 3, 8  # sessions that fit: fewer leave no row of quick turns, more no room for their names
RULE, OTHER = "lru", "mru"
POLICIES = ("lru", "lfu", "slru", "fifo", "filo", "mru")


@dataclass(frozen=True)
class Scenario:
    """How many fit, and how large they are. Raises BadParameter for what makes no sense."""

    model: str = parameter("llama-3.1-70b", "the model, by preset name")
    node: str = parameter("4x a100-80gb", "the cards it runs on: how many, and a preset name")
    shared_tokens: int = parameter(2048, "length of the beginning that all prompts share, in tokens")
    document_tokens: int = parameter(1024, "length of each session's document, in tokens")
    room_for: int = parameter(5, "how many sessions fit; one more comes")
    spare_tokens: int = parameter(32, "room beyond those sessions, in tokens")
    question_tokens: int = parameter(24, "length of a question, where questions and replies are kept, in tokens")
    reply_tokens: int = parameter(40, "length of a reply, likewise")
    seed: int = parameter(49, "draws the irregular order")

    def __post_init__(self) -> None:
        with blame("model"):
            presets.model(self.model)
        with blame("node"):
            budget = self.roofline().cache_budget_tokens
        check_counts("question_tokens", {"question": self.question_tokens}, "tokens")
        check_counts("reply_tokens", {"reply": self.reply_tokens}, "tokens")
        if not FEWEST <= self.room_for <= MOST:
            raise BadParameter("room_for", f"is {self.room_for:,}", f"from {FEWEST} to {MOST} sessions can be drawn")
        check_contest(self.sizes, self.room_for, budget)

    @property
    def sizes(self) -> Sizes:
        """What competes, and the room for it."""
        return room_for(self.shared_tokens, self.document_tokens, self.room_for, self.spare_tokens)

    def roofline(self) -> Roofline:
        """The model on its node."""
        return Roofline.of(self.model, self.node)

    def contest(self, policy: str = RULE) -> Contest:
        """An empty cache under an eviction policy."""
        return Contest(self.roofline(), self.sizes, policy)


@dataclass(frozen=True)
class _Story:
    """The contest as it is told, and the turns so far."""

    scenario: Scenario
    teller: Teller
    turns: list[Turn]

    @property
    def fitting(self) -> range:
        """The sessions that fit."""
        return range(self.scenario.room_for)

    @property
    def late(self) -> int:
        """The one too many."""
        return self.scenario.room_for

    def ask(self, session: int) -> Turn:
        """One more turn of `session`."""
        self.turns.append(self.teller.contest.ask(session))
        return self.turns[-1]

    @property
    def misses(self) -> int:
        """How many turns running, up to the last, found nothing of their own document."""
        hits = [turn.reused > self.scenario.shared_tokens for turn in reversed(self.turns)]
        return hits.index(True)

    def name(self, session: int) -> str:
        """The name of the step of the session's latest turn: "ana-2"."""
        return f"{cast.slug(cast.name(session))}-{sum(turn.session == session for turn in self.turns)}"

    def answer(self, session: int, caption: str = "") -> Step:
        """A turn of `session`, answered."""
        turn = self.ask(session)
        return self.teller.answer(self.name(session), turn, caption)


def simulate(scenario: Scenario) -> Iterator[Step]:
    """What happens to the sessions, in order."""
    story = _Story(scenario, Teller(scenario.contest(), scenario.room_for + 1), [])
    words = {"many": cast.count(scenario.room_for).capitalize(), "late": cast.name(scenario.room_for)}
    for title, beat in _BEATS:
        for position, step in enumerate(beat(story)):
            yield replace(step, beat="" if position else title.format(**words))


def _fit(story: _Story) -> Iterator[Step]:
    sizes, many = story.scenario.sizes, cast.count(story.scenario.room_for)
    caption = (
        f"Room for {tokens(sizes.capacity)}: a shared beginning of {number(sizes.head)} and {many} documents of "
        f"{number(sizes.document)}. Nothing is held yet."
    )
    yield story.teller.show("empty", caption)
    for session in story.fitting:
        yield replace(story.answer(session), quick=session >= 2)
    turns = [story.ask(session) for session in story.fitting]
    caption = (
        f"All {many} ask again, in turn: {tokens(turns[-1].reused)} reused each time, {turns[-1].computed} computed. "
        f"First token after {span(turns[-1].seconds)} instead of {bare(turns[-1].seconds_without)}."
    )
    yield story.teller.show("second-round", caption, "reused", story.fitting)


def _one_more(story: _Story) -> Iterator[Step]:
    contest, who = story.teller.contest, cast.name(story.late)
    caption = (
        f"{who} comes too. The shared beginning is reused, {tokens(story.scenario.document_tokens)} are to compute, "
        f"and room is left for {number(contest.free_tokens)}."
    )
    before = story.teller.arrives(f"{cast.slug(who)}-1-arrives", story.late, caption)
    yield before
    turn = story.ask(story.late)
    loser = cast.name(turn.losers[0])
    caption = (
        f"{loser}'s document is the least recently used, so it is evicted, from its end. "
        f"The {tokens(contest.sizes.head)} before it are reused and stay."
    )
    yield story.teller.makes_room(before, f"{cast.slug(who)}-1-evicts", turn, caption)
    yield story.teller.answer(story.name(story.late), turn, outcome(replace(turn, lost=())), crossed=False)


def _each_evicts_the_next(story: _Story) -> Iterator[Step]:
    returning = story.turns[-1].losers[0]
    who = cast.name(returning)
    caption = f"{who} comes back. The document was evicted and must be computed again. Who is lost to make room?"
    yield story.teller.asks(f"{cast.slug(who)}-3-arrives", returning, caption)
    first = story.answer(returning)
    caption = (
        f"{cast.name(story.turns[-1].losers[0])}, the least recent and the next to come. {who}: {tokens(first.reused)} "
        f"reused, {number(first.computed)} computed, first token after {span(story.turns[-1].seconds)}."
    )
    yield replace(first, caption=caption)
    *others, last = [session for session in story.fitting if session != returning]
    for session in others:
        yield replace(story.answer(session), quick=session > 1)
    step = story.answer(last)
    held = cast.count(story.scenario.room_for).capitalize()
    caption = (
        f"{step.who}'s turn evicts {cast.name(story.turns[-1].losers[0])}'s document, wanted next. {held} of "
        f"{cast.count(story.late + 1)} are held, yet {cast.count(story.misses)} turns in a row computed theirs again."
    )
    yield replace(step, name="thrash", caption=caption)


def _the_beginning_stays(story: _Story) -> Iterator[Step]:
    yield story.answer(story.late)
    step = story.answer(story.turns[-1].losers[0])
    caption = (
        f"{step.who} again. Whoever comes touches the shared beginning, so it is never the least recent: "
        f"{tokens(step.reused)} reused, every time."
    )
    yield replace(step, caption=caption)
    fit, over = _rounds(story.scenario)
    caption = (
        f"A round of {cast.count(story.late + 1)} takes {seconds(over, 2)} of prefill: documents are computed again. "
        f"A round of {cast.count(story.late)}, all reused, takes {seconds(fit, 2)}."
    )
    yield story.teller.show("a-round", caption)


def _rounds(scenario: Scenario) -> tuple[float, float]:
    """Seconds of prefill of a round in which all fit, and of one with one too many."""
    roofline, fitting = scenario.roofline(), scenario.room_for
    fit, over = (round_seconds(roofline, scenario.sizes, sessions) for sessions in (fitting, fitting + 1))
    return fit, over


def _out_of_turn(story: _Story) -> Iterator[Step]:
    order = irregular(story.late + 1, story.late + 1, story.scenario.seed)
    steps = []
    for position, session in enumerate(order):
        step = story.answer(session)
        steps.append(replace(step, name=f"irregular-{position + 1}", quick=0 < position < len(order) - 1))
    hits = sum(step.reused > story.scenario.shared_tokens for step in steps)
    steps[0] = replace(steps[0], caption=f"Now they come in no order. {steps[0].caption}")
    always = percent(_found(story.scenario, RULE)["irregular"])
    caption = (
        f"{cast.count(hits).capitalize()} of these {cast.count(len(steps))} turns found their document reused. "
        f"Of {number(RETURNS)} such turns {always} do, about as many as have room."
    )
    yield from (*steps[:-1], replace(steps[-1], caption=caption))


def _another_rule(story: _Story) -> Iterator[Step]:
    story = _Story(story.scenario, Teller(story.scenario.contest(OTHER), story.late + 1), [])
    for session in (*story.fitting, *story.fitting):
        story.ask(session)
    step = story.answer(story.late)
    caption = (
        f"Start again, but evict the most recent document. {step.who}'s {tokens(step.computed)} are computed, and "
        f"{cast.name(story.turns[-1].losers[0])}'s, used just before, are evicted."
    )
    yield replace(step, name="most-recent", caption=caption)
    turns: list[Turn] = []
    while story.teller.contest.finds(len(turns)) > story.scenario.shared_tokens:
        turns.append(story.ask(len(turns)))
    people = [cast.name(turn.session) for turn in turns]
    caption = (
        f"{', '.join(people[:-1])} and {people[-1]} come back in turn: {tokens(turns[-1].reused)} reused each time."
    )
    yield story.teller.show("most-recent-round", caption, "reused", range(len(turns)))
    step = story.answer(len(turns))
    caption = (
        f"{step.who} is the one in five: {tokens(step.computed)} computed, {cast.name(story.turns[-1].losers[0])}'s "
        f"evicted. In the long run {percent(_found(story.scenario, OTHER)['turns'])} of the returns find theirs reused."
    )
    yield replace(step, name="best-for-turns", caption=caption)


def _found(scenario: Scenario, policy: str) -> dict[str, float]:
    """The share of returns that find their document, one session being too many, in turns and irregularly."""
    return by_order(scenario.sizes, scenario.room_for + 1, policy, scenario.seed)


_BEATS: tuple[tuple[str, Callable[[_Story], Iterator[Step]]], ...] = (
    ("{many} fit", _fit),
    ("{late} arrives", _one_more),
    ("Each evicts the next", _each_evicts_the_next),
    ("The shared beginning stays", _the_beginning_stays),
    ("Out of turn", _out_of_turn),
    ("Another rule", _another_rule),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """What prose may quote: seconds, tokens, counts, and shares of returns that find their document."""
    sizes, fitting = scenario.sizes, scenario.room_for
    by_name = {step.name: step for step in steps}
    hit, miss = by_name["irregular-1"], by_name["thrash"]
    fit, over = _rounds(scenario)
    return node_facts(scenario.roofline()) | {
        "shared": sizes.head,
        "document": sizes.document,
        "prompt": sizes.prompt,
        "capacity": sizes.capacity,
        "fits": fitting,
        "sessions": fitting + 1,
        "fit_on_node": (scenario.roofline().cache_budget_tokens - sizes.head) // sizes.document,
        "working_set": sizes.working_set(fitting + 1),
        "hit": {"reused": hit.reused, "time": hit.time_to_first_token},
        "miss": {"reused": miss.reused, "computed": miss.computed, "time": miss.time_to_first_token},
        "time_without": miss.time_without,
        "round": {"fitting": fit, "over": over},
        "returns": RETURNS,
        "smaller": SMALLER,
        "policies": {policy: _found(scenario, policy) for policy in POLICIES},
        "block": BLOCK,
        "by_blocks": {"fitting": by_blocks(sizes, fitting), "over": by_blocks(sizes, fitting + 1)},
        "question": scenario.question_tokens,
        "reply": scenario.reply_tokens,
        "with_ends": {
            many: with_ends(sizes, many, scenario.question_tokens, scenario.reply_tokens)
            for many in (fitting - 1, fitting)
        },
    }
