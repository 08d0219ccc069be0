"""SGLang's rules (0.5.23): a radix tree over pages, locked by running requests, evicted leaf by leaf."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from generator.errors import UnknownName
from generator.model.cache import PLAIN, Evicted, Extra, Outcome
from generator.model.radix_node import Node, NodeState, Tokens
from generator.model.radix_tree import RadixTree

EVICT_RULES = ("exact", "scheduler")


@dataclass
class _Request:
    tokens: Tokens
    space: Hashable
    priority: int
    kv_tokens: int
    node: Node  # the end of what the tree holds for it, locked
    stalled: bool = False


class SglangCache:
    """`capacity_pages` pages of `page_tokens`, one eviction policy (see `radix_node.POLICIES`).

    `evict_rule` says how much is freed when room is short: "exact" what is missing, "scheduler" what is
    missing of the scheduler's estimate, which adds a page to every prefill (if pages have more than one
    token) and takes a page for every decode step. Raises UnknownName for an unknown policy or rule.
    """

    def __init__(
        self, capacity_pages: int, page_tokens: int = 1, policy: str = "lru", evict_rule: str = "exact"
    ) -> None:
        if capacity_pages < 1 or page_tokens < 1:
            raise ValueError("a cache has at least one page of at least one token")
        if evict_rule not in EVICT_RULES:
            raise UnknownName("evict rule", evict_rule, EVICT_RULES)
        self.page_tokens = page_tokens
        self.capacity_tokens = capacity_pages * page_tokens
        self._over_estimates = evict_rule == "scheduler"
        self._tree = RadixTree(page_tokens, policy)
        self._requests: dict[Hashable, _Request] = {}
        self.free_tokens = self.capacity_tokens

    @property
    def tree_tokens(self) -> int:
        """Tokens held in the tree."""
        return self._tree.tokens

    @property
    def protected_tokens(self) -> int:
        """Those on the path of a running request."""
        return self._tree.locked_tokens

    @property
    def evictable_tokens(self) -> int:
        """Those that nobody runs on."""
        return self._tree.tokens - self._tree.locked_tokens

    def nodes(self) -> tuple[NodeState, ...]:
        """The tree, parents before children, siblings in order of insertion."""
        return tuple(self._tree.states())

    def probe(self, prompt: Sequence[Hashable], *, extra: Extra = PLAIN) -> int:
        """Tokens of `prompt` in the tree, in whole pages. Changes nothing."""
        return self._tree.peek(self._whole_pages(extra.marked(prompt)), _space(extra))

    def match(self, prompt: Sequence[Hashable], *, extra: Extra = PLAIN) -> int:
        """As `probe`, but as a request would: it refreshes the path and may split a node."""
        return self._tree.match(self._whole_pages(extra.marked(prompt)), _space(extra)).end

    def insert(self, tokens: Sequence[Hashable], *, extra: Extra = PLAIN, priority: int = 0) -> int:
        """Hand over the pages of `tokens` without a request; returns how many were held already.

        The engine's bare insert: pages it does not take (duplicates, the partial one) stay with the caller
        and are not free. Raises ValueError if there is no room.
        """
        pages = self._pages(len(tokens)) * self.page_tokens
        if pages > self.free_tokens:
            raise ValueError("no room: evict first")
        self.free_tokens -= pages
        before = self._tree.tokens
        whole = self._whole_pages(extra.marked(tokens))
        self._tree.count_hit(self._tree.insert(whole, _space(extra), None, priority))
        return len(whole) - (self._tree.tokens - before)

    def evict(self, tokens: int) -> tuple[Evicted, ...]:
        """Free at least `tokens` by whole leaves, if so many can go."""
        evicted = self._tree.evict(tokens)
        self.free_tokens += sum(lost.tokens for lost in evicted)
        return tuple(evicted)

    def start(self, name: Hashable, prompt: Sequence[Hashable], *, extra: Extra = PLAIN, priority: int = 0) -> Outcome:
        """Match at most all tokens but the last, lock the match, make room, compute, insert the prompt.

        A prompt that finds no room even after eviction leaves the eviction done, as the engine's allocator does,
        and its match may have split a node. Room is a matter of pages: the scheduler's estimate need not fit.
        """
        if not prompt:
            raise ValueError("a prompt has at least one token")
        if name in self._requests:
            raise ValueError(f"request {name!r} is running already")
        tokens = extra.marked(prompt)
        space = _space(extra)
        node = self._tree.match(self._whole_pages(tokens[:-1]), space)
        matched = node.end
        self._tree.lock(node, 1)
        pages = self._pages(len(tokens)) - matched // self.page_tokens
        estimate = len(tokens) - matched + (self.page_tokens if self.page_tokens > 1 else 0)
        evicted = self._make_room(pages, estimate)
        if not self._take(pages):
            self._tree.lock(node, -1)
            return Outcome(ok=False, matched=matched, evicted=evicted)
        request = _Request(tokens, space, priority, len(tokens), node)
        self._requests[name] = request
        path = self._hold(name, request)
        self._tree.count_hit(path)
        request.node = path[-1] if path else self._tree.root
        self._tree.lock(request.node, 1)
        self._tree.lock(node, -1)
        return Outcome(True, matched, len(tokens) - matched, len(tokens), evicted=evicted)

    def append(self, name: Hashable, tokens: Sequence[Hashable]) -> Outcome:
        """Generate `tokens`, a step each. The step that finds no free page is the request's last."""
        request = self._requests.get(name)
        if request is None:
            return Outcome(ok=False)
        if request.stalled:
            return Outcome(ok=False, kv_tokens=request.kv_tokens, skipped=True)
        evicted: tuple[Evicted, ...] = ()
        generated: list[Hashable] = []
        for token in tokens:
            if request.kv_tokens < len(request.tokens) + len(generated):
                pages = int(request.kv_tokens % self.page_tokens == 0)
                evicted += self._make_room(pages, self.page_tokens)
                if not self._take(pages):
                    request.stalled = True
                    break
                request.kv_tokens += 1
            generated.append(token)
        request.tokens += tuple(generated)
        return Outcome(ok=not request.stalled, kv_tokens=request.kv_tokens, evicted=evicted)

    def finish(self, name: Hashable) -> Outcome:
        """Insert prompt and output, drop the partial page, unlock.

        Where prompt and output are more whole pages than the prompt alone, held already or not, all of the
        prompt's path ranks one priority above the request, so that of one request the reply goes first. A
        node counts a request once: the prompt's have counted it at its start.
        """
        request = self._requests.pop(name, None)
        if request is None:
            return Outcome(ok=False)
        path = self._hold(name, request)
        prompt_path = [node for node in path if node.end <= request.node.end]
        reply_path = path[len(prompt_path) :]
        self._tree.count_hit(reply_path)
        if reply_path:
            self._tree.raise_priority(prompt_path, request.priority + 1)
        if request.kv_tokens % self.page_tokens:
            self.free_tokens += self.page_tokens
        self._tree.lock(request.node, -1)
        return Outcome(ok=True, kv_tokens=request.kv_tokens)

    def _hold(self, name: Hashable, request: _Request) -> list[Node]:
        """Insert the request's tokens so far. Pages that the tree had already by now are freed."""
        whole = self._whole_pages(request.tokens[: request.kv_tokens])
        before = self._tree.tokens
        path = self._tree.insert(whole, request.space, name, request.priority, request.node)
        own = len(whole) - request.node.end
        self.free_tokens += own - (self._tree.tokens - before)
        return path

    def _make_room(self, pages: int, estimate: int) -> tuple[Evicted, ...]:
        wanted = estimate if self._over_estimates else pages * self.page_tokens
        return self.evict(wanted - self.free_tokens) if wanted > self.free_tokens else ()

    def _take(self, pages: int) -> bool:
        enough = pages * self.page_tokens <= self.free_tokens
        self.free_tokens -= pages * self.page_tokens * enough
        return enough

    def _pages(self, tokens: int) -> int:
        return -(-tokens // self.page_tokens)

    def _whole_pages(self, tokens: Sequence[Hashable]) -> Tokens:
        return tuple(tokens[: len(tokens) - len(tokens) % self.page_tokens])


def _space(extra: Extra) -> Hashable:
    return extra.adapter, extra.salt
