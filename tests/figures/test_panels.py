"""Every frame of every panel, at both widths: valid for Plotly, self-contained, and of equal keys."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from generator.drawing import draw_figure
from generator.simulations.prefix_sharing import Scenario, simulate

PANELS = ["request", "prefix-tree", "time-to-first-token", "cache-memory"]


@pytest.fixture(scope="module")
def drawn():
    steps = tuple(simulate(Scenario()))
    return draw_figure(PANELS, steps, [step.name for step in steps].index("hana-2"))


@pytest.fixture(params=[(panel, width) for panel in range(4) for width in ("desktop", "phone")], ids=str)
def part(request, drawn):
    panel, width = request.param
    data = drawn[panel].data
    return data if width == "desktop" else data["phone"]


def test_frames_are_valid_for_plotly(part):
    go.Figure({key: part[key] for key in ("data", "layout", "frames")})
