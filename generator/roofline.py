"""The command `flipbook roofline`: how long passes of a model take on a node, plain and calibrated, as text or JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from generator import roofline_text, units
from generator.model.calibrated import Calibrated
from generator.model.levels import Row, milliseconds
from generator.model.roofline import Roofline

MODEL = "llama-3.1-70b"
NODE = "4x a100-80gb"
NEW = (1, 64, 128, 512, 2048, 8192)
CACHED = (0,)
DECODE = ((1, 4096), (16, 4096), (64, 4096))


def counts(text: str) -> tuple[int, ...]:
    """A list of counts as the command line has it: "1,64,512". Raises ValueError."""
    if not re.fullmatch(r"\d+(,\d+)*", text):
        raise ValueError(f'cannot read "{text}" (write counts with commas between, such as 1,64,512)')
    return tuple(int(part) for part in text.split(","))


def batches(text: str) -> tuple[tuple[int, int], ...]:
    """Decode steps as the command line has them: "16x2048,64x4096", batch x context. Raises ValueError."""
    if not re.fullmatch(r"\d+x\d+(,\d+x\d+)*", text):
        raise ValueError(f'cannot read "{text}" (write a batch and a context, such as 16x2048)')
    pairs = (part.split("x") for part in text.split(","))
    return tuple((int(batch), int(context)) for batch, context in pairs)


def report(
    model: str = MODEL,
    node: str = NODE,
    new: Sequence[int] = NEW,
    cached: Sequence[int] = CACHED,
    decode: Sequence[tuple[int, int]] = DECODE,
    detail: bool = False,
    *,
    weights: str = "bf16",
    cache: str = "bf16",
) -> Report:
    """Every pair of `new` and `cached` tokens as a prefill, every (batch, context) of `decode` as a decode step.

    Raises UnknownName, DoesNotFit or ValueError as `Roofline.of` and its passes do.
    """
    plain = Roofline.of(model, node, weights=weights, cache=cache)
    calibrated = Calibrated.of(plain)
    prefills = tuple(
        Row((n, c), plain.prefill(n, c), calibrated.prefill(n, c) if calibrated else None, _room(plain, n + c))
        for c in cached
        for n in new
    )
    steps = tuple(
        Row((b, c), plain.decode(b, c), calibrated.decode(b, c) if calibrated else None, _room(plain, b * (c + 1)))
        for b, c in decode
    )
    return Report(plain, calibrated, prefills, steps, detail)


def _room(plain: Roofline, tokens: int) -> str:
    """The note on a pass whose tokens the cache cannot hold: its time is sound, but it cannot be run."""
    over = tokens - plain.cache_budget_tokens
    return f"{units.tokens(over)} more than the cache holds" if over > 0 else ""


@dataclass(frozen=True)
class Report:
    """What the command says: `text()` to people, `json()` to machines."""

    plain: Roofline
    calibrated: Calibrated | None
    prefills: tuple[Row, ...]
    steps: tuple[Row, ...]
    detail: bool

    def json(self) -> dict[str, object]:
        """Ready for `json.dumps`: times in milliseconds; with detail every row has `parts` too."""
        r = self.plain
        return {
            "model": r.model.name,
            "node": r.node.name,
            "floor_ms": milliseconds(r.floor_seconds),
            "ridge_tokens": round(r.ridge_tokens),
            "kv_bytes_per_token": r.kv_bytes_per_token,
            "cache_budget_tokens": r.cache_budget_tokens,
            "calibrated_on": self.calibrated.calibration.family if self.calibrated else None,
            "rows": [
                {"new": new, "cached": cached, **row.times(), "bound": row.plain.bound, **self._parts(row)}
                for row in self.prefills
                for new, cached in (row.counts,)
            ],
            "decode": [
                {"batch": batch, "context": context, **row.times(), **self._parts(row)}
                for row in self.steps
                for batch, context in (row.counts,)
            ],
        }

    def _parts(self, row: Row) -> dict[str, object]:
        return {"parts": row.parts()} if self.detail else {}

    def text(self) -> str:
        """The model's constants, then a table of prefills and one of decode steps."""
        tables = ((("new", "cached"), self.prefills), (("batch", "context"), self.steps))
        blocks = [
            f"{self.plain.model.name} on {self.plain.node.name}",
            roofline_text.constants(self.plain, self.calibrated),
            *(roofline_text.table(counted, rows, self.detail) for counted, rows in tables if rows),
        ]
        return "\n\n".join(blocks) + "\n"
