"""Marks to Plotly: traces, a layout, and one self-contained frame per step, all valid in Plotly's schema.

What the player has to know: `meta` of a trace says how it takes its colour. {"kind": "fill"}: the numbers
in `marker.color` and `marker.line.color` are codes, indices into `marks.PAINTS`, to be given a stepped
colour scale. {"kind": "line" | "text", "paint": word}: the line or the text is of that state or tone.
Colours of axis lines, grid and ticks are left out altogether.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.lettering import SIZE
from generator.marks import Axis, Layout, Mark
from generator.primitives import Plane
from generator.shapes import shapes
from generator.traces import Trace, over_steps, plain
from generator.unions import in_order

FONT = {"family": "system-ui, sans-serif", "size": SIZE}


@dataclass(frozen=True)
class Animation:
    """A panel at one width: `data` and `layout` as after step `key`, and a frame for every step.

    `cuts` are the numbers of the steps at which nothing may tween, because the axes change there or
    the panel says so.
    """

    data: list[Trace]
    layout: dict[str, Any]
    frames: list[dict[str, Any]]
    cuts: list[int]


def animate(layout: Layout, steps: Sequence[tuple[Mark, ...]], names: Sequence[str], key: int) -> Animation:
    """Bake the marks of every step into frames called `names`; `data` shows step number `key`."""
    planes = [Plane(layout, *layout.axes(marks)) for marks in steps]
    drawn = [{shape.id: shape for shape in shapes(layout, marks)} for marks in steps]
    traces = [
        over_steps([shapes_of.get(id) for shapes_of in drawn], planes)
        for id in in_order([list(shapes_of) for shapes_of in drawn])
    ]
    axes = [_axes(plane) for plane in planes]
    frames = _frames(traces, axes, names, key)
    changes = {k for k in range(1, len(axes)) if axes[k] != axes[k - 1]}
    return Animation(
        data=[versions[key] for versions in traces],
        layout=_layout(layout, axes[key]),
        frames=frames,
        cuts=sorted(changes | layout.cuts),
    )


def _frames(
    traces: list[list[Trace]], axes: list[dict[str, Any]], names: Sequence[str], key: int
) -> list[dict[str, Any]]:
    """Frames of equal keys, holding only what changes in any step."""
    changing = [_changing(versions) for versions in traces]
    numbers = [number for number, keys in enumerate(changing) if keys]
    moving_axes = any(step_axes != axes[key] for step_axes in axes)
    frames = []
    for step, name in enumerate(names):
        data = [_only(traces[number][step], changing[number]) for number in numbers]
        frame: dict[str, Any] = {"name": name, "data": data, "traces": numbers}
        if moving_axes:
            frame["layout"] = axes[step]
        frames.append(frame)
    return frames


def _changing(over_steps: list[Trace]) -> Trace:
    """The keys of a trace that differ in any step, nested as in the trace; empty if none does."""
    first = over_steps[0]
    keys: Trace = {}
    for key, value in first.items():
        values = [trace[key] for trace in over_steps]
        if isinstance(value, Mapping):
            inner = _changing(values)
            if inner:
                keys[key] = inner
        elif any(other != value for other in values):
            keys[key] = True
    return keys


def _only(trace: Trace, keys: Trace) -> Trace:
    """The part of `trace` that `keys` names, with the type, without which plotly reads it as scatter."""
    return {"type": trace["type"], **_part(trace, keys)}


def _part(values: Trace, keys: Trace) -> Trace:
    return {key: _part(values[key], inner) if isinstance(inner, dict) else values[key] for key, inner in keys.items()}


def _axes(plane: Plane) -> dict[str, Any]:
    """What of the axes may change from step to step."""
    return {"xaxis": _axis(plane.x), "yaxis": _axis(plane.y)}


def _axis(axis: Axis) -> dict[str, Any]:
    ends = [axis.low, axis.high]
    return {
        "range": [round(math.log10(end), 6) for end in ends] if axis.log else [plain(end) for end in ends],
        "tickvals": [plain(value) for value, _ in axis.ticks],
        "ticktext": [html.escape(text, quote=False) for _, text in axis.ticks],
    }


def _layout(layout: Layout, axes: dict[str, Any]) -> dict[str, Any]:
    m = layout.margins
    return {
        "width": layout.width,
        "height": layout.height,
        "margin": {"l": m.left, "t": m.top, "r": m.right, "b": m.bottom, "pad": 0, "autoexpand": False},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": FONT,
        "showlegend": False,
        "hovermode": False,
        "dragmode": False,
        "barmode": "overlay",
        "bargap": 0,
        "bargroupgap": 0,
        "xaxis": _fixed_axis(layout.x) | axes["xaxis"],
        "yaxis": _fixed_axis(layout.y) | axes["yaxis"],
    }


def _fixed_axis(axis: Axis) -> dict[str, Any]:
    return {
        "type": "log" if axis.log else "linear",
        "tickmode": "array",
        "ticks": "",
        "showticklabels": axis.shown,
        "tickangle": 0,
        "showgrid": axis.grid,
        "gridwidth": 1,
        "zeroline": False,
        "showline": axis.line,
        "linewidth": 1,
        "fixedrange": True,
        "automargin": False,
    }
