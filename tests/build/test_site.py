"""A whole small site: series, home, drafts, files, addresses, what machines read."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest

PAGE = "---\ntitle: {}\ndescription: About {}.\norder: {}\n---\nText of {}.\n"


def html(made, name: str) -> str:
    return made.files[f"{name}.html"].decode("utf-8")


def series(*names: str) -> dict[str, str]:
    return {name: PAGE.format(name, name, number, name) for number, name in enumerate(names, 1)}


def test_pages_with_an_order_are_a_series(site):
    made = site({**series("cache", "prefill", "paging"), "about": "About us.", "index": "Welcome."})
    middle = html(made, "prefill")
    assert '<p class="kicker">Explainer 2 of 3</p>' in middle
    assert 'rel="prev" href="cache.html"' in middle and 'rel="next" href="paging.html"' in middle
    assert 'rel="prev"' not in html(made, "cache") and 'rel="next"' not in html(made, "paging")
    assert "Explainer" not in html(made, "about") and 'class="turn"' not in html(made, "about")


def test_every_page_leads_to_the_pages_beside_the_series(site):
    made = site(
        {**series("cache"), "about": "Us.", "guide/a": "A.", "404": "Gone.", "d": "---\ntitle: D\ndraft: true\n---\n"}
    )
    foot = '<nav aria-label="Beside the series">\n<a href="{}about.html"{}>About</a>\n</nav>'
    for name, root in (("index", ""), ("cache", ""), ("guide/a", "../"), ("404", "/")):
        assert foot.format(root, "") in html(made, name)
    assert foot.format("", ' aria-current="page"') in html(made, "about")


def test_without_a_series_nothing_is_beside_it(site):
    assert "Beside" not in html(site({"a": "A.", "b": "B."}), "a")


def test_the_home_page_lists_the_series_in_order(site):
    files = series("cache", "prefill")
    files["prefill"] = files["prefill"].replace("order: 2", "order: 0\nstart-here: true")
    home = html(site({**files, "index": "Welcome.", "about": "Us."}), "index")
    assert re.findall(r'<h2><a href="([^"]+)">', home) == ["prefill.html", "cache.html"]
    assert "Welcome." in home and "About cache." in home
    assert home.count("Start here") == 1 and home.index("Start here") < home.index("cache.html")


def test_a_home_page_that_nobody_wrote_lists_what_there_is(site):
    home = html(site({"a": "Text.", "b": "Text.", "site.toml": 'title = "Demo"\ndescription = "A & B"\n'}), "index")
    assert "<h1>Demo</h1>" in home and "<p>A &amp; B</p>" in home
    assert re.findall(r'<h2><a href="([^"]+)">', home) == ["a.html", "b.html"]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"a": PAGE.format(*"aa1a"), "b": PAGE.format(*"bb1b")},
            "content/b.md:4: content/a.md has this order too (give each explainer its own)",
        ),
        (
            {"a": "x", "b": "---\ntitle: B\nslug: A\n---\n"},
            'content/b.md:3: this page would be written to "A.html", and so would content/a.md',
        ),
        (
            {"a": "x", "a.html": b"mine"},
            'content/a.md:1: this page would be written to "a.html", and so would content/a.html',
        ),
        (
            {name: f"---\ntitle: {name}\nstart-here: true\n---\n" for name in "ab"},
            "content/b.md:3: content/a.md is marked start-here too (mark one page)",
        ),
        (
            {"!!": "---\ntitle: A\n---\n"},
            "content/!!.md:1: no address can be made from this file's name (add a line slug: …)",
        ),
        ({"a": "x", "site.toml": 'titel = "x"\n'}, 'content/site.toml:1: unknown key "titel" (did you mean "title"?)'),
        ({"a": "x", "site.toml": "\ntitle = 3\n"}, 'content/site.toml:2: "title" must be a text (write title = "…")'),
        (
            {"a": "x", "site.toml": 'title = "x"\nurl = "example.org"\n'},
            'content/site.toml:2: not the address of a site: "example.org" (such as https://example.org/demo/)',
        ),
        (
            {"a": "x", "site.toml": 'language = "English (UK)"\n'},
            'content/site.toml:1: "English (UK)" is not a language',
        ),
    ],
)
def test_mistakes_between_pages(files, expected, messages):
    lines = messages(files)
    assert len(lines) == 1 and lines[0].startswith(expected), lines


def test_a_site_toml_that_is_no_toml_is_said_with_its_line(messages):
    (line,) = messages({"a": "x", "site.toml": 'title = "x"\nurl = oops\n'})
    assert line.startswith("content/site.toml:2: cannot read this as TOML")


def test_problems_of_all_pages_come_in_one_run_sorted(messages):
    lines = messages({"b": "{{ x }}\n\n[a](no.md)", "a/c": "[^1]", "a": "---\ntitle: A\ndarft: true\n---\n{{ y }}"})
    assert [line.split(": ")[0] for line in lines] == [
        "content/a.md:3", "content/a.md:5", "content/a/c.md:4", "content/b.md:4", "content/b.md:6",
    ]  # fmt: skip


def test_one_mistake_in_the_front_matter_is_not_said_again_in_the_text(messages):
    broken = "---\ntitle: a: b\nruns:\n  desk: {simulation: prefix-sharing}\n---\n{{ desk.floor | ms }} [x](#tree=a)\n"
    assert len(messages({"p": broken})) == 1
    broken = (
        "---\ntitle: A\nruns:\n  desk: {simulation: nope}\nclaims:\n  - desk.floor > 1\n---\n{{ desk.floor | ms }}\n"
    )
    figure = "```figure\nid: tree\nrun: desk\npanels: [request]\n```\n[x](#tree=a) [y](#tree)\n"
    assert len(messages({"p": broken + figure})) == 1


def test_files_are_copied_unless_only_drafts_or_runs_want_them(site):
    draft = "---\ntitle: D\ndraft: true\n---\n![x](d.png) ![y](both.png) <img src='raw.png'>"
    noise = dict.fromkeys((".DS_Store", "a.md~", "#a.md#", "a.md.swp", ".4913", "x.bak", ".hidden/y.png"), b"x")
    files = {"d.png": b"1", "both.png": b"2", "raw.png": b"3", "free.pdf": b"4", "img/x.png": b"5"}
    made = site({"a": "![y](both.png) [z](img/x.png)", "d": draft, **files, **noise})
    copied = {name for name in made.files if name.endswith((".png", ".pdf"))}
    assert copied == {"both.png", "free.pdf", "img/x.png"}
    assert not [name for name in made.files if any(name.endswith(noise.split("/")[-1]) for noise in noise)]


def test_folders_stay_folders_and_links_are_relative(site):
    made = site(
        {
            "index": "[a](guide/deep/a.md#here) [b](/guide/) [c](/guide/deep/a) [e](https://e.org) "
            "[s](two%20words.md?q=1#x)",
            "guide/index": "[home](../index.md) [self](#top) [img](</two words.png>)\n\n# Top",
            "guide/deep/a": "## Here\n\n[up](../index.md) [root](/) [pic](/two%20words.png)",
            "two words": "# X",
            "two words.png": b"x",
        }
    )
    assert re.findall(r'<a href="([^"]+)">[abces]<', html(made, "index")) == [
        "guide/deep/a.html#here", "guide/index.html", "guide/deep/a.html", "https://e.org", "two-words.html?q=1#x",
    ]  # fmt: skip
    assert re.findall(r'<a href="([^"]+)">(?:up|root|pic)<', html(made, "guide/deep/a")) == [
        "../index.html", "../../index.html", "../../two%20words.png",
    ]  # fmt: skip
    assert 'href="../../assets/flipbook' in html(made, "guide/deep/a")


def test_addresses_in_raw_html_are_resolved_too(site):
    made = site(
        {
            "guide/a": '<p>\n<a href="/b.md">x</a> <img src="/x.png" srcset="/x.png 1x, ../x.png 2x">\n</p>\n\n'
            '<b><a href="../b.md">y</a></b>',
            "b": "Text.",
            "x.png": b"x",
        }
    )
    page = html(made, "guide/a")
    assert page.count('href="../b.html"') == 2
    assert 'src="../x.png" srcset="../x.png 1x, ../x.png 2x"' in page


def test_a_missing_page_of_ones_own_works_at_any_depth(site):
    made = site({"404": "[home](index.md) ![x](x.png)", "x.png": b"x", "site.toml": 'url = "https://e.org/demo"\n'})
    page = html(made, "404")
    assert '<a href="/demo/index.html">home</a>' in page and 'src="/demo/x.png"' in page and "noindex" in page


def test_machines_get_a_sitemap_a_feed_and_robots(site):
    files = {
        "old": "---\ntitle: Old & new\ndate: 2026-01-02\ndescription: D\n---\n",
        "new": "---\ntitle: New\ndate: 2026-03-01T23:30:00-05:00\n---\n",
        "undated": "Text.",
        "wip": "---\ntitle: Wip\ndraft: true\ndate: 2026-05-05\n---\n",
        "site.toml": 'title = "Demo"\nurl = "https://e.org/demo"\nauthor = "Ana"\n',
    }
    made = site(files)
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ElementTree.fromstring(made.files["feed.xml"])
    assert [entry.findtext(f"{atom}title") for entry in feed.iter(f"{atom}entry")] == ["New", "Old & new"]
    assert feed.findtext(f"{atom}updated") == "2026-03-01T23:30:00-05:00"
    locations = re.findall("<loc>(.*?)</loc>", made.files["sitemap.xml"].decode())
    assert locations == [f"https://e.org/demo/{name}" for name in ("", "new.html", "old.html", "undated.html")]
    assert b"Sitemap: https://e.org/demo/sitemap.xml" in made.files["robots.txt"]
    assert '<time datetime="2026-03-01T23:30:00-05:00">1 March 2026</time>' in html(made, "new")
    assert 'rel="alternate"' in html(made, "new")


def test_without_an_address_nothing_absolute_is_written(site):
    made = site({"a": "Text."})
    assert {"sitemap.xml", "feed.xml"}.isdisjoint(made.files)
    assert not re.search(
        rb'(href|src|content)="https?:', b"".join(c for n, c in made.files.items() if n.endswith("html"))
    )


def test_a_list_of_headings_only_where_there_are_many(site):
    few, many = ("".join(f"## H <script> {n}\n\nText.\n\n" for n in range(count)) for count in (3, 4))
    made = site({"few": few, "many": many})
    assert 'class="contents"' not in html(made, "few")
    assert '<li><a href="#h-script-3">H &lt;script&gt; 3</a></li>' in html(made, "many")


def test_windows_line_ends_change_nothing(site):
    text = "---\ntitle: A\n---\nOne\ntwo\n\n- a\n- b\n"
    unix = site({"a": text}).files["a.html"]
    assert site({"a": text.replace("\n", "\r\n").encode()}).files["a.html"] == unix


def test_no_folder_of_content_is_followed_out_of_it(site, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "folder").symlink_to(outside)
    (tmp_path / "content" / ".#a.md").symlink_to("user@host.1")
    (tmp_path / "content" / "dangling.png").symlink_to("nowhere")
    made = site({"a": "Text."})
    assert not any("secret" in name or "dangling" in name for name in made.files)


def test_a_file_that_is_gone_by_the_time_it_is_read_is_no_fault(site, monkeypatch):
    read = Path.read_bytes

    def vanishing(path: Path) -> bytes:
        if path.name in ("b.md", "x.png"):
            path.unlink()
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", vanishing)
    made = site({"a": "Text.", "b": "Text.", "x.png": b"x"})
    assert "a.html" in made.files and {"b.html", "x.png"}.isdisjoint(made.files)


def test_runs_are_made_while_a_preview_has_threads(site):
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        runs = "".join(f"  r{n}: {{simulation: prefix-sharing, users: {{support: {n}}}, seed: 9}}\n" for n in (2, 3))
        made = site({"a": f"---\ntitle: A\nruns:\n{runs}---\n{{{{ r2.floor | ms }}}} {{{{ r3.floor | ms }}}}"})
    finally:
        stop.set()
        thread.join()
    assert html(made, "a").count("23 ms") == 2


FIGURES = """---
title: "A & B"
description: D
runs:
  one: {simulation: prefix-sharing, users: {support: 2}}
