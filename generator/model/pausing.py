"""The people of the page about returns: how many, how long they talk and pause, and what room there is for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.model import cast, presets
from generator.model.roofline import Roofline
from generator.model.scenario import BadParameter, blame, check_counts, parameter
from generator.model.think_time import ThinkTime
from generator.model.visitors import Crowd, Talk

MOST_SPREAD = 3.0
SHORT, LONG = 20.0, 600.0
"""Seconds of Ana's first pause and of Ben's."""


@dataclass(frozen=True)
class Pausing:
    """Parameters that both figures have. Raises BadParameter for what makes no sense."""

    model: str = parameter("llama-3.1-70b", "the model, by preset name")
    node: str = parameter("4x a100-80gb", "the cards it runs on: how many, and a preset name")
    sessions: int = parameter(24, "how many people come and go")
    room_for: int = parameter(12, "how many conversations fit into a node's cache")
    conversation_tokens: int = parameter(1024, "length of such a conversation, in tokens")
    opening_tokens: int = parameter(801, "what a conversation opens with, in tokens")
    message_tokens: int = parameter(8, "what each turn adds before its reply, in tokens")
    reply_tokens: int = parameter(24, "length of a reply, in tokens")
    median_pause_seconds: float = parameter(90.0, "half of the pauses are shorter, in seconds")
    pause_spread: float = parameter(1.0, "two pauses in three lie within a factor of e to this of the median")
    minutes: int = parameter(9, "how long returns are counted, after the first ten minutes")
    seed: int = parameter(9, "draws the pauses")

    def __post_init__(self) -> None:
        with blame("model"):
            presets.model(self.model)
        with blame("node"):
            budget = self.roofline().cache_budget_tokens
        with blame("median_pause_seconds"):
            ThinkTime(self.median_pause_seconds, 1.0)
        with blame("pause_spread"):
            ThinkTime(1.0, self.pause_spread)
        if not 1 <= self.median_pause_seconds <= LONG:
            raise BadParameter("median_pause_seconds", f"is {self.median_pause_seconds:g}", f"from 1 to {LONG:g}")
        if self.pause_spread > MOST_SPREAD:
            raise BadParameter("pause_spread", f"is {self.pause_spread:g}", f"at most {MOST_SPREAD:g}")
        for name in ("conversation_tokens", "opening_tokens", "message_tokens", "reply_tokens"):
            check_counts(name, {name.partition("_")[0]: getattr(self, name)}, "tokens")
        if self.capacity_tokens > budget:
            message = f"{self.room_for:,} conversations are {self.capacity_tokens:,} tokens, the cards hold {budget:,}"
            raise BadParameter("room_for", message, "fewer or shorter conversations")
        if not 4 <= self.room_for < self.sessions:
            raise BadParameter("room_for", f"is {self.room_for:,}", "at least 4, and fewer than the sessions")
        if self.sessions > len(cast.EVERYBODY):
            hint = f"at most {len(cast.EVERYBODY)}, who have names"
            raise BadParameter("sessions", f"{self.sessions:,} are more than a figure can show", hint)
        if not 6 <= self.minutes <= 20:
            raise BadParameter("minutes", f"is {self.minutes:,}", "from 6 to 20")

    @property
    def capacity_tokens(self) -> int:
        """Tokens of a node's cache."""
        return self.room_for * self.conversation_tokens

    @property
    def think(self) -> ThinkTime:
        """How long people pause."""
        return ThinkTime(self.median_pause_seconds, self.pause_spread)

    @property
    def talk(self) -> Talk:
        """How much they say."""
        return Talk(self.opening_tokens, self.message_tokens, self.reply_tokens)

    @property
    def pauses(self) -> Mapping[str, float]:
        """Ana is back soon, Ben is not."""
        return {cast.name(0): SHORT, cast.name(1): LONG}

    @property
    def until(self) -> float:
        """When the last return is counted, in seconds."""
        return LONG + 60 * self.minutes

    def roofline(self) -> Roofline:
        """The model on its node."""
        return Roofline.of(self.model, self.node)

    def crowd(self, **others: Any) -> Crowd:
        """These people at one node, `others` being what differs."""
        usual: dict[str, Any] = {
            "sessions": self.sessions,
            "think": self.think,
            "talk": self.talk,
            "capacity_tokens": self.capacity_tokens,
            "seed": self.seed,
            "pauses": self.pauses,
        }
        return Crowd(**(usual | others))

    def any_day(self, **others: Any) -> Crowd:
        """The same in the midst of any day: conversations as long as in the figure, and nobody's pause is set."""
        return self.crowd(**({"talk": self.talk.after(GROWN), "pauses": {}} | others))


GROWN = 5
"""Turns that people have had on average by the time their returns are counted."""
