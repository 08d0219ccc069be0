"""From pages to runs and back: which runs a page asks for, and what it may refer to once they are done."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from generator import drawing
from generator.bake import Baked, DrawnFigure, Fault, FigureJob, Job, data_files
from generator.errors import Problem, UnknownName, did_you_mean
from generator.figurefence import FigureSpec
from generator.pages import Page
from generator.runs import Run
from generator.runspec import RunSpec
from generator.sandbox import Named
from generator.slugs import nfc


@dataclass(frozen=True)
class Order:
    """A run that a page asks for, with the figures of the page that show it; `job` is None where it cannot be made."""

    page: Page
    run: RunSpec
    figures: tuple[FigureSpec, ...]
    job: Job | None
    data: tuple[str, ...] = ()


@dataclass(frozen=True)
class Staged:
    """What a page has after its runs: names for expressions, names of failed runs, and its figures by id.

    A figure is its run and how it was drawn; one that failed is missing, its id in `broken_figures`.
    """

    names: Mapping[str, Named]
    broken: frozenset[str] | None
    figures: Mapping[str, tuple[Run, DrawnFigure]]
    broken_figures: frozenset[str]


def orders(page: Page, files: Mapping[str, Path]) -> tuple[list[Order], list[Problem]]:
    """The runs of a page, in the order of its front matter, then those that its figures have inline."""
    problems = []
    named = {run.name: run for run in page.matter.runs}
    for figure in page.figures if page.matter.readable else ():
        problems += _unknown_panels(page, figure)
        if isinstance(figure.run, str) and figure.run not in {*named, *page.matter.broken_runs}:
            hint = did_you_mean(figure.run, named) if named else 'name it under "runs" in the front matter'
            problems.append(Problem(page.path, figure.line_of("run"), f'unknown run "{figure.run}"', hint))
    wanted = [(run, [figure for figure in page.figures if figure.run == run.name]) for run in named.values()]
    wanted += [(figure.run, [figure]) for figure in page.figures if isinstance(figure.run, RunSpec)]
    found = []
    for run, figures in wanted:
        order, missing = _order(page, run, tuple(figures), files)
        found.append(order)
        problems += missing
    return found, problems


def _unknown_panels(page: Page, figure: FigureSpec) -> list[Problem]:
    """Said here as well as where the figure is drawn, since its run may fail; the same problem counts once."""
    known = drawing.panels()
    errors = [UnknownName("panel", panel, known) for panel in figure.panels if panel not in known]
    return [Problem(page.path, figure.line_of("panels"), str(error), error.hint) for error in errors]


def _order(
    page: Page, run: RunSpec, figures: tuple[FigureSpec, ...], files: Mapping[str, Path]
) -> tuple[Order, list[Problem]]:
    parameters = cast(dict[str, Any], run.parameters.plain())
    contents, names, problems = {}, [], []
    for keys, file in data_files(run.simulation, parameters):
        name = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), nfc(file)))
        line = run.parameters.line_of(keys)
        if name in files:
            try:
                contents[file] = files[name].read_bytes()
            except OSError as error:
                problems.append(Problem(page.path, line, f'cannot read the file "{file}": {error.strerror}'))
            names.append(name)
        else:
            known = [posixpath.relpath(other, posixpath.dirname(page.name) or ".") for other in files]
            message = f'there is no file "{file}" beside this page'
            problems.append(Problem(page.path, line, message, did_you_mean(file, known)))
    asked = tuple(FigureJob(figure.panels, figure.key_step) for figure in figures)
    job = None if problems else Job(run.name, run.simulation, parameters, contents, asked)
    return Order(page, run, figures, job, tuple(names)), problems


def staged(page: Page, done: Sequence[tuple[Order, Baked | None]]) -> tuple[Staged, list[Problem]]:
    """What `page` has after its runs, and what is wrong with them, at the lines that are to blame."""
    names, broken, figures, problems = {}, set(page.matter.broken_runs), {}, []
    for order, baked in done:
        inline = order.run not in page.matter.runs
        if baked is None or baked.run is None:
            broken |= set() if inline else {order.run.name}
        elif not inline:
            names[order.run.name] = named(baked.run)
        if baked is None:
            continue
        problems += [_problem(order, fault) for fault in baked.faults]
        for spec, drawn in zip(order.figures, baked.figures, strict=True):
            if drawn is not None and baked.run is not None:
                figures[spec.id] = (baked.run, drawn)
    broken_figures = frozenset(spec.id for spec in page.figures if spec.id not in figures)
    return Staged(names, frozenset(broken) if page.matter.readable else None, figures, broken_figures), problems


def all_staged(
    published: Sequence[Page], done: Sequence[tuple[Order, Baked | None]]
) -> tuple[dict[str, Staged], list[Problem]]:
    """What each page has after its runs, by the page's name, and what is wrong with them."""
    found: dict[str, Staged] = {}
    problems = []
    for page in published:
        found[page.name], wrong = staged(page, [pair for pair in done if pair[0].page is page])
        problems += wrong
    return found, problems


def step_names(
    published: Sequence[Page], ready: Mapping[str, Staged]
) -> dict[str, Mapping[str, tuple[str, ...]] | None]:
    """The names of steps of each page's figures, by output file and id; None for a page that was not read whole."""
    names: dict[str, Mapping[str, tuple[str, ...]] | None] = {}
    for page in published:
        whole = not page.problems and not ready[page.name].broken_figures
        figures = ready[page.name].figures.items()
        names[page.output] = {id: tuple(step.name for step in run.steps) for id, (run, _) in figures} if whole else None
    return names


def named(run: Run) -> Named:
    """A run as expressions see it: its facts, its steps, the first and the last, and its scenario."""
    parts = {"steps": run.steps, "first": run.steps.first, "last": run.steps.last, "scenario": run.scenario}
    return Named(run.name, {**run.facts, **parts})


def _problem(order: Order, fault: Fault) -> Problem:
    if fault.figure is not None:
        line = order.figures[fault.figure].line_of(fault.keys[0])
    elif fault.keys == ("simulation",):
        line = order.run.parameters.key_lines.get("simulation", order.run.line)
    else:
        line = order.run.parameters.line_of(fault.keys) if fault.keys else order.run.line
    return Problem(order.page.path, line, fault.message, fault.hint)
