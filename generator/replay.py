"""The command `flipbook replay`: a log of requests, or recorded workloads, through the caches of the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from generator.errors import UnknownName
from generator.model.log_builder import HASH_BLOCK_TOKENS, BadRow, LogBuilder
from generator.model.roofline import Roofline
from generator.replay_file import Problems, rows
from generator.replay_json import as_json
from generator.replay_recorded import replay_workloads
from generator.replay_report import Capacity, report
from generator.replay_text import as_text

GOOD, CONTENT, USAGE = 0, 1, 2
# vLLM's default, for logs of tokens.
TOKEN_BLOCK_TOKENS = 16
Row = tuple[int, dict[str, Any]]


@dataclass(frozen=True)
class Options:
    """The command's options. None: not given; `capacities` None means all of them."""

    rules: str | None = None
    block_tokens: int | None = None
    capacities: tuple[Capacity, ...] | None = None
    weight: str = "tokens"
    window: tuple[float, float] | None = None
    json: bool = False
    sample: float | None = None
    skip_bad: bool = False
    model: str | None = None
    node: str | None = None


def capacities(text: str) -> tuple[Capacity, ...] | None:
    """Capacities as the command line has them: "all", or counts of blocks such as "1000,10000,infinite".

    Raises ValueError.
    """
    if text == "all":
        return None
    if not re.fullmatch(r"(\d+|infinite)(,(\d+|infinite))*", text):
        raise ValueError(f'cannot read "{text}" (write "all", or blocks with commas between, such as 1000,10000)')
    return tuple(None if part == "infinite" else int(part) for part in text.split(","))


def window(text: str) -> tuple[float, float]:
    """A window as the command line has it, in seconds from the first request: "0:600". Raises ValueError."""
    number = r"\d+(?:\.\d+)?"
    if not (found := re.fullmatch(rf"({number}):({number})", text)):
        raise ValueError(f'cannot read "{text}" (write seconds from the first request, such as 0:600)')
    start, end = float(found[1]), float(found[2])
    if start >= end:
        raise ValueError(f"the window {text} ends before it begins")
    return start, end


def main(path: Path, options: Options, out: TextIO, err: TextIO) -> int:
    """Replay the log at `path`; results go to `out`, complaints to `err`. Returns the exit code.

    0 good; 1 bad rows, or workloads that differ from what was recorded; 2 options that do not fit the log
    or each other.
    """
    try:
        roofline = _roofline(options)
        problems = Problems(str(path))
        found = rows(path, problems)
        first = next(found, None)
        if first and "ops" in first[1]:
            return _workloads(chain([first], found), problems, options, out, err)
        return _log(chain([first] if first else [], found), problems, options, roofline, out, err)
    except UnknownName as error:
        print(f"flipbook: {error}{f' ({error.hint})' if error.hint else ''}", file=err)
    except BrokenPipeError:
        raise  # whoever read the results has seen enough; the command line knows what to do
    except (ValueError, OSError) as error:
        print(f"flipbook: {error}", file=err)
    return USAGE


def _log(
    found: Iterator[Row], problems: Problems, options: Options, roofline: Roofline | None, out: TextIO, err: TextIO
) -> int:
    builder = None
    for line, row in found:
        kind = _kind(row)
        if kind is None:
            problems.add(line, 'neither "hash_ids" nor "tokens" nor "ops"')
            continue
        if builder is None:
            builder, log_kind = LogBuilder(_block_tokens(kind, options)), kind
        try:
            if kind != log_kind:
                raise BadRow(f"a row with {kind} in a log of {log_kind}")
            builder.add(row)
        except BadRow as error:
            problems.add(line, str(error))
    for text in problems.lines():
        print(text, file=err)
    if problems.count and not options.skip_bad:
        return CONTENT
    if builder is None or not len(log := builder.log()):
        print(f"{problems.path}: no requests", file=err)
        return CONTENT
    if options.window:
        log = log.window(*options.window)
    result = report(
        log, options.rules or "lru", options.weight, options.window, options.capacities, options.sample, roofline
    )
    for piece in as_json(result, options.capacities) if options.json else [as_text(result)]:
        out.write(piece)
    out.write("\n")
    return GOOD


def _workloads(found: Iterator[Row], problems: Problems, options: Options, out: TextIO, err: TextIO) -> int:
    differing = replay_workloads(found, problems, options.rules, options.json, out, err)
    for text in problems.lines():
        print(text, file=err)
    return CONTENT if differing or (problems.count and not options.skip_bad) else GOOD


def _kind(row: dict[str, Any]) -> str | None:
    return next((key for key in ("hash_ids", "tokens", "ops") if key in row), None)


def _block_tokens(kind: str, options: Options) -> int:
    if kind == "hash_ids" and options.block_tokens not in (None, HASH_BLOCK_TOKENS):
        raise ValueError(
            f"--block-tokens {options.block_tokens}: the ids of this log stand for {HASH_BLOCK_TOKENS} tokens"
        )
    if options.block_tokens is not None and options.block_tokens < 1:
        raise ValueError("--block-tokens: a block has at least one token")
    return options.block_tokens or (HASH_BLOCK_TOKENS if kind == "hash_ids" else TOKEN_BLOCK_TOKENS)


def _roofline(options: Options) -> Roofline | None:
    if bool(options.model) != bool(options.node):
        raise ValueError("--model and --node go together")
    return Roofline.of(options.model, options.node) if options.model and options.node else None
