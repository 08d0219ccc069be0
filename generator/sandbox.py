"""Where expressions run: Jinja's sandbox, cut down to names, arithmetic and the filters of `units`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from functools import wraps
from numbers import Real

from jinja2.runtime import StrictUndefined, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator import units
from generator.errors import did_you_mean

MOST_DIGITS = 12
LARGEST = 10**300
"""Whole numbers above it are nothing to read, and take time and memory to write out."""


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


def _checked(name: str, function: Callable[..., str]) -> Callable[..., str]:
    """The filter `name`: `function`, which says in an author's words what it cannot take."""
    takes_digits = "digits" in inspect.signature(function).parameters

    @wraps(function)
    def filtered(value: object, *digits: object, **named: object) -> str:
        if isinstance(value, Undefined):
            raise unknown(value)
        if isinstance(value, bool) or not isinstance(value, Real):
            raise ValueProblem(f"{name} takes a number, but this is {shown(value)}")
        given = [*digits, *named.values()]
        fits = all(type(number) is int and 0 <= number <= MOST_DIGITS for number in given)
        if len(given) > takes_digits or not fits or not named.keys() <= {"digits"}:
            wanted = f"how many digits to show, 0 to {MOST_DIGITS}" if takes_digits else "nothing"
            hint = f"such as {name}(1)" if takes_digits else f"write | {name}"
            raise ValueProblem(f"{name} takes {wanted} in brackets", hint)
        try:
            return function(value, *given)
        except (ValueError, ArithmeticError) as error:
            raise ValueProblem(f"{name} cannot write {value}: no finite number, or too large a one") from error

    return filtered


FILTERS = {
    name: _checked(name, function)
    for name, function in vars(units).items()
    if inspect.isfunction(function) and not name.startswith("_")
}


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

    intercepted_binops = frozenset(["**", "*", "%"])

    def call_binop(self, context: object, operator: str, left: object, right: object) -> object:
        if not (isinstance(left, Real) and isinstance(right, Real)):
            raise TypeError(f"{operator} takes numbers, not {kind(left)} and {kind(right)}")
        if operator == "**" and abs(float(right)) > 64:
            raise ValueError("an exponent above 64")
        value = super().call_binop(context, operator, left, right)  # type: ignore[arg-type]
        if isinstance(value, int) and abs(value) > LARGEST:
            raise ValueError("a number with more than 300 digits")
        return value


def _environment() -> _Environment:
    environment = _Environment(undefined=_Unknown, autoescape=False, optimized=False)
    environment.filters = dict(FILTERS)
    environment.globals = {}
    return environment


ENVIRONMENT = _environment()


def unknown(value: Undefined) -> ValueProblem:
    """The problem that an undefined value stands for."""
    name, owner = str(value._undefined_name), value._undefined_obj
    if value._undefined_name is None:
        return ValueProblem("this if gives nothing where its condition is false", "add an else")
    if isinstance(owner, type(_MISSING)):
        return ValueProblem(f'unknown value "{name}"')
    known = [known for known in dir(owner) if not known.startswith("_")] if _is_named(owner) else []
    known = list(owner) if isinstance(owner, Mapping) else known
    return ValueProblem(f'unknown value: {kind(owner)} has no "{name}"', did_you_mean(name, map(str, known)))


def _is_named(value: object) -> bool:
    """Whether its attributes are an author's names: a run, a step, a scenario; not Python's own of a number."""
    return isinstance(value, Named) or is_dataclass(value)


_KINDS = {
    **{"dict": "a mapping", "mappingproxy": "a mapping", "tuple": "a list", "list": "a list", "str": "a text"},
    **{"int": "a number", "float": "a number", "bool": "true or false", "NoneType": "none"},
    **{"Steps": "a list of steps", "Scenario": "a scenario"},
}


def kind(value: object) -> str:
    """What a value is, in an author's words."""
    if isinstance(value, Named):
        return f'"{value!r}"'
    if hasattr(value, "caption") and hasattr(value, "beat"):
        return "a step"
    return kind_named(type(value).__name__)


def kind_named(python_type: str) -> str:
    """What a value of the Python type called so is, in an author's words."""
    return _KINDS.get(python_type, f"a {python_type}")


def shown(value: object) -> str:
    """A value as error messages show it."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, int | float):
        return repr(value)
    plain = isinstance(value, list | tuple) and all(isinstance(item, str | int | float | None) for item in value)
    return repr(value)[:80] if plain else kind(value)


_MISSING = Undefined()._undefined_obj
