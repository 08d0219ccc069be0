"""The YAML between two `---` lines at the top of a page, typed key by key."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from generator import dates, runspec, yamltext
from generator.errors import Problem, did_you_mean
from generator.runspec import RunSpec
from generator.yamltext import Node, YamlProblem

KEYS = ("title", "description", "order", "start-here", "slug", "draft", "date", "runs", "claims")


@dataclass(frozen=True)
class Claim:
    """A sentence that the run must bear out, as an expression, and the line it stands on."""

    text: str
    line: int
    source: str = ""


@dataclass(frozen=True)
class FrontMatter:
    """What the front matter says; `lines` has the line of each key given.

    `readable` is whether it is YAML at all; `broken_runs` are names of runs that could not be read.
    """

    lines: dict[str, int]
    title: str = ""
    description: str = ""
    order: float | None = None
    start_here: bool = False
    slug: str | None = None
    draft: bool = False
    date: dates.PageDate | None = None
    runs: tuple[RunSpec, ...] = ()
    claims: tuple[Claim, ...] = ()
    readable: bool = True
    broken_runs: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Split:
    """A page's file in two parts: the YAML text (line 2 on) and the body with the line it starts on."""

    yaml: str
    body: str
    body_line: int


def split(text: str, path: str) -> Split | Problem:
    """The two parts of a page, or what is wrong when there is no front matter."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        hint = 'start the page with a line "---", "title: …" and a line "---"; what is no page ends in .txt'
        return Problem(path, 1, "no front matter", hint)
    for index, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            return Split("\n".join(lines[1:index]), "\n".join(lines[index + 1 :]), index + 2)
    return Problem(path, 1, "the front matter is never closed", 'end it with a line "---"')


def read(text: str, path: str) -> tuple[FrontMatter, list[Problem]]:
    """The front matter in `text`, as far as it can be read, and every problem in it."""
    try:
        node = yamltext.read(text, path, 2)
    except YamlProblem as error:
        return FrontMatter({}, readable=False), [_with_claim_hint(problem, text) for problem in error.problems]
    reader = _Reader(path, text.split("\n"))
    assert isinstance(node.value, dict)
    matter = FrontMatter(dict(node.key_lines))
    for key, value in node.value.items():
        line = node.key_lines[key]
        if key not in KEYS:
            reader.add(line, f'unknown key "{key}"', did_you_mean(key, KEYS))
            continue
        matter = reader.set(matter, key, value, line)
    if not matter.title and "title" not in matter.lines and not _misspelt_title(node):
        reader.add(1, "this page has no title", "add a line: title: …")
    return matter, reader.problems


def _misspelt_title(node: Node) -> bool:
    """A misspelt `title` is one mistake, not two."""
    return any('"title"' in did_you_mean(key, KEYS) for key in node.key_lines if key not in KEYS)


def _with_claim_hint(problem: Problem, text: str) -> Problem:
    line = text.split("\n")[problem.line - 2] if problem.line >= 2 else ""
    if line.lstrip().startswith("- ") and problem.message.startswith("cannot read"):
        return replace(problem, hint=f"quote it: {yamltext.quoted(line).strip()}")
    return problem


class _Reader:
    def __init__(self, path: str, lines: list[str]) -> None:
        self.path, self.lines = path, lines
        self.problems: list[Problem] = []

    def add(self, line: int, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, message, hint))

    def set(self, matter: FrontMatter, key: str, value: Node, line: int) -> FrontMatter:
        if key == "runs":
            runs = runspec.read(value, line, self.add)
            given = value.value if isinstance(value.value, dict) else {}
            return replace(matter, runs=runs, broken_runs=frozenset(given) - {run.name for run in runs})
        if key == "claims":
            return replace(matter, claims=self._claims(value, line))
        if value.text is None:
            self.add(line, f'"{key}" must be a text', f"quote it: {yamltext.quoted(self.lines[line - 2])}")
            return matter
        source = self.lines[line - 2]
        if key in ("title", "description") and yamltext.cut_by_comment(source, value.text):
            self.add(line, f'"{key}" ends where YAML begins a comment, at " #"', f"quote it: {yamltext.quoted(source)}")
        readers: dict[str, Callable[[str], object]] = {
            "title": self._filled,
            "description": str,
            "order": self._order,
            "start-here": self._flag,
            "slug": self._slug,
            "draft": self._flag,
            "date": self._date,
        }
        try:
            return replace(matter, **{key.replace("-", "_"): readers[key](value.text)})  # type: ignore[arg-type]
        except _Bad as bad:
            self.add(line, f'"{key}" {bad.args[0]}, got "{value.text}"', bad.args[1])
            return matter

    def _filled(self, text: str) -> str:
        if not text:
            raise _Bad("must not be empty", "")
        return text

    def _order(self, text: str) -> float:
        if not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", text):
            raise _Bad("must be a number", "such as 4")
        return float(text)

    def _slug(self, text: str) -> str:
        if not re.fullmatch(r"\w(?:[\w.~-]*[\w~-])?", text):
            raise _Bad("must be letters, digits and hyphens", "such as compute-once")
        return text

    def _flag(self, text: str) -> bool:
        if text not in ("true", "false"):
            raise _Bad("must be true or false", "")
        return text == "true"

    def _date(self, text: str) -> dates.PageDate:
        try:
            return dates.parse(text)
        except ValueError:
            raise _Bad("must be a calendar day or an instant", dates.HINT) from None

    def _claims(self, value: Node, line: int) -> tuple[Claim, ...]:
        if not isinstance(value.value, list):
            self.add(line, '"claims" must be a list', 'one line "- …" each')
            return ()
        claims = []
        for item in value.value:
            source = self.lines[item.line - 2]
            if item.text:
                claims.append(Claim(item.text, item.line, source))
            else:
                self.add(item.line, "this claim is not read as a text", f"quote it: {yamltext.quoted(source).strip()}")
        return tuple(claims)


class _Bad(Exception):
    """What is wrong with one value, and a hint."""
