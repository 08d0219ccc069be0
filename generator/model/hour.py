"""An hour of a log as one node sees it: what it and unlimited memory would keep, minute by minute and in all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from generator.model.hit_curve import exact_curve
from generator.model.hour_curves import HourCurves
from generator.model.log_minutes import Kept, LogMinutes, Minute
from generator.model.request_log import RequestLog
from generator.model.roofline import Roofline

UNLIMITED, ONE_NODE = "with unlimited memory", "on one node"


@dataclass(frozen=True)
class Hour:
    """A log that has been replayed, its curves, and the node that they are told in."""

    minutes: LogMinutes
    curves: HourCurves
    roofline: Roofline

    @property
    def log(self) -> RequestLog:
        return self.minutes.log

    @cached_property
    def unlimited(self) -> Kept:
        return self.minutes.kept(None)

    @cached_property
    def node(self) -> Kept:
        return self.minutes.kept(self.curves.node_blocks)

    @cached_property
    def each(self) -> list[Minute]:
        """What came in each minute, and what of it is reused with either memory."""
        return self.minutes.each({UNLIMITED: self.unlimited, ONE_NODE: self.node})

    def with_host(self, memory_bytes: int) -> Kept:
        """What a node keeps that has so much memory more."""
        tokens = self.roofline.cache_budget_tokens + memory_bytes // self.roofline.kv_bytes_per_token
        return self.minutes.kept(tokens // self.log.block_tokens)

    def counts(self) -> dict[str, object]:
        """The log in numbers, by the names that pages use for them: counts, seconds, rates."""
        log = self.log
        asked, first_blocks = int(log.lengths.sum()), self.minutes.alike()
        seconds = float(log.times[-1] - log.times[0]) / 1000
        whole = self.minutes.kept(0).prefill_seconds(self.roofline)
        return {
            "requests": len(log),
            "tokens": asked,
            "mean_tokens": asked / len(log),
            "block_tokens": log.block_tokens,
            "unique_nodes": log.unique_blocks / self.curves.node_blocks,
            "alike": len(first_blocks),
            "common_rate": int(first_blocks.sum()) / asked,
            "prefill_seconds": whole,
            "nodes_busy": whole / seconds,
            "seconds_to_fill": self.roofline.cache_budget_tokens * seconds / (asked - int(self.node.reused.sum())),
        }

    def kept(self, kept: Kept) -> dict[str, object]:
        """A capacity in blocks (None: unlimited), its hit rate, the prefill it saves, and who gains nothing."""
        whole = self.minutes.kept(0).prefill_seconds(self.roofline)
        saved = whole - kept.prefill_seconds(self.roofline)
        return {
            "blocks": kept.capacity_blocks,
            "rate": kept.rate,
            "saved": saved,
            "saved_share": saved / whole,
            "without": kept.at_most(0),
            "at_most_first_block": kept.at_most(1) / len(kept.log),
        }

    def curve(self) -> dict[str, object]:
        """Nodes whose memory gives half and nine tenths of all hits, and how far what was published lies above."""
        curve = exact_curve(self.log, "tokens")
        apart = [rate - curve.at(tokens // self.log.block_tokens) for tokens, rate in self.curves.published]
        return {
            "nodes_for": {share: curve.reaching(share / 100) / self.curves.node_blocks for share in (50, 90)},
            "published": {"least": min(apart), "most": max(apart)} if apart else {},
        }
