"""A site in memory: content and theme in, `{path: bytes}` out.

Read pages, collect runs, run and draw them, render texts, check links, fill templates. Every mistake of
every page is found in one go; nothing is made unless there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from generator import bundle, pages, site, stage, text
from generator import theme as themes
from generator.addresses import Addresses
from generator.bake import Baked, bake
from generator.collisions import collisions
from generator.errors import AuthorError, Problem
from generator.glossary import GLOSSARY, Glossary
from generator.made import Made, Report, silent
from generator.output import Refused
from generator.pages import Page
from generator.printing import Printer
from generator.prose import Prose
from generator.site import Site
from generator.template_errors import blame


def make(
    content: Path,
    theme: Path | None = None,
    base_url: str | None = None,
    drafts: bool = False,
    report: Report = silent,
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
    problems += collisions(published, source.files)

    done, wrong = _runs(published, source.files, cache or bundle.user_cache() / "runs", report)
    staged, more = stage.all_staged(published, done)
    script = bundle.plotly() if any(page.figures for page in published) else None
    loaded = themes.load(theme, {"plotly.js": script.js, "plotly.css": script.css} if script else {})
    addresses = _addresses(source, published, hidden, values)
    prose = Prose(loaded, addresses, staged, stage.step_names(published, staged), _glossary(published))
    with blame(theme):
        texts = {page.name: prose.text(page) for page in published}
    of_drafts = prose.files_of_drafts(hidden)
    problems += [*wrong, *more, *prose.problems(texts)]
    if prose.glossary:
        problems += prose.glossary.problems(not source.problems and all(page.matter.readable for page in source.pages))
    if problems:
        raise AuthorError(problems)

    with blame(theme):
        files = Printer(values, loaded, staged, texts).files()
    for name in _copied(source, addresses, hidden, of_drafts | {name for order, _ in done for name in order.data}):
        try:
            files[name] = source.files[name].read_bytes()
        except FileNotFoundError:
            continue  # gone since it was found: an editor at work
        except OSError as error:
            message = f"cannot read this file: {error.strerror}"
            problems.append(Problem(f"{pages.shown(content)}{name}", 0, message))
    if problems:
        raise AuthorError(problems)
    said = script.description if script else "no figures, so no script to draw them"
    return Made(dict(sorted(files.items())), len(published), said, prose.warnings(texts), values.base_path)


def _glossary(published: list[Page]) -> Glossary | None:
    """The site's glossary, if it has one."""
    page = next((page for page in published if page.name == GLOSSARY), None)
    return Glossary(page.path, page.body_line, text.entries(page.body)) if page else None


def _runs(
    published: list[Page], files: Mapping[str, Path], cache: Path, report: Report
) -> tuple[list[tuple[stage.Order, Baked | None]], list[Problem]]:
    """Every run that the pages ask for, with its outcome; None where it could not be tried."""
    orders: list[stage.Order] = []
    problems: list[Problem] = []
    for page in published:
        found, missing = stage.orders(page, files)
        orders += found
        problems += missing
    baked = iter(bake([order.job for order in orders if order.job], cache, report))
    return [(order, next(baked) if order.job else None) for order in orders], problems


def _copied(source: pages.Content, addresses: Addresses, hidden: list[Page], wanted_elsewhere: set[str]) -> list[str]:
    """The files to publish: those that a published page links to, and those that nothing at all uses."""
    drafts = {page.name for page in hidden}
    return [name for name in source.files if addresses.used.get(name, set()) - drafts or name not in wanted_elsewhere]


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
