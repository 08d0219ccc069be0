"""Runs as a page asks for them: a name, a simulation, and parameters whose meaning the simulation knows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from generator.errors import did_you_mean
from generator.yamltext import Node

Add = Callable[..., None]
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WORDS_OF_EXPRESSIONS = {"and", "else", "false", "if", "in", "is", "none", "not", "or", "true"}


@dataclass(frozen=True)
class RunSpec:
    """A run that a page asks for: its name, the simulation's name, and parameters as texts with lines."""

    name: str
    simulation: str
    parameters: Node
    line: int


def read(value: Node, line: int, add: Add) -> tuple[RunSpec, ...]:
    """The runs that the value of `runs` asks for; `add` is told line, message and hint of what is wrong."""
    if not isinstance(value.value, dict):
        add(line, '"runs" must be a mapping of names to runs', 'such as "desk:" with "simulation: …" below it')
        return ()
    found = (_run(name, node, value.key_lines[name], add) for name, node in value.value.items())
    return tuple(run for run in found if run is not None)


def _run(name: str, node: Node, line: int, add: Add) -> RunSpec | None:
    if not _NAME.fullmatch(name) or name in _WORDS_OF_EXPRESSIONS:
        add(line, f'"{name}" cannot name a run', "lower-case letters, digits and _, a letter first")
        return None
    if not isinstance(node.value, dict):
        add(line, f'run "{name}" must say "simulation: …" on a line below it')
        return None
    simulation = node.value.get("simulation")
    if simulation is None or not simulation.text:
        if simulation is not None:
            add(
                node.key_lines["simulation"], f'the simulation of run "{name}" must be a name', "such as prefix-sharing"
            )
            return None
        near = [key for key in node.value if '"simulation"' in did_you_mean(key, ["simulation"])]
        hint = f'"{near[0]}": did you mean "simulation"?' if near else ""
        add(line, f'run "{name}" names no simulation', hint)
        return None
    return RunSpec(name, simulation.text, without(node, "simulation"), line)


def without(node: Node, *keys: str) -> Node:
    """The mapping `node` less some keys; the lines of all keys stay known."""
    assert isinstance(node.value, dict)
    return Node({k: v for k, v in node.value.items() if k not in keys}, node.line, node.key_lines)
