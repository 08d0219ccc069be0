"""The panels `sessions` and `returns`: steps made by hand and the real runs, at both widths."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import plotly.graph_objects as go
import pytest

from generator import runs
from generator.drawing import DESKTOP, PHONE, draw_figure, missing_fields
from generator.figures import returns, sessions
from generator.marks import Boxes, Dots, Text
from generator.model.returns_told import Lane, LaneTurn, PauseLimit, ReturnDot
from generator.shapes import Plane, shapes


def _neighbour(name):
    """Another file of tests as a module: they are no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


lines, texts = (getattr(_neighbour("test_texts"), name) for name in ("lines", "texts"))
MODULES = {"sessions": sessions, "returns": returns}


@dataclass(frozen=True)
class Step:
    name: str
    lanes: tuple[Lane, ...] = ()
    returns: tuple[ReturnDot, ...] = ()
    limits: tuple[PauseLimit, ...] = ()
    serving: str = ""
    caption: str = "Something happens."


BEFORE = LaneTurn(1, -40, -39, 30, "computed")
LANES = (Lane("Ana", (LaneTurn(1, 0, 1, 60, "computed"), LaneTurn(2, 60, 61, 90, "reused"))), Lane("Ben", (BEFORE,)))
DOTS = (ReturnDot("ana 2", 20, "reused"), ReturnDot("ben 2", 600, "computed"), ReturnDot("chen 2", 20.1, "parked"))


def by_hand():
    nobody = tuple(replace(lane, turns=()) for lane in LANES)
    others = (*LANES, *(Lane(who, ()) for who in ("Chen", "Dara", "Emil", "Fay")))
    nobody += others[2:]
    return (
        Step("empty", nobody),
        Step("ana", others, DOTS[:1], (), "Ana"),
        Step("ben", others, DOTS, (PauseLimit("characteristic time 100 s", 100),), "Ben"),
        Step("host", others, DOTS, (PauseLimit("on the cards 100 s", 100), PauseLimit("on the host 240 s", 240))),
        Step("edge", others, DOTS, (PauseLimit("characteristic time 15 s", 15),)),
    )


@pytest.fixture(scope="module", params=["by hand", "returns", "routing"])
def story(request):
    return by_hand() if request.param == "by hand" else tuple(runs.run("run", request.param, {}).steps)


def panels(story):
    return [name for name in MODULES if not missing_fields(name, story[0])]


def drawings(story, width):
    for name in panels(story):
        layout = MODULES[name].layout(story, width)
        for number, step in enumerate(story):
            marks = MODULES[name].draw(layout, story[: number + 1])
            yield f"{name}: {step.name}", Plane(layout, *layout.axes(marks)), marks, shapes(layout, marks)


def test_frames_are_valid_for_plotly_and_of_equal_keys(story):
    names = panels(story)
    assert names
    for panel in draw_figure(names, story, len(story) - 2):
        for part in (panel.data, panel.data["phone"]):
            go.Figure({key: part[key] for key in ("data", "layout", "frames")})
            assert len({str([sorted(trace) for trace in frame["data"]]) for frame in part["frames"]}) == 1
        json.dumps(panel.data, allow_nan=False)


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_texts_stand_inside_apart_and_uncrossed(story, width):
    for where, plane, _, drawn in drawings(story, width):
        found = list(texts(plane, drawn))
        for text in found:
            assert text.left >= -1 and text.right <= plane.layout.width + 1, (where, text.text)
            assert text.top >= -1 and text.bottom <= plane.layout.height + 5, (where, text.text)
        for one, two in combinations(found, 2):
            assert not one.touches(two.left, two.top, two.right, two.bottom), (where, one.text, two.text)
        for edges in lines(plane, drawn):
            assert not any(text.touches(*edges) for text in found), where


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_no_dot_stands_on_another_and_none_ever_moves(story, width):
    layout = returns.layout(story, width)
    size, seen = layout.places[""], {}
    for number in range(len(story)):
        (mark,) = (m for m in returns.draw(layout, story[: number + 1]) if isinstance(m, Dots))
        for dot in mark.dots:
            assert seen.setdefault(dot.key, (layout.px(dot.x), layout.py(dot.y))) == (
                layout.px(dot.x),
                layout.py(dot.y),
            )
    for one, two in combinations(seen.values(), 2):
        assert (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2 >= (size - 0.01) ** 2
    assert all(y + size / 2 <= layout.height - layout.margins.bottom for _, y in seen.values())


def test_what_is_parked_is_square_and_the_rest_is_round():
    story = by_hand()
    layout = returns.layout(story, DESKTOP)
    (mark,) = (m for m in returns.draw(layout, story[:4]) if isinstance(m, Dots))
    assert [(dot.paint, dot.symbol) for dot in mark.dots] == [
        ("reused", "circle"),
        ("computed", "circle"),
        ("parked", "square"),
    ]


def test_a_bar_is_as_long_as_the_reply_was_held_and_begins_at_zero_at_the_earliest():
    story = by_hand()
    layout = sessions.layout(story, DESKTOP)
    marks = sessions.draw(layout, story[:3])
    (bars,) = (m for m in marks if isinstance(m, Boxes))
    assert {(box.key, box.x, box.width) for box in bars.boxes} == {
        ("Ana 1", 1, 59),
        ("Ana 2", 61, 29),
        ("Ben 1", 0, 30),
    }
    (turns,) = (m for m in marks if isinstance(m, Dots))
    assert [dot.key for dot in turns.dots] == ["Ana 1", "Ana 2"]  # what came before 0 is not drawn


def test_who_is_spoken_of_is_named_in_bold_and_neighbours_give_way():
    story = by_hand()
    layout = sessions.layout(story, PHONE)
    (names,) = (m for m in sessions.draw(layout, story[:3]) if isinstance(m, Text))
    assert [(note.text, note.bold) for note in names.notes] == [("Ben", True), ("Fay", False)]
