"""What the build adds to words for the eye alone: the text stays what it was."""

from __future__ import annotations

import html
import re

import pytest

from generator import text
from generator.context import Context, Link
from generator.states import marked


def render(body: str, **names: object) -> str:
    return text.render(body, Context("p.md", 1, Link, names=names)).html


def test_a_page_says_what_a_card_about_it_shows(site):
    page = '---\ntitle: A & B\ndescription: What is "reused".\n---\nText.'
    made = site({"guide/a": page, "guide/index": "I.", "site.toml": 'title = "Demo"\nurl = "https://e.org/d"\n'})
    head = made.files["guide/a.html"].decode().split("</head>")[0]
    said = dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):\w+)" content="([^"]*)">', head))
    assert said == {
        "og:title": "A &amp; B",
        "og:description": "What is &#34;reused&#34;.",
        "og:type": "article",
        "og:site_name": "Demo",
        "og:url": "https://e.org/d/guide/a.html",
        "twitter:card": "summary",
    }
    assert '"og:url" content="https://e.org/d/guide/"' in made.files["guide/index.html"].decode()
    nowhere = site({"guide/a": page, "site.toml": ""}).files["guide/a.html"].decode()
    assert "og:url" not in nowhere and "twitter" not in nowhere and "og:title" in nowhere


def words(markup: str) -> str:
    return html.unescape(re.sub("<[^>]+>", "", markup))


def kept(markup: str) -> list[str]:
    """The texts that no line end may part."""
    whole = re.sub(r'<span class="state [^>]*>([^<]*)</span>', r"\1", markup)
    return re.findall(r'<span class="nobr">([^<]*)</span>', whole)


@pytest.mark.parametrize(
    ("caption", "together"),
    [
        ("First token after 23.0 ms instead of 336.", ["23.0 ms"]),
        ("2,048 tokens reused, 52 computed.", ["2,048 tokens", "52 computed"]),
        ("It's 37 % & 4.5 GB, 320 KiB at 32 GB/s.", ["37 %", "4.5 GB", "320 KiB", "32 GB/s"]),
        ("Ana-1 sends 3 messages; llama-3.1 says 70b so.", []),
        ("A 100 msec, 5 submarines, x5 ms", []),
    ],
)
def test_a_number_stays_with_its_unit_in_a_caption(caption, together):
    markup = marked(caption, ("computed", "reused"))
    assert kept(markup) == together
    assert words(markup) == caption


def test_a_number_stays_with_its_unit_in_prose_also_where_the_source_ends_a_line():
    markup = render("It takes 22.7 ms or 23\nms, **64 tokens** [at 8.0 times](x.md), `9 ms`.\n\n| a |\n|--|\n| 5 GB |")
    assert kept(markup) == ["22.7 ms", "23\nms", "64 tokens", "8.0 times", "5 GB"]
    assert "<code>9 ms</code>" in markup
    assert words(markup).startswith("It takes 22.7 ms or 23\nms, 64 tokens at 8.0 times, 9 ms.")


def test_a_value_filled_in_stays_with_its_unit():
    assert '<span class="nobr">23 ms</span>' in render("{{ t | ms }} or so.", t=0.023)
    assert '<a href="x.md">After <span class="nobr">23 ms</span></a>' in render("[After {{ t | ms }}](x.md)", t=0.023)


def test_a_table_is_in_a_group_that_scrolls_and_has_a_name():
    markup = render("> | `a` b | {{ t | ms }} |\n> |--|--:|\n> | 1 | 2 |\n\n|  |\n|--|\n| x |", t=0.023)
    opening = '<div class="wide" role="group" aria-label="Table{}" tabindex="0">\n<table>'
    assert opening.format(": a b, 23 ms") in markup and opening.format("") in markup
    assert markup.count("</table>\n</div>") == 2


def test_code_and_formulas_can_be_reached_by_key():
    markup = render("```sh\nlong\n```\n\n    indented\n\n$$x$$\n")
    assert markup.count('<pre tabindex="0"><code') == 2
    assert 'class="math math-block" tabindex="0"' in markup


def test_the_name_of_a_table_is_escaped():
    assert 'aria-label="Table: &quot;a&quot; &lt;b"' in render('| "a" <b |\n|--|\n| 1 |')
