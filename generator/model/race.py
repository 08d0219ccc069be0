"""The same people come to two servers that hand out the same memory in two ways, one event after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from generator.model.batching import Server
from generator.model.job import Job
from generator.model.memory import ByTheBlock, InOnePiece
from generator.model.roofline import Roofline


class Race:
    """`piece` hands out `in_one_piece`, `block` hands out `by_the_block`; `now` is in seconds for both."""

    def __init__(self, in_one_piece: InOnePiece, by_the_block: ByTheBlock, roofline: Roofline) -> None:
        self.in_one_piece, self.by_the_block = in_one_piece, by_the_block
        self.piece, self.block = Server(in_one_piece, roofline), Server(by_the_block, roofline)

    @property
    def now(self) -> float:
        return max(self.piece.now, self.block.now)

    def expect(self, jobs: Sequence[Job]) -> None:
        """`jobs` will come to both, in order of arrival."""
        for server in (self.piece, self.block):
            server.expect(jobs)

    def until(self, happened: Callable[[], bool]) -> bool:
        """Event after event until it has `happened`; False if it never will, for nothing happens any more."""
        while not (done := happened()):
            server = min((self.piece, self.block), key=lambda server: server.next_event)
            if math.isinf(server.next_event):
                break
            server.step()
        self._wait_until(self.now)
        return done

    def run_until(self, seconds: float) -> None:
        """All events up to `seconds`."""
        self.until(lambda: min(self.piece.next_event, self.block.next_event) > seconds)
        self._wait_until(seconds)

    def _wait_until(self, seconds: float) -> None:
        for server in (self.piece, self.block):
            server.wait_until(seconds)
