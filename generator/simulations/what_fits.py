"""One node, conversations of one length: how many fit beside the weights, and what lets more of them fit.

A conversation is held whole or refused, by the `ideal` rules; nothing is evicted. Memory is that of the plain
roofline: nominal, less the resident weights and a reserve. Nobody computes here; times are facts for the prose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.model import fitting_told as told
from generator.model import presets
from generator.model.calibrated import Calibrated
from generator.model.fitting import Fitting, Moment
from generator.model.quoted import node_facts
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter, blame, parameter
from generator.model.ways import Way, ways
from generator.units import number, tokens

Step = Moment
MOST_SQUARES = 1000  # more can neither be told apart nor drawn quickly
LEAST_FIT = 8  # conversations: with fewer there is nothing to double
SOME = 64  # conversations: what the page quotes between one and as many as fit


@dataclass(frozen=True)
class Scenario:
    """Which model on which cards, and how long a conversation is. Raises BadParameter for what makes no sense."""

    model: str = parameter("llama-3.1-70b", "the model, by preset name: dense, with grouped queries")
    node: str = parameter("4x a100-80gb", "the cards it runs on: how many, and a preset name")
    reserve: float = parameter(0.10, "the share of the memory that is kept back as working space")
    system_prompt_tokens: int = parameter(2048, "length of everybody's system prompt, in tokens; a square is its cache")
    conversation_tokens: int = parameter(4096, "length of a conversation, in tokens, the system prompt included")

    def __post_init__(self) -> None:
        with blame("model"):
            model = presets.model(self.model)
        if model.latent or model.experts or model.kv_heads >= model.heads:
            message = f"{self.model} is no dense model with fewer key-value heads than query heads"
            raise BadParameter("model", message, "take one that is, such as llama-3.1-70b")
        if not 0 <= self.reserve < 1:
            raise BadParameter("reserve", f"is a share of the memory, not {self.reserve:g}", "from 0 to below 1")
        with blame("node"):
            self.ways()
        if not 1 <= self.system_prompt_tokens < self.conversation_tokens:
            message = f"{tokens(self.system_prompt_tokens)} of a conversation of {number(self.conversation_tokens)}"
            raise BadParameter("system_prompt_tokens", message, "at least 1, and fewer than in the conversation")
        self._check_size()

    def _check_size(self) -> None:
        """Neither too many squares to draw nor too few conversations to tell of."""
        fitting = self.fitting()
        if fitting.squares.all > MOST_SQUARES:
            message = f"makes {number(fitting.squares.all)} squares; at most {number(MOST_SQUARES)} can be drawn"
            raise BadParameter("system_prompt_tokens", message, "a longer system prompt makes larger squares")
        for way, least in zip(fitting.ways, (LEAST_FIT, 1), strict=False):
            fit = way.roofline.cache_budget_tokens // self.conversation_tokens
            if fit < least:
                raise BadParameter("conversation_tokens", f"{fit} fit ({way.name})", f"at least {least} must")

    def ways(self) -> dict[str, Way]:
        """The model on its node, as it comes and in the other ways to compare."""
        return ways(presets.model(self.model), self.node, self.reserve)

    def fitting(self) -> Fitting:
        """The node, with nobody on it."""
        return Fitting(tuple(self.ways().values()), self.system_prompt_tokens, self.conversation_tokens)


def simulate(scenario: Scenario) -> Iterator[Step]:
    """The cards fill, in four ways, one after the other."""
    node = scenario.fitting()
    for title, beat in _BEATS:
        for position, step in enumerate(beat(node)):
            yield replace(step, beat="" if position else title)


def _before(node: Fitting) -> Iterator[Step]:
    yield node.show("empty", told.bare(node), stage=0)
    yield node.show("weights", told.weights(node), stage=1)
    yield node.show("working-space", told.working_space(node))


def _one_token(node: Fitting) -> Iterator[Step]:
    yield node.show("one-token", told.one_token(node), held=1)
    yield node.show("ana-prompt", told.system_prompt(node), held=node.head)
    node.fill(1)
    yield node.show("ana", told.first(node))


def _doubling(node: Fitting) -> Iterator[Step]:
    count = 2
    while count < node.room.capacity // node.whole - 1:
        node.fill(count)
        yield replace(node.show(f"conversations-{count}", told.so_many(node)), quick=True)
        count *= 2


def _until_one_does_not_fit(node: Fitting) -> Iterator[Step]:
    node.fill(node.room.capacity // node.whole - 1)
    yield node.show("nearly-full", told.nearly_full(node))
    node.fill()
    yield node.show("full", told.full(node))
    yield node.show("refused", told.refused(node), refused=True)


def _every_query_head(node: Fitting) -> Iterator[Step]:
    before, fitted = node.way.roofline, node.room.conversations
    node.change(node.ways[1])
    yield node.show("every-head-asks", told.every_head_question(before))
    node.fill()
    yield node.show("every-head", told.every_head_answer(node))
    yield node.show("every-head-refused", told.every_head_refused(node, before, fitted), refused=True)


def _half_the_bytes(node: Fitting) -> Iterator[Step]:
    node.change(node.ways[2])
    node.fill(1)
    yield node.show("eight-bit", told.eight_bit(node))
    node.fill()
    yield node.show("eight-bit-full", told.eight_bit_full(node))


def _say_it_once(node: Fitting) -> Iterator[Step]:
    node.change(node.ways[3])
    node.fill(1)
    yield node.show("ana-again", told.written_out(node))
    node.fill(2)
    yield node.show("ben-shares", told.begins_alike(node))
    node.fill()
    yield node.show("shared-full", told.shared_full(node))


def _no_card_was_bought(node: Fitting) -> Iterator[Step]:
    yield node.show("four-bars", told.compared(node))


_BEATS: tuple[tuple[str, Callable[[Fitting], Iterator[Step]]], ...] = (
    ("Before the first word", _before),
    ("One token", _one_token),
    ("Doubling each time", _doubling),
    ("Until one does not fit", _until_one_does_not_fit),
    ("A head per query head", _every_query_head),
    ("Half the bytes", _half_the_bytes),
    ("Say the beginning once", _say_it_once),
    ("No card was bought", _no_card_was_bought),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """What prose may quote: seconds, bytes, tokens, squares and conversations."""
    by_name = scenario.ways()
    plain = by_name["plain"].roofline
    counts = {variant.name: variant.count for variant in steps[-1].variants}
    fit = {name: counts[way.name] for name, way in by_name.items()}
    model, context = plain.model, scenario.conversation_tokens
    return node_facts(plain) | {
        "cards": plain.node.count,
        "layers": model.layers,
        "heads": model.heads,
        "kv_heads": model.kv_heads,
        "head_dim": model.head_dim,
        "reserve": plain.reserve,
        "budget_bytes": plain.cache_budget_bytes,
        "squares": steps[0].free_squares,
        "squares_left": steps[2].free_squares,
        "square_bytes": scenario.system_prompt_tokens * plain.kv_bytes_per_token,
        "head_tokens": scenario.system_prompt_tokens,
        "conversation_tokens": context,
        "conversation_bytes": context * plain.kv_bytes_per_token,
        "conversations_per_percent": plain.memory_bytes / 100 / (context * plain.kv_bytes_per_token),
        "fit": fit,
        "bytes_per_token": {name: way.roofline.kv_bytes_per_token for name, way in by_name.items()},
        "budgets": {name: way.roofline.cache_budget_tokens for name, way in by_name.items()},
        "one": _decode(plain, 1, context),
        "some": _decode(plain, SOME, context),
        "all": _decode(plain, fit["plain"], context),
        "sharing": _decode(plain, fit["shared"], context),
    }


def _decode(roofline: Roofline, batch: int, context: int) -> dict[str, float | None]:
    """One decode step for `batch` conversations: its time, and tokens a second for all of them together.

    The calibrated rate is None for a family of cards that nobody has measured.
    """
    seconds = roofline.decode(batch, context).seconds
    calibrated = Calibrated.of(roofline)
    return {
        "conversations": batch,
        "step": seconds,
        "tokens_per_second": batch / seconds,
        "weights_share": roofline.floor_seconds / seconds,
        "calibrated_tokens_per_second": batch / calibrated.decode(batch, context).seconds if calibrated else None,
    }
