"""Reads a request log row by row, plain or gzip, and notes what is wrong where."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from generator.errors import Problem

GZIP = b"\x1f\x8b"
SHOWN = 20


@dataclass
class Problems:
    """What is wrong with the rows of `path`. The first 20 are kept, the others counted."""

    path: str
    count: int = 0
    first: list[Problem] = field(default_factory=list)

    def add(self, line: int, message: str, hint: str = "") -> None:
        """Note one more."""
        self.count += 1
        if len(self.first) < SHOWN:
            self.first.append(Problem(self.path, line, message, hint))

    def lines(self) -> Iterator[str]:
        """One line each, then how many there are if not all are shown."""
        yield from map(str, self.first)
        if self.count > len(self.first):
            yield f"{self.path}: {self.count} bad rows in all"


def rows(path: Path, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a file of JSON lines with their line numbers; empty lines are passed over.

    What is not a JSON object goes to `problems`, a broken gzip stream as well. Raises OSError for a file
    that cannot be read.
    """
    line = 0
    with _open(path) as file:
        try:
            for line, text in enumerate(file, 1):
                if not text.strip():
                    continue
                try:
                    row = json.loads(text)
                except (ValueError, RecursionError):
                    problems.add(line, "not JSON")
                    continue
                if isinstance(row, dict):
                    yield line, row
                else:
                    problems.add(line, f"{_kind(row)} where an object belongs")
        except (EOFError, gzip.BadGzipFile) as error:
            problems.add(line + 1, f"the gzip stream is broken: {error}")


def _open(path: Path) -> BinaryIO:
    """A file for reading, unpacked on the way if it begins as gzip does."""
    with path.open("rb") as file:
        packed = file.read(2) == GZIP
    return cast(BinaryIO, gzip.open(path)) if packed else path.open("rb")


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
