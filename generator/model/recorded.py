"""Workloads for the engines' rules: operations in, what each of them did out, in the recordings' own fields.

A workload is a mapping with `engine`, `config` and `ops`, and, where it was recorded, `expect` (what each operation
did, and how the cache stood after it) and `final_probe_tokens` (how much of each request would match at the end).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from generator.errors import UnknownName
from generator.model.cache import Outcome, run
from generator.model.sglang import SglangCache
from generator.model.vllm import VllmCache

Fields = dict[str, Any]
Engine = VllmCache | SglangCache
ENGINES = ("vllm", "sglang")
# Fields of recordings that say nothing about the rules.
IGNORED = ("stored_events",)


def replayed(row: Mapping[str, Any]) -> tuple[list[Fields], list[str]]:
    """The results of a workload's operations in order, and how they differ from what it states.

    Raises UnknownName, KeyError, TypeError or ValueError for a row that is no workload.
    """
    cache = cache_of(row["engine"], row["config"])
    operations = row["ops"]
    results = [perform(cache, operation) for operation in operations]
    differing = list(differences(row["expect"], results)) if "expect" in row else []
    if "final_probe_tokens" in row:
        dropped = names_dropped(operations, results)
        differing += probe_differences(row["final_probe_tokens"], final_probe(cache, operations), dropped)
    return results, differing


def cache_of(engine: str, config: Mapping[str, Any]) -> Engine:
    """An empty cache of `engine` with a recording's sizes and policy.

    Raises UnknownName for an engine, policy or rule that does not exist, KeyError for a missing size,
    ValueError for an impossible one.
    """
    if engine == "vllm":
        return VllmCache(config["capacity_blocks"], config["block_size"])
    if engine == "sglang":
        return SglangCache(
            config["capacity_pages"],
            config["page_size"],
            config.get("policy", "lru"),
            config.get("evict_rule", "exact"),
        )
    raise UnknownName("engine", engine, ENGINES)


def perform(cache: Engine, operation: Mapping[str, Any]) -> Fields:
    """Do one operation; returns what it did and how the cache stands after it.

    Raises UnknownName for an operation that the engine does not have, KeyError for a missing field.
    """
    kind = operation["op"]
    bare: Mapping[str, Callable[[], Fields]] = {}
    if isinstance(cache, SglangCache):
        bare = {
            "match": lambda: {"ok": True, "matched": cache.match(operation["tokens"])},
            "insert": lambda: {"ok": True, "existing_prefix": cache.insert(operation["tokens"])},
            "evict": lambda: _outcome(cache, kind, Outcome(True, evicted=cache.evict(operation["num_tokens"]))),
        }
    else:
        bare = {"reset": lambda: {"ok": cache.reset()}}
    requests: Mapping[str, Callable[[], Outcome]] = {
        "run": lambda: run(
            cache,
            operation["id"],
            operation["prompt"],
            operation.get("output", ()),
            **_options(cache, operation),
        ),
        "start": lambda: cache.start(operation["id"], operation["prompt"], **_options(cache, operation)),
        "append": lambda: cache.append(operation["id"], operation["tokens"]),
        "finish": lambda: cache.finish(operation["id"]),
    }
    if kind in bare:
        return {**_outcome(cache, kind, Outcome(True)), **bare[kind](), **_state(cache)}
    if kind not in requests:
        raise UnknownName("operation", kind, (*requests, *bare))
    return {**_outcome(cache, kind, requests[kind]()), **_state(cache)}


def final_probe(cache: Engine, operations: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many tokens of each request's prompt and output would match now, by the request's id as text."""
    sequences: dict[str, list[int]] = {}
    for operation in operations:
        tokens = [*operation.get("prompt", ()), *operation.get("output", ()), *operation.get("tokens", ())]
        sequences.setdefault(str(operation.get("id")), []).extend(tokens)
    return {name: cache.probe(tokens) for name, tokens in sequences.items()}


def differences(expected: Sequence[Mapping[str, Any]], results: Sequence[Fields]) -> Iterator[str]:
    """What a recording states and `results` do not, a line per field."""
    if len(expected) != len(results):
        yield f"{len(expected)} results expected, {len(results)} operations"
    for number, (stated, found) in enumerate(zip(expected, results, strict=False)):
        for field, value in stated.items():
            if field not in IGNORED and found.get(field) != value:
                yield f"op {number}: {field} is {found.get(field)}, expected {value}"


def names_dropped(operations: Sequence[Mapping[str, Any]], results: Sequence[Fields]) -> frozenset[str]:
    """The ids of the requests that found no room at their start, as text."""
    pairs = zip(operations, results, strict=True)
    return frozenset(str(done["id"]) for done, found in pairs if done["op"] in ("run", "start") and not found["ok"])


def probe_differences(
    expected: Mapping[str, int] | Sequence[int], found: Mapping[str, int], dropped: Collection[str] = ()
) -> Iterator[str]:
    """The same for the final probe. A recording names requests, or lists all of them or all not dropped, in order."""
    if isinstance(expected, Mapping):
        stated = expected
    else:
        names = list(found) if len(expected) == len(found) else [name for name in found if name not in dropped]
        if len(expected) != len(names):
            yield f"final probe of {len(expected)} requests expected, {len(names)} were not dropped"
        stated = dict(zip(names, expected, strict=False))
    for name, tokens in stated.items():
        if found.get(name) != tokens:
            yield f"final probe of request {name}: {found.get(name)}, expected {tokens}"


def _options(cache: Engine, operation: Mapping[str, Any]) -> Fields:
    return {"priority": operation.get("priority", 0)} if isinstance(cache, SglangCache) else {}


def _outcome(cache: Engine, kind: str, outcome: Outcome) -> Fields:
    fields: Fields = {"ok": outcome.ok}
    if kind in ("run", "start"):
        fields |= {"matched": outcome.matched, "computed": outcome.computed}
    if kind in ("run", "append"):
        fields["kv_tokens"] = outcome.kv_tokens
    if kind == "run":
        fields["decode_ok"] = outcome.decode_ok
    if outcome.skipped:
        fields["skipped"] = True
    if isinstance(cache, SglangCache):
        return {**fields, "evicted_tokens": sum(lost.tokens for lost in outcome.evicted)}
    blocks = [[lost.owner, lost.start // cache.block_tokens] for lost in outcome.evicted]
    return {**fields, "evicted": len(blocks), "evicted_blocks": blocks}


def _state(cache: Engine) -> Fields:
    if isinstance(cache, SglangCache):
        return {
            "tree_tokens": cache.tree_tokens,
            "evictable": cache.evictable_tokens,
            "protected": cache.protected_tokens,
            "free_tokens": cache.free_tokens,
        }
    return {
        "cached_blocks": cache.cached_blocks,
        "free_blocks": cache.free_blocks,
        "free_queue_block_ids": list(cache.free_queue),
    }
