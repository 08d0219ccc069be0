"""The still and Plotly's drawing of the same step, compared in a real browser, pixel by pixel."""

from __future__ import annotations

import importlib.util
import io
import json
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from generator.animate import animate
from generator.drawing import draw_figure
from generator.marks import (
    PAINTS,
    Axes,
    Axis,
    Box,
    Boxes,
    Dot,
    Dots,
    Layout,
    Line,
    Margins,
    Note,
    Rule,
    Text,
    css_class,
)
from generator.model.scenario import DataFile
from generator.simulations import prefill, traffic, what_fits
from generator.still import still

DIFFERENT = 48
"""Of 255: what a pixel may differ by, for edges that are blurred differently."""
PANELS = ("request", "prefix-tree", "time-to-first-token", "cache-memory")
AT_MOST = 0.003
"""Of all pixels."""
COLOURS = dict(
    zip(
        PAINTS,
        ["#fbe3b5", "#e69f00", "#56b4e9", "#b4c1cf", "#eef0f3", "#99826b", "#a67489", "#628c77", "rgba(0,0,0,0)",
         "rgba(0,0,0,0)", "#10161d", "#566373", "#b3261e", "#10161d", "rgba(0,0,0,0)", "#d5dbe2", "#123456"],
        strict=True,
    )
)  # fmt: skip
INK, GRID = "#566373", "#d5dbe2"


def plotly_script() -> Path:
    """The script in the plotly wheel."""
    return Path(importlib.util.find_spec("plotly").submodule_search_locations[0]) / "package_data/plotly.min.js"


def still_page(svg: str) -> str:
    """The still alone, at the top left of a white page."""
    rules = [f".{css_class(paint)}.line,.{css_class(paint)}.hollow{{stroke:{c}}}" for paint, c in COLOURS.items()]
    rules += [f".{css_class(paint)}.text{{fill:{c}}}" for paint, c in COLOURS.items()]
    rules += [f".{css_class(paint)}.fill{{fill:{c};stroke:#10161d}}" for paint, c in COLOURS.items()]
    return (
        "<!doctype html><style>body{margin:0}svg{display:block;font-family:system-ui,sans-serif}"
        f"{''.join(rules)}.state-without.fill{{stroke:{INK}}}.state-computed.fill{{stroke:{COLOURS['heavy']}}}.state-refused.fill{{stroke:{COLOURS['limit']}}}"
        f".tone-free.fill{{stroke:{GRID}}}"
        f".axis{{stroke:{INK}}}.grid{{stroke:{GRID}}}.tick{{fill:{INK}}}</style>{svg}"
    )


def coloured(part: dict) -> dict:
    """A panel's data with colours, as the player puts them in."""
    part = json.loads(json.dumps(part))
    steps = len(PAINTS)
    scale = [[(k + end) / steps, colour] for k, colour in enumerate(COLOURS.values()) for end in (0, 1)]
    for trace in part["data"]:
        kind, paint = trace["meta"]["kind"], trace["meta"].get("paint")
        if kind == "fill":
            trace["marker"]["colorscale"] = trace["marker"]["line"]["colorscale"] = scale
        else:
            trace.setdefault("line" if kind == "line" else "textfont", {})["color"] = COLOURS[paint]
    for axis in ("xaxis", "yaxis"):
        part["layout"][axis] |= {"linecolor": INK, "gridcolor": GRID, "tickfont": {"color": INK}}
    return part


PLOTLY_PAGE = "<!doctype html><style>body{margin:0}</style><div id=plot></div>"

DRAW = """async ([part, step]) => {
  Plotly.setPlotConfig({logging: 0});
  await Plotly.newPlot("plot", part.data, part.layout, {staticPlot: true, displayModeBar: false});
  const {data, traces, layout} = part.frames[step];
  await Plotly.animate("plot", {data, traces, ...(layout && {layout})},
    {mode: "immediate", frame: {duration: 0, redraw: true}, transition: {duration: 0}});
}"""


class Easel:
    """Two pages of a browser: one draws with Plotly, one shows stills."""

    def __init__(self, browser):
        self.plotly, self.svg = browser.new_page(), browser.new_page()
        self.complaints: list[str] = []
        self.plotly.on("console", lambda message: self.complaints.append(message.text))
        self.plotly.set_content(PLOTLY_PAGE)
        self.plotly.add_script_tag(path=str(plotly_script()))

    def difference(self, part: dict, step: int, svg: str) -> float:
        """The share of pixels that differ between step `step` of `part` and the still."""
        clip = {"x": 0, "y": 0, "width": part["layout"]["width"], "height": part["layout"]["height"]}
        self.plotly.evaluate(DRAW, [coloured(part), step])
        self.svg.set_content(still_page(svg))
        one, two = (
            Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB") for page in (self.plotly, self.svg)
        )
        difference = ImageChops.difference(one, two).convert("L").histogram()
        return sum(difference[DIFFERENT:]) / (clip["width"] * clip["height"])


