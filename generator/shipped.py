"""Where the files that come with Flipbook lie."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent
"""The code, and the data of the model."""


def theme() -> Path:
    """The folder of the theme that comes with Flipbook: inside a wheel, else beside the package in a clone."""
    inside = PACKAGE / "theme"
    return inside if inside.is_dir() else PACKAGE.parent / "theme"
