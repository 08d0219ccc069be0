"""Rows of blocks: every token in its place, names and counts clear of each other, differences underlined."""

from __future__ import annotations

from itertools import combinations

import plotly.graph_objects as go
import pytest

from generator import lettering
from generator.drawing import DESKTOP, PHONE, draw_figure, missing_fields
from generator.figures import block_rows
from generator.marks import Boxes, Line, Text
from generator.model.block_row import BlockRow, NamedPiece
from generator.model.name_chain import NameStep
from generator.runs import Steps
from generator.shapes import Bars, Path, Plane, Words, shapes
from generator.simulations.blocks import Scenario, simulate


@pytest.fixture(scope="module", params=[{}, {"blocks": 16}, {"blocks": 4, "block_tokens": 64}])
def steps(request):
    return Steps(simulate(Scenario(**request.param)))


@pytest.fixture(params=[DESKTOP, PHONE])
def width(request):
    return request.param


def of(marks, kind, id):
    return next(mark for mark in marks if isinstance(mark, kind) and mark.id == id)


def pictures(steps, width):
    layout = block_rows.layout(steps, width)
    return layout, [block_rows.draw(layout, steps[: number + 1]) for number in range(len(steps))]


def test_the_steps_have_what_the_panel_draws(steps):
    assert missing_fields("block-rows", steps[0]) == []


def test_a_row_wraps_where_it_is_too_long_and_keeps_every_token():
    """13 blocks take one line of a desktop and two of a phone, of 7 and of 6; a run is cut where the line ends."""
    row = BlockRow("a", "Ana", (NamedPiece("", 200, "reused"), NamedPiece("", 8, "computed")), reused=200)
    step = NameStep("one", "", (row,), 16)
    for width, lines in ((DESKTOP, 1), (PHONE, 2)):
        layout, (marks,) = pictures([step], width)
        boxes = of(marks, Boxes, "blocks").boxes
        assert layout.places["lines"] == lines
        assert len({box.y for box in boxes}) == lines and len(boxes) == lines + 1
        pitch = layout.places["pitch"]
        assert sum(box.width + 2 for box in boxes) == pytest.approx(13 * pitch)


def test_what_differs_is_underlined_and_a_single_token_can_be_seen(steps, width):
    layout, drawn = pictures(steps, width)
    for step, marks in zip(steps, drawn, strict=True):
        points = [point for point in of(marks, Line, "apart").points if point]
        pairs = list(zip(points[::2], points[1::2], strict=True))
        assert bool(pairs) == any(row.apart for row in step.rows)
        assert all(y0 == y1 and x1 - x0 >= 2 * block_rows.LEAST for (x0, y0), (x1, y1) in pairs)
        keys = of(marks, Text, "key").notes
        assert bool(keys) == bool(pairs)
        for (x0, y), _ in pairs:
            assert layout.places["left"] <= x0 < width
            assert all(not box.y < y - 1.5 < box.y + box.height for box in of(marks, Boxes, "blocks").boxes)


def test_every_named_block_says_its_name_and_every_answered_row_its_count(steps, width):
    layout, drawn = pictures(steps, width)
    for step, marks in zip(steps, drawn, strict=True):
        plane = Plane(layout, *layout.axes(marks))
        words = [w.text for shape in shapes(layout, marks) if isinstance(shape, Words) for w in shape.items]
        for row in step.rows:
            for piece in row.pieces:
                assert not piece.name or piece.name in words, (step.name, plane)
        counts = [note for note in of(marks, Text, "rows").notes if note.key.endswith("-reused")]
        assert len(counts) == sum(row.reused is not None for row in step.rows)


def extents(layout, marks):
    plane = Plane(layout, *layout.axes(marks))
    for shape in shapes(layout, marks):
        for word in shape.items if isinstance(shape, Words) else ():
            wide = lettering.width(word.text, word.bold)
            left = plane.px(word.x) - {"start": 0, "middle": wide / 2}[word.across]
            yield word.text, left, plane.py(word.y) - 6, left + wide, plane.py(word.y) + 6


def test_texts_stand_inside_and_clear_of_each_other_of_boxes_and_of_lines(steps, width):
    layout, drawn = pictures(steps, width)
    for step, marks in zip(steps, drawn, strict=True):
        found = list(extents(layout, marks))
        for text, left, top, right, bottom in found:
            assert left >= -1 and right <= width + 1 and top >= 0 and bottom <= layout.height, (step.name, text)
        for one, two in combinations(found, 2):
            apart = one[1] >= two[3] or two[1] >= one[3] or one[2] >= two[4] or two[2] >= one[4]
            assert apart, (step.name, one[0], two[0])
        for shape in shapes(layout, marks):
            for bar in shape.items if isinstance(shape, Bars) else ():
                for text, left, top, right, bottom in found:
                    inside = left >= bar.x0 and right <= bar.x1 and top >= bar.y0 - 1 and bottom <= bar.y1 + 1
                    assert inside or right <= bar.x0 or left >= bar.x1 or bottom <= bar.y0 or top >= bar.y1, text
            points = [point for point in shape.points if point] if isinstance(shape, Path) else []
            for (x0, y), (x1, _) in zip(points[::2], points[1::2], strict=True):
                for text, left, top, right, bottom in found:
                    assert right <= x0 or left >= x1 or bottom <= y - 1.5 or top >= y + 1.5, (step.name, text)


def test_rows_appear_from_the_top_and_none_moves(steps, width):
    _, drawn = pictures(steps, width)
    seen = {}
    for marks in drawn:
        for note in of(marks, Text, "rows").notes:
            if note.key.endswith("-who") and not note.key.startswith("pages"):
                assert seen.setdefault(note.key, note.y) == note.y
    assert list(seen.values()) == sorted(seen.values()) and len(seen) == 6


def test_frames_are_valid_and_small_enough_for_a_phone():
    real = Steps(simulate(Scenario()))
    (panel,) = draw_figure(["block-rows"], real, 12)
    for part in (panel.data, panel.data["phone"]):
        go.Figure({key: part[key] for key in ("data", "layout", "frames")})
        assert [frame["name"] for frame in part["frames"]] == [step.name for step in real]
    assert panel.states == ("to compute", "computed", "reused", "without")
    assert panel.data["phone"]["layout"]["height"] <= 340 and panel.data["layout"]["height"] <= 300