@pytest.fixture(scope="module")
def easel(browser):
    return Easel(browser)


def agree(easel, of_step, of_other, number):
    """Every panel, drawn by Plotly from another step on, against its still of step `number`."""
    for stills, frames in zip(of_step, of_other, strict=True):
        assert easel.difference(frames.data, number, stills.still_desktop) <= AT_MOST, stills.name
        assert easel.difference(frames.data["phone"], number, stills.still_phone) <= AT_MOST, f"{stills.name}, phone"
    assert not easel.complaints


@pytest.mark.parametrize("name", ["empty", "ana-1-arrives", "ana-1", "ben-1", "copies", "hana-2", "floor"])
def test_steps_of_the_real_run(easel, real, name):
    number = [step.name for step in real].index(name)
    agree(easel, draw_figure(PANELS, real, number), draw_figure(PANELS, real, (number + 5) % len(real)), number)


@pytest.mark.parametrize("number", range(5))
def test_steps_made_by_hand(easel, hand_made, number):
    agree(easel, draw_figure(PANELS, hand_made, number), draw_figure(PANELS, hand_made, (number + 2) % 5), number)


def everything(far: bool):
    """A step with one of each mark, in every variety, as later panels use them."""
    squares = tuple(
        Box(f"s{k}", 10 + k * 8, 20, 7, 14, state)
        for k, state in enumerate(("held", "evicted", "reserved, empty", "parked", "without", "refused"))
    )
    flat = tuple(Box(f"f{k}", 60, 50 + 12 * k, 30 + k, 11, state, ("label", "l")) for k, state in enumerate(
        ("evicted", "parked", "computed", "to compute")))  # fmt: skip
    dots = tuple(
        Dot(f"d{k}", 15 + 9 * k, 70 + 10 * far, paint, symbol)
        for k, (paint, symbol) in enumerate(
            (("reused", "circle"), ("ink", "diamond"), ("parked", "square"), ("ink", "cross"))
        )
    )
    notes = tuple(
        Note(f"{a}{d}", 30, 90, a, f"{a} {d}") for a, d in (("start", "above"), ("end", "above"), ("middle", "below"))
    )
    return (
        Boxes("squares", squares, squares=True),
        Boxes("flat", flat, grow="up", least=4),
        Dots("dots", dots),
        Line("trail", ((10, 44), (40, 48), (55, 40 + 8 * far)), "muted", "trail"),
        Line("off", ((-20, 0), (150, 99)), "computed"),
        Text("notes", notes, "muted"),
        Rule("r1", 62, "across"),
        Rule("r2", 12, "inside", label_inside=True),
        Rule("r3", 96, "left", across=False, label_inside=True),
        Rule("r4", 5, "up", across=False),
    )


def test_every_mark_in_every_variety(easel):
    ticks = ((0, "0"), (50, "50"), (100, "100"))
    layout = Layout(
        "All",
        400,
        300,
        Margins(40, 20, 50, 30),
        Axis(0, 100, ticks, grid=True, line=True),
        Axis(0, 100, ticks, line=True),
    )
    steps = [(), everything(False), everything(True)]
    part = vars(animate(layout, steps, ["a", "b", "c"], 0))
    for number, marks in enumerate(steps):
        assert easel.difference(part, number, still(layout, marks, "All")) <= AT_MOST


def test_log_axes_and_axes_that_change(easel):
    ticks = tuple((10.0**k, f"{10**k:,}") for k in range(5))
    layout = Layout(
        "Log", 343, 180, Margins(50, 8, 40, 24), Axis(1, 20000, ticks, log=True), Axis(1, 10000, ticks, log=True)
    )
    marks = (
        Line("roof", ((1, 3), (140, 900), (20000, 900))),
        Dots("here", (Dot("dot", 64, 400, "computed"),)),
        Rule("ridge", 140, "ridge 140 tokens", across=False, label_inside=True),
        Text("names", (Note("n", 1000, 900, "roof", "middle above", (0, -3)),)),
    )
    closer = (*marks, Axes(y=Axis(100, 1000, ((100, "100"), (1000, "1,000")), log=True)))
    steps = [marks, closer]
    animation = animate(layout, steps, ["a", "b"], 0)
    assert animation.cuts == [1]
    for number in (0, 1):
        assert easel.difference(vars(animation), number, still(layout, steps[number], "Log")) <= AT_MOST


