"""The `ideal` rules behind the interface of all caches: whole segments, no limit, nothing evicted."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from generator.model.cache import PLAIN, Extra, Outcome
from generator.model.prefix_tree import PrefixTree, Segment


class IdealCache:
    """A `PrefixTree` for each set of extras. There is always room, so every start is ok."""

    def __init__(self) -> None:
        self._trees: dict[Extra, PrefixTree] = {}
        self._requests: dict[Hashable, tuple[Extra, list[Segment]]] = {}

    def tree(self, extra: Extra = PLAIN) -> PrefixTree:
        """What is held for requests with these extras."""
        return self._trees.setdefault(extra, PrefixTree())

    def start(self, name: Hashable, prompt: Sequence[Segment], *, extra: Extra = PLAIN) -> Outcome:
        """Match whole segments, hold the rest. All of a prompt may match: nothing need be computed."""
        matched = self.tree(extra).match(prompt)
        self.tree(extra).insert(prompt)
        self._requests[name] = extra, list(prompt)
        length = sum(segment.tokens for segment in prompt)
        return Outcome(ok=True, matched=matched, computed=length - matched, kv_tokens=length)

    def append(self, name: Hashable, tokens: Sequence[Segment]) -> Outcome:
        """Hold the segments of a reply as well, in full."""
        if name not in self._requests:
            return Outcome(ok=False)
        extra, segments = self._requests[name]
        segments += tokens
        self.tree(extra).insert(segments)
        return Outcome(ok=True, kv_tokens=sum(segment.tokens for segment in segments))

    def finish(self, name: Hashable) -> Outcome:
        """Forget the request; what it held stays."""
        return Outcome(ok=self._requests.pop(name, None) is not None)

    def probe(self, prompt: Sequence[Segment], *, extra: Extra = PLAIN) -> int:
        """Tokens of `prompt` that are held."""
        return self.tree(extra).match(prompt)
