"""A run as readable text, one block a step: what the golden files hold.

Rewrite a golden after a change that is meant: python tests/simulations/transcript.py prefix-sharing
"""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

from generator import runs

GOLDEN = Path(__file__).parent / "golden"
CONTENT = Path(__file__).parents[2] / "content"
FILES = {
    "traffic": {"log": "data/mooncake-conversation.csv.gz", "published": "data/mooncake-published.csv"},
    "recorded-engines": {
        "vllm": "data/engines/vllm-0.33.0.jsonl.gz",
        "sglang": "data/engines/sglang-0.5.23.jsonl.gz",
    },
}
"""Parameters that name files, by simulation; these have no default."""


def golden_path(simulation: str) -> Path:
    return GOLDEN / f"{simulation.replace('-', '_')}.txt"


def made(simulation: str) -> runs.Run:
    """A run of `simulation` with default parameters, and the files of its page where it needs some."""
    names = FILES.get(simulation, {})
    return runs.run("run", simulation, names, {name: (CONTENT / name).read_bytes() for name in names.values()})


def transcript(simulation: str) -> str:
    """All steps of `simulation` with default parameters, then its facts."""
    run = made(simulation)
    blocks = [block(number, step) for number, step in enumerate(run.steps)]
    facts = "\n".join(f"{name} = {shown(value)}" for name, value in run.facts.items())
    return "\n\n".join([*blocks, f"facts\n{facts}"]) + "\n"


def block(number: int, step: object) -> str:
    head = f"{number} {step.name}{' (quick)' if step.quick else ''}"
    beat = [f"== {step.beat} =="] if step.beat else []
    return "\n".join([*beat, head, f"  {step.caption}", *(f"  {line}" for line in values(step))])


def values(step: object) -> list[str]:
    """The other values of a step that are not their defaults: a line for the plain ones, one for each part."""
    others = [field for field in fields(step) if field.name not in ("name", "caption", "beat", "quick")]
    given = {field.name: getattr(step, field.name) for field in others if getattr(step, field.name) != field.default}
    parts = {name: value for name, value in given.items() if isinstance(value, tuple)}
    plain = ", ".join(f"{name} {shown(value)}" for name, value in given.items() if name not in parts)
    return [plain, *(f"{name}: {shown(part)}" for name, value in parts.items() for part in value)]


def shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {shown(item)}" for name, item in value.items())
    if is_dataclass(value):
        return ", ".join(shown(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, tuple | list):
        return " ".join(map(shown, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    for name in sys.argv[1:] or runs.names():
        golden_path(name).write_text(transcript(name), encoding="utf-8")