---
Text.

```figure
id: tree
run: one
panels: [request, time-to-first-token]
caption: Who <pays>
```
"""


def test_every_figure_has_a_page_of_its_own_for_frames(site):
    made = site({"guide/a": FIGURES, "b": "Text.", "site.toml": 'url = "https://e.org/demo"\n'})
    page = html(made, "guide/a-tree-embed")
    assert "<title>Who &lt;pays&gt; · Flipbook</title>" in page
    assert '<meta name="robots" content="noindex">' in page and "canonical" not in page
    assert '<a class="figure-home" href="a.html#tree=' in page and "A &amp; B · Flipbook</a>" in page
    assert 'data-plotly="../assets/plotly.' in page and 'href="../assets/flipbook.' in page
    policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>', page)
    assert policy and policy[0] in html(made, "guide/a")
    data = re.compile(r'<script type="application/json".*?</script>')
    assert data.findall(page) == data.findall(html(made, "guide/a")) != []
    assert b"embed" not in made.files["sitemap.xml"] and b"embed" not in made.files["feed.xml"]
    assert 'class="alone" href="a-tree-embed.html"' in html(made, "guide/a")
    assert not any("embed" in name for name in made.files if "guide/a-tree" not in name)


def test_a_picture_has_its_colours_written_out(site):
    picture = site({"a": FIGURES}).files["a-tree.svg"].decode("utf-8")
    ElementTree.fromstring(picture)
    assert not re.search(r"var\(|light-dark|currentcolor", picture)
    used = set(re.findall(r'class="(?:fill|line|hollow|text) ([\w-]+)"', picture))
    assert used and all(re.search(rf"\.{name}\.fill {{ fill: (#|none)", picture) for name in used)


@pytest.mark.parametrize("other", ["a-tree.csv", "A-tree.svg", "a-tree-embed.html"])
def test_a_file_of_a_figure_is_nobody_elses(other, messages):
    (line,) = messages({"a": FIGURES, other: b"mine"})
    assert line.startswith(f'content/a.md:10: this figure has a file "{other.lower()}", and so has content/{other} (')


def test_two_pages_whose_figures_would_have_one_file(messages):
    one, two = (FIGURES.replace("id: tree", f"id: {id}") for id in ("c", "b-c"))
    assert messages({"a-b": one, "a": two}) == [
        'content/a.md:10: this figure has a file "a-b-c.csv", and so has content/a-b.md (give the figure another id)'
    ]


@pytest.mark.parametrize(
    "files",
    [
        {"p": "P.", "p.html/x.txt": b"x"},
        {"p": "P.", "p.html/q": "Q."},
        {"p": "P.", "feed.xml/x.txt": b"x"},
        {"p": FIGURES, "p-tree.csv/x.txt": b"x"},
    ],
)
def test_no_file_of_the_site_is_a_folder_of_it(files, messages):
    (line,) = messages(files)
    assert "the site has a file called" in line


def test_names_that_are_no_text_are_said(messages):
    Path("content").mkdir()
    for name in (b"b\xff.md", b"i\xff.png"):
        Path("content", os.fsdecode(name)).write_bytes(b"x")
    lines = messages({"p": "P.", f"{'x' * 240}": "X."})
    assert [line.split(": ")[1].split(" (")[0] for line in lines] == [
        *["this file's name is not UTF-8"] * 2,
        "this page's address is too long",
    ]


def test_headings_without_words_are_not_listed(site):
    made = site({"p": "## A\n\n## B\n\n##\n\n## C\n\n## D\n"})
    assert made.files["p.html"].count(b'<li><a href="#') == 4
