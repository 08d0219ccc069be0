"""Values of the whole site, from `content/site.toml`; no other configuration exists."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from generator.errors import Problem, did_you_mean
from generator.slugs import encode

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
    """A site's address, encoded, with exactly one slash at its end. Raises BadUrl but for http(s)://host[:port]/path."""
    try:
        parts = urlsplit(text.strip())
        host = parts.hostname and parts.port != 0 and not parts.username
    except ValueError:  # brackets that do not close, a port that is none
        host = None
    if (
        not host
        or parts.scheme not in ("http", "https")
        or parts.query
        or parts.fragment
        or re.search(r"\s", parts.netloc)
    ):
        raise BadUrl(f'not the address of a site: "{text}"')
    path = encode(unquote(re.sub(r"/{2,}", "/", f"/{parts.path}/")))
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"


def read(text: str, path: str) -> tuple[Site, list[Problem]]:
    """The site that `text`, the content of site.toml, describes, and what is wrong with it."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"^(.*) \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
        line = int(place[2]) if place and place[2] else text.rstrip().count("\n") + 1
        message = place[1][:1].lower() + place[1][1:] if place else str(error)
        return Site(), [
            Problem(path, line, f"cannot read this as TOML: {message}", 'write lines such as title = "Demo"')
        ]
    site, problems = Site(), []
    for key, value in given.items():
        name = _ALIASES.get(key, key)
        try:
            if key != name and name in given:
                raise _Bad(f'"{key}" says the same as "{name}"', "leave one of them out")
            site = replace(site, **{name: _checked(key, name, value)})
        except _Bad as bad:
            problems.append(Problem(path, _line(text, key), *bad.args))
    return site, problems


class _Bad(Exception):
    """What is wrong with one value, and a hint."""


def _checked(key: str, name: str, value: object) -> str:
    if name not in KEYS:
        raise _Bad(f'unknown key "{key}"', did_you_mean(key, KEYS))
    if not isinstance(value, str):
        raise _Bad(f'"{key}" must be a text', f'write {key} = "…"')
    if match := re.search(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]", value):
        raise _Bad(f"character U+{ord(match[0]):04X} is not allowed here", "delete it")
    value = " ".join(value.split())
    if name == "title" and not value:
        raise _Bad('"title" must not be empty', "")
    if name == "language" and not re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", value):
        raise _Bad(f'"{value}" is not a language', "such as en or pt-BR")
    if name == "repository" and value and not re.match(r"https?://[^\s/]", value):
        raise _Bad(f'not an address on the web: "{value}"', "such as https://example.org/me/demo")
    if name != "url":
        return value
    try:
        return normal_url(value) if value else ""
    except BadUrl as error:
        raise _Bad(str(error), "such as https://example.org/demo/") from error


def _line(text: str, key: str) -> int:
    pattern = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    return next((number for number, line in enumerate(text.split("\n"), 1) if pattern.match(line)), 1)
