"""A site in memory, and the last one that was made of a content folder, kept until anything it is made from changes."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from generator import bundle, shelf, shipped
from generator.errors import Problem

Report = Callable[[str], None]

LIBRARIES = ("jinja2", "latex2mathml", "markdown-it-py", "mdit-py-plugins", "numpy", "plotly", "pyyaml")
"""Those that take part in what is made."""


def silent(_: str) -> None:
    """Say nothing."""


@dataclass(frozen=True)
class Made:
    """A site in memory. `script` says which plotly.js it carries, `warnings` what is published all the same,
    `base_path` under which path of its host it expects to lie ("/" or "/demo/")."""

    files: Mapping[str, bytes]
    pages: int
    script: str
    warnings: tuple[Problem, ...]
    base_path: str


@dataclass(frozen=True)
class Inputs:
    """What a site is made from: `content` is the folder's place, `digest` a hash of everything in it and besides."""

    content: str
    digest: str

    @property
    def name(self) -> str:
        """What the site is kept under: one for each content folder, so that old ones do not pile up."""
        return hashlib.sha256(self.content.encode("utf-8", "surrogateescape")).hexdigest()


def inputs(content: Path, theme: Path | None, base_url: str | None, drafts: bool) -> Inputs | None:
    """What the site of `content` would be made from now: every file of it, of both themes and of the code, the
    libraries by their versions, the script, and the options. None where that cannot be told beforehand."""
    script = bundle.at_hand()
    if script is None:
        return None
    versions = [importlib.metadata.version(library) for library in LIBRARIES]
    total = hashlib.sha256(repr((sys.version, versions, script, str(content), Path.cwd(), base_url, drafts)).encode())
    try:
        for folder in (content, theme, shipped.theme(), shipped.PACKAGE):
            for name, digest in _files(folder) if folder else ():
                total.update(f"\0{name}\0{digest}".encode("utf-8", "surrogateescape"))
            total.update(b"\0\0")
    except OSError:
        return None  # an editor at work, or a file that the build will complain of
    return Inputs(str(content.resolve()), total.hexdigest())


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file under `folder` with the hash of what is in it; nothing hidden, and no code that Python compiled."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            path = Path(root, name)
            if not name.startswith(".") and path.is_file():
                yield f"{root}/{name}", hashlib.sha256(path.read_bytes()).hexdigest()


def kept(folder: Path, wanted: Inputs) -> Made | None:
    """The site that was kept in `folder`, if it was made from just what is `wanted`."""
    found = shelf.kept(folder, wanted.name)
    if found is None or found[0] != wanted:
        return None
    made: Made = found[1]
    return made


def keep(folder: Path, made_from: Inputs, made: Made) -> None:
    """Keep a site in place of the one kept before."""
    shelf.keep(folder, made_from.name, (made_from, made))
