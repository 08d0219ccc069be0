"""Pages into templates: the series in its order, the home page, the page for missing ones, files for machines."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from generator import feeds, views
from generator.extent import size
from generator.feeds import Entry
from generator.figurefiles import beside
from generator.prose import Text
from generator.site import Site
from generator.slugs import encode
from generator.stage import Staged
from generator.theme import Theme
from generator.views import Explainer, PageView, Turn

CONTENTS_FROM = 4
"""A page with as many headings of the second level gets a list of them."""


@dataclass(frozen=True)
class Printer:
    """Everything that filling the templates takes: site, theme, and by the page's name its runs and its words."""

    site: Site
    theme: Theme
    staged: Mapping[str, Staged]
    texts: Mapping[str, Text]

    @cached_property
    def series(self) -> list[Text]:
        """The explainers, in reading order."""
        ordered = [each for each in self.texts.values() if each.page.matter.order is not None]
        return sorted(ordered, key=lambda each: (each.page.matter.order or 0, each.page.name))

    @cached_property
    def beside(self) -> tuple[Turn, ...]:
        """The pages beside a series, such as a glossary, which every page leads to: those without a place in it."""
        others = [each for each in self.texts.values() if each.page.matter.order is None]
        names = (each for each in others if each.page.output not in ("index.html", "404.html"))
        return tuple(_turn(each) for each in names if self.series and "/" not in each.page.output)

    def files(self) -> dict[str, bytes]:
        """Every file of the site except those copied from the content."""
        texts, series = self.texts, self.series
        files: dict[str, bytes] = dict(self.theme.assets())
        for each in texts.values():
            files[each.page.output] = self._page(each)
            files.update(each.files)
            files.update({beside(each.page.output, id).embed: self._embed(each, id) for id in each.figures})
        if "index.html" not in files:
            body = views.lead(self.site.description)
            home = PageView(self.site.title, self.site.description, "index.html", body, canonical=self.site.url)
            files["index.html"] = self._home(home, series or list(texts.values()))
        if "404.html" not in files:
            missing = PageView("Page not found", self.site.description, "404.html", noindex=True)
            files["404.html"] = self._render("not-found.html", missing)
        entries = [
            Entry(self._canonical(each.page.output), each.title, each.description, each.page.matter.date)
            for each in texts.values()
            if each.page.output != "404.html"
        ]
        if "index.md" not in texts:
            entries.append(Entry(self.site.url, self.site.title, self.site.description, None))
        return {**feeds.files(self.site, sorted(entries, key=lambda entry: entry.url)), **files}

    def _page(self, each: Text) -> bytes:
        page, matter, series = each.page, each.page.matter, self.series
        missing = page.output == "404.html"
        headings = [(id, words) for level, id, words in each.body.headings if level == 2 and words]
        place = series.index(each) if each in series else None
        view = PageView(
            title=each.title,
            description=each.description or self.site.description,
            url=encode(page.output),
            body_html=each.body.html,
            kicker=self._kicker(each),
            canonical="" if missing else self._canonical(page.output),
            previous=_turn(series[place - 1]) if place else None,
            next=_turn(series[place + 1]) if place is not None and place + 1 < len(series) else None,
            contents=tuple(headings) if len(headings) >= CONTENTS_FROM else (),
            has_figures=bool(page.figures),
            has_title=each.body.html.startswith("<h1"),
            draft=matter.draft,
            date=matter.date,
            noindex=missing or matter.draft,
        )
        if page.output == "index.html" and not page.figures:
            return self._home(view, series)
        return self._render("page.html", view)

    def _embed(self, each: Text, id: str) -> bytes:
        """A page with nothing but one figure, to be shown in a frame elsewhere; it leads back to the figure's own."""
        figure, home = each.figures[id], posixpath.basename(each.page.output)
        url = encode(beside(each.page.output, id).embed)
        view = PageView(figure.title or each.title, each.description, url, has_figures=True, noindex=True)
        return self._render("embed.html", view, figure=figure, home=Turn(each.title, encode(home)))

    def _home(self, view: PageView, listed: list[Text]) -> bytes:
        explainers = tuple(self._explainer(each) for each in listed if each.page.output != "404.html")
        return self._render("home.html", view, explainers=explainers)

    def _explainer(self, each: Text) -> Explainer:
        drawn = self.staged[each.page.name].figures.get(each.page.figures[0].id) if each.page.figures else None
        panel = max(drawn[1].panels, key=lambda panel: size(panel.still_phone)[1]) if drawn else None
        return Explainer(
            each.title,
            encode(each.page.output),
            each.description,
            self._kicker(each),
            each.page.matter.start_here,
            panel.still_desktop if panel else "",
            panel.still_phone if panel else "",
        )

    def _kicker(self, each: Text) -> str:
        if each not in self.series or len(self.series) < 2:
            return ""
        return f"Explainer {self.series.index(each) + 1} of {len(self.series)}"

    def _canonical(self, target: str) -> str:
        """The absolute address of a page; a folder's own page is the folder's. Empty where the site's is not known."""
        folder, name = posixpath.split(target)
        path = f"{folder}/".lstrip("/") if name == "index.html" else target
        return self.site.url + encode(path) if self.site.url else ""

    def _render(self, template: str, view: PageView, **values: object) -> bytes:
        depth = view.url.count("/")
        root = self.site.base_path if view.url == "404.html" else "../" * depth
        shown = replace(self.site, feed="feed.xml" if self.site.url else "")
        return self.theme.render(template, site=shown, page=view, root=root, beside=self.beside, **values).encode(
            "utf-8"
        )


def _turn(each: Text) -> Turn:
    return Turn(each.title, encode(each.page.output))
