"""Recorded runs of real prefix caches, replayed by the rules here: how much was recorded, and how much differs."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from generator.model.recorded import IGNORED, replayed

# The setting by which the recordings of an engine are told apart.
SETTINGS = {"vllm": "block_size", "sglang": "policy"}


@dataclass(frozen=True)
class Replayed:
    """Recordings of one kind: how many workloads, operations in them, and facts that they state about those.

    `mismatches` counts the facts that the rules here do not bear out. `setting` is vLLM's block size or SGLang's
    policy; `together`: several requests run at a time.
    """

    engine: str
    version: str
    together: bool
    setting: str
    workloads: int = 0
    operations: int = 0
    stated: int = 0
    mismatches: int = 0


def replay(content: bytes, engine: str) -> tuple[Replayed, ...]:
    """All recordings of a file, by kind: one request at a time before several, settings in order.

    `content` are JSON lines packed by gzip. Raises ValueError for what is no recording of `engine`.
    """
    kinds: dict[tuple[bool, Any], Replayed] = {}
    for number, row in _rows(content):
        try:
            if row["engine"] != engine:
                raise ValueError(f'it was recorded on "{row["engine"]}", not on "{engine}"')
            setting = row["config"][SETTINGS[engine]]
            key = any(operation["op"] == "start" for operation in row["ops"]), setting
            sofar = kinds.get(key) or Replayed(engine, row["version"], key[0], str(setting))
            kinds[key] = _with(sofar, row)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"line {number}: {error}") from error
    if not kinds:
        raise ValueError("it holds no recording")
    return tuple(kinds[key] for key in sorted(kinds))


def _with(sofar: Replayed, row: Mapping[str, Any]) -> Replayed:
    _, differing = replayed(row)
    stated = sum(field not in IGNORED for expected in row["expect"] for field in expected)
    return replace(
        sofar,
        workloads=sofar.workloads + 1,
        operations=sofar.operations + len(row["ops"]),
        stated=sofar.stated + stated + len(row["final_probe_tokens"]),
        mismatches=sofar.mismatches + len(differing),
    )


def _rows(content: bytes) -> Iterator[tuple[int, Any]]:
    try:
        lines = gzip.decompress(content).decode().splitlines()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise ValueError(f"it is no text packed by gzip: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            yield number, json.loads(line)
        except ValueError as error:
            raise ValueError(f"line {number}: not JSON") from error
