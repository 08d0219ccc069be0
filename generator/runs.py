"""Simulations found by file name, and what running one gives: steps and facts."""

from __future__ import annotations

import hashlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, overload

from generator import simulations
from generator.errors import UnknownName
from generator.model.scenario import BadParameter
from generator.parameters import BadParameters, Given, ParameterProblem, file_names, key_of, typed

RESERVED = ("steps", "first", "last", "scenario")
"""What expressions find beside the facts, so that no fact may be called so."""


class Steps(Sequence[Any]):
    """The steps of a run, by number or by name: `steps["ben-1"]`, `steps[0]`, `steps.last`."""

    def __init__(self, steps: Iterable[Any]) -> None:
        self._steps = tuple(steps)
        self._numbers = {step.name: number for number, step in enumerate(self._steps)}

    @overload
    def __getitem__(self, key: int | str) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, key: int | str | slice) -> Any:
        """One step, or a tuple of them for a slice. Raises UnknownName for a name or number that no step has."""
        return self._steps[key if isinstance(key, slice) else self.number(key)]

    def number(self, key: int | str) -> int:
        """The number of the step called `key`, or with that number (as a text, too). Raises UnknownName."""
        if isinstance(key, str) and key in self._numbers:
            return self._numbers[key]
        if isinstance(key, str) and key.isdecimal():
            key = int(key)
        if isinstance(key, int) and -len(self) <= key < len(self):
            return key % len(self)
        unknown = UnknownName("step", str(key), self._numbers if isinstance(key, str) else ())
        unknown.hint = unknown.hint or f"they are numbered from 0 to {len(self) - 1}"
        raise unknown

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._steps)

    @property
    def first(self) -> Any:
        """Step 0."""
        return self._steps[0]

    @property
    def last(self) -> Any:
        return self._steps[-1]


@dataclass(frozen=True)
class Run:
    """A simulation that has been run. `facts` are its named results, in base units."""

    name: str
    simulation: str
    scenario: Any
    steps: Steps
    facts: Mapping[str, object]

    @property
    def fingerprint(self) -> str:
        """What tells this run from any other: simulation and parameters, files by the hash of their content."""
        return hashlib.sha256(repr((self.simulation, self.scenario)).encode()).hexdigest()


def names() -> list[str]:
    """The simulations there are, as content names them: the file `prefix_sharing.py` is "prefix-sharing"."""
    return sorted(key_of(found.name) for found in pkgutil.iter_modules(simulations.__path__))


def files(simulation: str, parameters: Mapping[str, Given]) -> list[tuple[tuple[str, ...], str]]:
    """Files that `parameters` name, each with the path of keys to it; `run` wants the content of each.

    Raises UnknownName for an unknown simulation.
    """
    return list(file_names(_module(simulation).Scenario, parameters))


def run(name: str, simulation: str, parameters: Mapping[str, Given], files: Mapping[str, bytes] | None = None) -> Run:
    """Run `simulation` with parameters as content gives them, under the name `name`.

    `files` holds the content of the files that the parameters name, by that name. Raises UnknownName for an unknown
    simulation, BadParameters for what is the author's mistake, InvalidSimulation for what is the simulation's.
    """
    module = _module(simulation)
    values = typed(module.Scenario, parameters, files or {})
    try:
        scenario = module.Scenario(**values)
        steps = Steps(module.simulate(scenario))
        facts = dict(module.facts(scenario, steps)) if len(steps) else {}
    except BadParameter as error:
        key = key_of(error.parameter)
        problem = ParameterProblem((key,), f'"{key}": {error}', error.hint)
        raise BadParameters([problem]) from error
    _check_steps(simulation, steps)
    if taken := facts.keys() & set(RESERVED):
        raise InvalidSimulation(f"{simulation}: no fact may be called {', '.join(sorted(taken))}")
    return Run(name, simulation, scenario, steps, facts)


class InvalidSimulation(Exception):
    """A simulation does not keep to what the rest relies on: our mistake, not the author's."""


def _module(simulation: str) -> ModuleType:
    if simulation not in names():
        raise UnknownName("simulation", simulation, names())
    return import_module(f"{simulations.__name__}.{simulation.replace('-', '_')}")


def _check_steps(simulation: str, steps: Steps) -> None:
    if not steps:
        raise InvalidSimulation(f"{simulation}: there is no step 0")
    seen: set[str] = set()
    for number, step in enumerate(steps):
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", step.name):
            raise InvalidSimulation(f"{simulation}: step {number} is called {step.name!r}, not [a-z0-9-]+")
        if step.name in seen or step.name.isdigit():
            raise InvalidSimulation(f"{simulation}: step {number} has a name that is taken: {step.name!r}")
        seen.add(step.name)
