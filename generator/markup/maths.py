"""Formulas: `$…$` in a line, `$$…$$` as a block, in TeX; and prices, which are no formulas.

A formula's `$` touches what it encloses, closes in the same paragraph and is not followed by a letter or
digit; "$3 in" is money. The TeX is kept byte for byte, beside MathML where that can be made from it.
"""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from generator.context import Context

_INLINE = re.compile(r"\$(?![\s$])((?:\\[^\n]|[^$\\`])*?)(?<![\s\\])\$(?![\w$])")
_DISPLAY = re.compile(r"\$\$((?:\\[\s\S]|[^$\\])+)\$\$")
_MONEY = re.compile(r"\$\d[\d.,]*(?:\s+[^\W\d_]|\s*(?:[-–/]|to\b|and\b|or\b))")


def extend(md: MarkdownIt, context: Context) -> None:
    """Recognise formulas before Markdown reads what is in them."""

    def inline(state: StateInline, silent: bool) -> bool:
        if state.src[state.pos] != "$" or _MONEY.match(state.src, state.pos):
            return False
        if state.pos and state.src[state.pos - 1].isalnum():
            return False
        display = _DISPLAY.match(state.src, state.pos)
        match = display or _INLINE.match(state.src, state.pos)
        if match is None:
            return False
        if not silent:
            state.push("math_block" if display else "math_inline", "", 0).content = match[1]
        state.pos = match.end()
        return True

    def block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        first = _line(state, start)
        if state.is_code_block(start) or not first.startswith("$$"):
            return False
        whole = _DISPLAY.match(first)
        if whole and first[whole.end() :].strip():
            return False  # a paragraph that begins with a formula
        last = start if whole else _last_line(state, start, end)
        if last is None:
            if not silent:
                context.problem(start, "this formula is never closed", 'end it with "$$"')
            return False
        if not silent:
            token = state.push("math_block", "", 0)
            token.content = state.getLines(start, last + 1, state.blkIndent, False).strip()[2:-2]
            token.map, token.block = [start, last + 1], True
            state.line = last + 1
        return True

    md.inline.ruler.before("escape", "math", inline)
    md.block.ruler.before("fence", "math_block", block, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    md.add_render_rule("math_inline", _render_inline)
    md.add_render_rule("math_block", _render_block)


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _last_line(state: StateBlock, start: int, end: int) -> int | None:
    """The line after `start` on which the formula ends, None if what it stands in ends first."""
    for line in range(start + 1, end):
        text = _line(state, line).rstrip()
        if text and state.sCount[line] < state.blkIndent:
            return None
        if text.endswith("$$") and not text.endswith("\\$$"):
            return line
    return None


def _render_inline(_: object, tokens: list[Token], index: int, *__: object) -> str:
    return f'<span class="math">{mathml(tokens[index].content, "inline")}</span>'


def _render_block(_: object, tokens: list[Token], index: int, *__: object) -> str:
    tag = "div" if tokens[index].block else "span"
    return (
        f'<{tag} class="math math-block" tabindex="0">{mathml(tokens[index].content, "block")}</{tag}>'
        + "\n" * tokens[index].block
    )


def mathml(tex: str, display: str) -> str:
    """MathML with the TeX in an annotation; the TeX alone where no MathML can be made from it."""
    from latex2mathml.converter import convert  # takes 70 ms to import, and few pages have formulas

    try:
        drawn = convert(_rows(tex.strip()), display=display)
    except Exception:  # its errors share no base class, and the TeX itself is always good enough
        drawn = ""
    content = re.fullmatch(r"<math[^>]*>(.*)</math>", drawn, re.DOTALL)
    if content is None or "\\" in drawn or " style=" in drawn or re.search(r"&(?![#\w]+;)", drawn):
        return f"<code>{escape(tex, quote=False)}</code>"
    annotation = f'<annotation encoding="application/x-tex">{escape(tex, quote=False)}</annotation>'
    return f'<math display="{display}"><semantics>{content[1]}{annotation}</semantics></math>'


def _rows(tex: str) -> str:
    """Rows as a table: MathML has no line break of its own that browsers follow."""
    if "\\\\" in tex and "\\begin" not in tex:
        return rf"\begin{{array}}{{l}}{tex}\end{{array}}"
    return re.sub(r"\\(begin|end)\{(?:aligned|align\*?|split)\}", _as_array, tex)


def _as_array(match: re.Match[str]) -> str:
    return r"\begin{array}{rl}" if match[1] == "begin" else r"\end{array}"
