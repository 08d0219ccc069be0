"""How much room the drawings of a figure take, under each other and side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from generator.drawing import DESKTOP, PHONE, DrawnPanel

TITLE_HEIGHT = 24
"""Pixels of a panel's title, with the space around it."""
_EMBED_STAGE = 400
"""Pixels that the phone drawing of a figure by itself is at most wide: `.embed .stage` in the theme."""
_WORDS_DESKTOP, _WORDS_PHONE = 230, 300
"""Pixels of a figure by itself that are no drawing: heading, caption, key, controls, and the line under them."""


@dataclass(frozen=True)
class PlacedPanel:
    """A panel's still for desktops (an `<svg>`) and the place of its title in the whole picture, in pixels."""

    title: str
    svg: str
    x: float
    y: float


def size(svg: str) -> tuple[float, float]:
    """Width and height of a still, in pixels."""
    found = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    return (float(found[1]), float(found[2])) if found else (DESKTOP, 0)


def placed(panels: Sequence[DrawnPanel]) -> tuple[tuple[PlacedPanel, ...], float]:
    """The panels under each other as on a desktop, two halves side by side, and the height of the whole."""
    done: list[PlacedPanel] = []
    x, y, row_height = 0.0, 0.0, 0.0
    for panel in panels:
        width, height = size(panel.still_desktop)
        if x + width > DESKTOP + 1:
            x, y, row_height = 0.0, y + row_height, 0.0
        done.append(PlacedPanel(panel.title, panel.still_desktop, x, y))
        x, row_height = x + DESKTOP - width if panel.half else DESKTOP, max(row_height, height + TITLE_HEIGHT)
    return tuple(done), y + row_height


def embed_height(panels: Sequence[DrawnPanel]) -> int:
    """The height in pixels at which a page with nothing but these panels fits a frame of any usual width."""
    desktop = placed(panels)[1] + _WORDS_DESKTOP
    drawings = sum(size(panel.still_phone)[1] * _EMBED_STAGE / PHONE + TITLE_HEIGHT for panel in panels)
    return 10 * round(max(desktop, drawings + _WORDS_PHONE) / 10)
