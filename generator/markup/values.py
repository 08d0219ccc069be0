"""Values in prose: `{{ desk.floor | ms }}` becomes "23 ms".

The parser gives inline text no line numbers and would split a table cell at a filter's `|`. So values are
numbered before blocks are parsed, and each number is then replaced: in text by the value, in code, raw
HTML, comments and formulas by what the author wrote. `\\{{` is literal.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from generator.context import Context
from generator.sandbox import ValueProblem
from generator.values import VALUE, text_of

_OPEN, _CLOSE = "\ue000", "\ue001"  # private-use characters: letters to the parser, never in a text
_NUMBERED = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_IN_ADDRESS = re.compile(r"%EE%80%80(\d+)%EE%80%81")


def extend(md: MarkdownIt, context: Context) -> None:
    """Fill in values; unknown names and a `{{` left over are problems with their line."""
    written: list[tuple[str, int]] = []  # (the source of the value, its line) by number

    def number_values(state: StateCore) -> None:
        lines = state.src.replace(_OPEN, "\ufffd").replace(_CLOSE, "\ufffd").split("\n")
        for number, line in enumerate(lines):
            lines[number] = VALUE.sub(lambda match, at=number: numbered(match[0], at), line)  # type: ignore[misc]
        state.src = "\n".join(lines)

    def numbered(source: str, line: int) -> str:
        written.append((source, line))
        return f"{_OPEN}{len(written) - 1}{_CLOSE}"

    def restored(text: str) -> str:
        return _NUMBERED.sub(lambda match: written[int(match[1])][0], text) if _OPEN in text else text

    def value(match: re.Match[str]) -> str:
        source, line = written[int(match[1])]
        try:
            return text_of(source[2:-2], context.names)
        except ValueProblem as problem:
            context.report(line, problem)
            return ""

    def resolve(state: StateCore) -> None:
        for token in state.tokens:
            if token.type != "inline":
                restore(token)
                continue
            line = token.map[0] if token.map else 0
            for child in token.children or []:
                line += child.type in ("softbreak", "hardbreak")
                resolve_inline(child, line)

    def resolve_inline(token: Token, line: int) -> None:
        if token.type == "text":
            if "{{" in token.content:
                hint = "close it on the same line; for the signs themselves write \\{{ or put them in back-ticks"
                context.problem(line, '"{{" is left over', hint)
            token.content = _NUMBERED.sub(value, token.content)
        elif token.type == "image":
            for child in token.children or []:
                resolve_inline(child, line)
            token.content = restored(token.content)
        else:
            restore(token)
        for name in ("href", "src"):
            for match in _IN_ADDRESS.finditer(str(token.attrGet(name) or "")):
                context.problem(written[int(match[1])][1], "values are not filled in inside an address")
                token.attrSet(name, "#")
        if isinstance(title := token.attrGet("title"), str):
            token.attrSet("title", _NUMBERED.sub(value, title))

    def restore(token: Token) -> None:
        token.content, token.info = restored(token.content), restored(token.info)

    md.core.ruler.before("block", "number_values", number_values)
    md.core.ruler.after("inline", "resolve_values", resolve)
