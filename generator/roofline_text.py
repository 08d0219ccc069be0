"""What `flipbook roofline` prints for people: the constants of a model on a node, and its tables."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from generator import units
from generator.model.calibrated import Calibrated
from generator.model.levels import Row
from generator.model.roofline import Roofline

WIDTH = 100  # of the lines that explain


def constants(plain: Roofline, calibrated: Calibrated | None) -> str:
    """One line a constant; what the two levels are and rest on is wrapped below them."""
    r = plain
    copies = "" if r.cache_copies == 1 else f", each value held {r.cache_copies:g} times"
    held = f"{units.gb(r.weights_held_bytes)} of {units.gb(r.memory_bytes)} ({r.weights})"
    lines = [
        ("weights", f"{held}; a pass reads {units.gb(r.weights_streamed_bytes)}"),
        ("floor", f"{units.ms(r.floor_seconds, 1)}, one new token on an empty cache"),
        ("ridge", units.tokens(r.ridge_tokens)),
        ("KV cache", f"{units.number(r.kv_bytes_per_token)} bytes a token ({r.cache}){copies}"),
        ("budget", f"{units.tokens(r.cache_budget_tokens)} after {units.percent(r.reserve)} kept back"),
        ("plain", _plain(plain)),
        ("calibrated", _calibrated(plain, calibrated)),
    ]
    return "\n".join(_entry(name, said) for name, said in lines)


def _plain(r: Roofline) -> str:
    return (
        f"the slower of arithmetic and memory, operator by operator, at {r.arithmetic_efficiency:.2f} and "
        f"{r.bandwidth_efficiency:.2f} of their peaks; {r.node.card.family.basis}"
    )


def _calibrated(r: Roofline, calibrated: Calibrated | None) -> str:
    family = r.node.card.family.name
    if calibrated is None:
        return f"none: no pass on a card of the family {family} was measured"
    return (
        f"soft knee, launch time and two all-reduces a layer, with the constants of the family {family}, "
        f"{calibrated.calibration.fitted}"
    )


def _entry(name: str, said: str) -> str:
    return textwrap.fill(said, WIDTH, initial_indent=f"{name:<12}", subsequent_indent=" " * 12)


def table(counted: tuple[str, str], rows: Sequence[Row], detail: bool) -> str:
    """A line a pass under the names of its two `counted` things; with detail its operators below it."""
    lines: list[tuple[str, ...]] = [(*counted, "plain", "calibrated", "bound by")]
    for row in rows:
        numbers = (units.number(count) for count in row.counts)
        lines.append((*numbers, *_times(row.times()), row.plain.bound, row.note))
        if detail:
            lines += [_part_line(part) for part in row.parts()]
    return _aligned(lines)


def _part_line(part: Mapping[str, float | str | None]) -> tuple[str, ...]:
    flops, size = float(part["flops"] or 0), float(part["bytes"] or 0)
    work = f"{flops / 1e12:,.3f} TFLOP, {size / 1e9:,.2f} GB" if flops else ""
    return (str(part["name"]), "", *_times(part), str(part["bound"]), work)


def _times(row: Mapping[str, float | str | None]) -> tuple[str, str]:
    """Both levels' times as a table has them."""
    plain, calibrated = (row["plain_ms"], row["calibrated_ms"])
    return _span(plain), _span(calibrated)


def _span(milliseconds: float | str | None) -> str:
    return "–" if milliseconds is None else units.ms(float(milliseconds) / 1e3, 2)


def _aligned(lines: Sequence[tuple[str, ...]]) -> str:
    """Columns padded to their widest cell: counts and times to the right, what follows them to the left."""
    columns = max(map(len, lines))
    padded = [line + ("",) * (columns - len(line)) for line in lines]
    widths = [max(len(line[i]) for line in padded) for i in range(columns)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i >= 4 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in padded
    )
