"""Lines that are no YAML, or YAML too clever: each is said once, and read as the text in quotes that its hint shows.

So one bad line does not hide what is wrong with the others.
"""

from __future__ import annotations

import re

import yaml

from generator.errors import Problem

LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LONGEST_HINT = 200
_LINE = re.compile(r"(?P<indent>\s*)(?P<lead>(?:- )?(?:[\w-]+:\s+)?)(?P<value>.*?)\s*")
_CLOSED = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""")


def quoted(line: str) -> str:
    """A YAML line with its value in quotes, the form to write when YAML reads it otherwise."""
    match = _LINE.fullmatch(line)
    if match is None or not match["value"]:
        return line.strip()
    value = match["value"]
    text = "'" + value.replace("'", "''") + "'" if '"' in value or "\\" in value else f'"{value}"'
    return f"{match['lead'].strip()} {text}".strip()


class Repair:
    """A YAML text line by line; `done` mends `lines` until they can be read, and notes in `problems` what was wrong."""

    def __init__(self, text: str, path: str, first_line: int) -> None:
        self.lines = text.split("\n")
        self.path, self.first_line = path, first_line
        self.problems: list[Problem] = []
        self._mended: set[int] = set()

    def done(self) -> bool:
        """Whether the lines can be read, as they were or mended."""
        while True:
            clever, error = self._first_wrong()
            for index, what in clever:
                self._say(index, f"{what} is not allowed here", f"to say it as text: {_short(self.lines[index])}")
            mended = [self._mend(index) for index in sorted({index for index, _ in clever})]
            if not all(mended):
                return False
            if error is None and not clever:
                return True
            if error is not None and not clever and not self._said_and_mended(error):
                return False

    def _first_wrong(self) -> tuple[list[tuple[int, str]], yaml.MarkedYAMLError | None]:
        """Anchors, aliases and tags, which hide what a page says, up to the first line that cannot be read."""
        found = []
        try:
            for event in yaml.parse("\n".join(self.lines), Loader=LOADER):
                line = event.start_mark.line if event.start_mark else 0
                if isinstance(event, yaml.AliasEvent):
                    found.append((line, "an alias (*)"))
                elif isinstance(event, yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.MappingStartEvent):
                    found += [(line, "an anchor (&)")] if event.anchor else []
                    found += [(line, "a tag (!)")] if event.tag else []
        except yaml.MarkedYAMLError as error:
            return found, error
        return found, None

    def _said_and_mended(self, error: yaml.MarkedYAMLError) -> bool:
        index = self._line_of(error)
        if self._mended and index <= max(self._mended):
            return False  # it may be the mending that is wrong here
        self._say(index, *self._syntax(error, index))
        return self._mend(index)

    def _say(self, index: int, message: str, hint: str) -> None:
        self.problems.append(Problem(self.path, index + self.first_line, message, hint))

    def _mend(self, index: int) -> bool:
        """Put the value of a line in quotes; not where it is alone, was mended already, or goes on below."""
        match = _LINE.fullmatch(self.lines[index])
        if match is None or not match["lead"] or not match["value"] or index in self._mended:
            return False
        if _indent(self._below(index)) > len(match["indent"]):
            return False
        self.lines[index] = match["indent"] + quoted(self.lines[index])
        self._mended.add(index)
        return True

    def _line_of(self, error: yaml.MarkedYAMLError) -> int:
        """The line to blame: where a quote or bracket was opened, if it is missing its end, else where YAML stopped."""
        mark, context = error.problem_mark, error.context_mark
        index = mark.line if mark else 0
        if (opened := self._left_open(index)) is not None:
            return opened
        at_end = not "".join(self.lines[index:]).strip()
        if context and (at_end or ("flow" in (error.context or "") and self._leaves(context.line, index))):
            index = context.line
        index = min(index, len(self.lines) - 1)
        while index > 0 and not self.lines[index].strip():
            index -= 1
        return index

    def _leaves(self, first: int, last: int) -> bool:
        """Whether a line between is not within what begins on line `first`, by its indentation."""
        own = _indent(self.lines[first])
        return any(line.strip("]} \t,") and _indent(line) <= own for line in self.lines[first + 1 : last + 1])

    def _left_open(self, last: int) -> int | None:
        """The first line up to `last` whose value begins with a quote that neither it nor a line within it closes."""
        for index, line in enumerate(self.lines[: last + 1]):
            match = _LINE.fullmatch(line)
            if not match or match["value"][:1] not in ("'", '"') or _CLOSED.match(match["value"]):
                continue
            if match["lead"] and _indent(self._below(index)) <= len(match["indent"]):
                return index
        return None

    def _below(self, index: int) -> str:
        return next((line for line in self.lines[index + 1 :] if line.strip()), "")

    def _syntax(self, error: yaml.MarkedYAMLError, index: int) -> tuple[str, str]:
        """Message and hint."""
        line = self.lines[index]
        if "\t" in line[: len(line) - len(line.lstrip())]:
            return "a tab where YAML takes spaces only", "indent with spaces"
        mark, context = error.problem_mark, error.context_mark
        if index == self._left_open(index):
            return "a quote is opened on this line and never closed", hint_to_quote(line)
        if mark and context and context.line == index < mark.line and "flow" in (error.context or ""):
            return "a bracket is opened on this line and never closed", hint_to_quote(line)
        column = mark.column + 1 if mark and mark.line == index else 1
        said = (error.problem or "not YAML").removeprefix("while ")
        return f"cannot read this line as YAML: {said}, column {column}", hint_to_quote(line)


def hint_to_quote(line: str) -> str:
    """What to do about a line that YAML reads otherwise than it was meant."""
    match = _LINE.fullmatch(line)
    if match is None or not match["lead"]:
        return "each line is key: value"
    if re.fullmatch(r"[\w .-]*", match["value"]):
        return "look at its indentation"
    return f"quote it: {_short(line)}"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _short(line: str) -> str:
    """The line in quotes, unless that would make a message too long to be read."""
    text = quoted(line)
    return text if len(text) <= LONGEST_HINT else text[: LONGEST_HINT // 2] + " …"
