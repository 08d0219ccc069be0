"""Host memory behind a node's cache: what was evicted from the cards may still be there, and is read back."""

from __future__ import annotations

from collections.abc import Sequence

from generator.model.lru import LruCache
from generator.model.roofline import Roofline

LINK_EFFICIENCY = 0.8
"""Of the host link's peak that copies reach: an assumption. Protocol overhead alone takes about a tenth."""


class HostTier:
    """A copy in host memory of everything a node computes, the least recently used evicted first.

    That is SGLang's hierarchical cache with its default policy, `write_through`: what the cards hold is held here as
    well, so the room is that of both together. `tokens` is the room, in blocks of `block_tokens`; a token number stands
    for itself and all before it.
    """

    def __init__(self, tokens: int, block_tokens: int = 16) -> None:
        self.block_tokens = block_tokens
        self._held = LruCache(tokens // block_tokens, block_tokens)

    def parked(self, prompt: Sequence[int], on_cards: int) -> int:
        """Tokens of `prompt` that are here after the first `on_cards`. The last is always computed, so it is none."""
        return max(0, self._held.probe(self._blocks(prompt[:-1])) - on_cards)

    def copy(self, tokens: Sequence[int]) -> None:
        """Hold the full blocks of `tokens` too, as the most recent."""
        self._held.start(0, self._blocks(tokens))
        self._held.finish(0)

    def _blocks(self, tokens: Sequence[int]) -> Sequence[int]:
        """Full blocks, by their last tokens."""
        return tokens[self.block_tokens - 1 :: self.block_tokens]


def reading_back(roofline: Roofline, tokens: int, efficiency: float = LINK_EFFICIENCY) -> float:
    """Seconds in which the keys and values of `tokens` come over the host links, a share over each card's.

    Raises ValueError for cards whose host link is not known.
    """
    rate = roofline.node.host_link_bytes_per_second
    if rate is None:
        raise ValueError(f"the host link of {roofline.node.card.name} is not known")
    return tokens * roofline.kv_bytes_per_token / (rate * efficiency)
