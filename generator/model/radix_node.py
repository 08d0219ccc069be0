"""A node of SGLang's radix tree, and the policies that say which leaf goes first."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

Tokens = tuple[Hashable, ...]
Place = tuple[int, ...]


@dataclass(eq=False, slots=True)
class Node:
    """A run of tokens under its parent. Times are ticks of the tree's own clock.

    `start` is the number of tokens before it, `end` that from the root to its own end, `owner` the request
    that held it first, `locks` how many running requests lead through it, `hits` how many requests have
    inserted tokens through it, each counted once, `serial` its number in order of creation, `key` what its
    parent finds it by.
    """

    tokens: Tokens
    parent: Node | None
    start: int
    owner: Hashable
    priority: int
    now: int
    serial: int
    key: Hashable = None
    locks: int = 0
    hits: int = 0
    children: dict[Hashable, Node] = field(default_factory=dict)
    end: int = field(init=False)
    created: int = field(init=False)
    accessed: int = field(init=False)

    def __post_init__(self) -> None:
        self.end = self.start + len(self.tokens)
        self.created = self.accessed = self.now

    def path(self) -> list[Node]:
        """The nodes from below the root down to this one."""
        found: list[Node] = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    @property
    def evictable(self) -> bool:
        """Whether it is an unlocked leaf. The root never is, nor what has been evicted already."""
        return not self.children and not self.locks and self.parent is not None


@dataclass(frozen=True)
class NodeState:
    """A node as it stands, for drawing. `number` 0 is the root; a split leaves it to the lower part.

    `start` counts the tokens before it, `locks` the running requests that lead through it.
    """

    number: int
    parent: int
    start: int
    tokens: Tokens
    owner: Hashable
    locks: int
    hits: int
    leaf: bool


# The smallest goes first (SGLang, srt/mem_cache/evict_policy.py). A node is protected by `slru` from its
# second request on.
POLICIES: dict[str, Callable[[Node], Place]] = {
    "lru": lambda node: (node.accessed,),
    "lfu": lambda node: (node.hits, node.accessed),
    "slru": lambda node: (int(node.hits >= 2), node.accessed),
    "fifo": lambda node: (node.created,),
    "filo": lambda node: (-node.created,),
    "mru": lambda node: (-node.accessed,),
    "priority": lambda node: (node.priority, node.accessed),
}
