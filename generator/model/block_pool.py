"""The physical blocks of vLLM's cache: who refers to them, which key they hold, and in which order they go."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from generator.model.block_key import BlockKey, short_name
from generator.model.cache import Evicted


@dataclass
class Block:
    """A physical block. Without references it is free; with a key it can still be hit."""

    number: int
    references: int = 0
    key: BlockKey | None = None


@dataclass(frozen=True)
class BlockState:
    """A physical block as it stands, for drawing. `key` is None if it holds nothing that can be hit."""

    number: int
    references: int
    key: BlockKey | None

    @property
    def name(self) -> str:
        """The key's four digits, "" without one."""
        return short_name(self.key) if self.key else ""


@dataclass(frozen=True)
class Origin:
    """Whose tokens first spelled a key: the request and the number of the block within it."""

    owner: Hashable
    index: int


class BlockPool:
    """`capacity` blocks, numbered from 1 as vLLM does (its block 0 is reserved and never counted here)."""

    def __init__(self, capacity: int, block_tokens: int) -> None:
        self.block_tokens = block_tokens
        self.blocks = {number: Block(number) for number in range(1, capacity + 1)}
        self._free: OrderedDict[int, Block] = OrderedDict(self.blocks)
        # Several blocks may hold the same key; the first that got it is the one served.
        self._cached: dict[BlockKey, dict[int, Block]] = {}
        self._origins: dict[BlockKey, Origin] = {}

    @property
    def free_queue(self) -> tuple[int, ...]:
        """Numbers of the free blocks, the next to be taken first."""
        return tuple(self._free)

    @property
    def free_count(self) -> int:
        """Blocks that nobody refers to, cached or not."""
        return len(self._free)

    @property
    def cached_count(self) -> int:
        """Different keys held; blocks that duplicate a key count once."""
        return len(self._cached)

    def states(self) -> tuple[BlockState, ...]:
        """All blocks by number."""
        return tuple(BlockState(block.number, block.references, block.key) for block in self.blocks.values())

    def find(self, keys: Iterable[BlockKey]) -> list[Block]:
        """The blocks that hold `keys`, up to the first key that is missing."""
        found = []
        for key in keys:
            holders = self._cached.get(key)
            if holders is None:
                break
            found.append(next(iter(holders.values())))
        return found

    def has_room(self, hits: Iterable[Block], new: int) -> bool:
        """Whether `new` blocks can be taken once `hits` have left the free queue."""
        return new + sum(block.references == 0 for block in hits) <= len(self._free)

    def refer(self, blocks: Iterable[Block]) -> None:
        """Count one more reference to each; a block in the free queue leaves it."""
        for block in blocks:
            if block.references == 0:
                del self._free[block.number]
            block.references += 1

    def take(self, count: int) -> tuple[list[Block], list[Evicted]]:
        """The first `count` blocks of the free queue, with one reference each, and what they held."""
        taken = []
        evicted = []
        for _ in range(count):
            _, block = self._free.popitem(last=False)
            if block.key is not None:
                evicted.append(self._forget(block, block.key))
            block.references = 1
            taken.append(block)
        return taken, evicted

    def spell(self, key: BlockKey, owner: Hashable, index: int) -> None:
        """Note that block `index` of `owner` has `key`; whoever is first, dropped or not, stays its origin."""
        if key not in self._origins:
            self._origins[key] = Origin(owner, index)

    def cache(self, block: Block, key: BlockKey) -> None:
        """Let `block` be found under `key`."""
        block.key = key
        self._cached.setdefault(key, {})[block.number] = block

    def release(self, blocks: Iterable[Block]) -> None:
        """Drop one reference to each, in the order given.

        A block that nobody refers to any more joins the free queue: at the back if it holds a key, at the
        front if not, since there is nothing in it to keep.
        """
        for block in blocks:
            block.references -= 1
            if block.references == 0:
                self._free[block.number] = block
                self._free.move_to_end(block.number, last=block.key is not None)

    def forget_all(self) -> None:
        """Drop every key; the free queue keeps its order."""
        for block in self.blocks.values():
            block.key = None
        self._cached.clear()

    def _forget(self, block: Block, key: BlockKey) -> Evicted:
        holders = self._cached[key]
        del holders[block.number]
        if not holders:
            del self._cached[key]
        block.key = None
        origin = self._origins[key]
        return Evicted(origin.owner, origin.index * self.block_tokens, self.block_tokens, block.number)
