"""The files that go with a figure: they lie beside its page and have its name in theirs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FigureFiles:
    """Output files, or their addresses: numbers of every step, picture of the key step, the figure by itself."""

    table: str
    picture: str
    embed: str


def beside(page: str, figure: str) -> FigureFiles:
    """The files of the figure with the id `figure` on the page written to `page`."""
    base = f"{page.removesuffix('.html')}-{figure}"
    return FigureFiles(f"{base}.csv", f"{base}.svg", f"{base}-embed.html")
