"""Faults that other generators were reported for: each folder of `cases` is the input of one test here.

File names that git or a file system might change (decomposed accents, a byte order mark) are checked
to be what the case needs.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import time
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest

from generator.animate import animate
from generator.build import Refused, build
from generator.errors import AuthorError
from generator.make import make
from generator.marks import Axis, Layout, Line, Margins
from generator.script_json import script_json
from generator.states import marked

CASES = Path(__file__).with_name("cases")


@pytest.fixture
def case(cache, tmp_path):
    """Build the content of a case, put where an author would have it."""

    def built(name: str, **options: object):
        shutil.copytree(CASES / name / "content", tmp_path / "content", dirs_exist_ok=True)
        return make(Path("content"), cache=cache, **options)

    return built


def html(made, name: str) -> str:
    return made.files[f"{name}.html"].decode("utf-8")


def body(page: str) -> str:
    return page.split('<div class="prose">')[1].split("</article>")[0]


def test_01_a_fence_in_a_list_leaves_the_next_items_alone(case):
    text = body(html(case("01-fence-in-list-eats-next-item"), "steps"))
    assert (text.count("<ol>"), text.count("<li>"), text.count("`")) == (1, 3, 0)
    assert re.search(r"<pre[^>]*><code[^>]*>put A\n\nput B\n</code></pre>", text)


def test_02_a_tag_name_in_a_heading_is_text(case):
    made = case("02-html-tag-name-in-heading")
    text = html(made, "tags")
    assert "This paragraph must be visible." in text and "So must this one." in text
    assert not re.search(r"<(script|style)>", text)
    assert re.findall(r'<h2 id="([^"]+)">', text) == ["the-script-element", "the-style-element"]
    assert [warning.line for warning in made.warnings] == [5, 9]


def test_04_an_unclosed_comment_hides_nothing(case):
    start = time.monotonic()
    made = case("04-unclosed-comment-and-bogus-end-tags")
    assert time.monotonic() - start < 2
    assert "<p>After <strong>bold</strong>.</p>" in html(made, "a")
    assert "<p>Still here.</p>" in html(made, "b")
    assert [f"{warning.path}:{warning.line}" for warning in made.warnings] == ["content/a.md:7", "content/b.md:7"]


def test_06_formulas_keep_their_bytes_and_prices_are_text(case):
    text = html(case("06-maths-and-money"), "cost")
    assert "h_{i}*m*h_{j}" in text and "<em>" not in text
    assert "T = \\frac{a_1}{b_1} \\\\\nU = {c}_{d}" in text
    assert "A token costs $3 in and $15 out, and <code>$HOME</code> stays code." in text


def test_08_nothing_leaks_from_page_to_page(case):
    made = case("08-state-leaks-between-pages")
    assert html(made, "two").count("footnote-backref") == 1
    assert "From page two." in html(made, "two") and "From page one." not in html(made, "two")
    assert "footnote" not in html(made, "three")


def test_10_braces_in_code_are_code(case):
    with pytest.raises(AuthorError, match=r'^content/tpl.md:12: unknown value "not_a_name"$'):
        case("10-template-braces-in-code")
    source = Path("content/tpl.md").read_text("utf-8").replace("{{ not_a_name }}", "none")
    Path("content/tpl.md").write_text(source, "utf-8")
    text = body(html(make(Path("content")), "tpl"))
    assert "<code>{{ secret }}</code>" in text
    assert "key: &quot;{{ epoch }}&quot;\nif: {% if x %}" in text


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, tag, _):
        if tag == "script":
            self.texts.append("")

    def handle_data(self, data):
        if self.lasttag == "script":
            self.texts[-1] += data


def test_11_no_label_ends_its_script():
    scenario = (CASES / "11-script-end-tag-in-scenario-label" / "scenario.json").read_text("utf-8")
    names = [request["name"] for request in json.loads(scenario)["requests"]] + ["\u2028\u2029]]>"]
    text = script_json({"names": names})
    parser = _Scripts()
    parser.feed(f'<script type="application/json">{text}</script><p>after</p>')
    assert len(parser.texts) == 1 and json.loads(parser.texts[0])["names"] == names
    assert not set(text) & set("<>&\u2028\u2029")
    for name in names:
        assert "<script" not in marked(name, ("reused",)) and "<script" not in marked(name, ())


def test_11_json_takes_no_number_that_is_none():
    with pytest.raises(ValueError):
        script_json({"time": float("nan")})


def test_15_a_byte_order_mark_is_no_text(case):
    assert (CASES / "15-byte-order-mark" / "content" / "bom.md").read_bytes().startswith(b"\xef\xbb\xbf---")
    text = html(case("15-byte-order-mark"), "bom")
    assert "<title>Saved on Windows" in text and "---" not in text
    assert re.findall(r"<h1[^>]*>(.*?)</h1>", text) == ["Hello"]


def test_18_values_are_typed_by_their_key(case):
    with pytest.raises(AuthorError) as error:
        case("18-values-that-look-like-other-types")
    colon, *typo = str(error.value).split("\n")
    assert colon.startswith("content/colon.md:2: ") and "column 15 " in colon
    assert 'title: "Prefill: the long half"' in colon
    assert typo == [
        'content/typo.md:2: unknown key "titel" (did you mean "title"?)',
        'content/typo.md:3: "draft" must be true or false, got "ture"',
    ]
    for name in ("colon", "typo"):
        Path(f"content/{name}.md").unlink()
    made = make(Path("content"))
    assert "<h1>yes</h1>" in html(made, "007") and "<h1>1e3</h1>" in html(made, "num")


def test_20_links_work_at_any_depth_and_under_any_path(case):
    made = case("20-project-site-base-path")
    assert '<a href="guide/a.html">A</a> <a href="guide/a.html">root</a> <img src="img/logo.svg"' in html(made, "index")
    assert '<a href="../index.html">home</a> <img src="../img/logo.svg"' in html(made, "guide/a")
    for name, content in made.files.items():
        if name.endswith(".html") and name != "404.html":
            assert not re.search(rb'(href|src|srcset)="/', content), name
    sitemap = made.files["sitemap.xml"].decode()
    assert re.findall("<loc>(.*?)</loc>", sitemap) == [
        "https://example.org/demo/",
        "https://example.org/demo/guide/a.html",
    ]
    assert '<link rel="canonical" href="https://example.org/demo/guide/a.html">' in html(made, "guide/a")


@pytest.mark.parametrize(
    "url", ["https://example.org/demo", "https://example.org/demo/", "https://example.org//demo//"]
)
def test_20_the_address_of_the_site_may_end_with_a_slash_or_not(case, url):
    made = case("20-project-site-base-path", base_url=url)
    texts = [made.files[name].decode() for name in ("404.html", "sitemap.xml", "feed.xml", "robots.txt", "index.html")]
    addresses = re.findall(r'(?:href|src)="([^"]*)"', "".join(texts)) + re.findall("<loc>(.*?)<", "".join(texts))
    assert not [address for address in addresses if "//" in address.removeprefix("https://")]
    assert all("https://example.org/demo/" in text for text in texts[1:])
    assert made.files == case("20-project-site-base-path").files


@pytest.mark.parametrize("url", ["example.org", "ftp://example.org/", "https://", "https://e.org/?x=1"])
def test_20_an_address_that_is_none_is_refused(case, url):
    with pytest.raises(Refused, match="not the address of a site"):
        case("20-project-site-base-path", base_url=url)


def test_21_the_page_for_missing_ones_works_at_any_depth(case):
    made = case("21-missing-page-at-any-depth")
    page = html(made, "404")
    addresses = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert addresses and all(address.startswith(("/demo/", "#")) for address in addresses)
    assert '<meta name="robots" content="noindex">' in page
    assert b"404" not in made.files["sitemap.xml"] + made.files["feed.xml"]


def test_23_names_are_composed_and_encoded_once(case):
    names = {path.name for path in (CASES / "23-names-with-accents-and-spaces" / "content").iterdir()}
    assert any(unicodedata.normalize("NFC", name) != name for name in names), "the case needs a decomposed name"
    made = case("23-names-with-accents-and-spaces", base_url="https://example.org/")
    assert unicodedata.normalize("NFC", "pr\u00e9fixe.html") in made.files and "two-words.html" in made.files
    assert '<a href="pr%C3%A9fixe.html">x</a> <a href="two-words.html">y</a>' in html(made, "two-words")
    assert b"https://example.org/pr%C3%A9fixe.html" in made.files["sitemap.xml"]
    assert not any(b"%25" in content for content in made.files.values())


def test_25_a_draft_appears_nowhere(case):
    with pytest.raises(AuthorError, match=r'^content/index.md:5: "wip.md" is a draft'):
        case("25-draft-appears-nowhere")
    Path("content/index.md").write_text("---\ntitle: Home\n---\nSoon.\n")
    made = make(Path("content"))
    assert not [name for name in made.files if "wip" in name]
    everything = b"".join(made.files.values())
    assert b"zebra" not in everything and b"Secret plan" not in everything


def test_25_drafts_are_shown_when_asked_for_and_marked(case):
    made = case("25-draft-appears-nowhere", drafts=True)
    assert "Unfinished zebra." in html(made, "wip") and 'class="draft"' in html(made, "wip")
    assert "wip.svg" in made.files


def test_25_a_page_that_becomes_a_draft_goes_away():
    Path("content").mkdir()
    Path("content/p.md").write_text("---\ntitle: P\n---\nText.\n")
    build(Path("content"), None, Path("site"))
    assert Path("site/p.html").exists()
    Path("content/p.md").write_text("---\ntitle: P\ndraft: true\n---\nText.\n")
    build(Path("content"), None, Path("site"))
    assert not Path("site/p.html").exists()


def test_27_a_failed_build_keeps_the_last_good_site(case):
    Path("content").mkdir()
    Path("content/good.md").write_text("---\ntitle: Good\n---\n\nv1\n")
    build(Path("content"), None, Path("site"))
    before = {path: path.read_bytes() for path in Path("site").rglob("*") if path.is_file()}
    with pytest.raises(AuthorError) as error:
        case("27-failed-build-keeps-the-last-good-site")
    Path("content/worse.md").write_text("---\ntitle: W\nfigure: x\n---\n")
    with pytest.raises(AuthorError) as error:
        build(Path("content"), None, Path("site"))
    assert [(problem.path, problem.line) for problem in error.value.problems] == [
        ("content/bad.md", 3),
        ("content/worse.md", 3),
    ]
    assert {path: path.read_bytes() for path in Path("site").rglob("*") if path.is_file()} == before


def test_13_frames_of_a_long_run_stay_small():
    scenario = json.loads((CASES / "13-frames-repeat-what-does-not-change" / "scenario.json").read_text("utf-8"))
    steps, series, points = scenario["steps"], scenario["series"], scenario["points"]
    noise = random.Random(13)
    marks = [
        tuple(Line(f"line-{s}", tuple((x, noise.random()) for x in range(points))) for s in range(series))
        for _ in range(steps)
    ]
    layout = Layout("Long", 1060, 150, Margins(), Axis(0, points - 1), Axis(0, 1))
    drawn = animate(layout, marks, [f"step-{k}" for k in range(steps)], 0)
    text = script_json({"data": drawn.data, "layout": drawn.layout, "frames": drawn.frames})
    assert len(gzip.compress(text.encode(), mtime=0)) < 120_000
    assert len(drawn.frames) == steps and len({frame["name"] for frame in drawn.frames}) == steps
    assert not {"x"} & set(drawn.frames[1]["data"][0]), "what never changes is sent once"
    assert "sliders" not in text and "updatemenus" not in text and "bdata" not in text
