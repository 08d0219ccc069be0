"""Files that a page hands to a run: a log of requests, and a curve of hit rates that somebody published.

The compact form of a log is a line per request, "milliseconds,tokens,blocks". Ids in a row are written as the
first and how many there are: "0 15550x140" is id 0 and the 140 ids from 15550 on. Most of a log's ids come in such
rows, and the file is a seventh of the original.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

from generator.model.log_builder import BadRow, LogBuilder
from generator.model.request_log import RequestLog

GZIP = b"\x1f\x8b"
HEADER = "milliseconds,tokens,blocks"
CURVE_HEADER = "capacity_tokens,hit_rate"


def read_log(content: bytes, block_tokens: int) -> RequestLog:
    """A log in compact form, or as Mooncake released its own (a JSON object a line); either may be packed by gzip.

    Raises ValueError that names the first line that is no request.
    """
    builder = LogBuilder(block_tokens)
    lines = _text(content).splitlines()
    compact = lines[:1] == [HEADER]
    for number, line in enumerate(lines, 1):
        if (number == 1 and compact) or not line:
            continue
        try:
            builder.add_hashes(_row(line) if compact else _object(line))
        except BadRow as error:
            raise ValueError(f"line {number}: {error}") from error
    log = builder.log()
    if not len(log):
        raise ValueError("it holds no request")
    return log


def compact(log: RequestLog) -> str:
    """A log of block ids in compact form. Its replies' lengths are left out."""
    bounds, ids = log.starts.tolist(), log.ids.tolist()
    rows = zip(log.times.tolist(), log.lengths.tolist(), bounds, bounds[1:], strict=False)
    lines = (f"{time:.15g},{length},{' '.join(_runs(ids[start:end]))}" for time, length, start, end in rows)
    return "\n".join([HEADER, *lines, ""])


def read_curve(content: bytes) -> tuple[tuple[int, float], ...]:
    """A published curve: a line per point, capacity in tokens and hit rate, from the smallest capacity up.

    Raises ValueError that names the line that is no such point.
    """
    header, *lines = _text(content).splitlines() or [""]
    if header != CURVE_HEADER:
        raise ValueError(f'begins with "{header}", not with "{CURVE_HEADER}"')
    points = [_point(number, line) for number, line in enumerate(lines, 2)]
    if not points:
        raise ValueError("holds no point")
    if any(here >= after for (here, _), (after, _) in pairwise(points)):
        raise ValueError("its capacities do not rise from line to line")
    return tuple(points)


def _point(number: int, line: str) -> tuple[int, float]:
    capacity, _, rate = line.partition(",")
    if not capacity.isdecimal() or not int(capacity) or not re.fullmatch(r"0(\.\d+)?|1(\.0+)?", rate):
        raise ValueError(f'line {number}: "{line}" is no capacity in tokens and hit rate from 0 to 1')
    return int(capacity), float(rate)


def _text(content: bytes) -> str:
    try:
        return (gzip.decompress(content) if content.startswith(GZIP) else content).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("it is not a text in UTF-8") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"the gzip stream is broken: {error}") from error


def _object(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise BadRow("not JSON") from None
    if not isinstance(row, dict):
        raise BadRow("no JSON object")
    return row


def _row(line: str) -> dict[str, Any]:
    """A line of the compact form as a row of Mooncake's; the reply, whose blocks no log has, is taken for empty."""
    try:
        time, length, blocks = line.split(",")
        ids = [id_ for run in blocks.split(" ") for id_ in _ids(*run.split("x"))]
        return {"timestamp": float(time), "input_length": int(length), "output_length": 0, "hash_ids": ids}
    except (TypeError, ValueError):
        raise BadRow(f'"{line[:40]}" is no request') from None


def _ids(first: str, count: str = "1") -> range:
    return range(int(first), int(first) + int(count))


def _runs(ids: list[int]) -> Iterator[str]:
    """Ids that follow one another, as the first and how many."""
    for _, group in groupby(enumerate(ids), lambda pair: pair[1] - pair[0]):
        run = [id_ for _, id_ in group]
        yield f"{run[0]}x{len(run)}" if len(run) > 1 else f"{run[0]}"
