"""What is said to an author whose content is wrong: one line per problem, with the place and what to write instead."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake in the content.

    `path` is the file as the author would name it (relative to the project), `line` counts from 1
    (0: the file as a whole), `hint` says what to write instead and may be empty.
    """

    path: str
    line: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        hint = f" ({self.hint})" if self.hint else ""
        return re.sub(r"\s*[\n\r\x85\u2028\u2029]\s*", " ", f"{place}: {self.message}{hint}")


class AuthorError(Exception):
    """The content is wrong. Carries every problem found, sorted by place; each occurs once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))


class UnknownName(ValueError):
    """A name that is not among those known: a model, a card, a simulation, a parameter.

    Whoever knows the place in the content turns it into a `Problem`; `str()` is the message,
    `hint` the nearest names.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f'unknown {kind} "{name}"')
        self.hint = did_you_mean(name, known)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The hint for a misspelt `name`: the nearest of `known`, else all of them when they are few."""
    names = sorted(known)
    by_lower = {known_name.lower(): known_name for known_name in names}
    close = difflib.get_close_matches(name.lower(), list(by_lower), n=1, cutoff=0.6)
    if close:
        return f'did you mean "{by_lower[close[0]]}"?'
    return f"known: {', '.join(names)}" if 0 < len(names) <= 20 else ""
