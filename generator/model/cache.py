"""One interface over all rules for a prefix cache: what a request asks of it, and what it answers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar


@dataclass(frozen=True)
class Image:
    """An image in a prompt: `content` names its bytes; it stands for `tokens` placeholders from `start`."""

    content: str
    start: int
    tokens: int


@dataclass(frozen=True)
class Extra:
    """What goes into a prefix's key besides its tokens. Equal prompts with different extras share nothing.

    `adapter` names the weights added to the model, `salt` a tenant; `images` differ where their
    placeholders are equal.
    """

    adapter: str = ""
    salt: str = ""
    images: tuple[Image, ...] = ()

    def marked(self, prompt: Sequence[Hashable]) -> tuple[Hashable, ...]:
        """`prompt` with the placeholders of images replaced by what tells the images apart."""
        if not self.images:
            return tuple(prompt)
        tokens = list(prompt)
        for image in self.images:
            for place in range(image.start, min(image.start + image.tokens, len(tokens))):
                tokens[place] = (image.content, place - image.start)
        return tuple(tokens)


PLAIN = Extra()


@dataclass(frozen=True)
class Evicted:
    """A run of tokens lost to make room: `tokens` of them from position `start` of their sequence.

    `owner` is the request in which they first stood. `block` is the physical block in which they lay, where
    the rules have such (else None).
    """

    owner: Hashable
    start: int
    tokens: int
    block: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What one operation did. All counts are tokens.

    `ok`: there was room. `matched`: prompt tokens served from the cache (of a request that was dropped: what
    it would have hit), `computed`: the rest. `kv_tokens`: tokens of the request that have keys and values
    after it. `decode_ok`: the whole output found room. `skipped`: nothing was tried, because an earlier
    append had found no room. `evicted`: what was lost, in order.
    """

    ok: bool
    matched: int = 0
    computed: int = 0
    kv_tokens: int = 0
    decode_ok: bool = True
    skipped: bool = False
    evicted: tuple[Evicted, ...] = ()


Item = TypeVar("Item", contravariant=True)


class Cache(Protocol[Item]):
    """A prefix cache under some rules. Names of requests are any hashable value, unique while they run.

    A prompt is a sequence of items: token numbers, or what the rules take instead (`ideal`: segments;
    `lru`: block ids). An operation on a request that was dropped, or is not known, is not ok.
    """

    def start(self, name: Hashable, prompt: Sequence[Item], *, extra: Extra = PLAIN) -> Outcome:
        """Match the prompt and compute the rest."""

    def append(self, name: Hashable, tokens: Sequence[Item]) -> Outcome:
        """Add generated tokens, one step each. A token gets its keys and values one step late."""

    def finish(self, name: Hashable) -> Outcome:
        """Let go of the request's memory; what is cached stays until it is evicted."""

    def probe(self, prompt: Sequence[Item], *, extra: Extra = PLAIN) -> int:
        """Tokens of `prompt` that are held now. Changes nothing, and may be all of them."""


def run(
    cache: Cache[Item], name: Hashable, prompt: Sequence[Item], output: Sequence[Item] = (), **options: Any
) -> Outcome:
    """A whole request, alone: start it, append its output, finish it. An output without room stops early.

    `options` go to `start`.
    """
    started = cache.start(name, prompt, **options)
    if not started.ok:
        return started
    decoded = cache.append(name, output)
    finished = cache.finish(name)
    return Outcome(
        ok=True,
        matched=started.matched,
        computed=started.computed,
        kv_tokens=decoded.kv_tokens,
        decode_ok=decoded.ok,
        evicted=started.evicted + decoded.evicted + finished.evicted,
    )
