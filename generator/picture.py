"""A figure's still as a file of its own: the panels under each other, in plain colours that any program reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator.drawing import DESKTOP
from generator.extent import TITLE_HEIGHT, placed
from generator.marks import PAINTS, STATES, css_class
from generator.primitives import outline_paint
from generator.theme import Theme
from generator.views import FigureView


@dataclass(frozen=True)
class Coloured:
    """A class of the still, and its colours: of filled shapes, of lines and words, of outlines."""

    css_class: str
    fill: str
    stroke: str
    outline: str


def picture(theme: Theme, figure: FigureView) -> bytes:
    """The SVG file of `figure` at its key step, in the theme's light colours.

    Custom properties and `light-dark()` are for browsers; here every colour is written out, so that the picture
    looks the same on a slide, in a document and in a drawing program.
    """
    panels, height = placed(figure.panels)
    drawn = "".join(panel.svg for panel in panels)
    colours = light_colours(theme.contents[theme.asset_url("flipbook.css")].decode("utf-8"))
    values = {"panels": panels, "width": DESKTOP, "height": height, "title_height": TITLE_HEIGHT}
    paints = tuple(each for each in _paints(colours) if f'{each.css_class}"' in drawn)
    return theme.render("picture.xml", figure=figure, colours=colours, paints=paints, **values).encode("utf-8")


def light_colours(css: str) -> dict[str, str]:
    """The custom properties that a style sheet sets at first, by name without hyphens before it, as in light."""
    found: dict[str, str] = {}
    for name, value in re.findall(r"^\s*--([\w-]+):\s*([^;]+);", css, re.M):
        pair = re.fullmatch(r"light-dark\(\s*(.+?)\s*,.*\)", value)
        found.setdefault(name, pair[1] if pair else "none" if value == "transparent" else value)
    return found


def _paints(colours: Mapping[str, str]) -> Iterator[Coloured]:
    for paint in PAINTS:
        name = css_class(paint)
        fill, stroke = (name.replace("state", kind, 1) for kind in ("fill", "word"))
        tones = [fill, stroke] if paint in STATES else [paint, "hairline" if paint == "free" else paint]
        yield Coloured(name, *(colours.get(tone, "none") for tone in (*tones, outline_paint(paint))))
