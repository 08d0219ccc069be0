"""The panel `hour`: columns that add up, under the memory of the step, and texts that keep clear of each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import plotly.graph_objects as go
import pytest

from generator import lettering
from generator.drawing import DESKTOP, PHONE, draw_figure, missing_fields
from generator.figures import hour
from generator.marks import Boxes, Text
from generator.shapes import Plane, Words, shapes

HIGH = {"above": (-12, 0), "middle": (-6, 6), "below": (0, 12)}


@dataclass(frozen=True)
class Minute:
    tokens: int
    reused: dict[str, int]


@dataclass(frozen=True)
class Step:
    name: str
    minute: Minute | None = None
    memory: str = "with unlimited memory"
    caption: str = "Something happens."


def story(minutes):
    """So many minutes; the highest column first, one without anything, and at last another memory."""
    came = [3_000_000 if at == 0 else 0 if at == 2 else 1_500_000 + at * 20_000 for at in range(minutes)]
    steps = [Step("nothing")]
    for at, tokens in enumerate(came):
        reused = {"with unlimited memory": tokens * at // minutes, "on one node": tokens // 20 * (at > 0)}
        steps.append(Step(f"minute-{at + 1}", Minute(tokens, reused)))
    return (*steps[:-1], Step("one-node", steps[-1].minute, "on one node"))


@pytest.fixture(scope="module", params=[12, 59, 60])
def steps(request):
    return story(request.param)


@pytest.fixture(params=[DESKTOP, PHONE])
def drawn(request, steps):
    layout = hour.layout(steps, request.param)
    return layout, [hour.draw(layout, steps[: k + 1]) for k in range(len(steps))]


def boxes(marks, id):
    return {box.key: box for mark in marks if isinstance(mark, Boxes) and mark.id == id for box in mark.boxes}


def test_frames_are_valid_for_plotly_and_of_equal_keys(steps):
    assert not missing_fields("hour", steps[0])
    (panel,) = draw_figure(["hour"], steps, len(steps) - 1)
    assert panel.states == ("computed", "reused")
    for part in (panel.data, panel.data["phone"]):
        go.Figure({key: part[key] for key in ("data", "layout", "frames")})
        assert [frame["name"] for frame in part["frames"]] == [step.name for step in steps]
        assert len({str([sorted(trace) for trace in frame["data"]]) for frame in part["frames"]}) == 1


def test_reused_stands_on_computed_and_both_are_what_came(steps, drawn):
    _, drawings = drawn
    for number, marks in enumerate(drawings):
        computed, reused = boxes(marks, "computed"), boxes(marks, "reused")
        for at, step in enumerate(steps[1 : number + 1], 1):
            key, part = f"{at}", step.minute.reused[steps[number].memory]
            assert (computed[key].height if key in computed else 0) == step.minute.tokens - part
            assert (reused[key].height if key in reused else 0) == part
            if key in computed and key in reused:
                assert reused[key].y == computed[key].height


def test_columns_stand_apart_and_are_wide_enough(drawn):
    layout, drawings = drawn
    columns = sorted(boxes(drawings[-1], "computed").values(), key=lambda box: box.x)
    wide = layout.px(columns[0].width) - layout.px(0)
    assert wide >= 2.9
    assert all(one.x + one.width < two.x for one, two in pairwise(columns))


def test_the_memory_is_named_and_the_share_is_that_of_the_latest_minute(steps, drawn):
    for step, marks in zip(steps[1:], drawn[1][1:], strict=True):
        texts = [note.text for mark in marks if isinstance(mark, Text) for note in mark.notes]
        share = step.minute.reused[step.memory] / max(1, step.minute.tokens)
        assert step.memory in texts
        assert any(text.endswith("%") and abs(float(text[:-2]) / 100 - share) <= 0.006 for text in texts)


def test_texts_keep_within_the_drawing_and_clear_of_each_other(drawn):
    layout, drawings = drawn
    for marks in drawings:
        plane = Plane(layout, *layout.axes(marks))
        found = [extent(plane, word) for s in shapes(layout, marks) if isinstance(s, Words) for word in s.items]
        foot = layout.height - layout.margins.bottom + 4
        for place, text in layout.x.ticks:
            half = lettering.width(text) / 2
            found.append((layout.px(place) - half, foot, layout.px(place) + half, foot + 12))
        for left, top, right, bottom in found:
            assert left >= -1 and right <= layout.width + 1 and top >= -1 and bottom <= layout.height + 1
        for one, two in combinations(found, 2):
            assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1], (one, two)


def extent(plane, word):
    wide = lettering.width(word.text, word.bold)
    left = plane.px(word.x) - {"start": 0, "middle": wide / 2, "end": wide}[word.across]
    top, bottom = (plane.py(word.y) + part for part in HIGH[word.down])
    return left, top, left + wide, bottom


def test_the_last_tick_has_the_unit(drawn):
    layout, _ = drawn
    assert layout.x.ticks[-1][1].endswith(" minutes") and len(layout.x.ticks) >= 2
    assert max(lettering.width(text) for _, text in layout.y.ticks) < layout.margins.left
