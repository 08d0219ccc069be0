"""vLLM's rules (0.33.0): a hash chain of full blocks, evicted from the front of a queue of free blocks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

from generator.model.block_key import ROOT, BlockKey, block_keys, short_name
from generator.model.block_pool import Block, BlockPool, BlockState
from generator.model.cache import PLAIN, Evicted, Extra, Outcome


@dataclass(frozen=True)
class HitStatistics:
    """Prompt tokens asked for and found. Those of requests that came back after preemption count apart.

    As in vLLM (v1/core/kv_cache_manager.py), whose hit rate leaves them out: they find their own tokens.
    """

    queries: int = 0
    hits: int = 0
    preempted_queries: int = 0
    preempted_hits: int = 0


@dataclass
class _Request:
    tokens: list[int]
    extra: Extra
    kv_tokens: int = 0
    table: list[Block] = field(default_factory=list)
    keys: list[BlockKey] = field(default_factory=list)
    cached: int = 0
    stalled: bool = False


class VllmCache:
    """A pool of `capacity_blocks` blocks of `block_tokens`, vLLM's reserved block not counted."""

    def __init__(self, capacity_blocks: int, block_tokens: int = 16) -> None:
        if capacity_blocks < 1 or block_tokens < 1:
            raise ValueError("a cache has at least one block of at least one token")
        self.block_tokens = block_tokens
        self.statistics = HitStatistics()
        self._pool = BlockPool(capacity_blocks, block_tokens)
        self._requests: dict[Hashable, _Request] = {}
        self._preempted: dict[Hashable, _Request] = {}

    @property
    def capacity_blocks(self) -> int:
        """Physical blocks in all."""
        return len(self._pool.blocks)

    @property
    def cached_blocks(self) -> int:
        """Different keys that can be hit."""
        return self._pool.cached_count

    @property
    def free_blocks(self) -> int:
        """Blocks that no running request refers to, cached ones included."""
        return self._pool.free_count

    @property
    def free_queue(self) -> tuple[int, ...]:
        """Numbers of the free blocks in the order in which they will be taken."""
        return self._pool.free_queue

    def blocks(self) -> tuple[BlockState, ...]:
        """All physical blocks by number."""
        return self._pool.states()

    def table(self, name: Hashable) -> tuple[int, ...]:
        """The block table of a running request: where its blocks 0, 1, 2 … lie. Raises KeyError."""
        return tuple(block.number for block in self._requests[name].table)

    def names(self, prompt: Sequence[int], *, extra: Extra = PLAIN) -> tuple[str, ...]:
        """The four-digit names of the full blocks of `prompt`."""
        return tuple(short_name(key) for key in block_keys(prompt, self.block_tokens, extra))

    def probe(self, prompt: Sequence[int], *, extra: Extra = PLAIN) -> int:
        """Tokens of `prompt` in cached blocks; changes nothing."""
        return len(self._pool.find(block_keys(prompt, self.block_tokens, extra))) * self.block_tokens

    def start(self, name: Hashable, prompt: Sequence[int], *, extra: Extra = PLAIN) -> Outcome:
        """Match and allocate a prompt (at least one token). Without room nothing is touched."""
        request = _Request(list(prompt), extra)
        outcome = self._admit(name, request)
        if outcome.ok:
            seen = self.statistics
            self.statistics = replace(seen, queries=seen.queries + len(prompt), hits=seen.hits + outcome.matched)
        return outcome

    def append(self, name: Hashable, tokens: Sequence[int]) -> Outcome:
        """Generate `tokens`, a step each. The step that finds no free block is the request's last."""
        request = self._requests.get(name)
        if request is None:
            return Outcome(ok=False)
        if request.stalled:
            return Outcome(ok=False, kv_tokens=request.kv_tokens, skipped=True)
        evicted: list[Evicted] = []
        done = 0
        while done < len(tokens):
            lost = self._compute(request)
            if lost is None:
                request.stalled = True
                break
            evicted += lost
            # Steps that stay within the last block ask nothing of the pool: they are done at once.
            steps = max(1, -len(request.tokens) % self.block_tokens)
            request.tokens += tokens[done : done + steps]
            request.kv_tokens = len(request.tokens) - 1
            self._spell(name, request)
            done += steps
        return Outcome(ok=not request.stalled, kv_tokens=request.kv_tokens, evicted=tuple(evicted))

    def finish(self, name: Hashable) -> Outcome:
        """Free the request's blocks, last to first, so that its tail is evicted before its head."""
        request = self._requests.pop(name, None)
        if request is None:
            return Outcome(ok=False)
        self._pool.release(reversed(request.table))
        return Outcome(ok=True, kv_tokens=request.kv_tokens)

    def preempt(self, name: Hashable) -> None:
        """Take a running request's blocks away; `resume` computes its tokens again. Raises KeyError."""
        request = self._requests.pop(name)
        self._pool.release(reversed(request.table))
        self._preempted[name] = _Request(request.tokens, request.extra)

    def resume(self, name: Hashable) -> Outcome:
        """Start a preempted request again, prompt and output so far as one prompt. Raises KeyError."""
        request = self._preempted[name]
        outcome = self._admit(name, request)
        if outcome.ok:
            del self._preempted[name]
            seen = self.statistics
            self.statistics = replace(
                seen,
                preempted_queries=seen.preempted_queries + len(request.tokens),
                preempted_hits=seen.preempted_hits + outcome.matched,
            )
        return outcome

    def reset(self) -> bool:
        """Forget all keys, which is possible only while nobody runs."""
        idle = self._pool.free_count == self.capacity_blocks
        if idle:
            self._pool.forget_all()
        return idle

    def _admit(self, name: Hashable, request: _Request) -> Outcome:
        """Match at most all tokens but the last, check for room, then allocate and cache the rest."""
        if not request.tokens:
            raise ValueError("a prompt has at least one token")
        if name in self._requests:
            raise ValueError(f"request {name!r} is running already")
        self._spell(name, request)
        hits = self._pool.find(request.keys[: (len(request.tokens) - 1) // self.block_tokens])
        matched = len(hits) * self.block_tokens
        if not self._pool.has_room(hits, self._blocks_for(len(request.tokens)) - len(hits)):
            return Outcome(ok=False, matched=matched)
        self._pool.refer(hits)
        request.table = list(hits)
        request.cached = len(hits)
        self._requests[name] = request
        evicted = self._compute(request)
        assert evicted is not None, "room was checked"
        return Outcome(
            ok=True,
            matched=matched,
            computed=len(request.tokens) - matched,
            kv_tokens=request.kv_tokens,
            evicted=tuple(evicted),
        )

    def _compute(self, request: _Request) -> list[Evicted] | None:
        """Give every token so far its place, and the blocks that fill up their keys. None: no room."""
        missing = self._blocks_for(len(request.tokens)) - len(request.table)
        if missing > self._pool.free_count:
            return None
        taken, evicted = self._pool.take(missing) if missing else ([], [])
        request.table += taken
        request.kv_tokens = len(request.tokens)
        if request.cached < len(request.keys):
            for block, key in zip(request.table[request.cached :], request.keys[request.cached :], strict=False):
                self._pool.cache(block, key)
            request.cached = len(request.keys)
        return evicted

    def _spell(self, name: Hashable, request: _Request) -> None:
        """Key the blocks that the tokens fill by now, whether or not they have keys and values yet."""
        done = len(request.keys)
        if done == len(request.tokens) // self.block_tokens:
            return
        parent = request.keys[-1] if request.keys else ROOT
        for key in block_keys(request.tokens, self.block_tokens, request.extra, done, parent):
            self._pool.spell(key, name, len(request.keys))
            request.keys.append(key)

    def _blocks_for(self, tokens: int) -> int:
        return -(-tokens // self.block_tokens)
