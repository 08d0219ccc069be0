"""What a `figure` fence asks for: which run, which panels, which step first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator import yamltext
from generator.errors import Problem, did_you_mean
from generator.fences import Fence
from generator.runspec import RunSpec, without
from generator.yamlrepair import quoted
from generator.yamltext import Node

TAKEN = re.compile(r"main|top|fn(?:ref)?\d+|term-.*")
"""Ids of the theme, of footnotes and of terms."""
KEYS = ("id", "run", "simulation", "panels", "caption", "key-step")


@dataclass(frozen=True)
class FigureSpec:
    """A figure as its author wrote it. `run` is the run's name, or the run itself where the fence has it inline.

    `fence_line` counts from 0 in the body, as the parser counts; `lines` are lines of the file by key.
    """

    id: str
    run: str | RunSpec
    panels: tuple[str, ...]
    caption: str
    key_step: str
    fence_line: int
    line: int
    lines: dict[str, int]

    def line_of(self, key: str) -> int:
        """The line of a key of the fence, or of the fence where the key is not given."""
        return self.lines.get(key, self.line)


def read(fence: Fence, path: str, body_line: int) -> tuple[FigureSpec | None, list[Problem]]:
    """The figure that `fence` asks for, None if it cannot be told, and what is wrong."""
    line = fence.line + body_line
    if fence.misplaced:
        hint = "start its ``` in the first column, outside lists, quotes and tables"
        return None, [Problem(path, line, f"a figure cannot stand in {fence.misplaced}", hint)]
    inside = next((row for row in fence.text.split("\n") if row.lstrip().startswith(("```", "~~~"))), None)
    if not fence.closed or inside is not None:
        hint = f"end it with a line {fence.markup}" + (f", alone, before {inside.strip()}" if inside else "")
        return None, [Problem(path, line, "this figure's fence is never closed", hint)]
    node, problems = yamltext.read(fence.text, path, line + 1)
    if node is None or problems:
        return None, problems
    reader = _Reader(path, line, node, fence.text)
    return reader.figure(fence.line), reader.problems


class _Reader:
    def __init__(self, path: str, line: int, node: Node, text: str) -> None:
        assert isinstance(node.value, dict)
        self.path, self.line, self.node, self.given, self.text = path, line, node, node.value, text
        self.problems: list[Problem] = []

    def add(self, key: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, self.node.key_lines.get(key, self.line), message, hint))

    def figure(self, fence_line: int) -> FigureSpec | None:
        identity = self._id()
        run, panels = self._run(identity), self._panels()
        caption, key_step = self._text("caption") or "", self._text("key-step") or "last"
        if self.problems or run is None:
            return None
        return FigureSpec(identity, run, panels, caption, key_step, fence_line, self.line, self.node.key_lines)

    def _text(self, key: str) -> str | None:
        """The text of a key, "" where it is not given, None where that is no text, which has been said."""
        node = self.given.get(key)
        if node is None:
            return ""
        if node.text is None:
            self.add(key, f'"{key}" must be a text', "put it in quotes")
        elif node.cut and key == "caption":
            source = self.text.split("\n")[self.node.key_lines[key] - self.line - 1]
            self.add(key, f'"{key}" ends where YAML begins a comment, at " #"', f"quote it: {quoted(source)}")
        elif not node.text and key in ("run", "simulation"):
            self.add(
                key, f'"{key}" must not be empty', f"{key}: and a name" if key == "run" else "such as prefix-sharing"
            )
            return None
        return node.text

    def _id(self) -> str:
        identity = self._text("id")
        if "id" not in self.given:
            if not any('"id"' in did_you_mean(key, ["id"]) for key in self._unknown()):
                self.add("id", "this figure has no id", "add a line such as id: tree")
        elif identity is not None and not re.fullmatch(r"[a-z][a-z0-9-]*", identity):
            self.add("id", f'"{identity}" cannot be an id', "lower-case letters, digits and hyphens, a letter first")
        elif identity and TAKEN.fullmatch(identity):
            self.add("id", f'the id "{identity}" is taken', "choose another id")
        return identity or ""

    def _unknown(self) -> list[str]:
        return [key for key in self.given if key not in KEYS]

    def _run(self, identity: str) -> str | RunSpec | None:
        run, simulation = self._text("run"), self._text("simulation")
        if "simulation" in self.given and "run" in self.given:
            self.add("run", 'a figure has either "run" or "simulation", not both')
        elif run is None or simulation is None:
            return None
        elif simulation:
            parameters = without(self.node, *KEYS)
            return RunSpec(identity, simulation, parameters, self.node.key_lines["simulation"])
        else:
            for key in self._unknown():
                self.add(key, f'unknown key "{key}"', did_you_mean(key, KEYS))
            if not run and not self._unknown():
                self.add(
                    "run", "this figure names no run", 'add a line "run: …" with a name from "runs" in the front matter'
                )
        return run or None

    def _panels(self) -> tuple[str, ...]:
        node = self.given.get("panels")
        if node is None:
            if not self._unknown():
                self.add("panels", "this figure has no panels", "add a line such as panels: [request, prefix-tree]")
            return ()
        items = node.value if isinstance(node.value, list) else [node]
        names = tuple(item.text for item in items if item.text)
        if not items or len(names) < len(items):
            self.add("panels", '"panels" must be a list of names', "such as panels: [request, prefix-tree]")
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.add("panels", f'panel "{name}" is named twice')
        return names
