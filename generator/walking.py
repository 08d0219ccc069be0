"""Values of expressions by walking down what was read: a tenth of the time that compiling takes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import nodes

from generator.sandbox import ENVIRONMENT, FILTERS

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lteq": operator.le,
    "gt": operator.gt,
    "gteq": operator.ge,
    "in": lambda item, items: item in items,
    "notin": lambda item, items: item not in items,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "/": operator.truediv,
    "//": operator.floordiv,
}
"""What the sandbox does not watch."""


def walked(expression: nodes.Expr, names: Mapping[str, object]) -> Any:
    """The value of `expression`.

    Raises nodes.Impossible for what is rare in prose and claims, and for whatever goes wrong: compiling knows all
    of Jinja's language, and says what.
    """
    try:
        return _value(expression, names)
    except Exception as error:
        raise nodes.Impossible from error


def _value(node: nodes.Node, names: Mapping[str, object]) -> Any:
    match node:
        case nodes.Const():
            return node.value
        case nodes.Name():
            return names[node.name]
        case nodes.Getattr():
            return ENVIRONMENT.getattr(_value(node.node, names), node.attr)
        case nodes.Getitem():
            return ENVIRONMENT.getitem(_value(node.node, names), _value(node.arg, names))
        case nodes.Filter() if node.node and not (node.kwargs or node.dyn_args or node.dyn_kwargs):
            return FILTERS[node.name](_value(node.node, names), *(_value(part, names) for part in node.args))
        case nodes.Compare():
            return _compared(node, names)
        case nodes.And():
            return _value(node.left, names) and _value(node.right, names)
        case nodes.Or():
            return _value(node.left, names) or _value(node.right, names)
        case nodes.Not():
            return not _value(node.node, names)
        case nodes.BinExpr():
            return _computed(node.operator, _value(node.left, names), _value(node.right, names))
        case nodes.List():
            return [_value(item, names) for item in node.items]
    raise nodes.Impossible


def _compared(node: nodes.Compare, names: Mapping[str, object]) -> Any:
    """Comparisons in a row: `1 < a < b`."""
    left = _value(node.expr, names)
    holds: Any = True
    for operand in node.ops:
        right = _value(operand.expr, names)
        holds = _COMPARISONS[operand.op](left, right)
        if not holds:
            break
        left = right
    return holds


def _computed(sign: str, left: Any, right: Any) -> Any:
    if sign in ENVIRONMENT.intercepted_binops:
        return ENVIRONMENT.call_binop(None, sign, left, right)
    return _ARITHMETIC[sign](left, right)
