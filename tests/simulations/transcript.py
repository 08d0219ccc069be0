"""A run as readable text, one block a step: what the golden files hold.

Rewrite a golden after a change that is meant: python tests/simulations/transcript.py prefix-sharing
"""

from __future__ import annotations

import sys
from pathlib import Path

from generator import runs
from generator.units import ms

GOLDEN = Path(__file__).parent / "golden"


def golden_path(simulation: str) -> Path:
    return GOLDEN / f"{simulation.replace('-', '_')}.txt"


def transcript(simulation: str) -> str:
    """All steps of `simulation` with default parameters, then its facts."""
    run = runs.run("run", simulation, {})
    blocks = [block(number, step) for number, step in enumerate(run.steps)]
    facts = "\n".join(f"{name} = {shown(value)}" for name, value in run.facts.items())
    return "\n\n".join([*blocks, f"facts\n{facts}"]) + "\n"


def block(number: int, step: object) -> str:
    head = f"{number} {step.name}{' (quick)' if step.quick else ''}"
    beat = [f"== {step.beat} =="] if step.beat else []
    return "\n".join([*beat, head, f"  {step.caption}", *(f"  {line}" for line in values(step))])


def values(step: object) -> list[str]:
    """The other values of a step, a line each: strip, times, memory, tree."""
    lines = []
    if step.strip:
        pieces = ", ".join(f"{piece.label} {piece.tokens} {piece.state}" for piece in step.strip)
        lines.append(f"{step.who}: {pieces}")
    if step.request:
        lines.append(
            f"{step.request}: first token {ms(step.time_to_first_token, 2)}, without {ms(step.time_without, 2)}"
        )
    lines.append(f"held {step.held_tokens}, without {step.held_tokens_without}")
    for box in step.boxes:
        rows = f"row {box.row}" if box.rows == 1 else f"rows {box.row}-{box.row + box.rows - 1}"
        lines.append(f"  {rows}: {box.label}, {box.tokens} at {box.start}, {box.state}")
    flags = [f"{name} {getattr(step, name)}" for name in ("cut", "look_closer") if getattr(step, name)]
    return lines + flags


def shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {shown(item)}" for name, item in value.items())
    return f"{value:.6g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    for name in sys.argv[1:] or runs.names():
        golden_path(name).write_text(transcript(name), encoding="utf-8")