@pytest.fixture(scope="module")
def passes():
    return tuple(prefill.simulate(prefill.Scenario()))


@pytest.mark.parametrize("name", ["nothing", "one-token", "ridge", "attention-8192", "cached", "whole-passes"])
def test_steps_of_the_prefill_run(easel, passes, name):
    number = [step.name for step in passes].index(name)
    panels = ("roofline", "pass-time")
    other = (number + 7) % len(passes)
    agree(easel, draw_figure(panels, passes, number), draw_figure(panels, passes, other), number)


@pytest.fixture(scope="module")
def fitting():
    return tuple(what_fits.simulate(what_fits.Scenario()))


@pytest.mark.parametrize("name", ["empty", "ana", "refused", "every-head-refused", "ben-shares", "four-bars"])
def test_steps_of_the_run_that_fills_four_cards(easel, fitting, name):
    """Plotly shades the corner pixels of outlines: four to a square, where one square out of place differs in many."""
    number = [step.name for step in fitting].index(name)
    panels = ("memory-map", "how-many")
    other = draw_figure(panels, fitting, (number + 7) % len(fitting))
    for stills, frames in zip(draw_figure(panels, fitting, number), other, strict=True):
        for part, svg in ((frames.data, stills.still_desktop), (frames.data["phone"], stills.still_phone)):
            squares = sum(len(trace["x"]) for trace in part["data"] if trace["type"] == "bar")
            corners = 4 * squares / (part["layout"]["width"] * part["layout"]["height"])
            assert easel.difference(part, number, svg) <= AT_MOST + corners
    assert not easel.complaints


HALFWAY = """async ([part, before, after]) => {
  const rooted = (trace) => {
    const line = trace.marker?.line;
    if (line?.width) line.width = line.width.map((pixels) => pixels || 0.001);
    return trace;
  };
  const go = (step, duration) => {
    const {data, traces} = part.frames[step];
    return Plotly.animate("plot", {data: data.map(rooted), traces},
      {mode: "immediate", frame: {duration, redraw: true}, transition: {duration, easing: "cubic-in-out"}});
  };
  const shown = () => ({
    texts: [...document.querySelectorAll(".textpoint text")].filter((text) => text.textContent.trim())
      .map((text) => `${text.textContent} ${text.getAttribute("x")} ${text.getAttribute("y")}`),
    boxes: [...document.querySelectorAll(".bars .point path")].map((path) => path.getBBox())
      .map(({x, y, width, height}) => ({x, y, width, height})),
  });
  await Plotly.newPlot("plot", part.data.map(rooted), part.layout, {staticPlot: true, displayModeBar: false});
  await go(before, 0);
  const first = shown();
  const under_way = go(after, 1600);
  await new Promise((done) => setTimeout(done, 800));
  const middle = shown();
  await under_way;
  return {first, middle, last: shown()};
}"""


@pytest.mark.parametrize("name", ["ana-1", "ben-1", "chen-1"])
def test_half_way_through_a_step_texts_have_cut_and_boxes_lie_between(easel, real, name):
    number, under_way = [step.name for step in real].index(name), False
    for drawn in draw_figure(PANELS, real, number):
        if number in drawn.data["cuts"]:
            continue
        seen = easel.plotly.evaluate(HALFWAY, [coloured(drawn.data), number - 1, number])
        assert sorted(seen["middle"]["texts"]) == sorted(seen["last"]["texts"]), drawn.name
        under_way |= seen["middle"]["boxes"] != seen["last"]["boxes"]
        for boxes in zip(*(seen[when]["boxes"] for when in ("first", "middle", "last")), strict=True):
            for side in ("x", "y", "width", "height"):
                low, high = sorted((boxes[0][side], boxes[2][side]))
                assert low - 1 <= boxes[1][side] <= high + 1, drawn.name
    assert under_way


@pytest.fixture(scope="module")
def minutes():
    data = Path(__file__).parents[2] / "content/data"
    log, published = (
        DataFile(name, (data / name).read_bytes())
        for name in ("mooncake-conversation.csv.gz", "mooncake-published.csv")
    )
    return tuple(traffic.simulate(traffic.Scenario(log=log, published=published)))


@pytest.mark.parametrize("name", ["nothing", "minute-2", "minute-41", "where", "one-node"])
def test_steps_of_an_hour_of_traffic(easel, minutes, name):
    number = [step.name for step in minutes].index(name)
    panels = ("hit-rate", "hour")
    other = (number + 7) % len(minutes)
    agree(easel, draw_figure(panels, minutes, number), draw_figure(panels, minutes, other), number)
