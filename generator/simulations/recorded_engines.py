"""Recorded runs of the real engines' prefix caches, replayed by the rules here, every stated fact compared.

A recording is a workload of made-up requests and what the engine did with each operation: whether there was room,
what it found, computed and evicted, and how its cache stood afterwards. The rules are vLLM's and SGLang's, of the
versions that the recordings name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, replace
from itertools import groupby

from generator.model.agreement import Replayed, replay
from generator.model.scenario import DataFile, blame, parameter
from generator.units import number

POLICIES = {
    "lru": "the least recently used leaf goes first",
    "lfu": "the least often found leaf goes first",
    "slru": "leaves found once at most go first",
    "fifo": "the oldest leaf goes first",
    "filo": "the newest leaf goes first",
    "mru": "the most recently used leaf goes first",
    "priority": "the least important leaf goes first",
}
COUNTS = ("workloads", "operations", "stated", "mismatches")
TITLES = {"vllm": "vLLM", "sglang": "SGLang"}


@dataclass(frozen=True)
class Step:
    """Recordings of one kind: how many `workloads`, `operations` in them and `stated` facts, and how many differ.

    `engine` is "" before the first; `together`: several requests run at a time.
    """

    name: str
    caption: str
    engine: str = ""
    version: str = ""
    setting: str = ""
    together: bool = False
    workloads: int = 0
    operations: int = 0
    stated: int = 0
    mismatches: int = 0
    beat: str = ""
    quick: bool = False


@dataclass(frozen=True)
class Scenario:
    """The recordings. Raises BadParameter, when they are replayed, for a file that holds something else."""

    vllm: DataFile = parameter(MISSING, "recorded workloads of vLLM, a JSON object a line, packed by gzip")
    sglang: DataFile = parameter(MISSING, "recorded workloads of SGLang, likewise")

    def replay(self) -> tuple[Replayed, ...]:
        """All of them by kind, vLLM first."""
        kinds: list[Replayed] = []
        for engine, file in (("vllm", self.vllm), ("sglang", self.sglang)):
            with blame(engine):
                kinds += replay(file.content, engine)
        return tuple(kinds)


def simulate(scenario: Scenario) -> Iterator[Step]:
    """One kind of recording after the other, a beat for each engine with one request at a time and with several."""
    caption = "Two engines were given made-up requests, and what they did was written down. Nothing is replayed yet."
    yield Step("nothing", caption, beat="Two engines, recorded")
    for (engine, several), kinds in groupby(scenario.replay(), lambda kind: (kind.engine, kind.together)):
        for position, kind in enumerate(kinds):
            step = _step(kind)
            beat = f"{TITLES[engine]}, {'several at a time' if several else 'one by one'}"
            yield replace(step, quick=True) if position else replace(step, beat=beat)


def _step(kind: Replayed) -> Step:
    how = "together" if kind.together else "alone"
    return Step(
        f"{kind.engine}-{kind.setting}-{how}",
        _told(kind),
        engine=kind.engine,
        version=kind.version,
        setting=kind.setting,
        together=kind.together,
        workloads=kind.workloads,
        operations=kind.operations,
        stated=kind.stated,
        mismatches=kind.mismatches,
    )


def _told(kind: Replayed) -> str:
    rule = POLICIES.get(kind.setting) or f"blocks of {kind.setting} {'token' if kind.setting == '1' else 'tokens'}"
    amount = f"{number(kind.workloads)} recording{'' if kind.workloads == 1 else 's'}, {number(kind.stated)} facts"
    verdict = f"{number(kind.mismatches)} of them differ" if kind.mismatches else "all borne out"
    return f"{TITLES[kind.engine]}, {rule}: {amount}, {verdict}."


def facts(_: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """Workloads, operations, facts stated and mismatches: of both engines, of each, one by one and several."""
    kinds = [step for step in steps if step.engine]
    engines = {name: [step for step in kinds if step.engine == name] for name in TITLES}
    found: dict[str, object] = {"all": _sums(kinds)}
    return found | {
        name: _sums(told)
        | {
            "version": told[0].version,
            "alone": _sums([step for step in told if not step.together]),
            "several": _sums([step for step in told if step.together]),
        }
        for name, told in engines.items()
    }


def _sums(steps: Sequence[Step]) -> dict[str, object]:
    return {name: sum(getattr(step, name) for step in steps) for name in COUNTS}
