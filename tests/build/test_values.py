"""Expressions: the quick way gives what the slow way gives, and neither reaches out of the sandbox."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import nodes

from generator import units, values
from generator.sandbox import Named, ValueProblem
from generator.walking import walked

RUN = Named("r", {"a": 0.0227, "n": 16384, "words": ("x", "y"), "table": {"k": 2}, "none": None})
EXPRESSIONS = [
    *("r.a | ms", "r.a | ms(1)", "(r.a - 0.01) | ms(1)", "r.n | number", "r['n'] + 1", "not r.a"),
    *("r.a < 1 and r.n > 2", "r.a > 1 or not r.none", "r.words[1]", "1 < r.n < 3", "1 < r.n < 1e9"),
    *(
        "r.table.k",
        "r.table['k'] in [1, 2]",
        "[r.n, 2] == [16384, 2]",
        "'x' in r.words",
        "r.n // 5 % 7",
        "r.n * 2",
        "2 ** 3 / r.n",
        "r.a not in [1]",
    ),
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_walking_and_compiling_agree(expression):
    compiled = values._compiled(values.parse(expression), {"r": RUN})
    assert values.evaluate(values.parse(expression), {"r": RUN}) == compiled
    assert walked(values.parse(expression), {"r": RUN}) == compiled


@pytest.mark.parametrize("expression", ["r.a | ms(digits=1)", "r.n if r.a > 1 else r.a", "r.words[1] ~ r.n", "-r.a"])
def test_what_is_rare_is_compiled(expression):
    compiled = values._compiled(values.parse(expression), {"r": RUN})
    assert values.evaluate(values.parse(expression), {"r": RUN}) == compiled
    with pytest.raises(nodes.Impossible):
        walked(values.parse(expression), {"r": RUN})


@pytest.mark.parametrize("expression", ["r.b", "s.a", "r.a + 'a'", "r.words * 2", "r.n // 0", "10 ** 99", "r._values"])
def test_what_goes_wrong_is_left_to_compiling(expression):
    with pytest.raises(ValueProblem):
        values.evaluate(values.parse(expression), {"r": RUN})


@pytest.mark.parametrize(
    "expression",
    [
        *("r.__class__", "r.words.__class__.__mro__", "''.__class__", "'{0.__class__}'.format(r)", "r._values"),
        *("range(9)", "cycler", "self", "config", "2 ** 999", "'x' * 10", "r.words * 2", "r.table.update({})"),
    ],
)
def test_nothing_leads_out_of_the_sandbox(expression):
    with pytest.raises(ValueProblem):
        values.text_of(expression, {"r": RUN})


WORDS = {
    "r.words | ms": "ms takes a number, but this is ('x', 'y')",
    "'a' | ms": 'ms takes a number, but this is "a"',
    "true | ms": "ms takes a number, but this is true",
    "r.a | ms | ms": 'ms takes a number, but this is "23 ms"',
    "r.a | ms('a')": "ms takes how many digits to show, 0 to 12 in brackets",
    "r.a | ms(1.5)": "ms takes how many digits to show, 0 to 12 in brackets",
    "r.a | ms(99999999)": "ms takes how many digits to show, 0 to 12 in brackets",
    "r.a | ms(digts=1)": "ms takes how many digits to show, 0 to 12 in brackets",
    "r.a | tokens(1)": "tokens takes nothing in brackets",
    "1e30 | number": "number cannot write 1e+30: no finite number, or too large a one",
    "1e400 | ms": "this number is too large",
    "r.a * 10 | ms": "in r.a * 10 | ms the filter ms takes only the value next to it",
    "(1e200 * 1e200) | ms": "ms cannot write inf: no finite number, or too large a one",
    "((10 ** 64) ** 64) ** 64": "cannot compute this: a number with more than 300 digits",
    "9" * 400: "this number is too large",
    "9" * 9999: "this expression is too long to be read",
    "(" * 5000 + "1" + ")" * 5000: "this expression is too long to be read",
    "'x'.ljust(999999999)": "nothing can be called in an expression",
    "'%0999999999d' % 1": "cannot compute this: % takes numbers, not a text and a number",
    "'a' if r.a > 1": "this if gives nothing where its condition is false",
    "r.a.foo": 'unknown value: a number has no "foo"',
    "r.a > 1 | ms": "cannot compute this: > cannot compare a number with a text",
    "1 + 'a'": "cannot compute this: + does not work on a number and a text",
    "r.a = 1": "cannot read the expression r.a = 1: unexpected '='",
    "r.a +": "cannot read the expression r.a +: it ends too early",
    "r.words[0:1] ~ “x”": "cannot read the expression r.words[0:1] ~ “x”: unexpected char '“'",
}


@pytest.mark.parametrize("expression", WORDS)
def test_what_goes_wrong_is_said_in_words(expression):
    with pytest.raises(ValueProblem) as caught:
        values.text_of(expression, {"r": RUN})
    assert caught.value.message == WORDS[expression]


@given(st.floats(0, 1e6), st.integers(0, 3))
def test_a_filter_is_the_function_of_units(value, digits):
    assert values.text_of(f"v | ms({digits})", {"v": value}) == units.ms(value, digits)


@given(st.text())
def test_plain_text_is_filled_in_unchanged(text):
    problems: list[ValueProblem] = []
    if "{{" not in text:
        assert values.fill(text, {}, problems.append) == text and not problems
