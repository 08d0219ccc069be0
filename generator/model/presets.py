"""Models, cards and nodes by name, read from `data/`; each row there carries its source."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from generator.errors import UnknownName
from generator.model.hardware import GIB, Card, Family, Node
from generator.model.transformer import Experts, LatentAttention, Transformer

DATA = Path(__file__).parent / "data"
_DOCUMENTARY = {"note", "source", "recalled", "published_parameters"}
_NODE = re.compile(r"(?:(\d+)\s*x\s+)?(\S+)")


@cache
def rows(name: str) -> dict[str, Any]:
    """The table `data/<name>.json`: preset name to row, as written there."""
    table: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return table


def model_names() -> tuple[str, ...]:
    return tuple(rows("models"))


def card_names() -> tuple[str, ...]:
    return tuple(rows("cards"))


def model(name: str) -> Transformer:
    """The model called `name`, such as "llama-3.1-70b". Raises UnknownName."""
    row = _row("model", "models", name)
    shape = {key: value for key, value in row.items() if key not in _DOCUMENTARY}
    if "latent" in shape:
        shape["latent"] = LatentAttention(**shape["latent"])
    if "experts" in shape:
        shape["experts"] = Experts(**shape["experts"])
    return Transformer(name, **shape)


def family(name: str) -> Family:
    """The card family called `name`, such as "hopper". Raises UnknownName."""
    row = _row("card family", "families", name)
    return Family(name, row["bandwidth"], row["arithmetic"], row["basis"])


def card(name: str) -> Card:
    """The card called `name`, such as "a100-80gb" (SXM where the name does not say). Raises UnknownName."""
    row = _row("card", "cards", name)
    host_link = row["host_link_gb_s"]
    return Card(
        name=name,
        family=family(row["family"]),
        memory_bytes=row["memory_gib"] * GIB,
        bytes_per_second=row["bandwidth_gb_s"] * 1e9,
        flops={number_format: rate * 1e12 for number_format, rate in row["tflops"].items()},
        link_bytes_per_second=row["link_gb_s"] * 1e9,
        host_link_bytes_per_second=None if host_link is None else host_link * 1e9,
        source=row["source"],
    )


def node(text: str) -> Node:
    """A node such as "4x a100-80gb"; a card's name alone is one card.

    Raises UnknownName for a card that is not known, ValueError for any other text.
    """
    match = _NODE.fullmatch(text.strip())
    if match is None or match[1] == "0" * len(match[1] or "x"):
        raise ValueError(f'cannot read the node "{text}" (write a number and a card, such as "4x a100-80gb")')
    return Node(int(match[1] or 1), card(match[2]))


def _row(kind: str, table: str, name: str) -> dict[str, Any]:
    known = rows(table)
    if name not in known:
        raise UnknownName(kind, name, known)
    row: dict[str, Any] = known[name]
    return row
