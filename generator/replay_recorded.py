"""Replays recorded workloads as they are, and says where the rules differ from what the engines did."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from generator.errors import UnknownName
from generator.model.recorded import Fields, replayed
from generator.replay_file import Problems


def replay_workloads(
    rows: Iterable[tuple[int, dict[str, Any]]],
    problems: Problems,
    rules: str | None,
    as_json: bool,
    out: TextIO,
    err: TextIO,
) -> int:
    """Replay rows one after the other, a line each on `out` and differences on `err`; returns how many differ.

    `rules`, if given, must be each row's own engine.
    """
    count = differing = 0
    for line, row in rows:
        try:
            if rules not in (None, row["engine"]):
                raise ValueError(f"--rules {rules}, but the row says {row['engine']}")
            results, found = replayed(row)
        except UnknownName as error:
            problems.add(line, str(error), error.hint)
            continue
        except KeyError as error:
            problems.add(line, f"no {error}")
            continue
        except (TypeError, ValueError, AttributeError) as error:
            problems.add(line, f"not a workload: {error}")
            continue
        name = row.get("name", f"row {line}")
        count += 1
        differing += bool(found)
        print(json.dumps({"name": name, "results": results}) if as_json else _summary(name, results, found), file=out)
        for text in found:
            print(f"{problems.path}:{line}: {name}: {text}", file=err)
    if not as_json:
        print(f"{count} workloads, {differing} of them differ from what was recorded", file=out)
    return differing


def _summary(name: str, results: Sequence[Fields], found: Sequence[str]) -> str:
    started = [result for result in results if "computed" in result]
    matched, computed = (sum(result[field] for result in started if result["ok"]) for field in ("matched", "computed"))
    verdict = f"{len(found)} differences" if found else "no difference"
    return f"{name}: {len(started)} requests, {matched} tokens matched, {computed} computed; {verdict}"
