"""Claims: what a page says of its runs, proved before it is published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jinja2 import nodes

from generator.frontmatter import Claim
from generator.sandbox import ValueProblem, shown
from generator.values import evaluate, parse

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">=", "in": "in", "notin": "not in"}


def check(claim: Claim, names: Mapping[str, object]) -> None:
    """Nothing if `claim` is true. Raises ValueProblem if it is false, neither true nor false, or cannot be read."""
    expression = parse(claim.text)
    value = evaluate(expression, names)
    if not isinstance(value, bool):
        raise ValueProblem(
            f"a claim must be true or false, but {claim.text} is {shown(value)}", "compare it with something"
        )
    if not value:
        raise ValueProblem(f"claim fails: {claim.text}", "; ".join(_evidence(expression, names)))


def _evidence(expression: nodes.Expr, names: Mapping[str, object]) -> Iterator[str]:
    """Both sides of each comparison that makes the claim false."""
    if isinstance(expression, nodes.And | nodes.Or):
        for part in (expression.left, expression.right):
            try:
                if not evaluate(part, names):
                    yield from _evidence(part, names)
            except ValueProblem:
                continue  # a side that the claim itself never looked at
    elif isinstance(expression, nodes.Not):
        for part in _parts(expression.node):
            yield from _sides(part, names, "is true: ")
    else:
        yield from _sides(expression, names, "here ")


def _parts(expression: nodes.Expr) -> Iterator[nodes.Expr]:
    """What `and` and `or` join."""
    if isinstance(expression, nodes.And | nodes.Or):
        yield from _parts(expression.left)
        yield from _parts(expression.right)
    else:
        yield expression


def _sides(expression: nodes.Expr, names: Mapping[str, object], lead: str) -> Iterator[str]:
    if isinstance(expression, nodes.Compare):
        text = shown(evaluate(expression.expr, names))
        for operand in expression.ops:
            text += f" {_SIGNS[operand.op]} {shown(evaluate(operand.expr, names))}"
        yield lead + text
    elif isinstance(expression, nodes.Test):
        yield f"here it is {shown(evaluate(expression.node, names))}"
