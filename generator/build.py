"""The build: a site made, or kept from last time if nothing it is made from has changed, and written in one swap."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generator import bundle, made
from generator import output as outputs
from generator.errors import AuthorError
from generator.made import Made, Report, silent
from generator.output import Refused


@dataclass(frozen=True)
class Built(Made):
    """A site on disk; `changed` is whether anything in the folder had to change."""

    changed: bool


def build(
    content: Path,
    theme: Path | None = None,
    output: Path = Path("site"),
    base_url: str | None = None,
    drafts: bool = False,
    report: Report = silent,
    strict: bool = False,
) -> Built:
    """Build the site of the folder `content` into `output`, whose last good site stays until this one is whole.

    Raises AuthorError with every problem of the content (if `strict`, with every warning of one that has none),
    Refused for folders and addresses that cannot be used.
    """
    inside, outside = content.resolve(), output.resolve()
    if inside.is_relative_to(outside) or outside.is_relative_to(inside):
        raise Refused(f"the site cannot be written to {output}: it shares a folder with {content}")
    site = _site(content, theme, base_url, drafts, report)
    if strict and site.warnings:
        raise AuthorError(site.warnings)
    changed = outputs.write(site.files, output)
    return Built(site.files, site.pages, site.script, site.warnings, site.base_path, changed)


def _site(content: Path, theme: Path | None, base_url: str | None, drafts: bool, report: Report) -> Made:
    """The site as it was kept, else made anew and kept."""
    folder = bundle.user_cache() / "sites"
    before = made.inputs(content, theme, base_url, drafts)
    site = made.kept(folder, before) if before else None
    if site is None:
        from generator.make import make  # loading what makes a site takes longer than all that is done without it

        site = make(content, theme, base_url, drafts, report)
        if before and before == made.inputs(content, theme, base_url, drafts):  # nobody saved meanwhile
            made.keep(folder, before, site)
    return site
