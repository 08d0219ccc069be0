"""A cache of fixed size that takes conversations whole, or refuses them: nobody is evicted."""

from __future__ import annotations

from collections.abc import Sequence

from generator.model.prefix_tree import PrefixTree, Segment


class Room:
    """A cache for `capacity` tokens, by the `ideal` rules: what begins alike is held once."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.held = 0  # tokens; always those of the tree, counted along
        self.conversations = 0
        self._tree = PrefixTree()

    def admit(self, segments: Sequence[Segment]) -> bool:
        """Hold a conversation, if what of it is not held yet still fits; else nothing changes."""
        new = sum(segment.tokens for segment in segments) - self._tree.match(segments)
        if self.held + new > self.capacity:
            return False
        self._tree.insert(segments)
        self.held += new
        self.conversations += 1
        return True
