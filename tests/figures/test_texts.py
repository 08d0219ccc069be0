"""Every text of every step: inside the drawing, over no other text, crossed by no line, inside the box it names."""

from __future__ import annotations

import importlib
from itertools import combinations

import pytest

from generator import lettering
from generator.drawing import DESKTOP, PHONE, arrange
from generator.shapes import SPACE, Bars, Path, Plane, Words, shapes

PANELS = ("request", "prefix-tree", "time-to-first-token", "cache-memory")
MODULES = [importlib.import_module(f"generator.figures.{name.replace('-', '_')}") for name in PANELS]
HIGH = {"above": (-12, 0), "middle": (-6, 6), "below": (0, 12)}


class Extent:
    """The rectangle of a text's letters, in pixels."""

    def __init__(self, text, x, y, across, down, bold):
        width = lettering.width(text, bold)
        space = lettering.width(SPACE)
        left = x - {"start": 0, "middle": width / 2, "end": width}[across]
        self.text = text.strip(SPACE)
        self.left = left + space * text.startswith(SPACE)
        self.right = left + width - space * text.endswith(SPACE)
        self.top, self.bottom = (y + part for part in HIGH[down])

    def touches(self, left, top, right, bottom):
        return self.left < right and left < self.right and self.top < bottom and top < self.bottom


def pictures(steps, width):
    """Each step of each panel: what is drawn, and its plane."""
    layouts = arrange([module.layout(steps, width) for module in MODULES])
    for module, layout in zip(MODULES, layouts, strict=True):
        for number, step in enumerate(steps):
            marks = module.draw(layout, steps[: number + 1])
            yield f"{layout.title}: {step.name}", Plane(layout, *layout.axes(marks)), shapes(layout, marks)


def texts(plane, drawn):
    for shape in drawn:
        if isinstance(shape, Words):
            for word in shape.items:
                yield Extent(word.text, plane.px(word.x), plane.py(word.y), word.across, word.down, word.bold)
    foot, layout = plane.py(plane.y.low), plane.layout
    for axis, place in ((plane.x, plane.px), (plane.y, plane.py)):
        for value, text in axis.ticks if axis.shown else ():
            if 0 <= axis.fraction(value) <= 1:
                at = (place(value), foot + 4) if axis is plane.x else (layout.margins.left - 1, place(value))
                yield Extent(text, *at, *(("middle", "below") if axis is plane.x else ("end", "middle")), False)


def lines(plane, drawn):
    """All lines as thin rectangles (left, top, right, bottom): paths, grid lines, and the outlines of boxes."""
    m, width = plane.layout.margins, plane.layout.width
    for value, _ in plane.y.ticks if plane.y.grid else ():
        yield m.left, plane.py(value), width - m.right, plane.py(value)
    for shape in drawn:
        if isinstance(shape, Path):
            for one, two in zip(shape.points, shape.points[1:], strict=False):
                if one and two:
                    yield rectangle(plane, one, two)
        elif isinstance(shape, Bars):
            for bar in shape.items:
                if bar.outline:
                    left, top, right, bottom = rectangle(plane, (bar.x0, bar.y0), (bar.x1, bar.y1))
                    top = max(top, m.top)
                    yield from ((left, top, left, bottom), (right, top, right, bottom))
                    yield from ((left, top, right, top), (left, bottom, right, bottom))


def rectangle(plane, one, two):
    left, right = sorted((plane.px(one[0]), plane.px(two[0])))
    top, bottom = sorted((plane.py(one[1]), plane.py(two[1])))
    return left, top, right, bottom


@pytest.fixture(scope="module", params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def all_pictures(request, steps):
    return list(pictures(steps, request.param))


def test_texts_stand_inside_the_drawing(all_pictures):
    for where, plane, drawn in all_pictures:
        for text in texts(plane, drawn):
            assert text.left >= -1 and text.right <= plane.layout.width + 1, (where, text.text)
            assert text.top >= -1 and text.bottom <= plane.layout.height + 5, (where, text.text)


def test_no_text_stands_on_another(all_pictures):
    for where, plane, drawn in all_pictures:
        for one, two in combinations(list(texts(plane, drawn)), 2):
            assert not one.touches(two.left, two.top, two.right, two.bottom), (where, one.text, two.text)


def test_no_line_crosses_a_text(all_pictures):
    for where, plane, drawn in all_pictures:
        found = list(texts(plane, drawn))
        for x0, y0, x1, y1 in lines(plane, drawn):
            for text in found:
                assert not text.touches(x0, y0, x1, y1), (where, text.text)
