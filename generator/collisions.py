"""Pages that cannot both be: one file for two of them, one place in the series, two beginnings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

from generator.errors import Problem
from generator.figurefiles import beside
from generator.pages import Page


def collisions(published: list[Page], files: Mapping[str, Path]) -> list[Problem]:
    """Every page that is in the way of one before it, or of a file that is copied."""
    return [*_outputs(published, files), *_orders(published), *_starts(published)]


def _outputs(published: list[Page], files: Mapping[str, Path]) -> list[Problem]:
    """Two sources of one file, also where a file system that ignores case would see one; figures have files too."""
    taken = {name.casefold(): name for name in files}
    problems = []
    for page in published:
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
