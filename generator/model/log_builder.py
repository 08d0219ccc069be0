"""Builds a `RequestLog` from the rows of a log, and says what is wrong with a row."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from generator.model.request_log import RequestLog
from generator.model.stack_distance import Ints

HASH_BLOCK_TOKENS = 512
"""Tokens to a block in Mooncake's logs (Qin et al., FAST 2025)."""


class BadRow(ValueError):
    """A row that does not describe a request."""


@dataclass
class LogBuilder:
    """Takes the rows of a log one by one. A bad one raises BadRow and leaves nothing behind.

    Columns grow as plain arrays, 8 bytes an entry, so that a log of millions of blocks fits.
    """

    block_tokens: int
    _ids: array[int] = field(default_factory=lambda: array("q"))
    _starts: array[int] = field(default_factory=lambda: array("q", [0]))
    _lengths: array[int] = field(default_factory=lambda: array("q"))
    _prompt_blocks: array[int] = field(default_factory=lambda: array("q"))
    _times: array[float] = field(default_factory=lambda: array("d"))
    _sequences: list[tuple[list[int], list[int]]] = field(default_factory=list)
    _chain: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)

    def add(self, row: dict[str, Any]) -> None:
        """A row of either kind: one with `hash_ids`, or one with `tokens`."""
        if "hash_ids" in row:
            self.add_hashes(row)
        else:
            self.add_tokens(row)

    def add_hashes(self, row: dict[str, Any]) -> None:
        """A row of Mooncake's: `timestamp`, `input_length`, `output_length`, `hash_ids`."""
        try:
            time, length, reply, ids = row["timestamp"], row["input_length"], row["output_length"], row["hash_ids"]
        except KeyError as error:
            raise BadRow(f"no {error}") from None
        _check_count("input_length", length, 1)
        _check_count("output_length", reply, 0)
        if type(ids) is not list:
            raise BadRow(f"hash_ids is {ids!r}, not a list")
        if len(ids) != -(-length // self.block_tokens):
            raise BadRow(
                f"{len(ids)} hash_ids do not fit input_length {length}: {-(-length // self.block_tokens)} blocks of "
                f"{self.block_tokens}"
            )
        _check_integers(ids)
        if len(set(ids)) != len(ids):
            raise BadRow("an id twice in hash_ids")
        self._add(ids, length, len(ids), time)

    def add_tokens(self, row: dict[str, Any]) -> None:
        """A row of tokens: `tokens` (the prompt), `output` (the reply, may be missing), perhaps `timestamp`."""
        prompt, reply = _token_list(row, "tokens"), _token_list(row, "output")
        if not prompt:
            raise BadRow("no tokens")
        ids = self._chained(prompt, 0)
        full = len(prompt) // self.block_tokens
        held = [*prompt, *reply[:-1]]
        more = self._chained(held, full, ids[full - 1] if full else -1)
        self._add(
            [*ids, *(block for block in more if block not in ids[full:])], len(prompt), len(ids), row.get("timestamp")
        )
        self._sequences.append((prompt, reply))

    def log(self) -> RequestLog:
        """All rows added so far. Columns are views of the builder's memory: add no more."""
        times = np.frombuffer(self._times) if self._times else np.zeros(0)
        columns = (self._ids, self._starts, self._lengths, self._prompt_blocks)
        ids, starts, lengths, prompt_blocks = map(_column, columns)
        return RequestLog(ids, starts, lengths, prompt_blocks, times, self.block_tokens, tuple(self._sequences))

    def _add(self, ids: Sequence[int], length: int, prompt_blocks: int, time: Any) -> None:
        self._check_time(time)
        try:
            self._ids.extend(ids)
        except OverflowError:
            del self._ids[self._starts[-1] :]
            raise BadRow("an id beyond 64 bits") from None
        if time is not None:
            self._times.append(time)
        self._starts.append(len(self._ids))
        self._lengths.append(length)
        self._prompt_blocks.append(prompt_blocks)

    def _check_time(self, time: Any) -> None:
        if (time is not None) != bool(self._times) and self._lengths:
            raise BadRow(
                "a timestamp, where rows before have none" if self._lengths and not self._times else "no timestamp"
            )
        if time is None:
            return
        if type(time) not in (int, float) or not 0 <= time < float("inf"):
            raise BadRow(f"timestamp is {time!r}, not a time in milliseconds")
        if self._times and time < self._times[-1]:
            raise BadRow(f"timestamp {time} comes after {self._times[-1]:g}: the rows are not sorted by time")

    def _chained(self, tokens: Sequence[int], done: int, parent: int = -1) -> list[int]:
        """Ids of the blocks of `tokens` from number `done` on, the last perhaps partial.

        Equal ids: the same tokens after the same tokens.
        """
        ids = []
        for start in range(done * self.block_tokens, len(tokens), self.block_tokens):
            key = parent, tuple(tokens[start : start + self.block_tokens])
            parent = self._chain.setdefault(key, len(self._chain))
            ids.append(parent)
        return ids


def _check_integers(values: list[Any]) -> None:
    """Types first, all at once: a log has millions of ids."""
    if not set(map(type, values)) <= {int}:
        wrong = next(value for value in values if type(value) is not int)
        raise BadRow(f"{wrong!r} where a whole number belongs")


def _check_count(name: str, value: Any, least: int) -> None:
    if type(value) is not int:
        raise BadRow(f"{name} is {value!r}, not a whole number")
    if value < least:
        raise BadRow(f"{name} is {value}, less than {least}")


def _token_list(row: dict[str, Any], key: str) -> list[int]:
    tokens = row.get(key, [])
    if type(tokens) is not list:
        raise BadRow(f"{key} is {tokens!r}, not a list")
    _check_integers(tokens)
    return tokens


def _column(numbers: array[int]) -> Ints:
    return np.frombuffer(numbers, np.int64) if len(numbers) else np.zeros(0, np.int64)
