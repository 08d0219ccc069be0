"""What others measured on real cards, pass by pass, beside the plain and the calibrated roofline of the same cards.

A measured pass is the sum of kernels that were measured one by one. The model and the cards are those of the rows;
how far either roofline is off is its time over the measured one, less one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.model import presets, reference
from generator.model.compared import Bench, Compared, off
from generator.model.compared_told import Cards, MeasuredStep, side
from generator.model.moment import bare
from generator.model.quoted import node_facts
from generator.model.scenario import BadParameter, blame, parameter
from generator.units import number, percent, span, tokens

TURN, CONTEXT = 32, 2048  # tokens: the turn whose losses the page lists

Step = MeasuredStep


@dataclass(frozen=True)
class Scenario:
    """Which measurements. Raises BadParameter for a model or cards that nobody measured whole passes of."""

    model: str = parameter("llama-3.1-70b", "the model, by preset name")
    node: str = parameter("4x a100-80gb", "the cards it ran on: how many, and a preset name")
    other_node: str = parameter("4x h100", "the cards that come after them")

    def __post_init__(self) -> None:
        with blame("model"):
            presets.model(self.model)
        for name, node in (("node", self.node), ("other_node", self.other_node)):
            with blame(name):
                Bench.of(self.model, node)
        cards, other = self.cards()
        if cards.slug == other.slug:
            raise BadParameter(
                "other_node", f"{self.other_node} is much like {self.node}", "name cards of another kind"
            )

    def cards(self) -> tuple[Cards, Cards]:
        """Both, in the order in which they come."""
        return Cards(Bench.of(self.model, self.node)), Cards(Bench.of(self.model, self.other_node))


def simulate(scenario: Scenario) -> Iterator[Step]:
    """Every measured pass: over nothing, over what is cached, one token each, then all of it on the other cards."""
    cards = scenario.cards()
    for title, beat in _BEATS:
        for position, step in enumerate(beat(*cards)):
            yield replace(step, beat="" if position else title)


def _nothing_cached(cards: Cards, _: Cards) -> Iterator[Step]:
    first = cards.bench.series[0]
    caption = (
        "Two lines say how long a pass takes: plain, which the pages use, and calibrated. Nothing is measured yet."
    )
    yield cards.show("nothing", caption, first, 0)
    furthest = min(first.rows, key=lambda row: row.plain_off)
    for seen, row in enumerate(first.rows):
        if row is not furthest:
            yield cards.step(first, row)
            continue
        caption = f"{tokens(row.tokens)} next. Plain still says {span(row.plain)}. What did the cards take?"
        yield cards.show("furthest-asked", caption, first, seen)
        caption = (
            f"{span(row.measured)}: plain is {side(row.plain_off)}. Reading and arithmetic hide each other only in "
            f"part: calibrated says {bare(row.calibrated)}."
        )
        yield cards.step(first, row, caption)


def _over_cached(cards: Cards, _: Cards) -> Iterator[Step]:
    later = [series for series in cards.bench.series if series.stage == "prefill" and series.cached]
    first, *rest = cards.all_of(later)
    yield from (replace(first, quick=False), *rest)


def _a_token_each(cards: Cards, _: Cards) -> Iterator[Step]:
    first, *rest = cards.all_of([series for series in cards.bench.series if series.stage == "decode"])
    yield from (replace(first, quick=False), *rest)


def _other_cards(_: Cards, cards: Cards) -> Iterator[Step]:
    row = cards.bench.series[0].rows[0]
    caption = f"The same model on {cards.bench.plain.node.name}. {tokens(row.tokens)}: {span(row.measured)} measured."
    first, *rest = cards.all_of(cards.bench.series)
    yield from (replace(first, caption=caption, quick=False), *rest)


def _how_far_off(cards: Cards, other: Cards) -> Iterator[Step]:
    sums = off(cards.bench.rows + other.bench.rows)
    caption = (
        f"Of {number(sums['count'])} passes calibrated is {percent(sums['calibrated_mean'])} off on average, "
        f"{percent(sums['calibrated_worst'])} at worst. Plain lies up to {percent(-sums['plain_lowest'])} below."
    )
    first = cards.bench.series[0]
    yield cards.show("all", caption, first, len(first.rows))


_BEATS: tuple[tuple[str, Callable[[Cards, Cards], Iterator[Step]]], ...] = (
    ("Nothing in the cache", _nothing_cached),
    ("Over what is cached", _over_cached),
    ("One more token each", _a_token_each),
    ("On other cards", _other_cards),
    ("How far off", _how_far_off),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """Rows by their cards and names, how far both rooflines are off, why, and the constants behind them."""
    cards, other = scenario.cards()
    furthest = min(cards.bench.rows, key=lambda row: row.plain_off)
    return node_facts(cards.bench.plain) | {
        "passes": sum(step.measured_seconds is not None for step in steps),
        "rows": {one.slug: {row.name: row for row in one.bench.rows} for one in (cards, other)},
        "off": _off(cards, other),
        "furthest": furthest,
        "losses": {
            "one": cards.bench.losses(1),
            "turn": cards.bench.losses(TURN, CONTEXT),
            "furthest": cards.bench.losses(furthest.tokens),
        },
        "products": reference.products(cards.bench.plain),
        "products_off": reference.products_off(),
        "unseen_off": reference.unseen_off(),
        "cards": reference.cards(),
        "models": reference.models(),
        "families": reference.families(),
        "calibrations": reference.calibrations(),
        "sources": reference.sources(),
    }


def _off(*cards: Cards) -> dict[str, object]:
    """How far off both are over all passes, by cards, and over prefills by what is cached before them."""
    series = [one for each in cards for one in each.bench.series]
    cached: dict[int, list[Compared]] = {}
    for one in series:
        if one.stage == "prefill":
            cached.setdefault(one.cached, []).extend(one.rows)
    found: dict[str, object] = {each.slug: off(each.bench.rows) for each in cards}
    return found | {
        "all": off(row for one in series for row in one.rows),
        "cached": {count: off(rows) for count, rows in cached.items()},
    }
