"""The two panels of the measurements: diamonds on two lines, and how far off both are, with every text clear."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, pairwise

import plotly.graph_objects as go
import pytest

from generator import lettering
from generator.drawing import DESKTOP, PHONE, draw_figure, missing_fields
from generator.figures import difference, model_and_measured
from generator.marks import Dots, Line, Text
from generator.runs import Steps
from generator.shapes import Path, Plane, Words, shapes
from generator.simulations.measurements import Scenario, simulate

PANELS = {"model-and-measured": model_and_measured, "difference": difference}


@pytest.fixture(scope="module")
def told():
    return Steps(simulate(Scenario()))


@pytest.fixture(scope="module", params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def width(request):
    return request.param


@pytest.fixture(scope="module", params=PANELS)
def drawn(request, told, width):
    """The layout of a panel, and its marks step by step."""
    module = PANELS[request.param]
    layout = module.layout(told, width)
    return layout, {step.name: module.draw(layout, told[: k + 1]) for k, step in enumerate(told)}


def of_kind(kind, marks, id):
    (found,) = (mark for mark in marks if isinstance(mark, kind) and mark.id == id)
    return found


def test_frames_are_valid_for_plotly_and_of_equal_keys(told):
    for panel in draw_figure(tuple(PANELS), told, len(told) - 1):
        assert missing_fields(panel.name, told[0]) == [] and panel.states == ()
        for part in (panel.data, panel.data["phone"]):
            go.Figure({key: part[key] for key in ("data", "layout", "frames")})
            assert len({str([sorted(trace) for trace in frame["data"]]) for frame in part["frames"]}) == 1


def extent(plane, word):
    wide = lettering.width(word.text, word.bold)
    left = plane.px(word.x) - {"start": 0, "middle": wide / 2, "end": wide}[word.across]
    top = plane.py(word.y) - {"above": 12, "middle": 6, "below": 0}[word.down]
    return left, top, left + wide, top + lettering.HEIGHT


def ticks(plane):
    layout = plane.layout
    foot = layout.height - layout.margins.bottom + 4
    for place, text in layout.x.ticks:
        half = lettering.width(text) / 2
        yield plane.px(place) - half, foot, plane.px(place) + half, foot + lettering.HEIGHT
    for place, text in layout.y.ticks:
        end = layout.margins.left - 1
        yield end - lettering.width(text), plane.py(place) - 6, end, plane.py(place) + 6


def crossed_by(plane, shown):
    """Points of all lines and grid lines, a pixel apart, and the middles of all dots."""
    m, layout = plane.layout.margins, plane.layout
    for value, _ in layout.y.ticks if layout.y.grid else ():
        yield from ((x, plane.py(value)) for x in range(m.left, layout.width - m.right))
    for path in (shape for shape in shown if isinstance(shape, Path)):
        for ends in pairwise((plane.px(x), plane.py(y)) for x, y in path.points):
            count = max(1, math.ceil(math.dist(*ends)))
            yield from (tuple(a + (b - a) * k / count for a, b in zip(*ends, strict=True)) for k in range(count + 1))


def test_no_text_touches_another_leaves_the_drawing_or_is_crossed(drawn):
    layout, steps = drawn
    for name, marks in steps.items():
        plane, shown = Plane(layout, *layout.axes(marks)), shapes(layout, marks)
        texts = [extent(plane, word) for shape in shown if isinstance(shape, Words) for word in shape.items]
        for one, other in combinations([*texts, *ticks(plane)], 2):
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1], (name, one)
        lines = list(crossed_by(plane, shown))
        for left, top, right, foot in [*texts, *ticks(plane)]:
            assert left >= -1 and right <= layout.width and top >= -1 and foot <= layout.height, name
        for left, top, right, foot in texts:
            assert not any(left < x < right and top + 1 < y < foot - 1 for x, y in lines), (name, left, top)


def test_diamonds_are_those_of_the_series_so_far_and_the_new_one_is_larger(told, width):
    layout = model_and_measured.layout(told, width)
    for number, step in enumerate(told):
        marks = model_and_measured.draw(layout, told[: number + 1])
        dots = of_kind(Dots, marks, "measured").dots
        assert [(dot.x, dot.y) for dot in dots] == list(step.timed)
        assert all(dot.symbol == "diamond" and dot.paint == "ink" for dot in dots)
        larger = [dot.x for dot in dots if dot.size == model_and_measured.NEW]
        assert larger == ([step.tokens] if step.measured_seconds else [])
        assert of_kind(Line, marks, "plain").points == step.plain_curve


def test_the_key_names_what_is_drawn_in_the_same_paint(told):
    layout = model_and_measured.layout(told, DESKTOP)
    marks = model_and_measured.draw(layout, told[:])
    assert [note.text for note in of_kind(Text, marks, "key").notes] == ["measured", "calibrated", "plain"]
    for name in ("calibrated", "plain"):
        line, key = of_kind(Line, marks, name), of_kind(Line, marks, f"key-{name}")
        assert (line.paint, line.style, line.thickness) == (key.paint, key.style, key.thickness)


def test_differences_stay_where_they_were_and_groups_stand_apart(told, width):
    layout = difference.layout(told, width)
    whole = difference.draw(layout, told[:])
    dots = {id: of_kind(Dots, whole, id).dots for id in ("plain", "calibrated")}
    shown = [step for step in told if step.plain_off is not None]
    assert [dot.y for dot in dots["plain"]] == [step.plain_off for step in shown]
    assert [dot.y for dot in dots["calibrated"]] == [step.calibrated_off for step in shown]
    gaps = [b.x - a.x for a, b in pairwise(dots["plain"])]
    assert gaps.count(2) == 7 and set(gaps) == {1, 2}  # eight groups
    number = told.number("a100-128-over-2048")
    early = of_kind(Dots, difference.draw(layout, told[: number + 1]), "plain").dots
    assert [dot.x for dot in early] == [dot.x for dot in dots["plain"][: len(early)]]
    assert [dot.size for dot in early] == [difference.DOT] * (len(early) - 1) + [difference.NEW]
    assert {dot.size for dot in dots["plain"]} == {difference.DOT}  # the last step shows no new pass


def test_a_story_without_measurements_can_be_drawn(told, width):
    bare = [replace(told[0], timed=())]
    for module in PANELS.values():
        layout = module.layout(bare, width)
        assert shapes(layout, module.draw(layout, bare))
