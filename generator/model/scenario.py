"""What a scenario is made of: parameters with a line of help each, files, and checks that blame a parameter."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


class BadParameter(ValueError):
    """A parameter that makes no sense. `parameter` is its field's name; `hint` says what to write instead."""

    def __init__(self, parameter: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.parameter = parameter
        self.hint = hint


@dataclass(frozen=True, repr=False)
class DataFile:
    """A file beside the page, named by a parameter of this type. The build reads it and hands in the content."""

    name: str
    content: bytes

    @property
    def sha256(self) -> str:
        """The hash of the content, 64 hexadecimal digits."""
        return hashlib.sha256(self.content).hexdigest()

    def __repr__(self) -> str:
        """Says which file with which content, so that it tells two runs apart."""
        return f"DataFile({self.name!r}, sha256={self.sha256!r})"


def parameter(default: Any, help: str) -> Any:
    """A field of a scenario: its default, and one line that says what it is, with the unit."""
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata={"help": help})
    return field(default=default, metadata={"help": help})


@contextmanager
def blame(parameter: str) -> Iterator[None]:
    """Any ValueError raised within becomes a BadParameter of `parameter`, with its message and hint."""
    try:
        yield
    except ValueError as error:
        raise BadParameter(parameter, str(error), getattr(error, "hint", "")) from error


def check_range(parameter: str, limits: tuple[int, int], lowest: int = 1) -> None:
    """Raise BadParameter unless `limits` is a range [low, high] of whole numbers from `lowest` up."""
    low, high = limits
    if low < lowest:
        raise BadParameter(parameter, f"starts at {low:,}", f"the least is {lowest:,}")
    if low > high:
        raise BadParameter(
            parameter, f"runs from {low:,} down to {high:,}", f"write [{high}, {low}], the lower end first"
        )


def check_counts(parameter: str, counts: Mapping[str, int], noun: str, most: int | None = None) -> None:
    """Raise BadParameter unless there is at least one entry, each is at least 1, and together at most `most`."""
    if not counts:
        raise BadParameter(parameter, "is empty", "the least is one entry, such as {support: 8}")
    for name, count in counts.items():
        if count < 1:
            raise BadParameter(parameter, f'"{name}" has {count:,} {noun}', "the least is 1")
    if most and sum(counts.values()) > most:
        message = f"{sum(counts.values()):,} {noun} are more than a figure can show"
        raise BadParameter(parameter, message, f"at most {most:,}")
