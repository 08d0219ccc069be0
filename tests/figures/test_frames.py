"""Frames of every panel at both widths: valid for Plotly, self-contained, of equal keys, small, the same every time."""

from __future__ import annotations

import gzip
import json

import plotly.graph_objects as go
import pytest

from generator.animate import animate
from generator.drawing import draw_figure
from generator.marks import Axis, Box, Boxes, Dot, Dots, Layout, Line, Margins, Note, Text

PANELS = ("request", "prefix-tree", "time-to-first-token", "cache-memory")


def keys(value, path=""):
    """All key paths of nested dicts and lists of dicts."""
    if isinstance(value, dict):
        return {name for key, inner in value.items() for name in {f"{path}.{key}"} | keys(inner, f"{path}.{key}")}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return {name for k, inner in enumerate(value) for name in keys(inner, f"{path}[{k}]")}
    return set()


def arrays(value, path=""):
    if isinstance(value, dict):
        return {name: array for key, inner in value.items() for name, array in arrays(inner, f"{path}.{key}").items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return {name: a for k, inner in enumerate(value) for name, a in arrays(inner, f"{path}[{k}]").items()}
    return {path: value} if isinstance(value, list) else {}


def merged(base, change):
    return base | {k: merged(base[k], v) if isinstance(v, dict) else v for k, v in change.items()}


def test_plotly_accepts_data_layout_and_every_frame(part):
    go.Figure({key: part[key] for key in ("data", "layout", "frames")})


def test_one_frame_a_step_named_by_it(part, steps):
    assert [frame["name"] for frame in part["frames"]] == [step.name for step in steps]


def test_every_frame_has_the_same_keys_traces_and_lengths(part):
    first, *others = part["frames"]
    lengths = {path: len(array) for path, array in arrays(first["data"]).items()}
    for frame in others:
        assert keys(frame) == keys(first)
        assert frame["traces"] == first["traces"]
        assert {path: len(array) for path, array in arrays(frame["data"]).items()} == lengths


def test_every_trace_says_its_type_and_frames_hold_only_what_changes(part):
    for position, number in enumerate(part["frames"][0]["traces"]):
        over_steps = [frame["data"][position] for frame in part["frames"]]
        assert {trace["type"] for trace in over_steps} == {part["data"][number]["type"]}
        for path, array in arrays(over_steps[0]).items():
            assert any(arrays(trace)[path] != array for trace in over_steps), path


def test_any_step_can_be_jumped_to(part, drawn_alone, panel, width):
    """The data of the key step with the frame of another is what that other step draws by itself."""
    for number, panels in drawn_alone.items():
        alone = panels[panel].data
        expected = alone if width == "desktop" else alone["phone"]
        frame = part["frames"][number]
        shown = list(part["data"])
        for trace, change in zip(frame["traces"], frame["data"], strict=True):
            shown[trace] = merged(shown[trace], change)
        assert shown == expected["data"]
        assert merged(part["layout"], frame.get("layout", {})) == expected["layout"]


def test_what_is_absent_has_no_length_and_no_outline(part):
    for position, number in enumerate(part["frames"][0]["traces"]):
        for frame in part["frames"]:
            trace = merged(part["data"][number], frame["data"][position])
            if trace["type"] == "bar":
                lengths = trace["x"] if trace["orientation"] == "h" else trace["y"]
                for length, outline in zip(lengths, trace["marker"]["line"]["width"], strict=True):
                    assert length > 0 or (length == 0 and outline == 0)


def test_colours_are_codes_and_nothing_else_is_coloured(part):
    for trace in part["data"]:
        assert trace["meta"]["kind"] in ("fill", "line", "text")
        assert "color" not in trace.get("line", {}) and "color" not in trace.get("textfont", {})
        if trace["meta"]["kind"] == "fill":
            assert all(type(code) is int for code in trace["marker"]["color"])
            assert len(trace["marker"]["line"]["color"]) == len(trace["x"])


def test_axes_name_their_ticks_and_nothing_can_be_dragged(part):
    layout = part["layout"]
    assert layout["dragmode"] is False and layout["hovermode"] is False and layout["showlegend"] is False
    for axis in (layout["xaxis"], layout["yaxis"]):
        assert axis["fixedrange"] and axis["tickmode"] == "array"
        assert len(axis["tickvals"]) == len(axis["ticktext"])
        assert not axis["showgrid"] or len(axis["tickvals"]) <= 3


def test_authors_texts_cannot_become_markup(hand_made):
    drawn = draw_figure(PANELS, hand_made, 3)
    for panel in drawn:
        written = json.dumps(panel.data)
        assert "<b>" not in written and "<i>" not in written
        assert "<b>" not in panel.still_desktop.replace("&lt;b&gt;", "") and "<i>" not in panel.still_phone
    assert "Ben &lt;b&gt;" in json.dumps(drawn[1].data)
    assert "Ben &lt;b&gt;" in drawn[1].still_desktop


def test_the_same_steps_give_the_same_bytes(real):
    one, two = (json.dumps([panel.data for panel in draw_figure(PANELS, real, 5)]) for _ in range(2))
    assert one == two


def test_the_sharing_page_keeps_its_budget(real):
    """The page may have 60 kB gzip with prose and step list: figures take at most a third."""
    panels = [panel.data for panel in draw_figure(PANELS, real, len(real) - 2)]
    written = json.dumps(panels, separators=(",", ":"), allow_nan=False).encode()
    assert len(gzip.compress(written)) <= 20_000


def test_the_axis_that_looks_closer_cuts_and_so_does_another_prompt(real):
    drawn = {panel.name: panel.data for panel in draw_figure(PANELS, real, 0)}
    names = [step.name for step in real]
    assert drawn["time-to-first-token"]["cuts"] == [names.index("floor")]
    assert drawn["prefix-tree"]["cuts"] == drawn["cache-memory"]["cuts"] == []
    assert names.index("ben-1-arrives") in drawn["request"]["cuts"]
    assert names.index("ben-1") not in drawn["request"]["cuts"]


PLAIN = Layout("Plain", 120, 60, Margins(10, 10, 10, 10), Axis(0, 100), Axis(0, 40))


def over(*steps):
    return animate(PLAIN, steps, [str(number) for number in range(len(steps))], 0)


def test_a_box_that_will_come_waits_where_it_will_grow():
    here = Box("here", 0, 0, 10, 4, "held")
    boxes = over(
        (Boxes("b", (here,)),),
        (Boxes("b", (here, Box("new", 10, 0, 20, 4, "computed"))),),
        (Boxes("b", (Box("new", 10, 4, 30, 8, "held"),)),),
    )
    first, second, third = (frame["data"][0] for frame in boxes.frames)
    assert boxes.data[0]["base"] == [0, 10] and "base" not in first
    assert (first["x"], first["y"], first["width"]) == ([10, 0], [2, 2], [4, 4])
    assert (second["x"], second["y"], second["width"]) == ([10, 20], [2, 2], [4, 4])
    assert (third["x"], third["y"], third["width"]) == ([0, 30], [2, 8], [4, 8])
    assert first["marker"]["line"]["width"] == [0, 0]  # 4 units are 4 pixels high: no outline below 6


def test_a_line_grows_from_its_end_and_waits_at_its_start():
    lines = over((), (Line("l", ((0, 0), (10, 10))),), (Line("l", ((0, 0), (10, 10), None, (20, 5), (30, 5))),))
    assert [frame["data"][0]["x"] for frame in lines.frames] == [
        [0, 0, 0, 0, 0],
        [0, 10, 10, 10, 10],
        [0, 10, None, 20, 30],
    ]


def test_a_dot_is_there_or_has_no_size_and_none_is_drawn_outside_the_axes():
    dots = over((Dots("d", (Dot("a", 5, 5),)),), (Dots("d", (Dot("a", 9, 5), Dot("b", 7, 7), Dot("far", 700, 7))),))
    first, second = (frame["data"][0] for frame in dots.frames)
    assert first["marker"]["size"] == [9, 0] and second["marker"]["size"] == [9, 9]
    assert dots.data[0]["ids"] == ["a", "b"]


def test_a_text_that_moves_is_another_text_so_that_it_cuts():
    texts = over((Text("t", (Note("n", 5, 5, "one"),)),), (Text("t", (Note("n", 9, 5, "two"),)),))
    (trace,) = texts.data
    assert trace["x"] == [5, 9] or trace["x"] == [9, 5]
    assert sorted(texts.frames[0]["data"][0]["text"]) == [" ", "one"]
    assert "x" not in texts.frames[0]["data"][0]


@pytest.mark.parametrize("word", ["blue", "cached", ""])
def test_a_state_that_is_none_is_refused(word):
    with pytest.raises(ValueError, match="neither a state nor a tone"):
        over((Boxes("b", (Box("x", 0, 0, 1, 1, word),)),))
