"""Replays recorded workloads as they are, and says where the rules differ from what the engines did."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from generator.errors import UnknownName
from generator.replay_file import Problems
from generator.replay_workload import Fields, cache_of, differences, final_probe, perform, probe_differences


def replay_workload(row: Mapping[str, Any]) -> tuple[list[Fields], list[str]]:
    """The results of a row's operations in order, and how they differ from what it states.

    Raises UnknownName, KeyError, TypeError or ValueError for a row that is no workload.
    """
    cache = cache_of(row["engine"], row["config"])
    operations = row["ops"]
    results = [perform(cache, operation) for operation in operations]
    differing = list(differences(row["expect"], results)) if "expect" in row else []
    if "final_probe_tokens" in row:
        differing += probe_differences(row["final_probe_tokens"], final_probe(cache, operations))
    return results, differing


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
            results, found = replay_workload(row)
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
