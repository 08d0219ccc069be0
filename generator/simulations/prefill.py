"""One prompt at a time on one node: what a pass costs as it grows, and what is left when most of it is reused.

Times are the plain roofline's. The prompt doubles from a single token to a whole document, is then sent again over
more and more of what the cache holds, and is at last compared with what kernels take on real cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from generator.model import cast, diamonds, presets
from generator.model.bench import Bench, PassStep
from generator.model.moment import bare
from generator.model.quoted import node_facts
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter, blame, parameter
from generator.units import gb, ms, number, percent, span, tokens

Step = PassStep
WHO = cast.name(0)
TURN, HISTORY = 512, 8192  # tokens: what the page quotes of a turn longer than the ridge


@dataclass(frozen=True)
class Scenario:
    """Which model on which cards, and how far the prompt grows. Raises BadParameter for what makes no sense."""

    model: str = parameter("llama-3.1-70b", "the model, by preset name")
    node: str = parameter("4x a100-80gb", "the cards it runs on: how many, and a preset name")
    document_tokens: int = parameter(8192, "the longest prompt, in tokens")
    question_tokens: int = parameter(64, "what is new when the document is sent again, in tokens")

    def __post_init__(self) -> None:
        with blame("model"):
            presets.model(self.model)
        with blame("node"):
            roofline = self.roofline()
        least, most = int(8 * roofline.ridge_tokens) + 1, roofline.cache_budget_tokens
        if not least <= self.document_tokens <= most:
            hint = f"from {number(least)}, well past the ridge, to {number(most)}, which fit in the cache"
            raise BadParameter("document_tokens", f"{tokens(self.document_tokens)} tell nothing here", hint)
        if not 1 <= self.question_tokens <= self.document_tokens // 16:
            hint = f"from 1 to {number(self.document_tokens // 16)}, a sixteenth of the document"
            raise BadParameter("question_tokens", f"{tokens(self.question_tokens)} are no short question", hint)

    def roofline(self) -> Roofline:
        """The model on its node."""
        return Roofline.of(self.model, self.node)

    def doublings(self) -> list[int]:
        """1, 2, 4, … tokens, and the document."""
        below = range((self.document_tokens - 1).bit_length())
        return [2**power for power in below] + [self.document_tokens]


def simulate(scenario: Scenario) -> Iterator[Step]:
    """Ever longer prompts, then the longest again with most of it reused, then what was measured."""
    day = _Day(scenario, Bench(scenario.roofline()))
    for title, beat in _BEATS:
        for position, step in enumerate(beat(day)):
            yield replace(step, beat="" if position else title)


@dataclass(frozen=True)
class _Day:
    """What is tried on the bench, sorted by what it shows."""

    scenario: Scenario
    bench: Bench

    @property
    def free(self) -> list[int]:
        """Doublings, from 1, that leave at least as much room under the ridge again."""
        return [n for n in self.scenario.doublings() if 2 * n <= self.bench.roofline.ridge_tokens]

    @property
    def paying(self) -> list[int]:
        """The last doubling under the ridge, and all that follow, up to the document."""
        return [n for n in self.scenario.doublings() if 2 * n > self.bench.roofline.ridge_tokens]

    def time(self, new: int, reused: int = 0) -> str:
        """A pass's time as captions have it: "22.7 ms"."""
        return span(self.bench.seconds(new, reused))

    def bare(self, new: int, reused: int = 0) -> str:
        """The same where the unit has just been said."""
        return bare(self.bench.seconds(new, reused))


def _one_token(day: _Day) -> Iterator[Step]:
    weights = gb(day.bench.roofline.weights_streamed_bytes)
    caption = f"However short {WHO}'s prompt may be, a pass reads all {weights} of weights. None has run yet."
    yield day.bench.show("nothing", caption)
    caption = (
        f"{WHO} sends 1 token. Reading the weights takes {day.time(1)}, the arithmetic "
        f"{ms(day.bench.arithmetic(1), 2)}: the cards wait for memory."
    )
    yield day.bench.run("one-token", caption, 1)


def _free_riders(day: _Day) -> Iterator[Step]:
    *some, most = day.free[1:]
    caption = (
        f"{WHO} doubles her prompt again and again, to {tokens(most)}: {number(most)} times the arithmetic. "
        "How much longer must she wait?"
    )
    yield day.bench.run("how-much-longer", caption, 1)
    for n in some:
        step = day.bench.run(f"tokens-{n}", "", n)
        rate = number((step.flops_per_second or 0) / 1e12)
        caption = f"{tokens(n)} computed in {day.time(n)}: the cards now do {rate} TFLOP a second."
        yield replace(step, caption=caption, quick=True)
    ratio = number(day.bench.seconds(most) / day.bench.seconds(1), 1)
    compared = "as long as" if ratio == "1.0" else f"{ratio} times as long as"
    caption = (
        f"{tokens(most)} computed in {day.time(most)}, {compared} 1 token takes. "
        f"The other {number(most - 1)} rode along on one reading of the weights."
    )
    yield day.bench.run(f"tokens-{most}", caption, most)


def _ridge(day: _Day) -> Iterator[Step]:
    n = day.paying[0]
    day.bench.ridge = day.bench.roofline.ridge_tokens
    caption = (
        f"{tokens(n)} computed, and it takes {day.time(n)}. At {number(day.bench.ridge)} the arithmetic lasts as "
        "long as reading the weights: the ridge."
    )
    yield day.bench.run("ridge", caption, n)


