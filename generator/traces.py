"""Shapes to Plotly's traces: one trace per shape over all steps, in arrays of one length.

What is absent from a step has zero length and no outline, and stands where it next appears (or last
stood), so that it grows from its own base.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from generator.lettering import SIZE
from generator.marks import PAINTS, Axis, code
from generator.primitives import Bar, Bars, Path, Plane, Point, Points, Shape, Word, Words, outline_paint
from generator.unions import filled, in_order

Trace = dict[str, Any]


Item = Bar | Point | Word


def over_steps(versions: Sequence[Shape | None], planes: Sequence[Plane]) -> list[Trace]:
    """One shape as a trace per step, there or not, with arrays of one length."""
    shape = next(version for version in versions if version)
    if isinstance(shape, Path):
        return _paths([version for version in versions if isinstance(version, Path | None)], planes)
    held = [
        {item.key: item for item in _items(version, plane)} for version, plane in zip(versions, planes, strict=True)
    ]
    keys = in_order([list(present) for present in held])
    standing = {key: filled([present.get(key) for present in held]) for key in keys}
    writers: dict[type, Callable[[Any, list[Any], Plane], Trace]]
    writers = {Bars: _bars, Points: _points, Words: _words}
    trace_of = writers[type(shape)]
    return [
        trace_of(shape, [(standing[key][step], key in held[step]) for key in keys], plane)
        for step, plane in enumerate(planes)
    ]


def _items(shape: Shape | None, plane: Plane) -> Sequence[Item]:
    if isinstance(shape, Words):
        return [_in_place(word, plane) for word in shape.items]
    return () if shape is None or isinstance(shape, Path) else shape.items


def _bars(shape: Bars, bars: list[tuple[Bar, bool]], plane: Plane) -> Trace:
    x, y = _rounder(plane, plane.x), _rounder(plane, plane.y)
    right = shape.grow == "right"
    along, across = (x, y) if right else (y, x)
    ends = [(b.x0, b.x1, b.y0, b.y1) if right else (b.y0, b.y1, b.x0, b.x1) for b, _ in bars]
    lengths = [along(end - base) if here else 0 for (base, end, _, _), (_, here) in zip(ends, bars, strict=True)]
    middles = [across((low + high) / 2) for _, _, low, high in ends]
    return {
        "type": "bar",
        "orientation": "h" if right else "v",
        "base": [along(base) for base, _, _, _ in ends],
        "x": lengths if right else middles,
        "y": middles if right else lengths,
        "width": [across(high - low) for _, _, low, high in ends],
        "marker": {
            **_codes([code(b.paint) for b, _ in bars]),
            "line": {
                "width": [plain(b.outline) if here else 0 for b, here in bars],
                **_codes([code(outline_paint(b.paint)) for b, _ in bars]),
            },
        },
        "meta": {"kind": "fill", "id": shape.id},
    }


def _codes(codes: list[int]) -> dict[str, Any]:
    """Codes and the ends of their scale: one step of a stepped colour scale to a paint."""
    return {"color": codes, "cmin": -0.5, "cmax": len(PAINTS) - 0.5}


def _points(shape: Points, points: list[tuple[Point, bool]], plane: Plane) -> Trace:
    x, y = _within(plane, plane.x), _within(plane, plane.y)
    return {
        "type": "scatter",
        "mode": "markers",
        "cliponaxis": False,
        "ids": [p.key for p, _ in points],
        "x": [x(p.x) for p, _ in points],
        "y": [y(p.y) for p, _ in points],
        "marker": {
            "symbol": [p.symbol for p, _ in points],
            "size": [plain(p.size) if here else 0 for p, here in points],
            "opacity": 1,
            **_codes([code(p.paint) for p, _ in points]),
            "line": {
                "width": [plain(p.outline) if here else 0 for p, here in points],
                **_codes([code(outline_paint(p.paint)) for p, _ in points]),
            },
        },
        "meta": {"kind": "fill", "id": shape.id},
    }


def _in_place(word: Word, plane: Plane) -> Word:
    """The word rounded, with its place in its key: Plotly moves what has one key, but texts are to cut."""
    x, y = _within(plane, plane.x)(word.x), _within(plane, plane.y)(word.y)
    return replace(word, x=x, y=y, key=f"{word.key} {x} {y} {word.across} {word.down}")


def _words(shape: Words, words: list[tuple[Word, bool]], _: Plane) -> Trace:
    """Texts. One that is absent is a space, since Plotly drops empty ones and lets them fly in from a corner."""
    return {
        "type": "scatter",
        "mode": "text",
        "cliponaxis": False,
        "x": [w.x for w, _ in words],
        "y": [w.y for w, _ in words],
        "text": [_text(w) if here else " " for w, here in words],
        "textposition": [f"{_DOWN[w.down]} {_ACROSS[w.across]}" for w, _ in words],
        # Not <b>: Plotly would make a style attribute of it, which the page's security policy blocks.
        "textfont": {"size": SIZE, "weight": [700 if w.bold else 400 for w, _ in words]},
        "meta": {"kind": "text", "paint": shape.paint, "id": shape.id},
    }


_DOWN = {"above": "top", "middle": "middle", "below": "bottom"}
_ACROSS = {"start": "right", "middle": "center", "end": "left"}


def _text(word: Word) -> str:
    """Plotly reads texts as a little HTML."""
    return html.escape(word.text, quote=False)


def _paths(versions: Sequence[Path | None], planes: Sequence[Plane]) -> list[Trace]:
    """A line over the steps: shorter ones are padded with their last point, of absent ones each piece is a point."""
    most = max(len(path.points) for path in versions if path)
    traces = []
    for path, here, plane in zip(filled(versions), versions, planes, strict=True):
        x, y = _rounder(plane, plane.x), _rounder(plane, plane.y)
        points = path.points if here else _starts(path.points)
        points = points + (most - len(points)) * points[-1:]
        traces.append({
            "type": "scatter",
            "mode": "lines",
            "cliponaxis": path.clip,
            "x": [point and x(point[0]) for point in points],
            "y": [point and y(point[1]) for point in points],
            "line": {"width": path.thickness, "dash": path.dash, "simplify": False},
            "meta": {"kind": "line", "paint": path.paint, "id": path.id},
        })  # fmt: skip
    return traces


Broken = tuple[tuple[float, float] | None, ...]


def _starts(points: Broken) -> Broken:
    """Each unbroken piece shrunk to its first point."""
    shrunk: list[tuple[float, float] | None] = []
    for point in points:
        inside = point and shrunk and shrunk[-1]
        shrunk.append(shrunk[-1] if inside else point)
    return tuple(shrunk)


def _rounder(plane: Plane, axis: Axis) -> Callable[[float], float]:
    """Rounds to about a twentieth of a pixel; on a log axis to five digits."""
    if axis.log:
        return lambda value: float(f"{value:.5g}")
    pixels = plane.layout.width if axis is plane.x else plane.layout.height
    return _rounding(max(0, 1 - math.floor(math.log10(abs(axis.high - axis.low) / pixels))))


@cache
def _rounding(digits: int) -> Callable[[float], float]:
    """Rounds to so many digits after the point; remembers, for most things stand where they stood a step before."""
    return lru_cache(maxsize=1 << 14)(lambda value: plain(round(value, digits)))


def _within(plane: Plane, axis: Axis) -> Callable[[float], float]:
    """Rounds likewise, but never over the end of the axis, where Plotly would hide a text or a marker."""
    rounded = _rounder(plane, axis)
    low, high = sorted((axis.low, axis.high))
    return lambda value: min(max(rounded(value), low), high)


def plain(value: float) -> float:
    """Whole numbers without their ".0"."""
    return int(value) if value == int(value) else value
