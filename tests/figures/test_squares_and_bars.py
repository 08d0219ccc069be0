"""Memory as squares and a bar per variant: every square in its place and state, texts clear of each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import plotly.graph_objects as go
import pytest

from generator import lettering
from generator.drawing import DESKTOP, PHONE, draw_figure, missing_fields
from generator.figures import how_many, memory_map
from generator.marks import Boxes, Text
from generator.model.squares import Label, Map
from generator.model.variant import Variant
from generator.runs import Steps
from generator.shapes import Plane, Words, shapes
from generator.simulations.what_fits import Scenario, simulate
from generator.tiling import Tiling, tile

PANELS = {"memory-map": memory_map, "how-many": how_many}
HIGH = {"above": (-12, 0), "middle": (-6, 6), "below": (0, 12)}


@dataclass(frozen=True)
class Step:
    """Two maps side by side, as a page on paging has them, and two variants."""

    name: str
    maps: tuple[Map, ...]
    variants: tuple[Variant, ...] = ()
    caption: str = "Something happens."
    map_title: str = "512 blocks of 16 tokens"
    map_note: str = ""
    counted: str = "Returns that found their reply"
    shown: str = ""


def two_maps() -> tuple[Step, ...]:
    free, some = ("",) * 512, ("held",) * 9 + ("reserved, empty",) * 30 + ("reused",) * 3 + ("",) * 470
    one, two = Map("In one piece", free, below="0 running"), Map("By the block", free, below="0 running")
    below = "9 running · 3 waiting · 34 % holds a token"
    refused = replace(one, squares=some, outside=("refused",) * 43, outside_label="Kofi", below=below)
    return (
        Step("empty", (one, two)),
        Step("wall", (refused, replace(two, squares=some, below=below)), (Variant("any node", "any", 0, "reused"),)),
        Step("after", (replace(one, squares=some[::-1]), two), (
            Variant("any node", "any", 130, "reused"), Variant("the same node", "same", 240, "reused"))),
    )  # fmt: skip


@pytest.fixture(scope="module", params=["four cards", "two maps"])
def steps(request):
    return Steps(simulate(Scenario())) if request.param == "four cards" else Steps(two_maps())


@pytest.fixture(params=[DESKTOP, PHONE])
def width(request):
    return request.param


@pytest.fixture(params=PANELS)
def panel(request):
    return request.param


def pictures(panel, steps, width):
    layout = PANELS[panel].layout(steps, width)
    return layout, [PANELS[panel].draw(layout, steps[: number + 1]) for number in range(len(steps))]


def of(marks, kind, id):
    return next(mark for mark in marks if isinstance(mark, kind) and mark.id == id)


def test_the_steps_have_what_the_panels_draw(panel, steps):
    assert missing_fields(panel, steps[0]) == []


def test_frames_are_valid_for_plotly_and_of_equal_keys(steps):
    for drawn in draw_figure(tuple(PANELS), steps, 1):
        for part in (drawn.data, drawn.data["phone"]):
            go.Figure({key: part[key] for key in ("data", "layout", "frames")})
            assert [frame["name"] for frame in part["frames"]] == [step.name for step in steps]
            keys = [[sorted(trace) for trace in frame["data"]] for frame in part["frames"]]
            assert all(one == keys[0] for one in keys)


def test_squares_cut_and_bars_move(steps):
    squares, bars = draw_figure(tuple(PANELS), steps, 0)
    assert (squares.data["motion"], bars.data["motion"]) == ("cut", "tween")


def test_free_memory_is_drawn_and_is_not_in_the_key(steps, width):
    _, drawn = pictures("memory-map", steps, width)
    assert {box.state for box in of(drawn[0], Boxes, "squares").boxes} == {"free"}
    assert "free" not in draw_figure(("memory-map",), steps, 0)[0].states


def test_there_are_as_many_squares_of_each_state_as_the_step_has(steps, width):
    _, drawn = pictures("memory-map", steps, width)
    for step, marks in zip(steps, drawn, strict=True):
        states = [state or "free" for shown in step.maps for state in shown.squares]
        assert [box.state for box in of(marks, Boxes, "squares").boxes] == states
        assert len(of(marks, Boxes, "outside").boxes) == sum(len(shown.outside) for shown in step.maps)


def test_no_square_lies_over_another_and_all_lie_within_the_drawing(steps, width):
    layout, drawn = pictures("memory-map", steps, width)
    for marks in drawn:
        boxes = [*of(marks, Boxes, "squares").boxes, *of(marks, Boxes, "outside").boxes]
        places = {(box.x, box.y) for box in boxes}
        assert len(places) == len(boxes)
        assert all(box.width == box.height == boxes[0].width for box in boxes)
        assert all(box.x >= 0 and box.x + box.width <= width and box.y + box.height <= layout.height for box in boxes)
        xs = sorted({box.x for box in boxes})
        assert min(two - one for one, two in pairwise(xs)) >= boxes[0].width + 1


def test_squares_are_large_enough_to_be_told_apart(steps, width):
    layout, _ = pictures("memory-map", steps, width)
    assert layout.places["pitch"] >= 7
    assert layout.height <= (300 if width == PHONE else 270) + 24


def test_texts_keep_within_the_drawing_and_clear_of_each_other(panel, steps, width):
    layout, drawn = pictures(panel, steps, width)
    for marks in drawn:
        plane = Plane(layout, *layout.axes(marks))
        words = [word for shape in shapes(layout, marks) if isinstance(shape, Words) for word in shape.items]
        extents = [extent(plane, word) for word in words if word.text.strip()]
        for left, top, right, bottom in extents:
            assert left >= -1 and right <= width + 1 and top >= -1 and bottom <= layout.height + 1
        for one, two in combinations(extents, 2):
            assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1], (one, two)


def extent(plane, word):
    wide = lettering.width(word.text, word.bold)
    left = plane.px(word.x) - {"start": 0, "middle": wide / 2, "end": wide}[word.across]
    top, bottom = (plane.py(word.y) + part for part in HIGH[word.down])
    return left, top, left + wide, bottom


def test_a_label_stands_on_squares_of_its_own(width):
    """Squares 3 to 40 are weights: the plate covers whole squares among them."""
    squares = ("held",) * 3 + ("weights",) * 38 + ("",) * 87
    labelled = Map("Card 1", squares, (Label("weights", 3, 38), Label("a text too long for a single square", 0, 1)))
    _, (marks,) = pictures("memory-map", Steps([Step("one", (labelled,) * 4)]), width)
    plates = of(marks, Boxes, "plates").boxes
    assert [note.text for note in of(marks, Text, "labels").notes] == ["weights"] * 4
    for plate in plates:
        under = [
            box
            for box in of(marks, Boxes, "squares").boxes
            if box.x >= plate.x - 1e-6 and box.x < plate.x + plate.width
            and box.y >= plate.y - 1e-6 and box.y < plate.y + plate.height
        ]  # fmt: skip
        assert under and {box.state for box in under} == {"weights"}
        assert plate.width >= lettering.width("weights") and plate.height >= lettering.HEIGHT


def test_a_bar_is_as_long_as_its_count_and_its_row_never_moves(steps, width):
    _, drawn = pictures("how-many", steps, width)
    for step, marks in zip(steps, drawn, strict=True):
        lengths = {box.key: box.width for box in of(marks, Boxes, "counts").boxes}
        assert lengths == {variant.name: variant.count for variant in step.variants if variant.count}
        numbers = {note.key: note.text for note in of(marks, Text, "numbers").notes}
        assert numbers == {variant.name: variant.text for variant in step.variants}
    rows = [{box.key: box.y for box in of(marks, Boxes, "counts").boxes} for marks in drawn]
    assert all(row[key] == rows[-1][key] for row in rows for key in row)


def test_full_rows_are_taken_where_there_are_some():
    assert tile(4, 128, 1060, 250, gap=12, lines=16, text=40) == Tiling(across=4, columns=16, rows=8, pitch=16)
    assert tile(2, 512, 343, 300, gap=12, lines=32, text=260) == Tiling(across=1, columns=32, rows=16, pitch=7)
    assert tile(1, 127, 343, 200, gap=12, lines=16, text=40).columns > 1  # a prime: the last row is short
