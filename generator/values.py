"""The expressions between `{{` and `}}`: evaluated in a sandbox, with every doubt turned into one plain sentence."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable, Mapping

from jinja2 import TemplateSyntaxError, nodes
from jinja2.environment import TemplateExpression
from jinja2.exceptions import SecurityError, TemplateError
from jinja2.runtime import StrictUndefined, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator import units
from generator.errors import UnknownName, did_you_mean

VALUE = re.compile(r"""(?<!\\)\{\{((?:"[^"\n`]*"|'[^'\n`]*'|(?!\}\}|\{\{)[^`\n"'$])*)\}\}""")
"""`{{ … }}` on one line; no expression holds a backtick or a dollar, so code and formulas end it."""

FILTERS = {
    name: function
    for name, function in vars(units).items()
    if inspect.isfunction(function) and not name.startswith("_")
}


class ValueProblem(Exception):
    """An expression that gives no value: what is wrong, and a hint. `broken` names a run that failed already."""

    def __init__(self, message: str, hint: str = "", broken: str = "") -> None:
        super().__init__(message)
        self.message, self.hint, self.broken = message, hint, broken


class Named:
    """Named values under one name, read in expressions as `name.value` or `name["value"]`.

    A plain dict would not do: its methods (`items`, `values`, …) hide values of the same name.
    """

    def __init__(self, label: str, values: Mapping[str, object]) -> None:
        self._label, self._values = label, dict(values)

    def __getattr__(self, name: str) -> object:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(name)
        return self._values[name]

    def __getitem__(self, name: str) -> object:
        return self._values[name]

    def __repr__(self) -> str:
        return self._label

    def __dir__(self) -> Iterable[str]:
        return list(self._values)


class _Unknown(StrictUndefined):
    """An unknown name. Using it in any way says which name, of what, and what it may have meant."""

    def _fail_with_undefined_error(self, *_: object, **__: object) -> None:  # type: ignore[override]
        raise unknown(self)

    __str__ = __eq__ = __ne__ = __bool__ = __iter__ = __len__ = __hash__ = _fail_with_undefined_error  # type: ignore[assignment]
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _fail_with_undefined_error  # type: ignore[assignment]
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = _fail_with_undefined_error  # type: ignore[assignment]
    __rmod__ = __pow__ = __rpow__ = __pos__ = __neg__ = __call__ = _fail_with_undefined_error  # type: ignore[assignment]
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = __getitem__ = _fail_with_undefined_error  # type: ignore[assignment]
    __contains__ = __repr__ = _fail_with_undefined_error  # type: ignore[assignment]

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        raise unknown(self)


class _Environment(ImmutableSandboxedEnvironment):
    """Jinja's sandbox with the filters of `units` and nothing else by name; powers and repetition are bounded."""

    intercepted_binops = frozenset(["**", "*"])

    def call_binop(self, context: object, operator: str, left: object, right: object) -> object:
        if operator == "**" and isinstance(right, int | float) and abs(right) > 64:
            raise ValueError("an exponent above 64")
        if operator == "*" and not (isinstance(left, int | float) and isinstance(right, int | float)):
            raise TypeError("only numbers can be multiplied")
        return super().call_binop(context, operator, left, right)  # type: ignore[arg-type]


def _environment() -> _Environment:
    environment = _Environment(undefined=_Unknown, autoescape=False)
    environment.filters = dict(FILTERS)
    environment.globals = {}
    return environment


ENVIRONMENT = _environment()


def unknown(value: Undefined) -> ValueProblem:
    """The problem that an undefined value stands for."""
    name, owner = str(value._undefined_name), value._undefined_obj
    if isinstance(owner, type(_MISSING)):
        return ValueProblem(f'unknown value "{name}"')
    known = [known for known in dir(owner) if not known.startswith("_")]
    known = list(owner) if isinstance(owner, Mapping) else known
    return ValueProblem(f'unknown value: {_kind(owner)} has no "{name}"', did_you_mean(name, map(str, known)))


