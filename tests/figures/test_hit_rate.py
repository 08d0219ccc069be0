"""The panel `hit-rate`: lines, dots and limits from steps made by hand, on both kinds of axis and at both widths."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import plotly.graph_objects as go
import pytest

from generator import lettering
from generator.drawing import draw_figure, missing_fields
from generator.figures import hit_rate
from generator.marks import Dots, Line, Text
from generator.model.rates import RateAxis, RateCurve, RateDot, RateLimit
from generator.shapes import Plane, Words, shapes


@dataclass(frozen=True)
class Step:
    name: str
    rate_axis: RateAxis
    rate_curves: tuple[RateCurve, ...] = ()
    rate_dots: tuple[RateDot, ...] = ()
    rate_limits: tuple[RateLimit, ...] = ()
    caption: str = "Something happens."


SESSIONS = RateAxis(4, 32, (4, 8, 12, 16, 20, 24, 28, 32), "sessions")
NODES = RateAxis(0.01, 300, (0.01, 0.1, 1, 10, 100), "nodes", log=True)
ROOM = RateLimit("room for 12", 12)
CLIFF = RateCurve("taking turns", ((4, 0.99), (12, 0.99), (13, 0.66), (32, 0.66)))
SLOPE = RateCurve("irregular", ((4, 0.99), (12, 0.99), (13, 0.97), (20, 0.87), (32, 0.79)))


def sessions() -> tuple[Step, ...]:
    return (
        Step("empty", SESSIONS, rate_limits=(ROOM,)),
        Step("first", SESSIONS, (RateCurve("taking turns", CLIFF.points[:1]),), (RateDot("turns", 4, 0.99),), (ROOM,)),
        Step("cliff", SESSIONS, (RateCurve("taking turns", CLIFF.points[:3]),), (RateDot("turns", 13, 0.66),), (ROOM,)),
        Step("end", SESSIONS, (CLIFF,), (RateDot("turns", 32, 0.66),), (ROOM,)),
        Step("both", SESSIONS, (CLIFF, SLOPE), (RateDot("turns", 13, 0.66), RateDot("other", 13, 0.97)), (ROOM,)),
    )


def nodes() -> tuple[Step, ...]:
    ours = RateCurve("this log", ((0.01, 0.042), (1, 0.045), (10, 0.2), (60, 0.37), (300, 0.374)))
    other = RateCurve("published", ((0.02, 0.045), (2, 0.08), (10, 0.25), (200, 0.4), (300, 0.4)), thin=True)
    limits = (RateLimit("one node", 1), RateLimit("best 37 %", 0.374, across=True))
    return (
        Step("empty", NODES),
        Step("curve", NODES, (ours,)),
        Step("one", NODES, (ours, other), (RateDot("one", 1, 0.045),), limits),
    )


STORIES = {"sessions": sessions, "nodes": nodes}


@pytest.fixture(params=[(story, width) for story in STORIES for width in (1060, 343)], ids=str)
def drawn(request):
    story, width = request.param
    steps = STORIES[story]()
    layout = hit_rate.layout(steps, width)
    return steps, layout, [hit_rate.draw(layout, steps[: k + 1]) for k in range(len(steps))]


@pytest.mark.parametrize("story", STORIES)
def test_frames_are_valid_for_plotly_and_of_equal_keys(story):
    steps = STORIES[story]()
    assert not missing_fields("hit-rate", steps[0])
    (panel,) = draw_figure(["hit-rate"], steps, len(steps) - 1)
    for part in (panel.data, panel.data["phone"]):
        go.Figure({key: part[key] for key in ("data", "layout", "frames")})
        assert len({str([sorted(trace) for trace in frame["data"]]) for frame in part["frames"]}) == 1


def test_no_two_texts_touch_and_none_leaves_the_drawing(drawn):
    _, layout, steps = drawn
    for marks in steps:
        plane = Plane(layout, *layout.axes(marks))
        texts = [extent(plane, word) for s in shapes(layout, marks) if isinstance(s, Words) for word in s.items]
        texts += [tick(layout, place, text) for place, text in layout.x.ticks]
        for left, top, right, foot in texts:
            assert left >= 0 and right <= layout.width and top >= 0 and foot <= layout.height
        for one, other in combinations(texts, 2):
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def extent(plane, word):
    wide = lettering.width(word.text, word.bold)
    left = plane.px(word.x) - {"start": 0, "middle": wide / 2, "end": wide}[word.across]
    top = plane.py(word.y) - {"above": lettering.HEIGHT, "middle": lettering.HEIGHT / 2, "below": 0}[word.down]
    return left, top, left + wide, top + lettering.HEIGHT


def tick(layout, place, text):
    middle, wide = layout.px(place), lettering.width(text)
    foot = layout.height - layout.margins.bottom + 4
    return middle - wide / 2, foot, middle + wide / 2, foot + lettering.HEIGHT


def test_a_line_is_named_where_it_ends_and_only_once_it_is_whole(drawn):
    steps, layout, drawings = drawn
    for step, marks in zip(steps, drawings, strict=True):
        whole = {curve.name for curve in step.rate_curves if curve.points[-1][0] == layout.x.high}
        (names,) = (mark for mark in marks if isinstance(mark, Text) and mark.id == "names")
        assert {note.text for note in names.notes} == whole


def test_dots_are_reused_and_say_their_rate(drawn):
    steps, _, drawings = drawn
    (dots,) = (mark for mark in drawings[-1] if isinstance(mark, Dots))
    (values,) = (mark for mark in drawings[-1] if isinstance(mark, Text) and mark.id == "values")
    assert {dot.paint for dot in dots.dots} == {"reused"}
    written = {0.045: "4.5 %", 0.66: "66 %", 0.97: "97 %"}
    assert [note.text for note in values.notes] == [written[dot.rate] for dot in steps[-1].rate_dots]


def test_somebody_elses_line_is_thin(drawn):
    steps, _, drawings = drawn
    lines = [mark for mark in drawings[-1] if isinstance(mark, Line)]
    assert [line.thickness < 2 for line in lines] == [curve.thin for curve in steps[-1].rate_curves]


def test_the_last_tick_has_the_unit_and_the_others_find_room():
    for story, last in (("sessions", "32 sessions"), ("nodes", "100 nodes")):
        for width in (1060, 343):
            ticks = hit_rate.layout(STORIES[story](), width).x.ticks
            assert ticks[-1][1] == last and len(ticks) >= 4
