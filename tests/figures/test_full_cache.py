"""The two figures of a full cache, drawn from their runs: frames that Plotly takes, and texts that stand free."""

from __future__ import annotations

import importlib
import sys
from itertools import combinations
from pathlib import Path

import plotly.graph_objects as go
import pytest

from generator.drawing import DESKTOP, PHONE, arrange, draw_figure, paired
from generator.shapes import Plane, shapes
from generator.simulations import prefix_cache, session_count

sys.path.insert(0, str(Path(__file__).parent))
lines, texts = (getattr(importlib.import_module("test_texts"), name) for name in ("lines", "texts"))

FIGURES = {
    prefix_cache: ("request", "prefix-tree", "cache-memory"),
    session_count: ("hit-rate", "time-to-first-token"),
}
SLANTING = "Hit rate: prompt tokens reused"
"""Its lines are no rectangles; its own tests keep values clear of them."""


@pytest.fixture(scope="module", params=FIGURES, ids=lambda module: module.__name__.rpartition(".")[2])
def figure(request):
    module = request.param
    return FIGURES[module], tuple(module.simulate(module.Scenario()))


@pytest.fixture(scope="module", params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def pictures(request, figure):
    names, steps = figure
    modules = [importlib.import_module(f"generator.figures.{name.replace('-', '_')}") for name in names]
    layouts = [module.layout(steps, request.param) for module in modules]
    layouts = arrange(paired(layouts) if request.param == DESKTOP else layouts)
    return [
        (f"{layout.title}: {steps[k].name}", Plane(layout, *layout.axes(marks)), shapes(layout, marks))
        for module, layout in zip(modules, layouts, strict=True)
        for k in range(len(steps))
        for marks in [module.draw(layout, steps[: k + 1])]
    ]


def test_frames_are_valid_for_plotly(figure):
    names, steps = figure
    for panel in draw_figure(names, steps, len(steps) - 1):
        for part in (panel.data, panel.data["phone"]):
            go.Figure({key: part[key] for key in ("data", "layout", "frames")})
            assert len(part["frames"]) == len(steps)


def test_texts_stand_inside_the_drawing_and_on_no_other(pictures):
    for where, plane, drawn in pictures:
        found = list(texts(plane, drawn))
        for text in found:
            assert text.left >= -1 and text.right <= plane.layout.width + 1, (where, text.text)
        for one, two in combinations(found, 2):
            assert not one.touches(two.left, two.top, two.right, two.bottom), (where, one.text, two.text)


def test_no_line_crosses_a_text(pictures):
    for where, plane, drawn in pictures:
        if plane.layout.title != SLANTING:
            found = list(texts(plane, drawn))
            for line in lines(plane, drawn):
                for text in found:
                    assert not text.touches(*line), (where, text.text)
