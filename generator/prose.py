"""The words of pages: values filled in, figures put in place, claims proved, links checked against all pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import partial

from generator import claims, text
from generator.addresses import Addresses
from generator.context import Context, Findings, Link, Term
from generator.errors import Problem, did_you_mean
from generator.figurefiles import FigureFiles, beside
from generator.glossary import GLOSSARY, Glossary
from generator.marks import STATES
from generator.pages import Page
from generator.picture import picture
from generator.sandbox import ValueProblem
from generator.slugs import encode
from generator.stage import Staged
from generator.table import csv_of
from generator.text import Rendered
from generator.theme import Theme
from generator.values import fill
from generator.views import FigureView
from generator.views import figure as view

_THEME_IDS = frozenset({"main"})


@dataclass(frozen=True)
class Text:
    """A page's own words, with the values filled in: title, description, body; and what was found in them.

    `figures` are in the body already, `files` are theirs, by their places in the site.
    """

    page: Page
    title: str
    description: str
    body: Rendered
    findings: Findings
    figures: Mapping[str, FigureView] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Prose:
    """Everything that a page's words take: templates of figures, addresses, and each page's runs by its name.

    `steps` are the names of steps as a `Context` has them, `glossary` is the site's, if it has one.
    """

    theme: Theme
    addresses: Addresses
    staged: Mapping[str, Staged]
    steps: Mapping[str, Mapping[str, tuple[str, ...]] | None]
    glossary: Glossary | None

    def text(self, page: Page) -> Text:
        """The words and figures of a page, claims checked; problems are in its findings."""
        ready = self.staged[page.name]
        context = self._context(page, ready)
        figures = self._figures(page, ready, context)
        html = {line: self.theme.render("figure.html", figure=figure, home=None) for line, figure in figures.items()}
        body = self._render(page, replace(context, figures=html))
        for claim in page.matter.claims:
            try:
                claims.check(claim, ready.names)
            except ValueProblem as problem:
                context.report(claim.line - context.line, problem)
        lines = page.matter.lines
        title, description = (
            self._filled(context, lines.get(key, 1), given)
            for key, given in (("title", page.matter.title), ("description", page.matter.description))
        )
        views = {figure.id: figure for figure in figures.values()}
        return Text(page, title, description, body, context.findings, views, self._files(page, ready, views))

    def files_of_drafts(self, hidden: Iterable[Page]) -> set[str]:
        """The files that unpublished pages link to; of their words only those of the glossary count."""
        nothing = Staged({}, frozenset(), {}, frozenset())
        names = {page.name for page in hidden}
        for page in hidden:
            self._render(page, self._context(page, nothing))
        return {file for file, users in self.addresses.used.items() if users & names}

    def _context(self, page: Page, ready: Staged) -> Context:
        def resolve(address: str) -> Link:
            return self.addresses.resolve(address, page.name, page.output)

        reserved = _THEME_IDS | {figure.id for figure in page.figures}
        return Context(
            page.path,
            page.body_line,
            resolve,
            names=ready.names,
            broken=ready.broken,
            steps=self.steps,
            states=STATES,
            reserved_ids=reserved,
            glossary=self._terms(page),
        )

    def _terms(self, page: Page) -> tuple[Term, ...]:
        """The terms of the glossary with their addresses as `page` writes them; none on the glossary itself."""
        if self.glossary is None or page.name == GLOSSARY:
            return ()
        address = self.addresses.url(self.addresses.pages[GLOSSARY], page.output)
        return tuple(Term(entry.forms, f"{address}#{encode(entry.id)}") for entry in self.glossary.entries)

    def _render(self, page: Page, context: Context) -> Rendered:
        body = text.render(page.body, context)
        if self.glossary:
            self.glossary.used.update(context.findings.terms)
        return body

    def _filled(self, context: Context, line: int, given: str) -> str:
        """Plain text with its values; problems are noted at `line` of the file."""
        return fill(given, context.names, partial(context.report, line - context.line))

    def _figures(self, page: Page, ready: Staged, context: Context) -> dict[int, FigureView]:
        """Each figure that could be drawn, by the line of its fence."""
        found: dict[int, FigureView] = {}
        for spec in page.figures:
            title = self._filled(context, spec.line_of("caption"), spec.caption)
            if spec.id not in ready.figures:
                continue
            names = astuple(beside(page.output, spec.id))
            urls = FigureFiles(*(self.addresses.url(name, page.output) for name in names))
            found[spec.fence_line] = view(spec.id, title, *ready.figures[spec.id], STATES, urls)
        return found

    def _files(self, page: Page, ready: Staged, figures: Mapping[str, FigureView]) -> dict[str, bytes]:
        """The table and the picture of each figure."""
        files: dict[str, bytes] = {}
        for id, figure in figures.items():
            names = beside(page.output, id)
            files[names.table] = csv_of(ready.figures[id][0].steps)
            files[names.picture] = picture(self.theme, figure)
        return files

    def problems(self, texts: Mapping[str, Text]) -> list[Problem]:
        """Everything wrong in the texts, and links to places that no page has."""
        found = [problem for each in texts.values() for problem in each.findings.problems]
        ids = {each.page.output: each.body.ids for each in texts.values()}
        unsure = {each.page.output for each in texts.values() if each.page.problems}
        broken = {self.addresses.pages[name]: staged.broken_figures for name, staged in self.staged.items()}
        for each in texts.values():
            for link in each.findings.fragments:
                figure = link.fragment.partition("=")[0]
                if (
                    link.page in unsure
                    or figure in broken.get(link.page, ())
                    or link.fragment in ids.get(link.page, ())
                ):
                    continue
                where = "this page" if link.page == each.page.output else link.page
                message = f'there is no place "#{link.fragment}" on {where}'
                found.append(
                    Problem(each.page.path, link.line, message, did_you_mean(link.fragment, ids.get(link.page, ())))
                )
        return found

    def warnings(self, texts: Mapping[str, Text]) -> tuple[Problem, ...]:
        """What is published all the same, each once, sorted."""
        return tuple(sorted({warning for each in texts.values() for warning in each.findings.warnings}))
