"""YAML read as text with line numbers: no scalar changes type behind the author's back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import yaml

from generator.errors import Problem
from generator.yamlrepair import LOADER, Repair, hint_to_quote

MOST_NESTED = 50
_SEPARATORS = {"\x85": "\U0010fe85", "\u2028": "\U0010fe28", "\u2029": "\U0010fe29"}
"""Ends of lines to YAML, but not to any editor, with the private characters that stand in for them."""
_HIDDEN, _SHOWN = str.maketrans(_SEPARATORS), str.maketrans({stand_in: sign for sign, stand_in in _SEPARATORS.items()})
_REFUSED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")


@dataclass(frozen=True)
class Node:
    """One value of a YAML text: a text, a list of nodes or a mapping to nodes, and its line in the file.

    `cut` is whether YAML takes the end of its line for a comment.
    """

    value: str | list[Node] | dict[str, Node]
    line: int
    key_lines: dict[str, int] = field(default_factory=dict)
    cut: bool = False

    @property
    def text(self) -> str | None:
        """The text of a scalar, None for a list or a mapping."""
        return self.value if isinstance(self.value, str) else None

    def plain(self) -> str | list[object] | dict[str, object]:
        """The value without its lines: texts, lists and dicts all the way down."""
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        return {key: item.plain() for key, item in self.value.items()}

    def lines(self) -> Iterator[int]:
        """The line of this value and of everything in it."""
        yield self.line
        yield from self.key_lines.values()
        items = self.value.values() if isinstance(self.value, dict) else self.value
        for item in items if not isinstance(self.value, str) else ():
            yield from item.lines()  # type: ignore[union-attr]

    def line_of(self, key_path: tuple[str, ...]) -> int:
        """The line of the key that `key_path` leads to, or of the nearest one above it that exists."""
        node, line = self, self.line
        for key in key_path:
            if isinstance(node.value, dict) and key in node.value:
                line, node = node.key_lines[key], node.value[key]
            elif isinstance(node.value, list) and key.isdigit() and int(key) < len(node.value):
                node = node.value[int(key)]
                line = node.line
            else:
                break
        return line


def read(text: str, path: str, first_line: int) -> tuple[Node | None, list[Problem]]:
    """The mapping that `text` holds, and what is wrong with it; `first_line` is the line of the file it starts on.

    Where lines are wrong (no YAML, an anchor, a key said twice), the mapping is what the rest says, and what those
    lines say is not to be relied on. It is None for what is no YAML at all, and for anything but a mapping.
    """
    problems = [
        Problem(path, number, f"character U+{ord(match[0]):04X} is not allowed here", "delete it")
        for number, line in enumerate(text.split("\n"), first_line)
        for match in _REFUSED.finditer(line)
    ]
    if problems:
        return None, problems
    hidden = text.translate(_HIDDEN)
    repair = Repair(hidden, path, first_line)
    readable = repair.done()
    problems = [replace(problem, hint=problem.hint.translate(_SHOWN)) for problem in repair.problems]
    if not readable:
        return None, problems
    reader = _Reader(repair.lines, path, first_line, problems)
    root = yaml.compose("\n".join(repair.lines), Loader=LOADER)
    node = Node({}, first_line) if root is None else reader.node(root)
    if isinstance(node.value, dict):
        return node, reader.problems
    reader.add(node.line, "expected lines of the form key: value")
    return None, reader.problems


class _Reader:
    def __init__(self, lines: list[str], path: str, first_line: int, problems: list[Problem]) -> None:
        self.lines, self.path, self.first_line, self.problems = lines, path, first_line, problems

    def add(self, line: int, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, message, hint))

    def node(self, node: yaml.Node, depth: int = 0) -> Node:
        line = node.start_mark.line + self.first_line
        if depth > MOST_NESTED:
            self.add(line, "this is nested too deeply")
            return Node("", line)
        if isinstance(node, yaml.ScalarNode):
            return Node(self._text(node, line), line, cut=self._is_cut(node))
        if isinstance(node, yaml.SequenceNode):
            return Node([self.node(item, depth + 1) for item in node.value], line)
        values: dict[str, Node] = {}
        lines: dict[str, int] = {}
        for key, key_line, value in self._entries(node):
            if key in values:
                self.add(key_line, f'"{key}" is said twice', f"the first is on line {lines[key]}")
                continue
            values[key], lines[key] = self.node(value, depth + 1), key_line
        return Node(values, line, lines)

    def _text(self, node: yaml.ScalarNode, line: int) -> str:
        text = str(node.value).translate(_SHOWN)
        if match := _REFUSED.search(text):  # written as an escape, such as "\0"
            self.add(line, f"character U+{ord(match[0]):04X} is not allowed here", "delete it")
        return text.strip()

    def _is_cut(self, node: yaml.ScalarNode) -> bool:
        end = node.end_mark
        rest = self.lines[end.line][end.column :] if end.line < len(self.lines) else ""
        return not node.style and bool(re.match(r"\s+#", rest))

    def _entries(self, node: yaml.Node) -> Iterator[tuple[str, int, yaml.Node]]:
        for key, value in node.value:
            line = key.start_mark.line + self.first_line
            if isinstance(key, yaml.ScalarNode):
                yield self._text(key, line), line, value
            else:
                self.add(line, "a key must be a text", hint_to_quote(self.lines[line - self.first_line]))
