"""After how long the sessions of a log return: read off the blocks that their prompts begin with."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generator.model.request_log import RequestLog


def return_gaps(log: RequestLog) -> NDArray[np.float64]:
    """Seconds from a session's last use to its return, (returns,).

    A log does not name its sessions. A request is taken for a return if more than its first block has come before,
    for the first may be shared by all; it then continues the last block that has, and the gap is that block's.
    Raises ValueError for a log without times.
    """
    if not len(log.times):
        raise ValueError("gaps need times, and this log has none")
    last: dict[int, float] = {}
    gaps = []
    ids = log.ids.tolist()
    for time, (start, end) in zip((log.times / 1000).tolist(), pairwise(log.starts.tolist()), strict=True):
        blocks = ids[start:end]
        known = next((number for number, block in enumerate(blocks) if block not in last), len(blocks))
        if known > 1:
            gaps.append(time - last[blocks[known - 1]])
        last.update(dict.fromkeys(blocks, time))
    return np.array(gaps, dtype=np.float64)


def middle_half(gaps: NDArray[np.float64]) -> tuple[float, float]:
    """The seconds between which half of the gaps lie, a quarter being shorter and a quarter longer."""
    low, high = np.percentile(gaps, (25, 75))
    return float(low), float(high)
