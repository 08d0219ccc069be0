"""What a reader sees of ever larger crowds: the hit rate along the number of sessions, and a mean time for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from generator.model.crowd import TURNS, Crowd, Point
from generator.model.rates import RateAxis, RateCurve, RateDot, RateLimit
from generator.units import number

TICK = 4
"""Sessions from tick to tick."""


@dataclass(frozen=True)
class CrowdStep:
    """So many sessions in one order: what their returns reuse, and how long the first token takes on average.

    Times are in seconds, rates shares from 0 to 1; `document_rate` is the share of its document that a return finds.
    `sessions` is 0, and rates and times are None, where nobody has come. `request` names the column, "" for none.
    """

    name: str
    caption: str
    floor: float
    rate_axis: RateAxis
    rate_curves: tuple[RateCurve, ...] = ()
    rate_dots: tuple[RateDot, ...] = ()
    rate_limits: tuple[RateLimit, ...] = ()
    sessions: int = 0
    order: str = ""
    hit_rate: float | None = None
    document_rate: float | None = None
    request: str = ""
    time_to_first_token: float | None = None
    time_without: float | None = None
    look_closer: float | None = None
    beat: str = ""
    quick: bool = False


@dataclass(frozen=True)
class Walk:
    """Tells of a crowd from `fewest` to `most` sessions; `fits` of them have room."""

    crowd: Crowd
    fewest: int
    fits: int
    most: int

    def show(self, name: str, caption: str, *dots: Point) -> CrowdStep:
        """The lines so far, with dots at some points."""
        ticks = (*range(self.fewest, self.most, TICK), self.most)
        curves = (
            RateCurve(order, tuple((sessions, point.hit_rate) for sessions, point in sorted(points.items())))
            for order, points in self.crowd.points.items()
        )
        return CrowdStep(
            name,
            caption,
            floor=self.crowd.roofline.floor_seconds,
            rate_axis=RateAxis(0, self.most, ticks, "sessions"),
            rate_curves=tuple(curves),
            rate_dots=tuple(RateDot(dot.order, dot.sessions, dot.hit_rate) for dot in dots),
            rate_limits=(RateLimit(f"room for {self.fits}", self.fits),),
        )

    def at(self, order: str, sessions: int, caption: Callable[[Point], str]) -> CrowdStep:
        """So many sessions come in this order: "turns-12", with a column of its own."""
        point = self.crowd.run(order, sessions)
        name = f"{'turns' if order == TURNS else order}-{sessions}"
        return replace(
            self.show(name, caption(point), point),
            sessions=sessions,
            order=order,
            hit_rate=point.hit_rate,
            document_rate=point.document_rate,
            request=number(sessions),
            time_to_first_token=point.mean,
            time_without=point.seconds_without,
        )
