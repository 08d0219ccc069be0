"""Whether people find their reply when they come back: each return at its pause, and the line that sorts them.

The rules are vLLM's, in blocks of 16 tokens; times are those of the plain roofline, for a request alone. A session is
a conversation that grows by a message and a reply with each turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from generator.model import cast
from generator.model.moment import bare
from generator.model.pausing import LONG, SHORT, Pausing
from generator.model.quoted import node_facts
from generator.model.return_counts import Counted, counted, over_days
from generator.model.returning import Returning, Turn
from generator.model.returns_told import Lane, PauseLimit, ReturnDot, dots, key, lanes, limit, split
from generator.model.scenario import BadParameter, parameter
from generator.units import number, seconds, span, tokens

LINE = "characteristic time"
DAYS, MANY_DAYS = 8, 1
"""Days of the counts beside the story: with few sessions and with many."""


@dataclass(frozen=True)
class Scenario(Pausing):
    """As `Pausing`, and a crowd with which the equation is measured. Raises BadParameter for what makes no sense."""

    many: int = parameter(200, "sessions of a larger crowd with as much room each")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.sessions < self.many <= 1000:
            raise BadParameter("many", f"is {self.many:,}", f"more than {self.sessions:,}, at most 1,000")


@dataclass(frozen=True)
class Step:
    """A moment, `clock` seconds after the start. `serving` is who comes, "" for nobody in particular.

    `reused` and `computed` count the dots whose reply was found, or not, where `sessions` people come. `first_token`
    is how many seconds the one who comes waits.
    """

    name: str
    caption: str
    lanes: tuple[Lane, ...]
    returns: tuple[ReturnDot, ...] = ()
    limits: tuple[PauseLimit, ...] = ()
    serving: str = ""
    clock: float = 0
    sessions: int = 0
    reused: int = 0
    computed: int = 0
    first_token: float | None = None
    beat: str = ""
    quick: bool = False


@dataclass
class _Story:
    """What happens, and the returns that count so far. `second` is the day again with twice the people."""

    scenario: Scenario
    day: Returning
    second: Returning
    shown: list[Turn] = field(default_factory=list)
    limits: tuple[PauseLimit, ...] = ()

    @property
    def counted(self) -> Counted:
        """All returns that the figure counts one by one."""
        return counted(self.day, LONG, self.scenario.sessions)

    def show(self, name: str, caption: str, serving: str = "") -> Step:
        """What has happened by now."""
        return self._shown(self.day, self.day.now, name, caption, serving)

    def show_second(self, name: str, caption: str, clock: float) -> Step:
        """What has happened by then on the second day."""
        return self._shown(self.second, clock, name, caption)

    def _shown(self, day: Returning, clock: float, name: str, caption: str, serving: str = "") -> Step:
        found = sum(turn.found for turn in self.shown)
        return Step(
            name,
            caption,
            lanes(day, self.scenario.sessions, clock),
            dots(self.shown),
            self.limits,
            serving,
            clock,
            day.crowd.sessions,
            found,
            len(self.shown) - found,
        )

    def turn(self, person: int, turn: int) -> Turn:
        """A turn that has come."""
        return next(each for each in self.day.turns if (each.session, each.number) == (person, turn))

    def minute(self) -> list[Turn]:
        """The returns of one more minute."""
        came = [turn for turn in self.day.until(self.day.now + 60) if turn.pause is not None]
        self.shown += came
        return came

    @property
    def line(self) -> float:
        """The characteristic time, in seconds."""
        return self.counted.limit(self.scenario.capacity_tokens, self.scenario.sessions)

    @property
    def second_line(self) -> float:
        """The same with everybody who comes on the second day."""
        return counted(self.second, LONG).limit(self.scenario.capacity_tokens, self.second.crowd.sessions)

    def again(self, until: float) -> list[Turn]:
        """The returns shown as they came out on the second day, up to a time; the same people after the same pauses."""
        same = {key(turn): turn for turn in self.second.turns if turn.start <= until}
        return [same.get(key(turn), turn) for turn in self.shown]


def simulate(scenario: Scenario) -> Iterator[Step]:
    """Two people come back, then everybody; then the same again with twice the people."""
    story = _story(scenario)
    for title, beat in _BEATS:
        for position, step in enumerate(beat(story)):
            yield replace(step, beat="" if position else title)


def _story(scenario: Scenario) -> _Story:
    roofline = scenario.roofline()
    day, second = (Returning(roofline, scenario.crowd(sessions=times * scenario.sessions)) for times in (1, 2))
    day.until(-1e-9)
    return _Story(scenario, day, second)


def _a_coffee(story: _Story) -> Iterator[Step]:
    scenario, day, (ana, ben) = story.scenario, story.day, (cast.name(0), cast.name(1))
    caption = (
        f"{cast.count(scenario.sessions).capitalize()} people come and go, with room for "
        f"{cast.count(scenario.room_for)} conversations of {tokens(scenario.conversation_tokens)}. "
        f"{ana} and {ben} are about to ask."
    )
    yield story.show("empty", caption)
    day.until(0)
    day.until(max(story.turn(person, 1).end for person in (0, 1)))
    caption = (
        f"{ana} and {ben} ask, read their replies and pause. "
        f"Their conversations are held, {tokens(scenario.talk.left(1))} each."
    )
    yield story.show("both-ask", caption)
    day.until(story.turn(0, 1).end + SHORT)
    back = story.turn(0, 2)
    story.shown.append(back)
    caption = (
        f"{ana} is back after {number(SHORT)} s: {tokens(back.reused)} reused, {number(back.computed)} computed. "
        f"First token after {span(back.seconds)}."
    )
    yield replace(story.show("ana-2", caption, ana), first_token=back.seconds)
    yield _forgotten(story, ben)
    day.until(story.turn(1, 1).end + LONG)
    late = story.turn(1, 2)
    story.shown.append(late)
    caption = (
        f"{ben} is back after {cast.count(round(LONG / 60))} minutes: {tokens(late.computed)} computed, "
        f"{number(late.reused) if late.reused else 'none'} reused. "
        f"First token after {span(late.seconds)} instead of {bare(back.seconds)}."
    )
    yield replace(story.show("ben-2", caption, ben), first_token=late.seconds)


def _forgotten(story: _Story, who: str) -> Step:
    """On until the reply of the one who stays away longest is evicted."""
    day, end = story.day, story.turn(1, 1).end
    while (1, 1) not in day.lost and day.now < end + LONG - 2:
        day.until(day.now + 1)
    gone = day.lost.get((1, 1))
    caption = f"{who} is having a coffee. The others keep coming, and each new token takes room."
    if gone is not None:
        caption = (
            f"{who} is having a coffee. The others keep coming, and after {number(gone - end)} s his reply is evicted."
        )
    return story.show("ben-away", caption, who)


def _dots(story: _Story) -> Iterator[Step]:
    came = story.minute()
    caption = f"From now on everybody's return is a dot at the length of its pause. In a minute: {split(came)}."
    yield story.show("minute-1", caption)
    for minute in range(2, story.scenario.minutes):
        came = story.minute()
        yield replace(story.show(f"minute-{minute}", _who_came(came)), quick=True)
    story.minute()
    longest = max(turn.pause or 0 for turn in story.shown if turn.found)
    shortest = min(turn.pause or 0 for turn in story.shown if not turn.found)
    caption = (
        f"{split(story.shown).replace(',', ' so far,')}. A boundary appears by itself: the longest pause reused was "
        f"{number(longest)} s, the shortest computed {number(shortest)} s."
    )
    yield story.show("boundary", caption)


def _who_came(came: Sequence[Turn]) -> str:
    if not came:
        return "Nobody comes back in this minute."
    last = came[-1]
    others = f" and {cast.count(len(came) - 1)} more come back" if len(came) > 1 else " comes back"
    return f"{cast.name(last.session)}, after {number(last.pause or 0)} s,{others}: {split(came)}."


def _one_number(story: _Story) -> Iterator[Step]:
    caption = "Short pauses find their reply reused, long ones have it computed. Where between them does the line fall?"
    yield story.show("where", caption)
    story.limits = (limit(LINE, story.line),)
    caption = (
        f"At {number(story.line)} s, by Che's equation: so long newer conversations take to fill the room. "
        f"Sooner returns are reused, later ones computed."
    )
    yield story.show("line", caption)
    right = sum(turn.found == ((turn.pause or 0) < story.line) for turn in story.shown)
    caption = (
        f"One number sorts {right} of {len(story.shown)} returns. The rest lie near it: "
        f"replies are evicted a little sooner or later, so this is an approximation."
    )
    yield story.show("sorted", caption)


def _twice_the_sessions(story: _Story) -> Iterator[Step]:
    caption = "As many people again come to the same cache. How long does a reply last now?"
    yield story.show("twice", caption)
    story.second.until(story.scenario.until + 60)
    before, after = story.line, story.second_line
    story.limits = (limit(LINE, after),)
    caption = (
        f"{number(after)} s instead of {number(before)}. Twice the people fill the same room in less than half "
        f"the time, and what is held is evicted sooner."
    )
    yield story.show_second("line-moves", caption, LONG)


def _the_same_pauses(story: _Story) -> Iterator[Step]:
    before, minutes = list(story.shown), story.scenario.minutes
    for part in (1, 2, 3):
        until = LONG + 60 * minutes * part / 3
        story.shown = story.again(until)
        came = [turn for turn in story.shown if turn.start <= until]
        caption = (
            f"{cast.name(0)}, {cast.name(1)} and the others come back after the same pauses as before: "
            f"so far {split(came)}."
        )
        yield replace(story.show_second(f"again-{part}", caption, until), quick=part > 1)
    story.shown = story.again(story.scenario.until + 60)
    found, had = (sum(turn.found for turn in turns) for turns in (story.shown, before))
    caption = (
        f"Same people, same pauses: of {len(before)} returns {found} are reused instead of {had}. "
        f"The others are computed, although nobody was slower."
    )
    yield story.show_second("same-people", caption, story.scenario.until)
    now, then = (sum(turn.seconds for turn in turns) for turns in (story.shown, before))
    caption = (
        f"Together they wait {seconds(now)} for their first tokens instead of {seconds(then)}: "
        f"what was reused before is computed again."
    )
    yield story.show_second("price", caption, story.scenario.until)


_BEATS: tuple[tuple[str, Callable[[_Story], Iterator[Step]]], ...] = (
    ("A coffee", _a_coffee),
    ("A dot each", _dots),
    ("One number", _one_number),
    ("Twice the sessions", _twice_the_sessions),
    ("The same pauses", _the_same_pauses),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """What prose may quote: seconds, tokens, and shares of returns that find their reply."""
    by_name = {step.name: step for step in steps}
    roofline, many = scenario.roofline(), scenario.many
    window = 60.0 * scenario.minutes
    few_days = over_days(roofline, scenario.any_day(), DAYS, 0, window)
    larger = scenario.any_day(sessions=many, capacity_tokens=scenario.capacity_tokens * many // scenario.sessions)
    many_days = over_days(roofline, larger, MANY_DAYS, 0, window)
    before, after = by_name["sorted"], by_name["same-people"]
    think = scenario.think
    return node_facts(roofline) | {
        "fits": scenario.room_for,
        "capacity": scenario.capacity_tokens,
        "conversation": scenario.conversation_tokens,
        "turn_adds": scenario.message_tokens + scenario.reply_tokens,
        "median_pause": think.median_seconds,
        "mean_pause": think.mean_seconds,
        "line": before.limits[0].at,
        "line_twice": after.limits[0].at,
        "returns": len(before.returns),
        "reused": before.reused,
        "reused_twice": after.reused,
        "sorted": sum((dot.state == "reused") == (dot.pause < before.limits[0].at) for dot in before.returns),
        "predicted_twice": think.within(after.limits[0].at),
        "few": few_days.facts,
        "many": many_days.facts,
    }
