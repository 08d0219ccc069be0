"""Outcomes of runs kept between builds, by what they were made from; in a folder that only this user writes to."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import pickle
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

KEPT_SECONDS = 30 * 24 * 3600
PACKAGE = Path(__file__).parent


def key_of(simulation: str, parameters: Mapping[str, Any], files: Mapping[str, bytes], figures: Sequence[Any]) -> str:
    """What tells an outcome from any other: parameters, files, figures, and all code that takes part."""
    total = hashlib.sha256(_code(simulation).encode())
    total.update(json.dumps([simulation, parameters, figures], ensure_ascii=False).encode())
    for name in sorted(files):
        total.update(f"\0{name}\0{hashlib.sha256(files[name]).hexdigest()}".encode())
    return total.hexdigest()


@cache
def _code(simulation: str) -> str:
    """A hash of the simulation and of what all simulations share."""
    own = PACKAGE / "simulations" / f"{simulation.replace('-', '_')}.py"
    return _shared() + (hashlib.sha256(own.read_bytes()).hexdigest() if own.is_file() else "")


@cache
def _shared() -> str:
    """A hash of the model, of all panels and of the modules beside this one."""
    sources = {*PACKAGE.glob("*.py"), *(PACKAGE / "model").rglob("*"), *(PACKAGE / "figures").rglob("*")}
    total = hashlib.sha256(f"{sys.version} numpy {importlib.metadata.version('numpy')}".encode())
    for path in sorted(source for source in sources if source.is_file() and source.suffix != ".pyc"):
        total.update(f"\0{path.relative_to(PACKAGE)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def kept(folder: Path | None, key: str) -> Any:
    """The outcome kept under `key`, None if there is none; a file that cannot be read is as good as none."""
    if folder is None:
        return None
    path = folder / f"{key}.pickle"
    try:
        content = path.read_bytes()
        os.utime(path)
        digest, data = content[:32], content[32:]
        return pickle.loads(data) if hashlib.sha256(data).digest() == digest else None
    except (OSError, pickle.UnpicklingError, AttributeError, ImportError, EOFError, IndexError):
        return None


def keep(folder: Path | None, key: str, outcome: object) -> None:
    """Keep an outcome; a cache that cannot be written costs time, never the build."""
    if folder is None:
        return
    data = pickle.dumps(outcome, protocol=5)
    path = folder / f"{key}.pickle"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = folder / f"{key}.{os.getpid()}"
        unfinished.write_bytes(hashlib.sha256(data).digest() + data)
        unfinished.replace(path)
        for old in folder.iterdir():
            if old.stat().st_mtime < time.time() - KEPT_SECONDS:
                old.unlink()
    except OSError:
        return
