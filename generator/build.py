"""The build: content and theme in, `{path: bytes}` out, and all of it written in one swap.

Read pages, collect runs, run and draw them, render texts, check links, fill templates. Every mistake of
every page is found in one go; nothing is written unless there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from generator import bundle, pages, site, stage
from generator import output as outputs
from generator import theme as themes
from generator.addresses import Addresses
from generator.bake import bake
from generator.errors import AuthorError, Problem
from generator.output import Refused
from generator.pages import Page
from generator.printing import Printer
from generator.prose import Prose
from generator.site import Site

Report = Callable[[str], None]


@dataclass(frozen=True)
class Made:
    """A site in memory. `script` says which plotly.js it carries, `warnings` what is published all the same."""

    files: Mapping[str, bytes]
    pages: int
    script: str
    warnings: tuple[Problem, ...]


@dataclass(frozen=True)
class Built(Made):
    """A site on disk; `changed` is whether anything in the folder had to change."""

    changed: bool


def _silent(_: str) -> None:
    """Say nothing."""


def build(
    content: Path,
    theme: Path | None = None,
    output: Path = Path("site"),
    base_url: str | None = None,
    drafts: bool = False,
    report: Report = _silent,
) -> Built:
    """Build the site of the folder `content` into `output`, whose last good site stays until this one is whole.

    Raises AuthorError with every problem of the content, Refused for folders and addresses that cannot be used.
    """
    inside, outside = content.resolve(), output.resolve()
    if inside.is_relative_to(outside) or outside.is_relative_to(inside):
        raise Refused(f"the site cannot be written to {output}: it shares a folder with {content}")
    made = make(content, theme, base_url, drafts, report)
    changed = outputs.write(made.files, output)
    return Built(made.files, made.pages, made.script, made.warnings, changed)


def make(
    content: Path,
    theme: Path | None = None,
    base_url: str | None = None,
    drafts: bool = False,
    report: Report = _silent,
    cache: Path | None = None,
) -> Made:
    """The site of the folder `content` in memory. `cache` is where runs are kept (default: the user's cache).

    Raises AuthorError with every problem of the content, Refused for a folder or address that cannot be used.
    """
    if not content.is_dir():
        raise Refused(f"there is no folder {content}")
    source = pages.read(content)
    values, problems = _site(source, content, base_url)
    published = [page for page in source.pages if drafts or not page.matter.draft]
    hidden = [page for page in source.pages if page not in published]
    problems += [*source.problems, *(problem for page in published for problem in page.problems)]
    problems += _collisions(published, source.files)

    orders = []
    for page in published:
        found, missing = stage.orders(page, source.files)
        orders += found
        problems += missing
    jobs = [order.job for order in orders if order.job]
    baked = iter(bake(jobs, cache or bundle.user_cache() / "runs", report))
    done = [(order, next(baked) if order.job else None) for order in orders]
    staged: dict[str, stage.Staged] = {}
    for page in published:
        staged[page.name], wrong = stage.staged(page, [pair for pair in done if pair[0].page is page])
        problems += wrong

    any_figure = any(page.figures for page in published)
    script = bundle.plotly() if any_figure else None
    extra = {"plotly.js": script.js, "plotly.css": script.css} if script else {}
    addresses = _addresses(source, published, hidden, values)
    loaded = themes.load(theme, extra)
    prose = Prose(loaded, addresses, staged, _steps(published, staged))
    texts = {page.name: prose.text(page) for page in published}
    used_by_hidden = prose.files_of_drafts(hidden)
    problems += prose.problems(texts)
    if problems:
        raise AuthorError(problems)

    files = Printer(values, loaded, staged).files(texts)
    data = {name for order in orders for name in order.data}
    for name, path in source.files.items():
        linked = addresses.used.get(name, set()) - {page.name for page in hidden}
        if linked or name not in used_by_hidden | data:
            files[name] = path.read_bytes()
    said = script.description if script else "no figures, so no script to draw them"
    return Made(dict(sorted(files.items())), len(published), said, prose.warnings(texts))


def _site(source: pages.Content, content: Path, base_url: str | None) -> tuple[Site, list[Problem]]:
    values, problems = site.read(source.site_toml or "", f"{pages.shown(content)}site.toml")
    if base_url:
        try:
            values = replace(values, url=site.normal_url(base_url))
        except site.BadUrl as error:
            raise Refused(f"{error} (--base-url takes one such as https://example.org/demo/)") from error
    return values, problems


def _addresses(source: pages.Content, published: list[Page], hidden: list[Page], values: Site) -> Addresses:
    targets = {page.name: page.output for page in published}
    drafts = frozenset(page.name for page in hidden)
    return Addresses(targets, drafts, frozenset(source.files), values.base_path)


def _steps(
    published: list[Page], staged: Mapping[str, stage.Staged]
) -> dict[str, Mapping[str, tuple[str, ...]] | None]:
    """The names of steps of each page's figures, by output file and id; None for a page that was not read whole."""
    return {
        page.output: None if page.problems or staged[page.name].broken_figures else {
            id: tuple(step.name for step in run.steps) for id, (run, _) in staged[page.name].figures.items()
        }
        for page in published
    }  # fmt: skip


def _collisions(published: list[Page], files: Mapping[str, Path]) -> list[Problem]:
    """Two sources of one file, also where a file system that ignores case would see one."""
    taken: dict[str, str] = {name.casefold(): name for name in files}
    problems = []
    for page in published:
        other = taken.setdefault(page.output.casefold(), page.path)
        if other != page.path:
            line = page.matter.lines.get("slug", 1)
            message = f'this page would be written to "{page.output}", and so would {other}'
            problems.append(Problem(page.path, line, message, "give one of them another slug"))
    orders: dict[float, Page] = {}
    starts: list[Page] = []
    for page in published:
        if page.matter.order is not None and orders.setdefault(page.matter.order, page) is not page:
            line = page.matter.lines["order"]
            first = orders[page.matter.order].path
            problems.append(Problem(page.path, line, f"{first} has this order too", "give each explainer its own"))
        starts += [page] if page.matter.start_here else []
    for page in starts[1:]:
        line = page.matter.lines["start-here"]
        problems.append(Problem(page.path, line, f"{starts[0].path} is marked start-here too", "mark one page"))
    return problems