def _kind(value: object) -> str:
    """What a value is, in an author's words."""
    if isinstance(value, Named):
        return f'"{value!r}"'
    if hasattr(value, "caption") and hasattr(value, "beat"):
        return "a step"
    return {"dict": "a mapping", "tuple": "a list", "str": "a text"}.get(
        type(value).__name__, f"a {type(value).__name__}"
    )


_MISSING = Undefined()._undefined_obj


def parse(text: str) -> nodes.Expr:
    """The expression in `text`. Raises ValueProblem for what cannot be one."""
    if not text.strip():
        raise ValueProblem("there is no expression between {{ and }}")
    try:
        template = (
            ENVIRONMENT.parse("{{ (" + text + "\n) }}") if _balanced(text) else ENVIRONMENT.parse("{{ " + text + " }}")
        )
    except TemplateSyntaxError as error:
        raise ValueProblem(f"cannot read the expression {text.strip()}: {error.message}") from error
    body = template.body
    if len(body) != 1 or not isinstance(body[0], nodes.Output) or len(body[0].nodes) != 1:
        raise ValueProblem(f"cannot read the expression {text.strip()}")
    expression = body[0].nodes[0]
    _check_filters(expression, text)
    return expression


def _balanced(text: str) -> bool:
    """Whether brackets close in order, so that wrapping the text in brackets changes nothing."""
    depth = 0
    for char in re.sub(r'"[^"]*"|\'[^\']*\'', "", text):
        depth += (char in "([{") - (char in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _check_filters(expression: nodes.Expr, text: str) -> None:
    for used in [expression, *expression.find_all(nodes.Filter)]:
        if isinstance(used, nodes.Filter) and used.name not in FILTERS:
            raise ValueProblem(f'unknown filter "{used.name}"', did_you_mean(used.name, FILTERS))
    binary = [expression] if isinstance(expression, nodes.BinExpr) else []
    for operation in [*binary, *expression.find_all(nodes.BinExpr)]:
        if isinstance(operation, nodes.And | nodes.Or):
            continue
        for side in (operation.left, operation.right):
            if isinstance(side, nodes.Filter):
                hint = f"write (…) | {side.name}, with brackets around the arithmetic"
                message = f"in {text.strip()} the filter {side.name} takes only the value next to it"
                raise ValueProblem(message, hint)


def evaluate(expression: nodes.Expr, names: Mapping[str, object]) -> object:
    """The value of `expression`. Raises ValueProblem for unknown names and for whatever else goes wrong."""
    body: list[nodes.Node] = [nodes.Assign(nodes.Name("result", "store"), expression, lineno=1)]
    template = ENVIRONMENT.from_string(nodes.Template(body, lineno=1))
    try:
        value = TemplateExpression(template, undefined_to_none=False)(**names)
    except ValueProblem as problem:
        raise _with_names(problem, names) from problem
    except SecurityError as error:
        raise ValueProblem(f"not allowed in an expression: {error}") from error
    except UnknownName as error:
        raise ValueProblem(str(error), error.hint) from error
    except (TemplateError, ArithmeticError, TypeError, ValueError, LookupError, AttributeError) as error:
        raise ValueProblem(f"cannot compute this: {error}") from error
    if isinstance(value, Undefined):
        raise _with_names(unknown(value), names)
    return value


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


def shown(value: object) -> str:
    """A value as error messages show it."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, int | float):
        return repr(value)
    return repr(value)[:80] if isinstance(value, list | tuple) else _kind(value)


def fill(text: str, names: Mapping[str, object]) -> str:
    """Plain `text` (a title, a description, a caption) with its values filled in, `\\{{` as `{{`.

    Raises ValueProblem, also for a `{{` that is left over.
    """
    filled = VALUE.sub(lambda match: text_of(match[1], names).replace("{{", "\\{{"), text)
    if re.search(r"(?<!\\)\{\{", filled):
        raise ValueProblem('"{{" without "}}"', "for the signs themselves write \\{{")
    return filled.replace("\\{{", "{{")
