"""Steps as a table: one row a step, for the download of a figure's numbers."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Sequence

LEADING = ("step", "name", "beat", "caption")


def csv_of(steps: Sequence[object]) -> bytes:
    """CSV in UTF-8 with a header: number, name, beat and caption, then every plain value of the steps.

    Values are in base units, written so that they can be read back exactly; lists and mappings are left out.
    """
    columns = [name for name in _fields(steps[0]) if name not in LEADING and _plain(steps, name)]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*LEADING, *columns])
    for number, step in enumerate(steps):
        leading = [number, *(getattr(step, name, "") for name in LEADING[1:])]
        writer.writerow([*leading, *(_cell(getattr(step, name)) for name in columns)])
    return buffer.getvalue().encode("utf-8")


def _fields(step: object) -> list[str]:
    return [field.name for field in dataclasses.fields(step)]  # type: ignore[arg-type]


def _plain(steps: Sequence[object], name: str) -> bool:
    return all(isinstance(getattr(step, name), str | int | float | None) for step in steps)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
