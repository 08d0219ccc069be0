"""Marks worked out to what a backend draws, so that Plotly's frames and the still cannot disagree.

Bars, paths, points and words are in data units of the step's axes; sizes and outlines are in pixels.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator import lettering
from generator.marks import Box, Boxes, Dots, Layout, Line, Mark, Note, Rule, Text
from generator.primitives import Bar, Bars, Path, Plane, Point, Points, Shape, Word, Words

OUTLINES = {"computed": 2.0, "to compute": 0.5, "refused": 2.0}
NO_OUTLINE_UP_TO = 6
HOLLOW = ("without", "refused", "free")
SIGNS = {"evicted": "x-thin-open", "parked": "square-open"}
SPACE = "\u00a0"
DASHES = {"solid": "solid", "dashed": "5px,4px", "trail": "1.5px,3px"}
SYMBOLS = {"circle": "circle", "diamond": "diamond", "square": "square", "cross": "x-thin-open"}


def shapes(layout: Layout, marks: tuple[Mark, ...]) -> tuple[Shape, ...]:
    """What is to be drawn for one step, fixed marks first, in drawing order."""
    plane = Plane(layout, *layout.axes(marks))
    return tuple(shape for mark in (*layout.fixed, *marks) for shape in _shapes(plane, mark))


def _shapes(plane: Plane, mark: Mark) -> Iterator[Shape]:
    if isinstance(mark, Boxes):
        yield from _boxes(plane, mark)
    elif isinstance(mark, Line):
        yield Path(mark.id, mark.points, mark.paint, DASHES[mark.style], mark.thickness, clip=True)
    elif isinstance(mark, Dots):
        yield _dots(plane, mark)
    elif isinstance(mark, Text):
        yield _words(plane, mark)
    elif isinstance(mark, Rule):
        yield from _rule(plane, mark)


def _dots(plane: Plane, mark: Dots) -> Points:
    """Dots within the axes."""
    dots = (dot for dot in mark.dots if plane.holds(dot.x, dot.y))
    return Points(mark.id, tuple(
        Point(dot.key, dot.x, dot.y, dot.paint, SYMBOLS[dot.symbol], dot.size, 1) for dot in dots
    ))  # fmt: skip


def _boxes(plane: Plane, mark: Boxes) -> Iterator[Shape]:
    drawn = [_bar(plane, mark, box) for box in mark.boxes]
    yield Bars(mark.id, mark.grow, tuple(drawn))
    labels: dict[str, list[Word]] = {"on-fill": [], "ink": []}
    signs = []
    for box, bar in zip(mark.boxes, drawn, strict=True):
        word = _label(plane, box, bar) if box.labels else None
        if word:
            labels["ink" if box.state in HOLLOW else "on-fill"].append(word)
        if box.state in SIGNS:
            signs.append(_sign(plane, box, word))
    if signs:
        yield Points(f"{mark.id}-signs", tuple(signs))
    for paint, words in labels.items():
        if words:
            yield Words(f"{mark.id}-labels-{paint}", paint, tuple(words))


def _bar(plane: Plane, mark: Boxes, box: Box) -> Bar:
    x0, y0, x1, y1 = box.x, box.y, box.x + box.width, box.y + box.height
    if mark.squares and box.state == "reserved, empty":
        x0, x1 = x0 + box.width / 4, x1 - box.width / 4
        y0, y1 = y0 + box.height / 4, y1 - box.height / 4
    if mark.least and mark.grow == "right" and box.width:
        x1 = max(x1, plane.moved(x0, y0, mark.least, 0)[0])
    elif mark.least and box.height:
        y1 = max(y1, plane.moved(x0, y0, 0, -mark.least)[1])
    wide, high = abs(plane.px(x1) - plane.px(x0)), abs(plane.py(y1) - plane.py(y0))
    outline = (
        OUTLINES.get(box.state, 1.0) if box.state in HOLLOW or round(min(wide, high), 3) > NO_OUTLINE_UP_TO else 0.0
    )
    return Bar(box.key, x0, y0, x1, y1, box.state, outline if wide and high else 0.0)


def _label(plane: Plane, box: Box, bar: Bar) -> Word | None:
    """The label that fits, in the middle; right of the cross where there is one."""
    wide, high = abs(plane.px(bar.x1) - plane.px(bar.x0)), abs(plane.py(bar.y1) - plane.py(bar.y0))
    cross = _sign_size(plane, box) + 4 if box.state in SIGNS else 0
    text = lettering.fit(box.labels, wide - cross - 4) if high >= lettering.HEIGHT + 2 else ""
    if not text:
        return None
    x, y = plane.moved((bar.x0 + bar.x1) / 2, (bar.y0 + bar.y1) / 2, cross / 2, 0)
    return Word(box.key, x, y, text)


def _sign_size(plane: Plane, box: Box) -> float:
    wide = abs(plane.px(box.x + box.width) - plane.px(box.x))
    high = abs(plane.py(box.y + box.height) - plane.py(box.y))
    return max(0.0, min(wide, high, 14) - 4)


def _sign(plane: Plane, box: Box, word: Word | None) -> Point:
    """The second sign of a box: a cross on what is evicted, a small square on what is parked."""
    size = _sign_size(plane, box)
    x, y = box.x + box.width / 2, box.y + box.height / 2
    if word:
        x, y = plane.moved(word.x, word.y, -lettering.width(word.text) / 2 - size / 2 - 4, 0)
    return Point(box.key, x, y, "on-fill", SIGNS[box.state], size, 1)


def _words(plane: Plane, text: Text) -> Words:
    return Words(text.id, text.paint, tuple(
        _word(plane, note) for note in text.notes if plane.holds(note.x, note.y)
    ))  # fmt: skip


def _word(plane: Plane, note: Note) -> Word:
    """A text beside a point keeps a space from it. Plotly hides texts with a point outside the axes."""
    x, y = plane.inside(*plane.moved(note.x, note.y, *note.shift))
    across, down = note.anchor.split()
    text = {"start": SPACE + note.text, "middle": note.text, "end": note.text + SPACE}[across]
    return Word(note.key, x, y, text, across, down, note.bold)


def _rule(plane: Plane, rule: Rule) -> Iterator[Shape]:
    """Nothing where the limit lies outside the axes."""
    x, y = plane.x, plane.y
    points = ((x.low, rule.at), (x.high, rule.at)) if rule.across else ((rule.at, y.low), (rule.at, y.high))
    if not plane.holds(*points[0]):
        return
    yield Path(rule.id, points, rule.paint, DASHES["dashed"], 1.5, clip=False)
    if rule.label:
        anchor = _rule_anchor(plane, rule)
        note = Note(rule.id, *points[1], rule.label, anchor, (0, -1 if anchor == "end above" else 0))
        yield Words(f"{rule.id}-label", rule.paint, (_word(plane, note),))


def _rule_anchor(plane: Plane, rule: Rule) -> str:
    if rule.across:
        return "end above" if rule.label_inside else "start middle"
    if not rule.label_inside:
        return "middle above"
    width = lettering.width(rule.label + SPACE)
    return "end below" if plane.px(rule.at) + width > plane.layout.width else "start below"
