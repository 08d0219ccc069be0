"""Tables with a class for the side a column is set to: a style attribute would break the content policy."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from generator.context import Context

_BELOW_HEAD = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_BAR = re.compile(r"(?<!\\)\|")


def extend(md: MarkdownIt, context: Context) -> None:
    """Tables, and `align-left`, `align-center` or `align-right` on cells of aligned columns."""

    def alignment(state: StateCore) -> None:
        for token in state.tokens:
            if token.type in ("td_open", "th_open"):
                style = str(token.attrs.pop("style", ""))
                if style.startswith("text-align:"):
                    token.attrSet("class", f"align-{style.removeprefix('text-align:')}")

    def whole(state: StateCore) -> None:
        lines = state.src.split("\n")
        for line, cells, columns in _rows(state.tokens, lines):
            if cells > columns:
                hint = "write a | within a cell as \\|, also in code"
                context.problem(line, f"this row has {cells} cells, but the table has {columns} columns", hint)
        for token in state.tokens:
            if token.type == "inline" and token.map and _no_table(token.content):
                hint = "give the line of hyphens as many cells as the line above it"
                context.warn(token.map[0], "this is not read as a table", hint)

    md.enable("table")
    md.core.ruler.after("block", "whole_tables", whole)
    md.core.ruler.push("table_alignment", alignment)


def _rows(tokens: list[Token], lines: list[str]) -> Iterator[tuple[int, int, int]]:
    """Line, number of cells as written, and number of columns of every row of every table."""
    columns = 0
    for index, token in enumerate(tokens):
        if token.type == "tr_open" and token.map:
            if tokens[index - 1].type == "thead_open":
                columns = _cells(lines[token.map[0]])
            yield token.map[0], _cells(lines[token.map[0]]), columns


def _cells(line: str) -> int:
    row = line.lstrip(" \t>").strip()
    bars = len(_BAR.findall(row))
    return bars + 1 - row.startswith("|") - bool(re.search(r"(?<!\\)\|$", row))


def _no_table(paragraph: str) -> bool:
    """Whether the second line of a paragraph is that below a table's head."""
    rows = paragraph.split("\n")
    return len(rows) > 1 and "|" in rows[0] and bool(_BELOW_HEAD.fullmatch(rows[1].strip()))
