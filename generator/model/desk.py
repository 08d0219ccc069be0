"""A node that serves conversations one request at a time, with every prompt and reply kept under the `ideal` rules."""

from __future__ import annotations

from dataclasses import dataclass

from generator.model.conversation import Conversation
from generator.model.prefix_tree import PrefixTree
from generator.model.roofline import Roofline


@dataclass(frozen=True)
class Request:
    """A prompt (`conversation`, its newest message last) and what it found; times in seconds, to the first token."""

    conversation: Conversation
    reused: int
    seconds: float
    seconds_without: float

    @property
    def context(self) -> int:
        """Tokens of the whole prompt."""
        return self.conversation.tokens

    @property
    def computed(self) -> int:
        """Tokens of the prompt that were not found."""
        return self.context - self.reused


class Desk:
    """The cache, everybody whose conversation is in it, and the requests answered so far."""

    def __init__(self, roofline: Roofline) -> None:
        self.roofline = roofline
        self.tree = PrefixTree()
        self.held: dict[str, Conversation] = {}
        self.answered: list[Request] = []
        self._decoding: Conversation | None = None

    def ask(self, newcomer: Conversation) -> Request:
        """The next message of `newcomer`, or of the conversation held under the same name. Changes no prompt held.

        Whoever was being answered has been: that reply is in the cache now.
        """
        self.finish_reply()
        prompt = self.held.get(newcomer.who, newcomer).asked()
        reused = self.tree.match(prompt.segments)
        return Request(
            conversation=prompt,
            reused=reused,
            seconds=self.roofline.prefill(prompt.tokens - reused, reused).seconds,
            seconds_without=self.roofline.prefill(prompt.tokens).seconds,
        )

    def answer(self, request: Request) -> None:
        """Compute what `request` did not find, and hold it. Its reply is decoded from here on."""
        self._hold(request.conversation)
        self.answered.append(request)
        self._decoding = request.conversation

    def finish_reply(self) -> None:
        """Hold the reply that is being decoded, if there is one."""
        if self._decoding:
            self._hold(self._decoding.answered())
        self._decoding = None

    def _hold(self, conversation: Conversation) -> None:
        self.tree.insert(conversation.segments)
        self.held[conversation.who] = conversation
