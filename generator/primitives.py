"""What a backend draws: bars, paths, points and words in data units, on a plane that knows their pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial

from generator.marks import Axis, Layout


@dataclass(frozen=True, slots=True)
class Bar:
    """A filled rectangle between two corners, with its outline in pixels (0: none)."""

    key: str
    x0: float
    y0: float
    x1: float
    y1: float
    paint: str
    outline: float


@dataclass(frozen=True, slots=True)
class Bars:
    id: str
    grow: str
    items: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Path:
    """A line, broken where a point is None; `clip` cuts it at the axes."""

    id: str
    points: tuple[tuple[float, float] | None, ...]
    paint: str
    dash: str
    thickness: float
    clip: bool


@dataclass(frozen=True, slots=True)
class Point:
    key: str
    x: float
    y: float
    paint: str
    symbol: str
    size: float
    outline: float


@dataclass(frozen=True, slots=True)
class Points:
    id: str
    items: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """A text; `across` is start, middle or end, `down` is above, middle or below."""

    key: str
    x: float
    y: float
    text: str
    across: str = "middle"
    down: str = "middle"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    id: str
    paint: str
    items: tuple[Word, ...]


Shape = Bars | Path | Points | Words

_OUTLINES = {"computed": "heavy", "without": "muted", "refused": "limit", "free": "hairline"}


def outline_paint(paint: str) -> str:
    """The tone of the outline of a bar or point of that paint."""
    return _OUTLINES.get(paint, "on-fill")


@dataclass(frozen=True)
class Plane:
    """A layout with the axes of one step: data units to pixels and back."""

    layout: Layout
    x: Axis
    y: Axis

    @cached_property
    def px(self) -> Callable[[float], float]:
        """Pixels from the left edge of a value of x; remembered, for much stands in rows and columns."""
        return cache(partial(self.layout.px, axis=self.x))

    @cached_property
    def py(self) -> Callable[[float], float]:
        """Pixels from the top edge of a value of y."""
        return cache(partial(self.layout.py, axis=self.y))

    def holds(self, x: float, y: float) -> bool:
        """Whether the point lies within the axes; on the edge it does."""
        return all(-1e-6 <= part <= 1 + 1e-6 for part in (self.x.fraction(x), self.y.fraction(y)))

    def inside(self, x: float, y: float) -> tuple[float, float]:
        """The nearest point within the axes."""
        low_x, high_x = sorted((self.x.low, self.x.high))
        low_y, high_y = sorted((self.y.low, self.y.high))
        return min(max(x, low_x), high_x), min(max(y, low_y), high_y)

    def moved(self, x: float, y: float, right: float, down: float) -> tuple[float, float]:
        """(x, y) moved by pixels."""
        m = self.layout.margins
        across = self.layout.width - m.left - m.right
        up = self.layout.height - m.top - m.bottom
        if right:
            x = self.x.value(self.x.fraction(x) + right / across)
        if down:
            y = self.y.value(self.y.fraction(y) - down / up)
        return x, y
