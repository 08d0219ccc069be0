"""The key of a block under vLLM's rules: a hash of the key before it, its tokens, and what else tells it apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

from generator.model.cache import PLAIN, Extra

BlockKey = bytes
"""The content of a block together with everything before it: 32 bytes of SHA-256.

Two blocks have equal keys exactly when they and all blocks before them hold the same tokens and extras (but for
collisions of the hash, as in the engine).
"""

ROOT: BlockKey = b""


def short_name(key: BlockKey) -> str:
    """Four hexadecimal digits of a key, short enough to draw."""
    return key.hex()[:4]


def block_keys(
    tokens: Sequence[int], block_tokens: int, extra: Extra, done: int = 0, parent: BlockKey = ROOT
) -> Iterator[BlockKey]:
    """Keys of the full blocks of `tokens`, in order, from block number `done` on, whose parent is given.

    As in vLLM (v1/core/kv_cache_utils.py) the adapter enters every block's key, an image the keys of
    the blocks that it touches, with its place relative to the block, and the salt the first block's only:
    the chain carries it on.
    """
    plain = extra == PLAIN
    for block in range(done, len(tokens) // block_tokens):
        start = block * block_tokens
        content = tuple(tokens[start : start + block_tokens])
        told_apart = () if plain else _extra_of_block(extra, start, start + block_tokens)
        parent = _hashed(parent, content, told_apart)
        yield parent


@lru_cache(maxsize=1 << 16)  # the same conversations come again and again, under other rules or on another day
def _hashed(parent: BlockKey, content: tuple[int, ...], told_apart: tuple[object, ...]) -> BlockKey:
    return hashlib.sha256(parent + repr((content, told_apart)).encode()).digest()


def _extra_of_block(extra: Extra, start: int, end: int) -> tuple[object, ...]:
    images = tuple(
        (image.content, image.start - start)
        for image in extra.images
        if image.start < end and image.start + image.tokens > start
    )
    return extra.adapter, images, extra.salt if start == 0 else ""
