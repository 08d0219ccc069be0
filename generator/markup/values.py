"""Values in prose: `{{ desk.floor | ms }}` becomes "23 ms".

The parser gives inline text no line numbers and would split a table cell at a filter's `|`. So values are
numbered before blocks are parsed, and each number is then replaced: in text by the value, in code, raw
HTML, comments and formulas by what the author wrote. `\\{{` is literal.
"""

from __future__ import annotations

import re
from functools import partial

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from generator.context import Context
from generator.htmltags import tags
from generator.sandbox import ValueProblem
from generator.values import VALUE, text_of

_OPEN, _CLOSE = "\ue000", "\ue001"  # private-use characters: letters to the parser, never in a text
_NUMBERED = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_CODE = frozenset(("code", "kbd", "pre", "samp", "script", "style"))
"""What is between these tags is as verbatim as what is between back-ticks."""
_IN_ADDRESS = re.compile(r"%EE%80%80(\d+)%EE%80%81")


def extend(md: MarkdownIt, context: Context) -> None:
    """Fill in values; unknown names and a `{{` left over are problems with their line."""
    page = _Page(context)
    md.core.ruler.before("block", "number_values", page.number)
    md.core.ruler.after("inline", "resolve_values", page.resolve)


class _Page:
    """The values of one page; `written` has the source of each and its line, by number."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.written: list[tuple[str, int]] = []

    def number(self, state: StateCore) -> None:
        lines = state.src.replace(_OPEN, "\ufffd").replace(_CLOSE, "\ufffd").split("\n")
        state.src = "\n".join(
            VALUE.sub(partial(self._numbered, line), text) if "{{" in text else text for line, text in enumerate(lines)
        )

    def _numbered(self, line: int, match: re.Match[str]) -> str:
        self.written.append((match[0], line))
        return f"{_OPEN}{len(self.written) - 1}{_CLOSE}"

    def resolve(self, state: StateCore) -> None:
        for token in state.tokens:
            if token.type != "inline":
                self._restore(token)
                continue
            line, code = token.map[0] if token.map else 0, 0
            for child in token.children or []:
                line += child.type in ("softbreak", "hardbreak")
                if child.type == "html_inline":
                    code += sum(-1 if tag.closing else 1 for tag in tags(child.content) if tag.name in _CODE)
                if code > 0:
                    self._restore(child)
                else:
                    self._resolve(child, line)

    def _resolve(self, token: Token, line: int) -> None:
        if token.type == "text":
            if "{{" in token.content:
                hint = "close it on the same line; for the signs themselves write \\{{ or put them in back-ticks"
                self.context.problem(line, '"{{" is left over', hint)
            token.content = _NUMBERED.sub(self._value, token.content)
        elif token.type == "image":
            for child in token.children or []:
                self._resolve(child, line)
        else:
            self._restore(token)
        self._resolve_attributes(token)

    def _resolve_attributes(self, token: Token) -> None:
        for name in ("href", "src"):
            for match in _IN_ADDRESS.finditer(str(token.attrGet(name) or "")):
                self.context.problem(self.written[int(match[1])][1], "values are not filled in inside an address")
                token.attrSet(name, "#")
        if isinstance(title := token.attrGet("title"), str):
            token.attrSet("title", _NUMBERED.sub(self._value, title))

    def _value(self, match: re.Match[str]) -> str:
        source, line = self.written[int(match[1])]
        try:
            return text_of(source[2:-2], self.context.names)
        except ValueProblem as problem:
            self.context.report(line, problem)
            return ""

    def _restore(self, token: Token) -> None:
        token.content, token.info = self._source(token.content), self._source(token.info)

    def _source(self, text: str) -> str:
        return _NUMBERED.sub(lambda match: self.written[int(match[1])][0], text) if _OPEN in text else text
