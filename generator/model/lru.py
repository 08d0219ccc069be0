"""The reference LRU: block ids in order of their last use, whole requests at a time, nothing pinned."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from generator.model.cache import PLAIN, Evicted, Extra, Outcome

Key = tuple[Extra, int]


@dataclass(frozen=True)
class _Held:
    owner: Hashable
    index: int


class LruCache:
    """At most `capacity_blocks` ids (None: no limit), each standing for `block_tokens` tokens of a prompt.

    Per request: count the leading ids that are held; touch or insert all its ids from last to first, so
    that the first is the most recent; then evict the least recent until the capacity holds. Tails go first,
    and a request longer than the capacity leaves its head. An id stands for its content and all before it.
    """

    def __init__(self, capacity_blocks: int | None = None, block_tokens: int = 512) -> None:
        if (capacity_blocks is not None and capacity_blocks < 0) or block_tokens < 1:
            raise ValueError("a capacity is not negative and a block has at least one token")
        self.capacity_blocks = capacity_blocks
        self.block_tokens = block_tokens
        self._held: OrderedDict[Key, _Held] = OrderedDict()
        self._requests: dict[Hashable, tuple[Extra, list[int]]] = {}

    @property
    def held_blocks(self) -> int:
        """Ids held."""
        return len(self._held)

    def hits(self, ids: Sequence[int], *, extra: Extra = PLAIN) -> int:
        """How many leading `ids` are held. Changes nothing."""
        return next((at for at, block in enumerate(ids) if (extra, block) not in self._held), len(ids))

    def probe(self, prompt: Sequence[int], *, extra: Extra = PLAIN) -> int:
        """Tokens of the leading ids that are held, taking every block for full."""
        return self.hits(prompt, extra=extra) * self.block_tokens

    def start(
        self, name: Hashable, prompt: Sequence[int], *, extra: Extra = PLAIN, tokens: int | None = None
    ) -> Outcome:
        """Match and touch the ids of a prompt of `tokens` tokens (None: its last block is full, too).

        All of a prompt may match, its partial last block included.
        """
        length = len(prompt) * self.block_tokens if tokens is None else tokens
        matched = min(self.probe(prompt, extra=extra), length)
        self._requests[name] = extra, list(prompt)
        return Outcome(
            ok=True,
            matched=matched,
            computed=length - matched,
            kv_tokens=length,
            evicted=self._touch(name),
        )

    def append(self, name: Hashable, tokens: Sequence[int]) -> Outcome:
        """Add the ids of a reply's blocks and touch the whole sequence again."""
        if name not in self._requests:
            return Outcome(ok=False)
        ids = self._requests[name][1]
        ids += tokens
        evicted = self._touch(name) if tokens else ()
        return Outcome(ok=True, kv_tokens=len(ids) * self.block_tokens, evicted=evicted)

    def finish(self, name: Hashable) -> Outcome:
        """Forget the request. Nothing was pinned for it."""
        return Outcome(ok=self._requests.pop(name, None) is not None)

    def _touch(self, name: Hashable) -> tuple[Evicted, ...]:
        extra, ids = self._requests[name]
        for index in reversed(range(len(ids))):
            self._held.setdefault((extra, ids[index]), _Held(name, index))
            self._held.move_to_end((extra, ids[index]))
        surplus = 0 if self.capacity_blocks is None else max(0, len(self._held) - self.capacity_blocks)
        gone = [self._held.popitem(last=False)[1] for _ in range(surplus)]
        return tuple(Evicted(held.owner, held.index * self.block_tokens, self.block_tokens) for held in gone)
