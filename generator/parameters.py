"""The parameters of a run, which content gives as texts, typed by the fields of the simulation's scenario."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from generator.errors import did_you_mean
from generator.model.scenario import DataFile

Given = str | Sequence[Any] | Mapping[str, Any]
"""A value as YAML has it: a text, or a list or mapping of such."""


@dataclass(frozen=True)
class ParameterProblem:
    """One mistake in the parameters. `key_path` leads to it: a parameter, then keys or positions within."""

    key_path: tuple[str, ...]
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class BadParameters(Exception):
    """The author's parameters are wrong. Carries every problem found."""

    def __init__(self, problems: Sequence[ParameterProblem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


def key_of(field: str) -> str:
    """A field's name as content spells it: `system_prompts` is "system-prompts"."""
    return field.replace("_", "-")


def typed(scenario: type, given: Mapping[str, Given], files: Mapping[str, bytes]) -> dict[str, object]:
    """Keyword arguments for `scenario` from the texts `given`; `files` holds the content of files by name.

    Raises BadParameters with one problem for each value that does not fit its field's type.
    """
    types = {key_of(name): kind for name, kind in _types(scenario).items()}
    reader = _Reader(files)
    values: dict[str, object] = {}
    for key, value in given.items():
        if key in types:
            values[key.replace("-", "_")] = reader.read(types[key], value, (key,))
        else:
            reader.bad((key,), f'unknown parameter "{key}"', did_you_mean(key, types))
    for field in fields(scenario):
        if field.default is MISSING and field.default_factory is MISSING and key_of(field.name) not in given:
            reader.bad((), f'parameter "{key_of(field.name)}" is missing', field.metadata.get("help", ""))
    if reader.problems:
        raise BadParameters(reader.problems)
    return values


def file_names(scenario: type, given: Mapping[str, Given]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each file that the parameters name, with the path to where they name it."""
    for name, kind in _types(scenario).items():
        value = given.get(key_of(name))
        if DataFile in (kind, *get_args(kind)) and isinstance(value, str) and value != "none":
            yield (key_of(name),), value


def _types(scenario: type) -> dict[str, Any]:
    hints = get_type_hints(scenario)
    return {field.name: hints[field.name] for field in fields(scenario)}


class _Reader:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.problems: list[ParameterProblem] = []

    def bad(self, path: tuple[str, ...], message: str, hint: str = "") -> None:
        self.problems.append(ParameterProblem(path, message, hint))

    def read(self, kind: Any, value: Given, path: tuple[str, ...]) -> object:
        """`value` as `kind`, None after a problem. Raises TypeError for a type that no content can give."""
        origin, parts = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            (some,) = (part for part in parts if part is not NoneType)
            return None if value == "none" else self.read(some, value, path)
        if origin is dict:
            return self._mapping(parts[1], value, path)
        if origin in (list, tuple):
            return self._sequence(origin, parts, value, path)
        if not isinstance(value, str):
            return self._wrong(path, "a single value", value)
        if origin is Literal:
            return self._choice(parts, value, path)
        return self._scalar(kind, value, path)

    def _mapping(self, kind: Any, value: Given, path: tuple[str, ...]) -> object:
        if not isinstance(value, Mapping):
            return self._wrong(path, "a mapping", value, "such as {name: value}")
        return {key: self.read(kind, item, (*path, key)) for key, item in value.items()}

    def _sequence(self, origin: Any, parts: tuple[Any, ...], value: Given, path: tuple[str, ...]) -> object:
        if isinstance(value, str | Mapping):
            return self._wrong(path, "a list", value, "such as [40, 80]")
        fixed = origin is tuple and parts[-1] is not Ellipsis
        kinds = parts if fixed else (parts[0],) * len(value)
        if len(kinds) != len(value):
            return self._wrong(path, f"a list of {len(kinds)}", value)
        items = zip(kinds, value, strict=True)
        return origin(self.read(kind, item, (*path, str(i))) for i, (kind, item) in enumerate(items))

    def _choice(self, choices: tuple[Any, ...], value: str, path: tuple[str, ...]) -> object:
        if value not in choices:
            self.bad(path, f'unknown {path[0]} "{value}"', did_you_mean(value, choices))
        return value

    def _scalar(self, kind: Any, value: str, path: tuple[str, ...]) -> object:
        if kind is str:
            return value or self._wrong(path, "a text", value)
        if kind is bool:
            return value == "true" if value in ("true", "false") else self._wrong(path, "true or false", value)
        if kind is int:
            plain = value.replace(",", "")
            hint = f"write {plain}" if plain != value and _WHOLE.fullmatch(plain) else ""
            return int(value) if _WHOLE.fullmatch(value) else self._wrong(path, "a whole number", value, hint)
        if kind is float:
            number = float(value) if _DECIMAL.fullmatch(value) else math.nan
            return number if math.isfinite(number) else self._wrong(path, "a number", value)
        if kind is DataFile:
            return DataFile(value, self.files[value]) if value in self.files else self._wrong(path, "a file", value)
        raise TypeError(f'parameter "{path[0]}" has a type that content cannot give: {kind}')

    def _wrong(self, path: tuple[str, ...], wanted: str, value: Given, hint: str = "") -> object:
        """None, after a problem that says what was `wanted`."""
        if isinstance(value, str):
            got = f'"{value}"'
        else:
            got = "a mapping" if isinstance(value, Mapping) else f"a list of {len(value)}"
        self.bad(path, f'"{".".join(path)}" must be {wanted}, got {got}', hint)
        return None


_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
