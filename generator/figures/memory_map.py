"""Memory as squares, each a fixed amount of cache: a map for each card, or for each way of handing memory out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import ceil
from typing import Protocol

from generator import lettering
from generator.marks import Axis, Box, Boxes, Layout, Margins, Mark, Note, Text
from generator.tiling import tile

LINE = 16
"""Pixels that a line of text takes."""

GAP = 12
"""Pixels between maps."""

APART = 6
"""Pixels between a map and what stands outside it."""

ASIDE = 8
"""Squares to a line where what found no room stands at the right of its map."""


class Label(Protocol):
    """A text on a run of `count` squares from number `first` on, all of one state; dropped where it does not fit."""

    @property
    def text(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def count(self) -> int: ...


class Map(Protocol):
    """`squares` row by row: the state of each, a word of `marks.STATES`, or "" for free memory.

    `title` stands above the map and `below` under it ("9 running · 3 waiting"). `outside` are squares that
    found no room, drawn under the map, and `outside_label` says whose they are.
    """

    @property
    def title(self) -> str: ...
    @property
    def squares(self) -> Sequence[str]: ...
    @property
    def labels(self) -> Sequence[Label]: ...
    @property
    def outside(self) -> Sequence[str]: ...
    @property
    def outside_label(self) -> str: ...
    @property
    def below(self) -> str: ...


class Step(Protocol):
    """The maps, in every step as many and with as many squares as in the first.

    `map_title` is the panel's title, the same in every step: what memory it is, and what a square stands
    for. `map_note` is the line under all maps, "" for none; what is between " · " is dropped from the end
    where it does not fit.
    """

    @property
    def maps(self) -> Sequence[Map]: ...
    @property
    def map_title(self) -> str: ...
    @property
    def map_note(self) -> str: ...


def layout(steps: Sequence[Step], width: int) -> Layout:
    """Pixels along both axes; the maps as large as fits, beside each other or stacked."""
    phone = width < 800
    maps = steps[0].maps
    note = LINE if any(step.map_note for step in steps) else 0
    outside = [max(len(step.maps[m].outside) for step in steps) for m in range(len(maps))]
    below = LINE if any(shown.below for step in steps for shown in step.maps) else 0
    most = max(len(shown.squares) for shown in maps)
    texts = (text for step in steps for shown in step.maps for text in (shown.title, shown.below))
    longest = max(lettering.width(text) for text in texts) + 4
    room = (300 if phone else 270) - note
    grid = tile(len(maps), most, width, room, gap=GAP, lines=LINE + below, text=longest)
    beside = max((lettering.width(shown.outside_label) for step in steps for shown in step.maps), default=0) + 8
    turn = max(1, int((grid.columns * grid.pitch - beside) // grid.pitch))
    # Where maps stand in one stack, height is scarce and there may be room at the right.
    right = width - grid.columns * grid.pitch - 2 * APART
    fits = ceil(max(outside) / ASIDE) * grid.pitch <= grid.rows * grid.pitch - LINE
    aside = fits and grid.across == 1 < len(maps) and right >= max(beside, ASIDE * grid.pitch)
    turn = ASIDE if aside else turn
    extra = (
        [0] * len(maps)
        if aside
        else [
            _outside_height(grid.pitch, ceil(max(outside[m : m + grid.across]) / turn))
            for m in range(0, len(maps), grid.across)
        ]
    )
    heights = [LINE + grid.rows * grid.pitch + more + below for more in extra]
    tops = list(accumulate((height + GAP for height in heights), initial=0))
    height = tops[-1] - GAP + note + 2
    places: dict[str, float] = {"columns": grid.columns, "rows": grid.rows, "pitch": grid.pitch, "turn": turn}
    places["aside"] = float(aside)
    places |= {"foot": height - LINE / 2}
    for m in range(len(maps)):
        row, column = divmod(m, grid.across)
        places |= {f"{m}-x": column * (width + GAP) // grid.across, f"{m}-y": tops[row] + LINE}
        places |= {f"{m}-foot": tops[row] + heights[row] - LINE / 2}
    return Layout(
        title=steps[0].map_title,
        width=width,
        height=height,
        margins=Margins(0, 0, 0, 0),
        x=Axis(0, width, shown=False),
        y=Axis(height, 0, shown=False),
        motion="cut",
        places=places,
    )


def _outside_height(pitch: int, rows: int) -> int:
    return APART + max(LINE, rows * pitch) if rows else 0


def draw(layout: Layout, steps: Sequence[Step]) -> tuple[Mark, ...]:
    """Every square in its state after the last step, and what is written on, above and under the maps."""
    step = steps[-1]
    places = [_Place(layout, m) for m in range(len(step.maps))]
    pairs = list(zip(places, step.maps, strict=True))
    squares = tuple(box for place, shown in pairs for box in place.squares(shown))
    labels = [label for place, shown in pairs for label in place.labels(shown)]
    outside = tuple(box for place, shown in pairs for box in place.outside(shown))
    titles = tuple(Note(place.key, place.x, place.y - LINE / 2, shown.title, "start middle") for place, shown in pairs)
    below = [Note(place.key, place.x, place.foot, shown.below, "start middle") for place, shown in pairs]
    parts = step.map_note.split(" · ")
    notes = (" · ".join(parts[:count]) for count in range(len(parts), 0, -1))
    note = Note("note", 0, layout.places["foot"], lettering.fit(notes, layout.width - LINE / 2), "start middle")
    return (
        Boxes("squares", squares, squares=True),
        Boxes("plates", tuple(box for _, box in labels)),
        Text("labels", tuple(_middle(text, box) for text, box in labels), "on-fill"),
        Boxes("outside", outside),
        Text("titles", titles),
        Text("below", tuple(note for note in (*below, note) if note.text), "muted"),
        Text("refused", tuple(note for place, shown in pairs for note in place.outside_label(shown)), "limit"),
    )


def _middle(text: str, box: Box) -> Note:
    return Note(box.key, box.x + box.width / 2, box.y + box.height / 2, text)


class _Place:
    """Where map number `m` stands: its upper left corner, and the middle of the line under it."""

    def __init__(self, layout: Layout, m: int) -> None:
        places = layout.places
        self.key = str(m)
        self.x, self.y, self.foot = (places[f"{m}-{name}"] for name in ("x", "y", "foot"))
        names = ("columns", "rows", "pitch", "turn")
        self.columns, self.rows, self.pitch, self.turn = (int(places[name]) for name in names)
        self.end = self.y + self.rows * self.pitch + APART
        self.aside = bool(places["aside"])
        self.right = self.x + self.columns * self.pitch + 2 * APART

    def squares(self, shown: Map) -> Iterator[Box]:
        for number, state in enumerate(shown.squares):
            row, column = divmod(number, self.columns)
            yield self._box(f"{self.key}-{number}", column, self.y + row * self.pitch, state or "free")

    def outside(self, shown: Map) -> Iterator[Box]:
        for number, state in enumerate(shown.outside):
            row, column = divmod(number, self.turn)
            x, y = (self.right, self.y + LINE) if self.aside else (self.x, self.end)
            yield self._box(f"{self.key}-{number}", column, y + row * self.pitch, state, x=x)

    def outside_label(self, shown: Map) -> Iterator[Note]:
        if shown.outside and self.aside:
            yield Note(self.key, self.right, self.y + LINE / 2, shown.outside_label, "start middle")
        elif shown.outside:
            wide, high = min(len(shown.outside), self.turn), ceil(len(shown.outside) / self.turn)
            x, y = self.x + wide * self.pitch, self.end + max(high * self.pitch, LINE) / 2
            yield Note(self.key, x, y, shown.outside_label, "start middle")

    def labels(self, shown: Map) -> Iterator[tuple[str, Box]]:
        """Texts and plates over whole squares, where the text finds room among those it is about."""
        high = ceil((lettering.HEIGHT + 3) / self.pitch)
        for label in shown.labels:
            wide = ceil((lettering.width(label.text) + 10) / self.pitch)
            found = list(self._room(label, wide, high))
            if found:
                row, column = found[len(found) // 2]
                state, y = shown.squares[label.first], self.y + row * self.pitch
                yield label.text, self._box(f"{self.key}-{label.text}", column, y, state, wide, high)

    def _room(self, label: Label, wide: int, high: int) -> Iterator[tuple[int, int]]:
        """(row, column) of every place where so many squares lie among the label's own, a place for each row."""
        last = label.first + label.count - 1
        for row in range(label.first // self.columns, last // self.columns - high + 2):
            since = max(0, label.first - row * self.columns)
            until = min(self.columns, last + 1 - (row + high - 1) * self.columns)
            if until - since >= wide:
                yield row, since + (until - since - wide) // 2

    def _box(self, key: str, column: int, y: float, state: str, wide: int = 1, high: int = 1, *,
             x: float | None = None) -> Box:  # fmt: skip
        """Whole squares with outlines on whole pixels, and a pixel between squares unless they are very small."""
        x = (self.x if x is None else x) + column * self.pitch
        less = 2 if self.pitch >= 8 else 1
        return Box(key, x + 0.5, y + 0.5, wide * self.pitch - less, high * self.pitch - less, state)
