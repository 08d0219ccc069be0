"""What a picture is made of: axes, a layout, and a small closed set of marks in data coordinates.

A figure module turns steps into marks; `animate` and `still` draw them, and must agree. A mark carries
a word for what it shows (a state, or a tone), never a colour: colours are the theme's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

STATES = (
    "to compute",
    "computed",
    "reused",
    "held",
    "evicted",
    "weights",
    "reserved, empty",
    "parked",
    "without",
    "refused",
)
"""The states, in the order of the key. The first codes of `PAINTS`."""

TONES = ("ink", "muted", "limit", "on-fill", "free", "hairline", "heavy")
"""What is no state: text and lines; `on-fill` is the text and outline of filled boxes, in both themes, `heavy` the
outline of what is computed: heavier than others, so that it must not look like a gap on dark paper.

A box may be `free`: memory that nobody holds, paper with a hairline. It is not in the key.
"""

PAINTS = STATES + TONES
"""Everything that the theme gives a colour. An index into this is a code in Plotly's `marker.color`."""

_CODES = {paint: number for number, paint in enumerate(PAINTS)}


def css_class(paint: str) -> str:
    """The class of a paint: "to compute" is "state-to-compute", "ink" is "tone-ink"."""
    if paint in TONES:
        return f"tone-{paint}"
    code(paint)
    return "state-" + paint.replace(",", "").replace(" ", "-")


def code(paint: str) -> int:
    """The number that stands for a paint in Plotly's arrays. Raises ValueError for a word not in `PAINTS`."""
    try:
        return _CODES[paint]
    except KeyError:
        raise ValueError(f"neither a state nor a tone: {paint}") from None


@dataclass(frozen=True)
class Axis:
    """One axis in data units, from `low` (left or bottom) to `high`; `low` above `high` runs backwards.

    `ticks` are (value, text). `name` says what runs along it ("tokens"): panels under each other whose x
    axes have the same name share it. `grid` draws a line at each tick, `line` the axis itself, and
    `shown` is False where the panel below writes the ticks for both.
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()
    name: str = ""
    log: bool = False
    grid: bool = False
    line: bool = False
    shown: bool = True

    def fraction(self, value: float) -> float:
        """Where `value` lies, 0 at `low` and 1 at `high`."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        low, high, here = (math.log10(v) for v in (self.low, self.high, value))
        return (here - low) / (high - low)

    def padded(self, fraction: float) -> Axis:
        """The axis with a little more at both ends, so that outlines there are not cut (not for log axes)."""
        more = fraction * (self.high - self.low)
        return replace(self, low=self.low - more, high=self.high + more)

    def value(self, fraction: float) -> float:
        """The inverse of `fraction`."""
        if self.log:
            low, high = math.log10(self.low), math.log10(self.high)
            return float(10 ** (low + fraction * (high - low)))
        return self.low + fraction * (self.high - self.low)


@dataclass(frozen=True)
class Margins:
    """Whole pixels between the edge of the drawing and its axes; tick labels and names live there."""

    left: int = 8
    top: int = 8
    right: int = 8
    bottom: int = 20


@dataclass(frozen=True)
class Box:
    """A rectangle from (x, y) to (x + width, y + height), the same thing in every step that has its key.

    The first of `labels` that fits is written inside; none, if none does.
    """

    key: str
    x: float
    y: float
    width: float
    height: float
    state: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Boxes:
    """Boxes that appear by growing `right` or `up` from their base.

    `least` is the least length in pixels along that direction for a box that is there at all. With
    `squares` a box of state "reserved, empty" is drawn half size.
    """

    id: str
    boxes: tuple[Box, ...]
    grow: str = "right"
    least: float = 0
    squares: bool = False


def bar(key: str, at: float, length: float, state: str, *, base: float = 0, thickness: float = 0.7,
        along: str = "up", labels: tuple[str, ...] = ()) -> Box:  # fmt: skip
    """A bar of a chart as a box: centred on `at`, from `base` over `length`, running `up` or `right`."""
    edge = at - thickness / 2
    if along == "up":
        return Box(key, edge, base, thickness, length, state, labels)
    return Box(key, base, edge, length, thickness, state, labels)


@dataclass(frozen=True)
class Line:
    """A line through points, broken where one is None, and cut at the axes.

    `style` is solid, dashed or trail (where a dot has been).
    """

    id: str
    points: tuple[tuple[float, float] | None, ...]
    paint: str = "ink"
    style: str = "solid"
    thickness: float = 1.5


@dataclass(frozen=True)
class Dot:
    """A point, the same thing in every step that has its key: circle, diamond, square or cross."""

    key: str
    x: float
    y: float
    paint: str = "ink"
    symbol: str = "circle"
    size: float = 9


@dataclass(frozen=True)
class Dots:
    """Dots, drawn in order."""

    id: str
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Note:
    """A text at (x, y), moved by `shift` pixels (right, down), but never out of the axes.

    `anchor` says which part of the text lies there, "start", "middle" or "end", and after a space where
    the text stands: "above", "middle" or "below". Texts that start or end at a point keep a space from
    it. Only the point has to lie within the axes; the text may reach into the margins.
    """

    key: str
    x: float
    y: float
    text: str
    anchor: str = "middle middle"
    shift: tuple[float, float] = (0, 0)
    bold: bool = False


@dataclass(frozen=True)
class Text:
    """Notes in one tone."""

    id: str
    notes: tuple[Note, ...]
    paint: str = "ink"


@dataclass(frozen=True)
class Rule:
    """A dashed limit over the whole panel: at a value of y (`across`), else at a value of x.

    The label stands on the line's end: right of it (`across`) or above it, in the margin; with
    `label_inside`, right-aligned above the line, or beside its upper end.
    """

    id: str
    at: float
    label: str = ""
    across: bool = True
    label_inside: bool = False
    paint: str = "limit"


@dataclass(frozen=True)
class Axes:
    """The axes of this step where they differ from the layout's; such a change cuts."""

    x: Axis | None = None
    y: Axis | None = None


Mark = Boxes | Line | Dots | Text | Rule | Axes


@dataclass(frozen=True)
class Layout:
    """Everything about a panel that does not change from step to step.

    `width` and `height` in pixels; `half`: two such panels stand side by side; `motion` is "tween" or
    "cut", and `cuts` are the steps (numbers) that cut in any case; `places` is where the panel's
    things will stand, by a name of its own.
    """

    title: str
    width: int
    height: int
    margins: Margins
    x: Axis
    y: Axis
    fixed: tuple[Mark, ...] = ()
    motion: str = "tween"
    half: bool = False
    cuts: frozenset[int] = frozenset()
    places: Mapping[str, float] = field(default_factory=dict)

    def px(self, x: float, axis: Axis | None = None) -> float:
        """Pixels from the left edge."""
        m = self.margins
        return m.left + (self.width - m.left - m.right) * (axis or self.x).fraction(x)

    def py(self, y: float, axis: Axis | None = None) -> float:
        """Pixels from the top edge."""
        m = self.margins
        return self.height - m.bottom - (self.height - m.top - m.bottom) * (axis or self.y).fraction(y)

    def axes(self, marks: tuple[Mark, ...]) -> tuple[Axis, Axis]:
        """The axes of the step that `marks` show."""
        own = next((mark for mark in marks if isinstance(mark, Axes)), Axes())
        return own.x or self.x, own.y or self.y
