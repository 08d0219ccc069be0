"""A replayed log for people: what it holds, a table of hit rates, a small plot."""

from __future__ import annotations

import math
from collections.abc import Iterator

from generator import units
from generator.model.hit_curve import HitCurve
from generator.replay_report import Prefill, Rate, Report

WEIGHTINGS = {
    "tokens": "prompt tokens served from the cache over prompt tokens",
    "blocks": "hit blocks over all blocks of prompts",
    "requests": "mean over requests of hit blocks over blocks",
}
CAVEATS = {
    "lru": "the reference LRU: partial last blocks count, nothing is pinned, one request at a time",
    "vllm": "vLLM 0.33.0: full blocks only, at most all tokens but the last, one request at a time",
    "sglang": "SGLang 0.5.23, lru: full pages only, at most all tokens but the last, one request at a time",
}
COLUMNS, ROWS = 60, 8
EIGHTHS = " ▁▂▃▄▅▆▇█"


def as_text(report: Report) -> str:
    """The whole report, lines ending without blanks."""
    parts = [_sizes(report), _rates(report)]
    if report.curve:
        parts += [_reaching(report), _plot(report.curve, report.log.unique_blocks)]
    if report.sample:
        parts.append(_sample(report))
    if report.prefill:
        parts.append(_prefill(report.prefill))
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in map(list, parts))


def _sizes(report: Report) -> Iterator[str]:
    log = report.log
    yield f"{units.number(len(log))} requests, {units.tokens(log.lengths.sum())} of prompts"
    yield f"mean length   {units.tokens(log.lengths.mean())}"
    yield f"unique        {units.tokens(log.unique_tokens)}"
    yield f"working set   {units.number(log.unique_blocks)} blocks of {units.tokens(log.block_tokens)}"


def _rates(report: Report) -> Iterator[str]:
    yield f"Hit rate: {WEIGHTINGS[report.weight]}."
    yield f"Weighted by {report.weight}; blocks of {units.tokens(report.log.block_tokens)}; {_window(report)}."
    yield f"Rules: {CAVEATS[report.rules]}."
    if report.rules != "lru" and not report.log.sequences:
        yield "The log has hash ids: an id is taken for a block, and replies are not seen."
    yield f"{'capacity (blocks)':>18}  {'tokens':>14}  hit rate"
    for rate in report.rates:
        yield _rate_line(rate, report.log.block_tokens)


def _rate_line(rate: Rate, block_tokens: int) -> str:
    blocks = "infinite" if rate.capacity is None else units.number(rate.capacity)
    tokens = "" if rate.capacity is None else units.number(rate.capacity * block_tokens)
    dropped = f"  {units.number(rate.dropped)} requests had no room" if rate.dropped else ""
    return f"{blocks:>18}  {tokens:>14}  {rate.hit_rate:.4f}{dropped}"


def _window(report: Report) -> str:
    if report.window is None:
        return "the whole log"
    start, end = report.window
    return f"requests from {start:g} to {end:g} s after the first"


def _reaching(report: Report) -> Iterator[str]:
    yield f"Of the best possible ({report.best:.4f})"
    for share, capacity in report.reaching().items():
        yield f"  {units.percent(share)} takes {units.number(capacity)} blocks"


def _plot(curve: HitCurve, most_blocks: int) -> Iterator[str]:
    """Hit rate against capacity on a logarithmic axis, a column of eighths at each place."""
    decades = max(math.log10(max(most_blocks, 1)), 1e-9)
    heights = [curve.at(round(10 ** (decades * column / (COLUMNS - 1)))) for column in range(COLUMNS)]
    top = curve.best or 1.0
    for row in reversed(range(ROWS)):
        filled = (round(height / top * ROWS * 8) - row * 8 for height in heights)
        label = f"{top:.2f}" if row == ROWS - 1 else "0.00" if row == 0 else ""
        yield f"{label:>6} {''.join(EIGHTHS[min(8, max(0, eighths))] for eighths in filled)}"
    yield f"{'':6} {'1 block':<{COLUMNS // 2}}{units.number(most_blocks) + ' blocks':>{COLUMNS // 2}}"


def _sample(report: Report) -> Iterator[str]:
    sample = report.sample
    assert sample is not None
    yield f"Estimated from {sample.rate:g} of the block ids."
    if sample.mean_error is None or sample.largest_error is None:
        yield "The log is too long for the exact curve, so the error is not known."
    else:
        yield f"Off the exact curve by {sample.mean_error:.4f} on average, {sample.largest_error:.4f} at most."


def _prefill(prefill: Prefill) -> Iterator[str]:
    yield f"Prefill of {prefill.model} on {prefill.node}, each request alone: {units.number(prefill.seconds)} s"
    yield f"One node's cache budget is {units.number(prefill.budget_blocks)} blocks."
    yield f"{'capacity (blocks)':>18}  {'nodes':>14}  hit rate  saved"
    for saved in prefill.saved:
        blocks = "infinite" if saved.rate.capacity is None else units.number(saved.rate.capacity)
        nodes = "" if saved.nodes is None else units.number(saved.nodes, 2)
        yield f"{blocks:>18}  {nodes:>14}  {saved.rate.hit_rate:.4f}    {units.number(saved.seconds)} s"
