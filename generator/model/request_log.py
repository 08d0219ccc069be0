"""Logs of requests as columns: which blocks each prompt is made of, how long it is, and when it came."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generator.model.stack_distance import Ints, Small, first_seen, stack_distances


@dataclass(frozen=True)
class RequestLog:
    """Requests in the order of their arrival, as columns.

    `ids` (accesses,) are the block ids of all of them, `starts` (requests + 1,) says where each begins.
    `lengths` (requests,) are prompt tokens, `prompt_blocks` (requests,) how many of a request's ids are its
    prompt's (the others its reply's), `times` (requests,) milliseconds, empty if the log has none.
    `sequences` holds prompts and replies as tokens where the log has them, else nothing.
    """

    ids: Ints
    starts: Ints
    lengths: Ints
    prompt_blocks: Ints
    times: NDArray[np.float64]
    block_tokens: int
    sequences: tuple[tuple[list[int], list[int]], ...] = ()

    def __len__(self) -> int:
        return len(self.lengths)

    @cached_property
    def distances(self) -> Small:
        """Stack distances of all accesses; see `stack_distances`."""
        return stack_distances(self.ids, self.starts)

    @cached_property
    def unique_blocks(self) -> int:
        """Different ids: the capacity beyond which nothing more is gained."""
        return int(first_seen(self.ids).sum())

    @cached_property
    def unique_tokens(self) -> int:
        """Tokens in them."""
        return int(self.block_sizes()[first_seen(self.ids)].sum())

    def block_sizes(self) -> Ints:
        """Tokens in each access's block, (accesses,). A prompt's last may be partial; a reply's count in full."""
        counts = np.diff(self.starts)
        place = np.arange(len(self.ids)) - np.repeat(self.starts[:-1], counts)
        left = np.repeat(self.lengths, counts) - place * self.block_tokens
        return np.where(left > 0, np.minimum(left, self.block_tokens), self.block_tokens)

    def window(self, start_seconds: float, end_seconds: float) -> RequestLog:
        """The requests that came from `start_seconds` on and before `end_seconds`, counted from the first.

        Raises ValueError for a log without times and for a window without requests.
        """
        if not len(self.times):
            raise ValueError("a window needs times, and this log has none")
        seconds = (self.times - self.times[0]) / 1000
        first, last = np.searchsorted(seconds, (start_seconds, end_seconds))
        if first >= last:
            raise ValueError(f"no request between {start_seconds:g} and {end_seconds:g} s; the last at {seconds[-1]:g}")
        begin, end = self.starts[first], self.starts[last]
        chosen = slice(int(first), int(last))
        return RequestLog(
            self.ids[begin:end],
            self.starts[first : last + 1] - begin,
            self.lengths[chosen],
            self.prompt_blocks[chosen],
            self.times[chosen],
            self.block_tokens,
            self.sequences[chosen],
        )
