"""Block tables: every block numbered and in its place, the empty part of the last one, texts inside their boxes."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go
import pytest

from generator import lettering
from generator.drawing import DESKTOP, PHONE, draw_figure, missing_fields
from generator.figures import block_table, memory_map
from generator.marks import Boxes, Text
from generator.model.block_table import Table
from generator.model.block_table import block_table as table_of
from generator.runs import Steps
from generator.simulations.paging import Scenario, simulate


@dataclass(frozen=True)
class Step:
    tables: tuple[Table, ...]
    block_tokens: int = 16


@pytest.fixture(scope="module")
def day():
    return Steps(simulate(Scenario()))


@pytest.fixture(params=[DESKTOP, PHONE])
def width(request):
    return request.param


def of(marks, kind):
    return next(mark for mark in marks if isinstance(mark, kind))


def test_states_of_a_table_worked_out_by_hand():
    """41 tokens in blocks of 16: the first block found, 20 tokens seen before, so the second changed, and the third."""
    table = table_of("Ben", (7, 3, 9), 41, 20, 16, 16)
    assert [(entry.block, entry.tokens, entry.state) for entry in table.entries] == [
        (7, 16, "reused"),
        (3, 16, "computed"),
        (9, 9, "computed"),
    ]
    assert (table.tokens, table.reused) == (41, 1)
    assert [entry.state for entry in table_of("Ben", (7, 3, 9), 41, 32, 0, 16).entries] == ["held", "held", "computed"]


def test_the_last_block_is_part_empty_and_the_parts_fill_it():
    steps = (Step((table_of("Ana", (5, 6), 20, 20, 0, 16),)),)
    layout = block_table.layout(steps, DESKTOP)
    first, held, empty = of(block_table.draw(layout, steps), Boxes).boxes
    assert (held.state, empty.state) == ("held", "reserved, empty")
    assert held.width == first.width / 4 and held.width + empty.width == first.width
    assert empty.x == held.x + held.width


def test_a_table_wraps_and_the_next_one_stands_below_it():
    long, short = table_of("Ana", tuple(range(1, 31)), 480, 480, 0, 16), table_of("session 34", (31,), 16, 16, 0, 16)
    steps = (Step((long, short)), Step((Table("Ana"), short)))
    layout = block_table.layout(steps, PHONE)
    marks = block_table.draw(layout, steps[:1])
    lines = sorted({box.y for box in of(marks, Boxes).boxes})
    assert len(lines) > 2 and [box.y for box in of(marks, Boxes).boxes if box.key.startswith("session")] == lines[-1:]
    assert [note.text for note in of(marks, Text).notes] == ["Ana", "34"]
    assert layout.height == block_table.HEIGHT * len(lines) + 2
    assert {note.y for note in of(block_table.draw(layout, steps), Text).notes} == {8.5, 25.5}


def test_everything_is_inside_and_every_full_block_has_its_number(day, width):
    layout = block_table.layout(day, width)
    for number in range(len(day)):
        marks = block_table.draw(layout, day[: number + 1])
        for box in of(marks, Boxes).boxes:
            assert layout.places["name"] <= box.x and box.x + box.width <= width
            assert box.y >= 0 and box.y + box.height <= layout.height
            if box.state != "reserved, empty" and box.width > layout.places["pitch"] - 3:
                assert lettering.fit(box.labels, box.width - 4)
        for note in of(marks, Text).notes:
            assert lettering.width(note.text) + lettering.width(" ") <= layout.places["name"]


def test_the_days_panels_are_valid_for_plotly_and_small_on_a_phone(day):
    assert missing_fields("block-table", day[0]) == [] == missing_fields("memory-map", day[0])
    panels = draw_figure(("block-table", "memory-map"), day, day.number("wall"))
    for drawn in panels:
        for part in (drawn.data, drawn.data["phone"]):
            go.Figure({key: part[key] for key in ("data", "layout", "frames")})
    states = {state for drawn in panels for state in drawn.states}
    assert states == {"computed", "reused", "held", "reserved, empty", "refused"}
    assert block_table.layout(day, PHONE).height + memory_map.layout(day, PHONE).height <= 410


def test_on_a_phone_whoever_is_refused_stands_beside_the_map(day):
    layout = memory_map.layout(day, PHONE)
    marks = memory_map.draw(layout, day[: day.number("wall") + 1])
    boxes = {mark.id: mark.boxes for mark in marks if isinstance(mark, Boxes)}
    right = max(box.x + box.width for box in boxes["squares"])
    assert all(right < box.x and box.x + box.width <= PHONE for box in boxes["outside"])
    assert len(boxes["outside"]) == 47
