"""The YAML between two `---` lines at the top of a page, typed key by key."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from generator import dates, runspec, yamltext
from generator.errors import Problem, did_you_mean
from generator.runspec import RunSpec
from generator.yamlrepair import quoted
from generator.yamltext import Node

KEYS = ("title", "description", "order", "start-here", "slug", "draft", "date", "runs", "claims")


@dataclass(frozen=True)
class Claim:
    """A sentence that the run must bear out, as an expression, and the line it stands on."""

    text: str
    line: int


@dataclass(frozen=True)
class FrontMatter:
    """What the front matter says; `lines` has the line of each key given.

    `readable` is whether it can be told which runs it names; `broken_runs` are names of those that could not be read.
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
    node, problems = yamltext.read(text, path, 2)
    if node is None:
        return FrontMatter({}, readable=False), problems
    reader = _Reader(path, text.split("\n"), problems)
    assert isinstance(node.value, dict)
    matter = FrontMatter(dict(node.key_lines))
    for key, value in node.value.items():
        line = node.key_lines[key]
        if key not in KEYS:
            reader.add(line, f'unknown key "{key}"', did_you_mean(key, KEYS))
        elif line not in reader.wrong:
            matter = reader.set(matter, key, value, line)
    if not matter.title and "title" not in matter.lines and not _misspelt(node, "title"):
        reader.add(1, "this page has no title", "add a line: title: …")
    runs_in_doubt = _misspelt(node, "runs") or "runs" in reader.doubled or node.key_lines.get("runs") in reader.wrong
    return replace(matter, readable=matter.readable and not runs_in_doubt), reader.problems


def _misspelt(node: Node, key: str) -> bool:
    """Whether an unknown key seems to be meant for `key`: that is one mistake, not two."""
    return any(f'"{key}"' in did_you_mean(given, KEYS) for given in node.key_lines if given not in KEYS)


class _Reader:
    """`wrong` are the lines that were said to be wrong when the YAML was read."""

    def __init__(self, path: str, lines: list[str], problems: list[Problem]) -> None:
        self.path, self.lines, self.problems = path, lines, problems
        self.wrong = frozenset(problem.line for problem in problems)
        self.doubled = [problem.message.split('"')[1] for problem in problems if "said twice" in problem.message]

    def add(self, line: int, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, message, hint))

    def set(self, matter: FrontMatter, key: str, value: Node, line: int) -> FrontMatter:
        if key == "runs":
            return self._runs(matter, value, line)
        if key == "claims":
            return replace(matter, claims=self._claims(value, line))
        source = self.lines[line - 2]
        if value.text is None:
            hint = f"write {key}: …" if source.rstrip().endswith(":") else f"quote it: {quoted(source)}"
            self.add(line, f'"{key}" must be a text', hint)
            return matter
        if value.cut and key in ("title", "description"):
            self.add(line, f'"{key}" ends where YAML begins a comment, at " #"', _whole(source, value.text))
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

    def _runs(self, matter: FrontMatter, value: Node, line: int) -> FrontMatter:
        given = value.value if isinstance(value.value, dict) else {}
        wrong = {
            name for name, run in given.items() if not self.wrong.isdisjoint({value.key_lines[name], *run.lines()})
        }
        sound = replace(value, value={k: v for k, v in given.items() if k not in wrong}) if given else value
        runs = runspec.read(sound, line, self.add)
        broken = frozenset(given) - {run.name for run in runs}
        return replace(matter, runs=runs, broken_runs=broken, readable=isinstance(value.value, dict))

    def _claims(self, value: Node, line: int) -> tuple[Claim, ...]:
        if not isinstance(value.value, list):
            self.add(line, '"claims" must be a list', 'one line "- …" each')
            return ()
        return tuple(claim for item in value.value if (claim := self._claim(item)))

    def _claim(self, item: Node) -> Claim | None:
        source = self.lines[item.line - 2]
        if item.line in self.wrong:
            return None
        if item.text and not item.cut:
            return Claim(item.text, item.line)
        if item.cut:
            message = 'this claim ends where YAML begins a comment, at " #"'
        else:
            message = (
                "this claim is empty" if source.strip() in ("-", '- ""', "- ''") else "this claim is not read as a text"
            )
        self.add(
            item.line, message, "" if message.endswith("empty") else _whole(source, (item.text or "").split("\n")[0])
        )
        return None


def _whole(source: str, text: str) -> str:
    """How to write a value of one line so that YAML takes the whole of it."""
    return f"quote it: {quoted(source)}" if text in source else "put the whole text in quotes"


class _Bad(Exception):
    """What is wrong with one value, and a hint."""
