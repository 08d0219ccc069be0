"""Pages that cannot both be: one file for two of them, one place in the series, two beginnings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path, PurePosixPath

from generator.addresses import GENERATED
from generator.errors import Problem
from generator.figurefiles import beside
from generator.pages import Page


def collisions(published: list[Page], files: Mapping[str, Path]) -> list[Problem]:
    """Every page that is in the way of one before it, or of a file that is copied."""
    label = published[0].path.removesuffix(published[0].name) if published else ""
    taken = {name.casefold(): f"{label}{name}" for name in files}
    return [*_outputs(published, taken), *_folders(taken), *_orders(published), *_starts(published)]


def _outputs(published: list[Page], taken: dict[str, str]) -> list[Problem]:
    """Two sources of one file, also where a file system that ignores case would see one; figures have files too.

    `taken` has the sources by file in small letters; it grows by those of the pages.
    """
    problems = []
    for page in published:
        if page.output.rpartition("/")[2] == ".html":
            continue  # no address could be made, which has been said
        other = taken.setdefault(page.output.casefold(), page.path)
        if other != page.path:
            line = page.matter.lines.get("slug", 1)
            message = f'this page would be written to "{page.output}", and so would {other}'
            problems.append(Problem(page.path, line, message, "give one of them another slug"))
    return problems + [problem for page in published for problem in _figures(page, taken)]


def _figures(page: Page, taken: dict[str, str]) -> list[Problem]:
    """The figures of `page` with a file that somebody else has already."""
    problems = []
    for figure in page.figures:
        names = astuple(beside(page.output, figure.id))
        others = [(name, taken.setdefault(name.casefold(), page.path)) for name in names]
        name, other = next((pair for pair in others if pair[1] != page.path), ("", ""))
        if other:
            message = f'this figure has a file "{name}", and so has {other}'
            problems.append(Problem(page.path, figure.line_of("id"), message, "give the figure another id"))
    return problems


def _folders(taken: Mapping[str, str]) -> list[Problem]:
    """Folders with the name of a file of the site."""
    files = {**dict.fromkeys((*GENERATED, "404.html"), ""), **taken}
    inside = {str(folder): path for name, path in taken.items() for folder in PurePosixPath(name).parents}
    message = 'the site has a file called "{}", so this cannot lie in a folder of that name'
    return [
        Problem(path, 0, message.format(folder), "rename one") for folder, path in inside.items() if folder in files
    ]


def _orders(published: list[Page]) -> list[Problem]:
    first: dict[float, str] = {}
    problems = []
    for page in published:
        order = page.matter.order
        if order is not None and first.setdefault(order, page.path) != page.path:
            message = f"{first[order]} has this order too"
            problems.append(Problem(page.path, page.matter.lines["order"], message, "give each explainer its own"))
    return problems


def _starts(published: list[Page]) -> list[Problem]:
    starts = [page for page in published if page.matter.start_here]
    return [
        Problem(
            page.path, page.matter.lines["start-here"], f"{starts[0].path} is marked start-here too", "mark one page"
        )
        for page in starts[1:]
    ]
