"""Runs and the figures of each, computed once: in parallel processes, and kept by content between builds."""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from generator import drawing, runs, shelf
from generator.errors import UnknownName
from generator.parameters import BadParameters
from generator.script_json import script_json


@dataclass(frozen=True)
class FigureJob:
    """Panels to draw, and which step is the key: a name, a number, `first` or `last`."""

    panels: tuple[str, ...]
    key_step: str


@dataclass(frozen=True)
class Job:
    """A run to make and the figures to draw of it. `files` has the content of the files its parameters name."""

    name: str
    simulation: str
    parameters: dict[str, Any]
    files: dict[str, bytes]
    figures: tuple[FigureJob, ...]


@dataclass(frozen=True)
class Fault:
    """An author's mistake. `figure` is the number of the figure it is in, None for the run itself;
    `keys` leads to the key of the run's parameters or of the figure's fence that is to blame."""

    figure: int | None
    keys: tuple[str, ...]
    message: str
    hint: str = ""


@dataclass(frozen=True)
class DrawnFigure:
    """A figure drawn in each of its panels, and the number of its key step.

    `panels_json` is the data of all panels, ready for the page; the panels themselves come without theirs.
    """

    panels: tuple[drawing.DrawnPanel, ...]
    key: int
    panels_json: str


@dataclass(frozen=True)
class Baked:
    """The outcome of a job: the run, None where it failed, and its figures in order, None where one failed."""

    run: runs.Run | None
    figures: tuple[DrawnFigure | None, ...]
    faults: tuple[Fault, ...] = ()


def bake(jobs: Sequence[Job], folder: Path | None, report: Callable[[str], None] = lambda _: None) -> list[Baked]:
    """Do all `jobs`, those found in the cache `folder` not again; several at once where there are processors."""
    keys = [
        shelf.key_of(job.simulation, job.parameters, job.files, [(f.panels, f.key_step) for f in job.figures])
        for job in jobs
    ]
    done = {key: kept for key in dict.fromkeys(keys) if (kept := shelf.kept(folder, key)) is not None}
    missing = {key: job for key, job in zip(keys, jobs, strict=True) if key not in done}
    if missing:
        report(f"running {len(missing)} of {len(jobs)} simulations")
    for key, baked in zip(missing, _all(list(missing.values())), strict=True):
        done[key] = baked
        if not baked.faults:
            shelf.keep(folder, key, baked)
    return [_named(done[key], job.name) for key, job in zip(keys, jobs, strict=True)]


def _named(baked: Baked, name: str) -> Baked:
    """Two pages may ask for the same run under two names."""
    if baked.run is None or baked.run.name == name:
        return baked
    run = baked.run
    return Baked(runs.Run(name, run.simulation, run.scenario, run.steps, run.facts), baked.figures, baked.faults)


def _all(jobs: list[Job]) -> list[Baked]:
    workers = min(len(jobs), os.cpu_count() or 1)
    if workers < 2:
        return [work(job) for job in jobs]
    import multiprocessing  # these two cost a build with nothing to run 20 ms
    from concurrent.futures import ProcessPoolExecutor

    # A process that has threads, such as the preview's, cannot safely be forked.
    context = multiprocessing.get_context("spawn") if threading.active_count() > 1 else None
    with ProcessPoolExecutor(workers, context) as pool:
        return list(pool.map(work, jobs))


def work(job: Job) -> Baked:
    """Run one job. Raises RuntimeError, with the traceback as its text, for what is no author's mistake."""
    try:
        run = runs.run(job.name, job.simulation, job.parameters, job.files)
    except UnknownName as error:
        return _failed(job, Fault(None, ("simulation",), str(error), error.hint))
    except BadParameters as error:
        return _failed(job, *(Fault(None, bad.key_path, bad.message, bad.hint) for bad in error.problems))
    except Exception as error:
        if _runs_by_default(job):
            message = f'"{job.simulation}" cannot be run with these parameters: {error or type(error).__name__}'
            return _failed(job, Fault(None, ("simulation",), message, "with its defaults it runs"))
        # Not every exception survives the way back from another process; its text does.
        raise RuntimeError(f"run {job.name} ({job.simulation}) failed\n{traceback.format_exc()}") from error
    drawn = [_figure(run, number, figure) for number, figure in enumerate(job.figures)]
    faults = [fault for outcome in drawn if isinstance(outcome, list) for fault in outcome]
    return Baked(run, tuple(None if isinstance(outcome, list) else outcome for outcome in drawn), tuple(faults))


def _runs_by_default(job: Job) -> bool:
    """Whether only the parameters can be to blame: without those it could do without, the simulation runs."""
    needed = {keys[0]: job.parameters[keys[0]] for keys, _ in data_files(job.simulation, job.parameters)}
    try:
        return needed != job.parameters and bool(runs.run(job.name, job.simulation, needed, job.files).steps)
    except Exception:
        return False


def _failed(job: Job, *faults: Fault) -> Baked:
    return Baked(None, (None,) * len(job.figures), faults)


def _figure(run: runs.Run, number: int, figure: FigureJob) -> DrawnFigure | list[Fault]:
    faults = []
    for panel in figure.panels:
        try:
            if missing := drawing.missing_fields(panel, run.steps[0]):
                message = f'panel "{panel}" needs ' + ", ".join(f'"{field}"' for field in missing)
                hint = f'steps of "{run.simulation}" have {", ".join(_fields(run.steps[0]))}'
                faults.append(Fault(number, ("panels",), message, hint))
        except UnknownName as error:
            faults.append(Fault(number, ("panels",), str(error), error.hint))
    key = 0
    try:
        positions = {"first": 0, "last": len(run.steps) - 1}
        key = positions[figure.key_step] if figure.key_step in positions else run.steps.number(figure.key_step)
    except UnknownName as error:
        faults.append(Fault(number, ("key-step",), str(error), error.hint))
    if faults:
        return faults
    panels = drawing.draw_figure(figure.panels, tuple(run.steps), key)
    data = script_json([panel.data for panel in panels])
    return DrawnFigure(tuple(replace(panel, data={}) for panel in panels), key, data)


def _fields(step: object) -> list[str]:
    told = {"name", "caption", "beat", "quick"}
    return sorted(name for name in getattr(step, "__dataclass_fields__", {}) if name not in told)


def data_files(simulation: str, parameters: Mapping[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    """The files that the parameters of a run name, with the keys that lead to each; none for an unknown simulation."""
    try:
        return runs.files(simulation, parameters)
    except UnknownName:
        return []
