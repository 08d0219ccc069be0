"""The expressions between `{{` and `}}`: evaluated in a sandbox, with every doubt turned into one plain sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from jinja2 import TemplateSyntaxError, nodes
from jinja2.environment import TemplateExpression
from jinja2.exceptions import SecurityError, TemplateError
from jinja2.runtime import Undefined

from generator.errors import UnknownName, did_you_mean
from generator.sandbox import ENVIRONMENT, FILTERS, LARGEST, ValueProblem, kind_named, shown, unknown
from generator.walking import walked

VALUE = re.compile(r"""(?<!\\)\{\{((?:"[^"\n`]*"|'[^'\n`]*'|(?!\}\}|\{\{)[^`\n"'$])*)\}\}""")
"""`{{ … }}` on one line; no expression holds a backtick or a dollar, so code and formulas end it."""


@lru_cache(maxsize=4096)  # a preview reads the same ones again at every save
def parse(text: str) -> nodes.Expr:
    """The expression in `text`. Raises ValueProblem for what cannot be one."""
    if not text.strip():
        raise ValueProblem("there is no expression between {{ and }}")
    balanced = _balanced(text)
    try:
        template = ENVIRONMENT.parse("{{ (" + text + "\n) }}" if balanced else "{{ " + text + " }}")
    except TemplateSyntaxError as error:
        raise _unreadable(text, error.message or "", balanced) from error
    except (RecursionError, ValueError) as error:  # a thousand brackets, a number of a thousand digits
        raise ValueProblem("this expression is too long to be read") from error
    body = template.body
    if len(body) != 1 or not isinstance(body[0], nodes.Output) or len(body[0].nodes) != 1:
        raise ValueProblem(f"cannot read the expression {text.strip()}")
    expression = body[0].nodes[0]
    parts = [expression, *expression.find_all(nodes.Expr)]
    _check_parts(parts)
    _check_filters(parts, text)
    return expression


def _unreadable(text: str, said: str, wrapped: bool) -> ValueProblem:
    """What Jinja `said` of `text`, without the brackets that were put around it, and what to write instead."""
    said = re.sub(r" at \d+$", "", said)
    if wrapped:
        said = re.sub(r"^expected token '\)', got ", "unexpected ", said)
        said = said if ")" in text else re.sub(r"^.*'\)'.*$", "it ends too early", said)
    if "{{" in text:
        return ValueProblem(f"cannot read the expression {text.strip()}", "leave out {{ and }}")
    sign = re.search(r"unexpected (?:char )?'(.)'", said)
    return ValueProblem(f"cannot read the expression {text.strip()}: {said}", _INSTEAD.get(sign[1], "") if sign else "")


_INSTEAD = {
    **dict.fromkeys("“”„’‘", "write straight quotes"),
    **{
        "=": "equal is ==, at least >=, at most <=",
        "&": "write and",
        "≤": "write <=",
        "≥": "write >=",
        "≠": "write !=",
    },
}


def _check_parts(parts: Sequence[nodes.Expr]) -> None:
    for part in parts:
        if isinstance(part, nodes.Call):
            raise ValueProblem("nothing can be called in an expression", "a filter is written: value | ms(1)")
        if isinstance(part, nodes.Const) and isinstance(part.value, int | float) and abs(part.value) > LARGEST:
            raise ValueProblem("this number is too large")


def _balanced(text: str) -> bool:
    """Whether brackets close in order, so that wrapping the text in brackets changes nothing."""
    depth = 0
    for char in re.sub(r'"[^"]*"|\'[^\']*\'', "", text):
        depth += (char in "([{") - (char in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _check_filters(parts: Sequence[nodes.Expr], text: str) -> None:
    for used in parts:
        if isinstance(used, nodes.Filter) and used.name not in FILTERS:
            raise ValueProblem(f'unknown filter "{used.name}"', did_you_mean(used.name, FILTERS))
    for operation in parts:
        if not isinstance(operation, nodes.BinExpr) or isinstance(operation, nodes.And | nodes.Or):
            continue
        for side in (operation.left, operation.right):
            if isinstance(side, nodes.Filter):
                hint = f"write (…) | {side.name}, with brackets around the arithmetic"
                message = f"in {text.strip()} the filter {side.name} takes only the value next to it"
                raise ValueProblem(message, hint)


def evaluate(expression: nodes.Expr, names: Mapping[str, object]) -> object:
    """The value of `expression`. Raises ValueProblem for unknown names and for whatever else goes wrong."""
    try:
        value = walked(expression, names)
    except nodes.Impossible:
        value = _compiled(expression, names)
    if isinstance(value, Undefined):
        raise _with_names(unknown(value), names)
    return value


def _compiled(expression: nodes.Expr, names: Mapping[str, object]) -> object:
    """The value by running the expression as a template, which says what goes wrong."""
    body: list[nodes.Node] = [nodes.Assign(nodes.Name("result", "store"), expression, lineno=1)]
    template = ENVIRONMENT.from_string(nodes.Template(body, lineno=1))
    try:
        return TemplateExpression(template, undefined_to_none=False)(**names)
    except ValueProblem as problem:
        raise _with_names(problem, names) from problem
    except SecurityError as error:
        raise ValueProblem(f"not allowed in an expression: {error}") from error
    except UnknownName as error:
        raise ValueProblem(str(error), error.hint) from error
    except (TemplateError, ArithmeticError, TypeError, ValueError, LookupError, AttributeError) as error:
        raise ValueProblem(f"cannot compute this: {_in_words(str(error))}") from error
    except RecursionError as error:
        raise ValueProblem("this expression is too long to be computed") from error


_IN_PYTHON = (
    (r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'", "{} cannot compare {} with {}"),
    (r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'", "{} does not work on {} and {}"),
    (r"bad operand type for unary (\S+): '(\w+)'", "{} does not work on {}"),
)


def _in_words(said: str) -> str:
    """What Python `said` of an operation, in an author's words."""
    for pattern, words in _IN_PYTHON:
        if match := re.fullmatch(pattern, said):
            return words.format(match[1], *map(kind_named, match.groups()[1:]))
    return said


def _with_names(problem: ValueProblem, names: Mapping[str, object]) -> ValueProblem:
    match = re.fullmatch(r'unknown value "(.*)"', problem.message)
    if match and not problem.hint:
        return ValueProblem(problem.message, did_you_mean(match[1], names))
    return problem


def text_of(source: str, names: Mapping[str, object]) -> str:
    """The text that the expression `source` puts into a page. Raises ValueProblem unless it is text or a number."""
    value = evaluate(parse(source), names)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueProblem(f"{source.strip()} is {shown(value)}, which is neither text nor a number")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueProblem(f"{source.strip()} is {value}, not a number that can be shown")
    return str(value)


def fill(text: str, names: Mapping[str, object], report: Callable[[ValueProblem], None]) -> str:
    """Plain `text` (a title, a description, a caption) with its values filled in, `\\{{` as `{{`.

    `report` is told of each value that cannot be, and of a `{{` that is left over.
    """

    def value(match: re.Match[str]) -> str:
        try:
            return text_of(match[1], names).replace("{{", "\\{{")
        except ValueProblem as problem:
            report(problem)
            return ""

    filled = VALUE.sub(value, text)
    if re.search(r"(?<!\\)\{\{", filled):
        report(ValueProblem('"{{" without "}}"', "for the signs themselves write \\{{"))
    return filled.replace("\\{{", "{{")
