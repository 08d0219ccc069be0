"""YAML read as text with line numbers: no scalar changes type behind the author's back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from generator.errors import Problem

_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Node:
    """One value of a YAML text: a text, a list of nodes or a mapping to nodes, and its line in the file."""

    value: str | list[Node] | dict[str, Node]
    line: int
    key_lines: dict[str, int] = field(default_factory=dict)

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


class YamlProblem(Exception):
    """The text is not YAML that Flipbook takes. Carries one `Problem` per mistake."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def read(text: str, path: str, first_line: int) -> Node:
    """The mapping that `text` holds; `first_line` is the line of the file on which it starts.

    Raises YamlProblem for what is not YAML, for anything but a mapping, and for doubled keys,
    anchors, aliases and tags.
    """
    reader = _Reader(text, path, first_line)
    try:
        reader.refuse_cleverness()
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        raise YamlProblem([reader.syntax_problem(error)]) from error
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + first_line
        raise YamlProblem([Problem(path, line, f"character U+{_code(error):04X} is not allowed here")]) from error
    node = Node({}, first_line) if root is None else reader.node(root)
    if not isinstance(node.value, dict):
        reader.add(node.line, "expected lines of the form key: value")
    if reader.problems:
        raise YamlProblem(reader.problems)
    return node


def quoted(line: str) -> str:
    """A YAML line with its value in quotes, the form to write when YAML reads it otherwise."""
    match = re.match(r"(\s*(?:- )?(?:[\w-]+:\s+)?)(.*?)\s*$", line)
    if match is None or not match[2]:
        return line.strip()
    lead, value = match[1].strip(), match[2]
    if '"' not in value:
        return f'{lead} "{value}"'
    return f"{lead} '" + value.replace("'", "''") + "'"


def cut_by_comment(line: str, value: str) -> bool:
    """Whether YAML takes the end of `line`, which holds the text `value` without quotes, for a comment."""
    rest = line.partition(value)[2] if value else ""
    quoted_value = re.search(r"""(?:^|[:-]\s+)["']""", line.strip())
    return bool(re.match(r"\s+#", rest)) and not quoted_value


class _Reader:
    def __init__(self, text: str, path: str, first_line: int) -> None:
        self.text, self.path, self.first_line = text, path, first_line
        self.problems: list[Problem] = []

    def add(self, line: int, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, message, hint))

    def refuse_cleverness(self) -> None:
        """Anchors, aliases and tags are features of YAML that hide what a page says."""
        for event in yaml.parse(self.text, Loader=_Loader):
            line = self.first_line + (event.start_mark.line if event.start_mark else 0)
            if isinstance(event, yaml.AliasEvent):
                self._refuse(line, "an alias (*)")
            elif isinstance(event, yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.MappingStartEvent):
                if event.anchor:
                    self._refuse(line, "an anchor (&)")
                if event.tag:
                    self._refuse(line, "a tag (!)")
        if self.problems:
            raise YamlProblem(self.problems)

    def _refuse(self, line: int, what: str) -> None:
        self.add(line, f"{what} is not allowed here", f"to say it as text: {self._quoted_line(line)}")

    def _quoted_line(self, line: int) -> str:
        return quoted(self.text.split("\n")[line - self.first_line])

    def syntax_problem(self, error: yaml.MarkedYAMLError) -> Problem:
        mark = error.problem_mark or error.context_mark
        lines = self.text.split("\n")
        index = min(mark.line, len(lines) - 1) if mark else 0
        if error.context_mark and error.context_mark.line < index and not lines[index].strip(" \t}]"):
            index = error.context_mark.line
        column = mark.column + 1 if mark and mark.line == index else 1
        if "\t" in lines[index][: len(lines[index]) - len(lines[index].lstrip())]:
            return Problem(
                self.path, index + self.first_line, "a tab where YAML takes spaces only", "indent with spaces"
            )
        while index > 0 and not lines[index].strip():
            index -= 1
        said = (error.problem or "not YAML").removeprefix("while ")
        hint = f"if it is a text, quote it: {quoted(lines[index])}" if lines[index].strip() else ""
        return Problem(
            self.path, index + self.first_line, f"cannot read this line as YAML: {said}, column {column}", hint
        )

    def node(self, node: yaml.Node) -> Node:
        line = node.start_mark.line + self.first_line
        if isinstance(node, yaml.ScalarNode):
            return Node(str(node.value).strip(), line)
        if isinstance(node, yaml.SequenceNode):
            return Node([self.node(item) for item in node.value], line)
        values: dict[str, Node] = {}
        lines: dict[str, int] = {}
        for key, key_line, value in self._entries(node):
            if key in values:
                self.add(key_line, f'"{key}" is said twice', f"the first is on line {lines[key]}")
                continue
            values[key], lines[key] = self.node(value), key_line
        return Node(values, line, lines)

    def _entries(self, node: yaml.Node) -> Iterator[tuple[str, int, yaml.Node]]:
        for key, value in node.value:
            line = key.start_mark.line + self.first_line
            if isinstance(key, yaml.ScalarNode):
                yield str(key.value), line, value
            else:
                self.add(line, "a key must be a text", "values with { or [ need quotes")


def _code(error: yaml.reader.ReaderError) -> int:
    return error.character if isinstance(error.character, int) else ord(str(error.character)[0])
