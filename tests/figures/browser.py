"""A panel's step in a real browser, once drawn by Plotly and once as the still, in the same few colours."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from generator.drawing import DrawnPanel
from generator.marks import PAINTS, css_class

COLOURS = dict(
    zip(
        PAINTS,
        ["#fbe3b5", "#e69f00", "#56b4e9", "#b4c1cf", "#eef0f3", "#99826b", "#a67489", "#628c77", "rgba(0,0,0,0)",
         "rgba(0,0,0,0)", "#10161d", "#566373", "#b3261e", "#10161d"],
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
        f"{''.join(rules)}.state-without.fill{{stroke:{INK}}}.state-refused.fill{{stroke:{COLOURS['limit']}}}"
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


def part_of(panel: DrawnPanel, phone: bool) -> dict:
    return panel.data["phone"] if phone else panel.data
