"""Calendar days and instants as authors write them, read without a clock or a time zone of the machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
HINT = "write 2026-03-01, or 2026-03-01T09:00:00+02:00 for an instant"


@dataclass(frozen=True)
class PageDate:
    """When a page was written: `iso` as its author gave it, `text` to be read, `instant` for a feed."""

    iso: str
    text: str
    instant: str


def parse(text: str) -> PageDate:
    """A day (`2026-03-01`) or an instant with its offset (`2026-03-01T09:00:00+02:00`).

    The day shown is the day written: an instant keeps its own offset. Raises ValueError for anything else.
    """
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        day = date.fromisoformat(text)
        return PageDate(text, _words(day), f"{text}T00:00:00Z")
    if re.fullmatch(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)", text):
        moment = datetime.fromisoformat(text)
        stamp = moment.isoformat(timespec="seconds").replace("+00:00", "Z")
        return PageDate(stamp, _words(moment.date()), stamp)
    raise ValueError(f'not a date: "{text}"')


def sort_key(day: PageDate) -> datetime:
    """The instant, to order pages by."""
    return datetime.fromisoformat(day.instant)


def _words(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
