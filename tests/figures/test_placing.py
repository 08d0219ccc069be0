"""Texts beside a point: at the first anchor that is free, a little further away where none is."""

from __future__ import annotations

from generator.marks import Axis, Layout, Margins
from generator.placing import ANCHORS, GAPS, beside

LAYOUT = Layout("A panel", 400, 200, Margins(0, 0, 0, 0), Axis(0, 400), Axis(0, 200))
AT = 200, 100


def put(*lines):
    return beside(LAYOUT, LAYOUT.x, LAYOUT.y, AT, "97 %", lines)


def test_the_first_anchor_if_nothing_is_in_the_way():
    note = put()
    assert note.anchor == ANCHORS[0] and note.shift == (0, GAPS[0])


def test_the_next_anchor_where_a_line_runs():
    assert put(((0, 90), (190, 90))).anchor == "start below"


def test_further_away_where_lines_run_close_by():
    """All is taken on the left, on the right all above the point and a line just below it."""
    left = [((0, height), (190, height)) for height in range(0, 200, 8)]
    right = [((210, height), (400, height)) for height in (97, *range(104, 200, 8))]
    note = put(*left, *right)
    assert note.anchor == "start below" and note.shift == (0, GAPS[1])


def test_the_first_where_nothing_is_free():
    note = put(*(((0, height), (400, height)) for height in range(0, 200, 8)))
    assert (note.anchor, note.shift) == (ANCHORS[0], (0, GAPS[0]))
