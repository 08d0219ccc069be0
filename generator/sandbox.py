"""Where expressions run: Jinja's sandbox, cut down to names, arithmetic and the filters of `units`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping

from jinja2.runtime import StrictUndefined, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator import units
from generator.errors import did_you_mean

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
    return ValueProblem(f'unknown value: {kind(owner)} has no "{name}"', did_you_mean(name, map(str, known)))


def kind(value: object) -> str:
    """What a value is, in an author's words."""
    if isinstance(value, Named):
        return f'"{value!r}"'
    if hasattr(value, "caption") and hasattr(value, "beat"):
        return "a step"
    return {"dict": "a mapping", "tuple": "a list", "str": "a text"}.get(
        type(value).__name__, f"a {type(value).__name__}"
    )


_MISSING = Undefined()._undefined_obj