def _paying(day: _Day) -> Iterator[Step]:
    before, first, *_, document = day.paying
    caption = (
        f"{tokens(first)} computed in {day.time(first)}; {number(before)} took {day.bare(before)}. "
        "Past the ridge the memory waits for the arithmetic."
    )
    yield day.bench.run(f"tokens-{first}", caption, first)
    for previous, n in pairwise(day.paying[1:-1]):
        ratio = number(day.bench.seconds(n) / day.bench.seconds(previous), 2)
        caption = f"{tokens(n)} computed in {day.time(n)}, {ratio} times the wait for {number(previous)}."
        yield replace(day.bench.run(f"tokens-{n}", caption, n), quick=True)
    caption = (
        f"{WHO}'s document, {tokens(document)}, all computed: {day.time(document)} before the first word of an answer. "
        "Faster memory would hardly help her."
    )
    yield day.bench.run("document", caption, document)


def _attention(day: _Day) -> Iterator[Step]:
    document = day.scenario.document_tokens
    part = document // 4
    for n, sentence in (
        (part, f"Look closer: the lower line leaves attention out. With {tokens(part)} computed, attention takes"),
        (document, f"Every token attends to all before it. With {tokens(document)} computed, attention takes"),
    ):
        share = day.bench.attention(n) / day.bench.seconds(n)
        caption = f"{sentence} {percent(share)} of the time, {span(day.bench.attention(n))} of {day.bare(n)}."
        step = day.bench.run(f"attention-{n}", caption, n)
        lighter = tuple((m, s - day.bench.attention(m)) for m, s in step.curve if m > day.bench.roofline.ridge_tokens)
        yield replace(step, curve_without_attention=lighter, look_closer=(part / 1.1, document * 1.1))


def _take_back(day: _Day) -> Iterator[Step]:
    document, new = day.scenario.document_tokens, day.scenario.question_tokens
    for reused in (document // 8, document // 2):
        caption = (
            f"{WHO} returns: {tokens(reused)} reused, {number(new)} computed. First token after "
            f"{day.time(new, reused)} instead of {day.bare(new + reused)}."
        )
        yield day.bench.run(f"reused-{reused}", caption, new, reused)
    caption = (
        f"{WHO}'s document once more, {day.time(document)} when nothing is held. Now all is held but the last "
        f"{tokens(new)}. How long must she wait?"
    )
    yield day.bench.run("how-long-now", caption, document)
    reused = document - new
    above = bare(day.bench.seconds(new, reused) - day.bench.roofline.floor_seconds)
    caption = (
        f"{tokens(reused)} reused, {number(new)} computed. First token after {day.time(new, reused)}, {above} above "
        "one reading of the weights."
    )
    yield day.bench.run("cached", caption, new, reused)


def _real_cards(day: _Day) -> Iterator[Step]:
    n = day.paying[0]
    products, passes = diamonds.measured_products(day.bench.roofline), diamonds.measured_passes(day.bench.roofline)
    for diamond in products:
        if diamond.tokens == n:
            plain = bare(diamonds.products_seconds(day.bench.roofline, n))
            caption = (
                f"Diamonds are matrix products measured on such cards: {tokens(n)} computed in "
                f"{span(diamond.seconds)}, not {plain}. The real knee is soft."
            )
            yield replace(day.bench.run("products", caption, n), measured=products)
    for diamond in passes:
        if diamond.tokens == n:
            caption = (
                f"Every kernel of a pass, measured: {span(passes[0].seconds)} for {tokens(passes[0].tokens)}, "
                f"{bare(diamond.seconds)} for {number(n)}. Small kernels, links and launches come on top."
            )
            yield replace(day.bench.run("whole-passes", caption, n), measured=passes)


_BEATS: tuple[tuple[str, Callable[[_Day], Iterator[Step]]], ...] = (
    ("One token", _one_token),
    ("Free riders", _free_riders),
    ("The ridge", _ridge),
    ("Paying your own way", _paying),
    ("Attention's share", _attention),
    ("Take back what is cached", _take_back),
    ("Against real cards", _real_cards),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """What prose may quote of the whole run: seconds, tokens, ratios; seconds per 1,000 tokens for slopes."""
    roofline = scenario.roofline()
    day = _Day(scenario, Bench(roofline))
    seconds, (*_, before, document) = day.bench.seconds, scenario.doublings()
    free, past = day.free[-1], day.paying[2:4]
    return node_facts(roofline) | {
        "passes": sum(step.new_tokens > 0 for step in steps),
        "bandwidth": roofline.bytes_per_second,
        "peak_flops": roofline.rate("MLP"),
        "arithmetic_of_one": day.bench.arithmetic(1),
        "free": {"tokens": free, "ratio": seconds(free) / seconds(1)},
        "attention": {
            "part": day.bench.attention(document // 4) / seconds(document // 4),
            "document": day.bench.attention(document) / seconds(document),
        },
        "document": document,
        "question": scenario.question_tokens,
        "slopes": {
            "products": 1000 * diamonds.products_seconds(roofline, document) / document,
            "start": 1000 * (seconds(past[1]) - seconds(past[0])) / (past[1] - past[0]),
            "end": 1000 * (seconds(document) - seconds(before)) / (document - before),
        },
        "turn": {"new": TURN, "reused": HISTORY, "after": seconds(TURN, HISTORY), "alone": seconds(TURN)},
        "busy": {"prompts": TURN // free, "apart": TURN // free * seconds(free), "together": seconds(TURN)},
        "measured": diamonds.against(roofline),
    }
