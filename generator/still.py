"""Marks to one SVG: first paint, print, card, and the picture without scripts; the same that Plotly draws.

Classes only; the theme colours them. `fill state-…` are boxes and dots (fill, and stroke for the
outline), `line tone-…` or `line state-…` are lines (stroke), `text tone-…` are texts (fill), `hollow
tone-…` are crosses and open squares (stroke), `axis` and `grid` are lines (stroke), `tick` is text.
"""

from __future__ import annotations

import html
from collections.abc import Iterator

from generator.lettering import SIZE
from generator.marks import Axis, Layout, Mark, css_class
from generator.primitives import Bar, Bars, Path, Plane, Point, Points, Word, Words
from generator.shapes import shapes


def still(layout: Layout, marks: tuple[Mark, ...], label: str) -> str:
    """The `<svg>` of one step; `label` is read to those who do not see it."""
    plane = Plane(layout, *layout.axes(marks))
    drawn = shapes(layout, marks)
    m = layout.margins
    across, up = layout.width - m.left - m.right, layout.height - m.top - m.bottom
    box = f"{_n(m.left)} {_n(m.top)} {_n(across)} {_n(up)}"
    x, y, width, height = box.split()
    inside = [shape for shape in drawn if isinstance(shape, Bars)]
    lines = [shape for shape in drawn if isinstance(shape, Path) and shape.clip]
    return "".join((
        f'<svg class="still" viewBox="0 0 {_n(layout.width)} {_n(layout.height)}" width="{_n(layout.width)}" '
        f'height="{_n(layout.height)}" role="img" aria-label="{html.escape(label)}" font-size="{SIZE}">',
        *_grid(plane),
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="{box}">',
        *(_rect(plane, bar) for shape in inside for bar in shape.items),
        *(_path(plane, line) for line in lines),
        "</svg>",
        *_axes(plane),
        *_outside(plane, [shape for shape in drawn if shape not in inside and shape not in lines]),
        "</svg>",
    ))  # fmt: skip


def _outside(plane: Plane, drawn: list[Bars | Path | Points | Words]) -> Iterator[str]:
    """What may reach into the margins."""
    for shape in drawn:
        if isinstance(shape, Path):
            yield _path(plane, shape)
        elif isinstance(shape, Points):
            yield from (_point(plane, point) for point in shape.items)
        elif isinstance(shape, Words):
            yield from (_text(plane, word, shape.paint) for word in shape.items)


def _n(value: float) -> str:
    """Pixels to a hundredth, as short as can be."""
    return f"{round(value, 2) + 0:.2f}".rstrip("0").rstrip(".")


def _rect(plane: Plane, bar: Bar) -> str:
    left, right = sorted((plane.px(bar.x0), plane.px(bar.x1)))
    top, bottom = sorted((plane.py(bar.y0), plane.py(bar.y1)))
    if left == right or top == bottom:
        return ""
    return (
        f'<rect class="fill {css_class(bar.paint)}" x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" '
        f'height="{_n(bottom - top)}" stroke-width="{_n(bar.outline)}"/>'
    )


def _path(plane: Plane, path: Path) -> str:
    d, pen = "", "M"
    for point in path.points:
        d += f"{pen}{_n(plane.px(point[0]))} {_n(plane.py(point[1]))}" if point else ""
        pen = "L" if point else "M"
    dash = "" if path.dash == "solid" else f' stroke-dasharray="{path.dash}"'
    return f'<path class="line {css_class(path.paint)}" d="{d}" fill="none" stroke-width="{_n(path.thickness)}"{dash}/>'


def _point(plane: Plane, point: Point) -> str:
    x, y, r = plane.px(point.x), plane.py(point.y), point.size / 2
    fill = f'class="fill {css_class(point.paint)}" stroke-width="{_n(point.outline)}"'
    open_ = f'class="hollow {css_class(point.paint)}" stroke-width="{_n(point.outline)}" fill="none"'
    if point.symbol == "circle":
        return f'<circle {fill} cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}"/>'
    if point.symbol == "diamond":
        d = r * 1.3
        ends = ((x + d, y), (x, y + d), (x - d, y), (x, y - d))
        return f'<polygon {fill} points="{" ".join(f"{_n(a)},{_n(b)}" for a, b in ends)}"/>'
    if point.symbol == "x-thin-open":
        cross = f"M{_n(x - r)} {_n(y - r)}L{_n(x + r)} {_n(y + r)}M{_n(x - r)} {_n(y + r)}L{_n(x + r)} {_n(y - r)}"
        return f'<path {open_} d="{cross}"/>'
    kind = open_ if point.symbol.endswith("-open") else fill
    return f'<rect {kind} x="{_n(x - r)}" y="{_n(y - r)}" width="{_n(2 * r)}" height="{_n(2 * r)}"/>'


_DOWN = {"above": -0.25, "middle": 0.25, "below": 0.75}


def _text(plane: Plane, word: Word, paint: str) -> str:
    x, y = plane.px(word.x), plane.py(word.y) + _DOWN[word.down] * SIZE
    anchor = "" if word.across == "start" else f' text-anchor="{word.across}"'
    bold = ' font-weight="700"' if word.bold else ""
    return (
        f'<text class="text {css_class(paint)}" x="{_n(x)}" y="{_n(y)}"{anchor}{bold}>'
        f"{html.escape(word.text, quote=False)}</text>"
    )


def _segment(kind: str, x0: float, y0: float, x1: float, y1: float) -> str:
    return f'<path class="{kind}" shape-rendering="crispEdges" d="M{_n(x0)} {_n(y0)}L{_n(x1)} {_n(y1)}"/>'


def _grid(plane: Plane) -> Iterator[str]:
    m, width, height = plane.layout.margins, plane.layout.width, plane.layout.height
    for value, _ in _visible(plane.x) if plane.x.grid else ():
        x = plane.px(value)
        yield _segment("grid", x, m.top, x, height - m.bottom)
    for value, _ in _visible(plane.y) if plane.y.grid else ():
        y = plane.py(value)
        yield _segment("grid", m.left, y, width - m.right, y)


def _axes(plane: Plane) -> Iterator[str]:
    m, width, height = plane.layout.margins, plane.layout.width, plane.layout.height
    foot = height - m.bottom
    if plane.x.line:
        yield _segment("axis", m.left, foot + 0.5, width - m.right, foot + 0.5)
    if plane.y.line:
        yield _segment("axis", m.left - 0.5, m.top, m.left - 0.5, foot)
    for value, text in _visible(plane.x) if plane.x.shown else ():
        yield _tick(plane.px(value), foot + SIZE + 1 + away(plane.x), "middle", text)
    for value, text in _visible(plane.y) if plane.y.shown else ():
        yield _tick(m.left - 1 - away(plane.y), plane.py(value) + 0.35 * SIZE, "end", text)


def away(axis: Axis) -> float:
    """Plotly moves tick labels away from an axis that is drawn."""
    return 0.2 * SIZE if axis.line else 0


def _tick(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text class="tick" x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">{html.escape(text, quote=False)}</text>'


def _visible(axis: Axis) -> Iterator[tuple[float, str]]:
    return ((value, text) for value, text in axis.ticks if -1e-9 <= axis.fraction(value) <= 1 + 1e-9)
