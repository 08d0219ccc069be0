"""Values of the whole site: each mistake is one line, and what is taken is written so that machines can read it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

MISTAKES = {
    'title = ""': '1: "title" must not be empty',
    'title = "a"\nauthor = "b\\u0007"': "2: character U+0007 is not allowed here",
    "title = 5": '1: "title" must be a text (write title = "…")',
    'repository = "javascript:x"': '1: not an address on the web: "javascript:x"',
    'url = "https://[::1"': '1: not the address of a site: "https://[::1"',
    'url = "https://e.org:99999/"': '1: not the address of a site: "https://e.org:99999/"',
    'url = "https://me:secret@e.org/"': '1: not the address of a site: "https://me:secret@e.org/"',
    'url = "https://a.org"\nbase_url = "https://b.org"': '2: "base_url" says the same as "url"',
    "title = [1,\n\n": "1: cannot read this as TOML",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_one_line_for_one_mistake(text, messages):
    (line,) = messages({"site.toml": text, "p": "Text."})
    assert line.startswith(f"content/site.toml:{MISTAKES[text]}")


def test_an_address_is_encoded_once(site):
    for path in ("dé mo", "d%C3%A9%20mo"):
        made = site({"site.toml": f'url = "HTTPS://E.org/{path}"', "p": "Text."})
        locations = [place.text for place in ElementTree.fromstring(made.files["sitemap.xml"]).iter() if place.text]
        assert "https://e.org/d%C3%A9%20mo/p.html" in locations
        assert b'href="/d%C3%A9%20mo/assets/' in made.files["404.html"]


def test_a_page_under_another_ending_is_said(messages):
    """Copied as it is it would publish a draft."""
    (line,) = messages({"p": "Text.", "q.MD": "---\ntitle: Q\ndraft: true\n---\n"})
    assert line == "content/q.MD: a page's file ends in .md (rename it)"


def test_a_draft_is_a_draft_by_its_address_too(messages):
    (line,) = messages({"p": "[q](q.html)", "q": "---\ntitle: Q\ndraft: true\n---\n"})
    assert line.startswith('content/p.md:4: "q.html" is a draft')
