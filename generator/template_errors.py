"""Mistakes in a project's own templates, said like those in its content."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jinja2 import TemplateError, TemplateSyntaxError

from generator.errors import AuthorError, Problem


@contextmanager
def blame(theme: Path | None) -> Iterator[None]:
    """Turn what goes wrong in a template of the folder `theme` into an AuthorError with its file and line.

    Whatever goes wrong elsewhere passes through: it is our own fault.
    """
    try:
        yield
    except (TemplateError, LookupError, TypeError, ValueError) as error:
        place = _place(error, theme)
        if place is None:
            raise
        raise AuthorError([Problem(*place, f"this template cannot be filled in: {error}")]) from error


def _place(error: Exception, theme: Path | None) -> tuple[str, int] | None:
    """File and line of the innermost template of `theme` that the error went through."""
    if theme is None:
        return None
    places = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, TemplateSyntaxError) and error.filename:
        places.append((error.filename, error.lineno))
    inside = [(name, line) for name, line in places if Path(name).resolve().is_relative_to(theme.resolve())]
    return inside[-1] if inside else None
