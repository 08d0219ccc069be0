"""Finding and reading content: Markdown files become pages, everything else is a file to copy."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from generator import figurefence, frontmatter, text
from generator.errors import Problem
from generator.figurefence import FigureSpec
from generator.frontmatter import FrontMatter
from generator.slugs import nfc, slug

_NOISE = re.compile(r"\..*|.*~|#.*|.*\.(swp|swx|swo|tmp|bak|orig|part)|4913|thumbs\.db|desktop\.ini|__pycache__", re.I)
"""Names that editors and systems leave behind; never content."""

LONGEST_NAME = 200
"""Bytes of an address; file systems take 255, and those of the page's figures add to it."""
_REFUSED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
"""Control characters that no page can carry; a form feed is white space."""


@dataclass(frozen=True)
class Page:
    """A page as it was read. `name` is its source within the content folder, `path` as its author names it.

    `output` is the file it is written to; `body` starts on line `body_line` of the source; `problems` is
    what is wrong with its front matter and its fences.
    """

    name: str
    path: str
    output: str
    matter: FrontMatter
    body: str
    body_line: int
    figures: tuple[FigureSpec, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Content:
    """Everything in the content folder, names in NFC with `/`, sorted; `problems` are those of no page."""

    pages: tuple[Page, ...]
    files: dict[str, Path]
    site_toml: str | None
    problems: tuple[Problem, ...]


def read(folder: Path) -> Content:
    """Read the content folder. Raises FileNotFoundError where there is none."""
    if not folder.is_dir():
        raise FileNotFoundError(folder)
    label = shown(folder)
    sources, problems = _sources(folder, label)
    pages: list[Page] = []
    files: dict[str, Path] = {}
    site_toml: str | None = None
    for name, source in sources.items():
        if not name.endswith(".md") and name != "site.toml":
            if name.lower().endswith((".md", ".markdown", ".mkd", ".mdown")):
                problems.append(Problem(f"{label}{name}", 0, "a page's file ends in .md", "rename it"))
            files[name] = source
            continue
        path = f"{label}{name}"
        try:
            decoded = _decoded(source.read_bytes(), path)
        except FileNotFoundError:
            continue  # gone since it was found: editors save by renaming
        except OSError as error:
            decoded = Problem(path, 0, f"cannot read this file: {error.strerror}")
        if name != "site.toml":
            pages.append(_unread(name, path, decoded) if isinstance(decoded, Problem) else _page(name, path, decoded))
        elif isinstance(decoded, Problem):
            problems.append(decoded)
        else:
            site_toml = decoded
    return Content(tuple(pages), files, site_toml, tuple(problems))


def shown(folder: Path) -> str:
    """How messages name the content folder: as given, or from the current folder; with a slash at its end."""
    if folder.is_absolute():
        here = Path.cwd()
        folder = folder.relative_to(here) if folder.is_relative_to(here) else Path(folder.name)
    label = Path(os.path.normpath(folder)).as_posix()
    return "" if label == "." else f"{label}/"


def _sources(folder: Path, label: str) -> tuple[dict[str, Path], list[Problem]]:
    """Every file that is content, by its name; two names that are the same in NFC are a problem."""
    found: dict[str, Path] = {}
    problems = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _NOISE.fullmatch(name))
        for plain in sorted(names):
            source = Path(root, plain)
            if _NOISE.fullmatch(plain) or not source.is_file():  # a dangling link is no file
                continue
            name = nfc(source.relative_to(folder).as_posix())
            if not _is_text(name):
                shown_name = name.encode("utf-8", "backslashreplace").decode()
                problems.append(Problem(f"{label}{shown_name}", 0, "this file's name is not UTF-8", "rename it"))
                continue
            if name in found:
                problems.append(Problem(f"{label}{name}", 0, "two files have this name", "rename one of them"))
            found[name] = source
    return dict(sorted(found.items())), problems


def _is_text(name: str) -> bool:
    """Whether a name is one that all systems can have; Python keeps other bytes as lone surrogates."""
    return re.search("[\ud800-\udfff]", name) is None


def _decoded(content: bytes, path: str) -> str | Problem:
    """The text of a file: UTF-8 with or without a byte order mark, lines ended by `\\n`."""
    try:
        decoded = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Problem(path, line, "this is not UTF-8", "save the file with the encoding UTF-8")
    decoded = decoded.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if match := _REFUSED.search(decoded):
        line = decoded.count("\n", 0, match.start()) + 1
        return Problem(path, line, f"character U+{ord(match[0]):04X} is not allowed here", "delete it")
    return decoded


def _page(name: str, path: str, source: str) -> Page:
    parts = frontmatter.split(source, path)
    if isinstance(parts, Problem):
        return _unread(name, path, parts)
    matter, problems = frontmatter.read(parts.yaml, path)
    output, more = _output(name, matter.slug, path, matter.lines.get("slug", 1))
    specs: list[FigureSpec] = []
    problems += more
    for fence in text.figures(parts.body):
        spec, found = figurefence.read(fence, path, parts.body_line)
        problems += found
        if spec and any(other.id == spec.id for other in specs):
            message = f'a second figure with the id "{spec.id}"'
            problems.append(Problem(path, spec.line_of("id"), message, "choose another id"))
        elif spec:
            specs.append(spec)
    return Page(name, path, output, matter, parts.body, parts.body_line, tuple(specs), tuple(problems))


def _unread(name: str, path: str, problem: Problem) -> Page:
    """A page that cannot be read: it is there all the same, for those that link to it."""
    output, _ = _output(name, None, path, 1)
    return Page(name, path, output, FrontMatter({}, readable=False), "", 1, problems=(problem,))


def _output(name: str, given: str | None, path: str, line: int) -> tuple[str, list[Problem]]:
    """The file that a page is written to: its folder stays, its name becomes the slug."""
    folder, _, base = name.rpartition("/")
    stem = given or slug(base.removesuffix(".md"))
    problems = []
    if not stem:
        problems.append(Problem(path, line, "no address can be made from this file's name", "add a line slug: …"))
    elif len(stem.encode()) > LONGEST_NAME:
        hint = f"at most {LONGEST_NAME} bytes; choose another slug"
        problems.append(Problem(path, line, "this page's address is too long", hint))
    return f"{folder}/{stem}.html" if folder else f"{stem}.html", problems
