"""The two panels of a pass, roofline above time: one axis, one dashed line, dots on the roof, texts clear of lines."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import plotly.graph_objects as go
import pytest

from generator import lettering
from generator.drawing import DESKTOP, PHONE, arrange, draw_figure, missing_fields
from generator.figures import pass_time, roofline
from generator.marks import Axes, Dots, Line, Rule
from generator.placing import beside
from generator.runs import Steps
from generator.shapes import Path, Plane, Words, shapes
from generator.simulations.prefill import Scenario, simulate

PANELS = {"roofline": roofline, "pass-time": pass_time}
WIDTHS = {"desktop": DESKTOP, "phone": PHONE}


@pytest.fixture(scope="module", params=["4x a100-80gb", "4x h100"])
def passes(request):
    return Steps(simulate(Scenario(node=request.param)))


@pytest.fixture(params=WIDTHS)
def layouts(request, passes):
    return dict(zip(PANELS, arrange([panel.layout(passes, WIDTHS[request.param]) for panel in PANELS.values()]),
                    strict=True))  # fmt: skip


@pytest.fixture(params=PANELS)
def panel(request):
    return request.param


def marks(layouts, panel, passes, name):
    return PANELS[panel].draw(layouts[panel], passes[: passes.number(name) + 1])


def of_kind(kind, drawn, id=None):
    return [mark for mark in drawn if isinstance(mark, kind) and id in (None, getattr(mark, "id", None))]


def test_the_simulation_has_what_the_panels_draw(panel, passes):
    assert missing_fields(panel, passes[0]) == []


def test_frames_are_valid_for_plotly_and_of_equal_keys(passes):
    for drawn in draw_figure(tuple(PANELS), passes, passes.number("cached")):
        for part in (drawn.data, drawn.data["phone"]):
            go.Figure({key: part[key] for key in ("data", "layout", "frames")})
            assert [frame["name"] for frame in part["frames"]] == [step.name for step in passes]
            keys = [[sorted(trace) for trace in frame["data"]] for frame in part["frames"]]
            assert all(one == keys[0] for one in keys)
            assert all(frame["traces"] == part["frames"][0]["traces"] for frame in part["frames"])


def test_the_states_are_those_of_the_key(passes):
    time = draw_figure(tuple(PANELS), passes, 0)[1]
    assert time.states == ("computed", "weights", "without")


def test_a_closer_look_cuts_and_nothing_else_does(passes):
    for drawn in draw_figure(tuple(PANELS), passes, 0):
        first = next(number for number, step in enumerate(passes) if step.look_closer)
        assert drawn.data["cuts"] == [first, first + 2]


def test_one_dashed_line_goes_down_through_the_corner_and_the_knee(layouts, passes):
    rules = [of_kind(Rule, marks(layouts, panel, passes, "cached"), "ridge")[0] for panel in PANELS]
    places = {layouts[panel].px(rule.at) for panel, rule in zip(PANELS, rules, strict=True)}
    assert len(places) == 1
    ((roof,), (curve,)) = (
        of_kind(Line, layouts["roofline"].fixed, "roof"),
        of_kind(Line, marks(layouts, "pass-time", passes, "cached"), "curve"),
    )
    here = places.pop()
    assert layouts["roofline"].px(roof.points[1][0]) == pytest.approx(here, abs=0.5)
    corner = max(layouts["pass-time"].px(n) for n, seconds in curve.points if seconds < 1.01 * passes[0].floor)
    assert corner == pytest.approx(here, abs=2)


def test_the_dot_lies_on_the_roof_and_its_twin_on_the_curve(layouts, passes):
    for step in passes[1:]:
        drawn = marks(layouts, "roofline", passes, step.name)
        (dot,) = of_kind(Dots, drawn, "pass")[0].dots
        roof = min(step.peak_flops, dot.x * step.bytes_per_second)
        assert 0.85 * roof < dot.y <= 1.0001 * roof
        (dot,) = of_kind(Dots, marks(layouts, "pass-time", passes, step.name), "pass")[0].dots
        assert (dot.x, dot.y) == (step.new_tokens, step.seconds)
        assert dot.paint == ("weights" if step.bound == "memory" else "computed")


def test_nothing_has_run_at_step_0(layouts, panel, passes):
    drawn = marks(layouts, panel, passes, "nothing")
    assert not of_kind(Dots, drawn, "pass") and not of_kind(Rule, drawn)
    assert all(not mark.dots for mark in of_kind(Dots, drawn))


def test_the_trail_has_a_dot_for_each_length_once(layouts, panel, passes):
    (trail,) = of_kind(Dots, marks(layouts, panel, passes, "cached"), "trail")
    assert [dot.key for dot in trail.dots] == [str(2**power) for power in range(14)]


def test_what_it_would_have_cost_is_hollow_and_only_where_something_is_reused(layouts, passes):
    for step in passes:
        hollow = of_kind(Dots, marks(layouts, "pass-time", passes, step.name), "without")
        assert bool(hollow) == bool(step.reused_tokens)
    (dot,) = hollow[0].dots if hollow else of_kind(
        Dots, marks(layouts, "pass-time", passes, "cached"), "without")[0].dots  # fmt: skip
    assert (dot.x, dot.y, dot.paint) == (8192, passes["document"].seconds, "without")


def test_a_closer_look_tells_the_two_lines_apart(layouts, passes):
    layout = layouts["pass-time"]
    name = next(step.name for step in reversed(passes) if step.look_closer)
    drawn = marks(layouts, "pass-time", passes, name)
    (axes,) = of_kind(Axes, drawn)
    ends = [of_kind(Line, drawn, id)[0].points[-1][1] for id in ("lighter", "curve")]
    low, high = (layout.py(end, axes.y) for end in ends)
    assert low - high > 4


def boxes_of(plane, drawn):
    """Left, top, right and foot of every text, as lettering estimates them."""
    for words in (shape for shape in drawn if isinstance(shape, Words)):
        for word in words.items:
            wide = lettering.width(word.text)
            x = plane.px(word.x) - {"start": 0, "middle": wide / 2, "end": wide}[word.across]
            y = plane.py(word.y) - {"below": 0, "middle": 6, "above": 12}[word.down]
            yield word.text.strip(), (x, y, x + wide, y + 12)


def samples(plane, path):
    for (x0, y0), (x1, y1) in pairwise(path.points):
        ends = (plane.px(x0), plane.py(y0)), (plane.px(x1), plane.py(y1))
        count = max(1, math.ceil(math.dist(*ends)))
        for k in range(count + 1):
            yield tuple(a + (b - a) * k / count for a, b in zip(*ends, strict=True))


def test_no_text_overlaps_another_or_crosses_a_line_at_any_step(layouts, panel, passes):
    layout = layouts[panel]
    for step in passes:
        drawn = marks(layouts, panel, passes, step.name)
        plane = Plane(layout, *layout.axes(drawn))
        shown = shapes(layout, drawn)
        texts = list(boxes_of(plane, shown))
        for (one, a), (other, b) in combinations(texts, 2):
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, f"{step.name}: {one} on {other}"
        for text, (left, top, right, foot) in texts:
            assert left >= 0 and right <= layout.width and top >= -1 and foot <= layout.height, f"{step.name}: {text}"
            for path in (shape for shape in shown if isinstance(shape, Path) and shape.id != "ridge"):
                crossed = any(left < x < right and top + 1 < y < foot - 1 for x, y in samples(plane, path))
                assert not crossed, f"{step.name}: {text} crosses {path.id}"


def test_the_ticks_have_room_and_say_their_unit_once(layouts):
    for layout, last in ((layouts["roofline"], None), (layouts["pass-time"], "ms")):
        assert max(lettering.width(text) for _, text in layout.y.ticks) < layout.margins.left
        if last:
            assert [text.endswith(last) for _, text in layout.y.ticks] == [False] * (len(layout.y.ticks) - 1) + [True]
    assert not layouts["roofline"].x.shown and layouts["pass-time"].x.shown
    assert layouts["pass-time"].x.ticks[-1][1].endswith(" tokens")


def test_a_text_goes_to_the_first_free_side():
    layout = pass_time.layout(Steps(simulate(Scenario())), DESKTOP)
    at = (64, 0.1)
    free = beside(layout, layout.x, layout.y, at, "text", [])
    assert free.anchor == "end below"
    left = [((layout.x.value(0.2), 0.1 / 1.2), (50, 0.1 / 1.2))]
    assert beside(layout, layout.x, layout.y, at, "text", left).anchor == "start below"
    edge = (layout.x.low, 0.1)
    assert beside(layout, layout.x, layout.y, edge, "text", []).anchor == "start below"
