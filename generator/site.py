"""Values of the whole site, from `content/site.toml`; no other configuration exists."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from generator.errors import Problem, did_you_mean

KEYS = ("title", "description", "url", "language", "author", "repository")
_ALIASES = {"base_url": "url"}


@dataclass(frozen=True)
class Site:
    """The site's own texts. `url` ends with a slash, or is empty where nobody said where the site will lie."""

    title: str = "Flipbook"
    description: str = ""
    url: str = ""
    language: str = "en"
    author: str = ""
    repository: str = ""
    feed: str = ""

    @property
    def base_path(self) -> str:
        """The path of the site's root on its host: "/" or "/demo/"."""
        return urlsplit(self.url).path if self.url else "/"


class BadUrl(ValueError):
    """Not the address of a site."""


def normal_url(text: str) -> str:
    """A site's address with exactly one slash at its end. Raises BadUrl for anything but http(s)://host/path."""
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise BadUrl(f'not the address of a site: "{text}"')
    path = re.sub(r"/{2,}", "/", f"/{parts.path}/")
    return f"{parts.scheme}://{parts.netloc}{path}"


def read(text: str, path: str) -> tuple[Site, list[Problem]]:
    """The site that `text`, the content of site.toml, describes, and what is wrong with it."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"^(.*) \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
        line = int(place[2]) if place and place[2] else text.count("\n") + 1
        message = place[1][:1].lower() + place[1][1:] if place else str(error)
        return Site(), [
            Problem(path, line, f"cannot read this as TOML: {message}", 'write lines such as title = "Demo"')
        ]
    site, problems = Site(), []
    for key, value in given.items():
        line = _line(text, key)
        name = _ALIASES.get(key, key)
        if name not in KEYS:
            problems.append(Problem(path, line, f'unknown key "{key}"', did_you_mean(key, KEYS)))
        elif not isinstance(value, str):
            problems.append(Problem(path, line, f'"{key}" must be a text', f'write {key} = "{value}"'))
        elif name == "url":
            try:
                site = replace(site, url=normal_url(value) if value else "")
            except BadUrl as error:
                problems.append(Problem(path, line, str(error), "such as https://example.org/demo/"))
        elif name == "language" and not re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", value):
            problems.append(Problem(path, line, f'"{value}" is not a language', "such as en or pt-BR"))
        else:
            site = replace(site, **{name: value})
    return site, problems


def _line(text: str, key: str) -> int:
    pattern = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    return next((number for number, line in enumerate(text.split("\n"), 1) if pattern.match(line)), 1)
