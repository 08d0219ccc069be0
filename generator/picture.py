"""A figure's still as a file of its own: the panels under each other, with the theme's colours inside."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.theme import Theme
from generator.views import FigureView

TITLE_HEIGHT = 24
WIDTH = 1060


@dataclass(frozen=True)
class PlacedPanel:
    """A panel's still (an `<svg>`) and the place of its title and drawing in the picture, in pixels."""

    title: str
    svg: str
    x: float
    y: float


def picture(theme: Theme, figure: FigureView) -> bytes:
    """The SVG file of `figure` at its key step."""
    placed: list[PlacedPanel] = []
    x, y, row_height = 0.0, 0.0, 0.0
    for panel in figure.panels:
        width, height = size(panel.still_desktop)
        if x + width > WIDTH + 1:
            x, y, row_height = 0.0, y + row_height, 0.0
        placed.append(PlacedPanel(panel.title, panel.still_desktop, x, y))
        x, row_height = x + WIDTH - width if panel.half else WIDTH, max(row_height, height + TITLE_HEIGHT)
    css = theme.contents[theme.asset_url("flipbook.css")].decode("utf-8")
    values = {"panels": placed, "width": WIDTH, "height": y + row_height, "title_height": TITLE_HEIGHT, "css": css}
    return theme.render("picture.xml", figure=figure, **values).encode("utf-8")


def size(svg: str) -> tuple[float, float]:
    """Width and height of a still, in pixels."""
    found = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    return (float(found[1]), float(found[2])) if found else (WIDTH, 0)
