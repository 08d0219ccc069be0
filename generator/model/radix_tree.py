"""A radix tree over pages of tokens as SGLang keeps it: nodes split where prompts part, leaves are evicted."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator

from generator.errors import UnknownName
from generator.model.cache import Evicted
from generator.model.radix_node import POLICIES, Node, NodeState, Place, Tokens


class RadixTree:
    """Holds sequences of whole pages; `policy` says which leaf is evicted first.

    Equal sequences in different `space`s (any hashable value) have nothing in common. Raises UnknownName
    for a policy that SGLang does not have.
    """

    def __init__(self, page_tokens: int, policy: str) -> None:
        if policy not in POLICIES:
            raise UnknownName("eviction policy", policy, POLICIES)
        self.page_tokens = page_tokens
        self.tokens = 0
        self.locked_tokens = 0
        self._place = POLICIES[policy]
        self._ticks = 0
        self._serial = 0
        self.root = Node((), None, 0, None, 0, 0, 0)
        # Every evictable leaf is in here at its present place. Entries that no longer hold are skipped.
        self._heap: list[tuple[Place, int, Node]] = []

    def states(self) -> Iterator[NodeState]:
        """All nodes but the root, parents before children, siblings in order of insertion."""
        waiting = [(self.root, child) for child in reversed(self.root.children.values())]
        while waiting:
            parent, node = waiting.pop()
            leaf = not node.children
            yield NodeState(
                node.serial, parent.serial, node.start, node.tokens, node.owner, node.locks, node.hits, leaf
            )
            waiting += [(node, child) for child in reversed(node.children.values())]

    def match(self, tokens: Tokens, space: Hashable) -> Node:
        """The end of the longest prefix held, split there if need be. Its whole path is refreshed."""
        return self._walk(tokens, space, self.root)[0]

    def peek(self, tokens: Tokens, space: Hashable) -> int:
        """Tokens of the longest prefix held. Changes nothing."""
        node = self.root
        while child := self._child(node, tokens, space):
            shared = self._shared_tokens(child.tokens, tokens, child.start)
            if shared < len(child.tokens):
                return child.start + shared
            node = child
        return node.end

    def insert(
        self, tokens: Tokens, space: Hashable, owner: Hashable, priority: int, known: Node | None = None
    ) -> list[Node]:
        """Hold `tokens`; returns the path to their end, a node that is new (if one is) last.

        A node's priority is the highest of all that were inserted through it. `known` is the end of a prefix of
        `tokens` that is held for certain, being locked, and need not be looked for.
        """
        node, path = self._walk(tokens, space, known or self.root)
        if node.end < len(tokens):
            child = self._node(tokens[node.end :], node, owner, priority)
            child.key = self._key(child.tokens, space if node is self.root else None)
            node.children[child.key] = child
            self.tokens += len(child.tokens)
            path.append(child)
        self.raise_priority(path, priority)
        return path

    def raise_priority(self, path: list[Node], priority: int) -> None:
        """Let no node of `path` have less than `priority`."""
        for node in path:
            node.priority = max(node.priority, priority)
        self._offer(path)

    def count_hit(self, path: list[Node]) -> None:
        """Count one more request that led through `path`."""
        for node in path:
            node.hits += 1
        self._offer(path)

    def lock(self, node: Node, change: int) -> None:
        """Add `change` (1 or -1) to the locks of `node` and of all above it."""
        above: Node | None = node
        while above is not None and above is not self.root:
            was_locked = above.locks > 0
            above.locks += change
            self.locked_tokens += ((above.locks > 0) - was_locked) * len(above.tokens)
            above = above.parent
        self._offer([node])

    def evict(self, tokens: int) -> list[Evicted]:
        """Remove whole leaves in the policy's order until `tokens` are gone, or no leaf can go.

        A parent joins the leaves once it is childless and unlocked.
        """
        evicted: list[Evicted] = []
        gone = 0
        while gone < tokens and self._heap:
            place, _, node = heapq.heappop(self._heap)
            parent = node.parent
            if parent is None or not node.evictable or place != self._place(node):
                continue
            del parent.children[node.key]
            node.parent = None
            self.tokens -= len(node.tokens)
            gone += len(node.tokens)
            evicted.append(Evicted(node.owner, node.start, len(node.tokens)))
            self._offer([parent])
        return evicted

    def _walk(self, tokens: Tokens, space: Hashable, node: Node) -> tuple[Node, list[Node]]:
        """Follow `tokens` on from `node`. All that lies on the way gets one and the same access time.

        So does the rest of a node that parts on the way, although it does not match.
        """
        self._ticks += 1
        now = self._ticks
        path = node.path()
        for passed in path:
            passed.accessed = now
        self._offer(path)
        while child := self._child(node, tokens, space):
            child.accessed = now
            shared = self._shared_tokens(child.tokens, tokens, child.start)
            parts = shared < len(child.tokens)
            node = self._split(child, shared) if parts else child
            self._offer([child])
            path.append(node)
            if parts:
                break
        return node, path

    def _split(self, child: Node, at: int) -> Node:
        """Put a new node with the first `at` tokens of `child` over it.

        New are its times of creation and access; hits, priority and locks are the child's.
        """
        parent = child.parent
        assert parent is not None, "only what hangs in the tree is split"
        upper = self._node(child.tokens[:at], parent, child.owner, child.priority)
        upper.locks, upper.hits, upper.key = child.locks, child.hits, child.key
        parent.children[upper.key] = upper
        child.parent, child.start, child.tokens = upper, child.start + at, child.tokens[at:]
        child.key = self._key(child.tokens, None)
        upper.children[child.key] = child
        return upper

    def _node(self, tokens: Tokens, parent: Node, owner: Hashable, priority: int) -> Node:
        self._ticks += 1
        self._serial += 1
        return Node(tokens, parent, parent.end, owner, priority, self._ticks, self._serial)

    def _child(self, node: Node, tokens: Tokens, space: Hashable) -> Node | None:
        page = tokens[node.end : node.end + self.page_tokens]
        return node.children.get(self._key(page, space if node is self.root else None)) if page else None

    def _key(self, tokens: Tokens, space: Hashable) -> Hashable:
        return space, tokens[: self.page_tokens]

    def _shared_tokens(self, held: Tokens, tokens: Tokens, at: int) -> int:
        """How many of the first tokens of `held` stand in `tokens` from position `at`, in whole pages."""
        there = tokens[at : at + len(held)]
        if there == held:
            return len(held)
        pairs = enumerate(zip(held, there, strict=False))
        shared = next((number for number, (ours, theirs) in pairs if ours != theirs), len(there))
        return shared - shared % self.page_tokens

    def _offer(self, path: list[Node]) -> None:
        """Note the present place of the end of `path`: all above it have children and cannot be evicted."""
        if path and path[-1].evictable:
            heapq.heappush(self._heap, (self._place(path[-1]), path[-1].serial, path[-1]))
