"""The theme: templates rendered by Jinja, assets named by what is in them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator import shipped

_ASSET_SUFFIXES = {".css", ".js", ".svg"}
_SHEET, _SHEETS = "flipbook.css", "css/"
"""The files in the folder, in the order of their names, make the one style sheet of every page."""


@dataclass(frozen=True)
class Theme:
    """Templates and assets, a project's own ones in place of ours, file by file.

    `names` maps the name of an asset in the theme ("flipbook.css") to its place in the site
    ("assets/flipbook.0a1b2c3d4e.css"); `contents` maps that place to the bytes.
    """

    environment: Environment
    names: Mapping[str, str]
    contents: Mapping[str, bytes]

    def render(self, template: str, **values: object) -> str:
        """The text of `template` with `values`. Raises jinja2.TemplateError, also for a value that is missing."""
        return self.environment.get_template(template).render(**values)

    def asset_url(self, name: str) -> str:
        """Where the asset `name` lies, relative to the root of the site. Raises KeyError for an unknown one."""
        return self.names[name]

    def assets(self) -> dict[str, bytes]:
        """Every asset by its place in the site, ready to be written."""
        return dict(self.contents)


def load(project_theme: Path | None = None, extra: Mapping[str, bytes] | None = None) -> Theme:
    """The theme that ships with Flipbook, with the files of `project_theme` before it.

    `extra` holds assets made at build time (Plotly's script and rules) by their plain names.
    """
    folders = [folder for folder in (project_theme, shipped.theme()) if folder and folder.is_dir()]
    files = {**_asset_files(folders), **(extra or {})}
    names = {name: _fingerprinted(name, content) for name, content in files.items()}
    environment = Environment(
        loader=FileSystemLoader([str(folder) for folder in folders]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["state_class"] = state_class
    theme = Theme(environment, names, {names[name]: content for name, content in files.items()})
    environment.globals["asset"] = theme.asset_url
    return theme


def state_class(word: str) -> str:
    """The CSS class of a state's word: "reserved, empty" is "state-reserved-empty"."""
    return "state-" + word.replace(",", "").replace(" ", "-")


def _asset_files(folders: list[Path]) -> dict[str, bytes]:
    """Assets by their names in the theme; those of earlier folders win, a whole `flipbook.css` over all its parts."""
    found: dict[str, bytes] = {}
    for folder in reversed(folders):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix in _ASSET_SUFFIXES:
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    parts = [found.pop(name) for name in sorted(found) if name.startswith(_SHEETS)]
    return {_SHEET: b"\n".join(parts), **found}


def _fingerprinted(name: str, content: bytes) -> str:
    """A name that changes with the content, so that a browser may keep a file for ever."""
    path = PurePosixPath(name)
    digest = hashlib.sha256(content).hexdigest()[:10]
    return str(PurePosixPath("assets") / path.with_name(f"{path.stem}.{digest}{path.suffix}"))
