"""What templates are given: pages and figures as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from generator.bake import DrawnFigure
from generator.dates import PageDate
from generator.drawing import DrawnPanel
from generator.extent import embed_height
from generator.figurefiles import FigureFiles
from generator.runs import Run
from generator.script_json import script_json
from generator.states import marked

MOST_STATES = 5
"""What a key has room for."""


@dataclass(frozen=True)
class Turn:
    """A page as its neighbours name it."""

    title: str
    url: str


@dataclass(frozen=True)
class PageView:
    """A page as `page.html` and `home.html` show it. `contents` are (id, text) of its headings if it has many."""

    title: str
    description: str
    url: str
    body_html: str = ""
    kicker: str = ""
    canonical: str = ""
    previous: Turn | None = None
    next: Turn | None = None
    contents: tuple[tuple[str, str], ...] = ()
    has_figures: bool = False
    has_title: bool = False
    draft: bool = False
    date: PageDate | None = None
    noindex: bool = False


@dataclass(frozen=True)
class Explainer:
    """A page as the home page lists it, with the still of the tallest panel of its first figure."""

    title: str
    url: str
    description: str
    kicker: str
    start_here: bool
    still_desktop: str
    still_phone: str


@dataclass(frozen=True)
class StepView:
    """A step as `figure.html` shows it."""

    number: int
    name: str
    caption: str
    caption_html: str
    beat: str
    quick: bool


@dataclass(frozen=True)
class FigureView:
    """A figure as `figure.html` shows it; `json` is the data of its player, ready for a script element.

    `urls` are the addresses of its files, `embed_height` the pixels that it takes as a page of its own.
    """

    id: str
    title: str
    key: int
    panels: tuple[DrawnPanel, ...]
    states: tuple[str, ...]
    steps: tuple[StepView, ...]
    json: str
    urls: FigureFiles
    embed_height: int


def figure(id: str, title: str, run: Run, drawn: DrawnFigure, states: Sequence[str], urls: FigureFiles) -> FigureView:
    """The figure called `id`; `states` are the words that captions show in colour, in the order of the key."""
    steps = tuple(
        StepView(number, step.name, step.caption, marked(step.caption, states), step.beat, step.quick)
        for number, step in enumerate(run.steps)
    )
    used = {state for panel in drawn.panels for state in panel.states}
    if len(used) > MOST_STATES:
        used.discard("weights")  # the picture names them itself: a label inside, or the floor's
    key_states = tuple(state for state in states if state in used)[:MOST_STATES]
    told = [{"name": step.name, "beat": step.beat, "quick": step.quick} for step in steps]
    start = script_json({"id": id, "key": drawn.key, "steps": told})
    data = f'{start[:-1]},"panels":{drawn.panels_json}}}'
    height = embed_height(drawn.panels)
    return FigureView(id, title, drawn.key, drawn.panels, key_states, steps, data, urls, height)


def lead(description: str) -> str:
    """The body of a home page that nobody wrote."""
    return f"<p>{escape(description)}</p>" if description else ""
