"""Files for machines that visit: sitemap, feed and robots.txt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

from generator.dates import PageDate, sort_key
from generator.site import Site

_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_ATOM = "http://www.w3.org/2005/Atom"
_BEGINNING = "1970-01-01T00:00:00Z"


@dataclass(frozen=True)
class Entry:
    """A published page: its absolute address, title, description and date."""

    url: str
    title: str
    description: str
    date: PageDate | None


def files(site: Site, entries: Sequence[Entry]) -> dict[str, bytes]:
    """robots.txt; with a known address of the site also sitemap.xml and feed.xml."""
    robots = "User-agent: *\nAllow: /\n"
    if not site.url:
        return {"robots.txt": robots.encode()}
    return {
        "robots.txt": f"{robots}Sitemap: {site.url}sitemap.xml\n".encode(),
        "sitemap.xml": _sitemap(entries),
        "feed.xml": _feed(site, entries),
    }


def _sitemap(entries: Sequence[Entry]) -> bytes:
    root = Element("urlset", xmlns=_SITEMAP)
    for entry in entries:
        url = SubElement(root, "url")
        SubElement(url, "loc").text = entry.url
        if entry.date:
            SubElement(url, "lastmod").text = entry.date.iso
    return _written(root)


def _feed(site: Site, entries: Sequence[Entry]) -> bytes:
    """Atom, newest first, of the pages that have a date: a feed may not invent one."""
    dated = sorted(((sort_key(entry.date), entry) for entry in entries if entry.date), key=lambda pair: pair[1].url)
    dated.sort(key=lambda pair: pair[0], reverse=True)
    root = Element("feed", xmlns=_ATOM)
    SubElement(root, "title").text = site.title
    SubElement(root, "id").text = site.url
    SubElement(root, "link", href=f"{site.url}feed.xml", rel="self")
    SubElement(root, "link", href=site.url)
    SubElement(root, "updated").text = dated[0][1].date.instant if dated and dated[0][1].date else _BEGINNING
    SubElement(SubElement(root, "author"), "name").text = site.author or site.title
    for _, entry in dated:
        item = SubElement(root, "entry")
        SubElement(item, "title").text = entry.title
        SubElement(item, "id").text = entry.url
        SubElement(item, "link", href=entry.url)
        SubElement(item, "updated").text = entry.date.instant if entry.date else _BEGINNING
        if entry.description:
            SubElement(item, "summary").text = entry.description
    return _written(root)


def _written(root: Element) -> bytes:
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"
