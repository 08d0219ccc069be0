"""Markdown as authors expect it, and the slips that would hide or break the rest of a page elsewhere."""

from __future__ import annotations

import re
import time

import pytest

from generator import text
from generator.context import Context, Link
from generator.sandbox import Named

STATES = ("to compute", "reused", "held", "reserved, empty")


def render(body: str, **names: object) -> tuple[str, list[str], list[str]]:
    """The HTML, the problems and the warnings of a body that starts on line 1."""
    context = Context("p.md", 1, Link, names=names, states=STATES)
    html = text.render(body, context).html
    return html, list(map(str, context.findings.problems)), sorted(set(map(str, context.findings.warnings)))


SWALLOWERS = [
    "<script> begins a script.",
    "## The <title> element",
    "The <textarea> element",
    "<style>",
    "<plaintext>",
    "<xmp> and <iframe> and <noscript>",
    "- in a list <script>",
    "> in a quote <style>",
    "| cell |\n|---|\n| <script> |",
    "<div is a tag",
    "<a href='never closed",
    "</div></main></body>",
    "A <select> and a <b> and </i>",
    "<!-- never closed",
    "<!-- -- >",
    "inline <!-- never closed",
    "<!-- one -- >\n\nBetween.\n\n<!-- two -->",
    "<?php echo 1 ?>",
    "<!DOCTYPE html>",
    "<![CDATA[ x",
    "<pre>",
    "<svg><title>x</title></svg>",
    "<base href='https://example.org/'>",
    "<meta http-equiv='refresh' content='0'>",
]


@pytest.mark.parametrize("slip", SWALLOWERS)
def test_nothing_swallows_what_follows(slip):
    html, problems, _ = render(f"{slip}\n\nThis **must** be visible.\n")
    assert "<p>This <strong>must</strong> be visible.</p>" in html
    for tag in (
        "<title>t",
        "<script",
        "<style",
        "<textarea",
        "<plaintext",
        "<xmp",
        "<iframe",
        "<base",
        "<meta",
        "<select",
    ):
        assert tag not in html
    assert html.count("<!--") == html.count("-->")
    assert not problems


def test_a_browser_sees_what_follows_in_its_place():
    html, _, warnings = render("<div>\n\nInside.\n\n<section>\n\nMore.\n")
    assert html.rstrip().endswith("</section></div>")
    assert [warning.split(": ")[0] for warning in warnings] == ["p.md:1", "p.md:5"]


@pytest.mark.parametrize(
    "raw",
    [
        "<details>\n<summary>S</summary>\n\n**x**\n\n</details>",
        "<kbd>Enter</kbd> and H<sub>2</sub>O<br>",
        '<svg width="1" height="1"><title>T</title><path d="M0 0"/></svg>',
        "<table><tr><td>x</table>",
        "<ul><li>a<li>b</ul>",
        "<pre>\na\n\nb\n</pre>",
        "<!-- kept {{ x }} -->",
    ],
)
def test_sound_html_passes_through(raw):
    html, problems, warnings = render(raw)
    assert not problems and not warnings and "&lt;" not in html


@pytest.mark.parametrize(
    "code",
    [
        *("`{{ x }}`", "`` ` {{ x }} ``", "    {{ x }}", "```\n{{ x }}\n```", "- a\n\n  ```\n  {{ x }}\n  ```"),
        *("<div title='{{ x }}'></div>", "<span title='{{ x }}'>a</span>", "<!-- {{ x }} -->", "a <!-- {{ x }} --> b"),
        *("<script>\nlet a = '{{ x }}';\n</script>", "$a_{{ x }}$", "$$\n{{ x }}\n$$", "\\{{ x }}"),
    ],
)
def test_values_stay_out_of_code_html_comments_and_formulas(code):
    html, problems, _ = render(f"{code}\n")
    assert not problems and "{{ x }}" in html


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("**{{ a }}**", "<strong>12 ms</strong>"),
        ("# T {{ a }}", ">T 12 ms</h1>"),
        ("- {{ a }}", "<li>12 ms</li>"),
        ("> {{ a }}", "<p>12 ms</p>"),
        ("| x | y |\n|--|--|\n| {{ s | ms }} | b |", "<td>12 ms</td>\n<td>b</td>"),
        ("[{{ a }}](#x)", '<a href="#x">12 ms</a>'),
        ('[x](#y "{{ a }}")', 'title="12 ms"'),
        ("![{{ a }}](x.png)", 'alt="12 ms"'),
        ("x[^1]\n\n[^1]: {{ a }}", "<p>12 ms <a"),
        ("{{ t }}", "&lt;b&gt; &amp; *x* {{ a }}"),
        ('{{ r["a b"] }}{{ r.items }}', "<p>12</p>"),
        ("{{ '|' }}{{ \"}}\" }}", "|}}"),
        ("a_{{ a }}_b {{ a }}{{ a }}", "a_12 ms_b 12 ms12 ms"),
    ],
)
def test_values_are_text_wherever_prose_is(body, expected):
    run = Named("r", {"a b": 1, "items": 2})
    html, problems, _ = render(body, a="12 ms", s=0.012, t="<b> & *x* {{ a }}", r=run)
    assert not problems and expected in html.replace('<span class="nobr">12 ms</span>', "12 ms")


def test_values_on_one_page_do_not_touch_another():
    assert "1" in render("{{ a }}", a=1)[0] and "2" in render("{{ a }}", a=2)[0]


FORMULAS = [
    "$x$",
    "$2^n$",
    "$1,000$",
    "($x$)",
    "$a\\$b$",
    "$h_{i}*m*h_{j}$",
    "$$x$$",
    "$n$-gram",
    "\n\n$$x$$ begins a paragraph",
    "\n\n$$a\n\nb$$\n\n",
]
MONEY = [
    "$3 in and $15 out",
    "$3-$5",
    "$5, $10 or US$20",
    "`$HOME` and `$x`",
    "$HOME/$PATH",
    "10$ or 20$",
    "\\$x\\$",
    "$5 to $6",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas(formula):
    html, problems, _ = render(f"A {formula} b")
    assert 'class="math' in html and "<em>" not in html and not problems


@pytest.mark.parametrize("money", MONEY)
def test_money_and_shell_are_no_formulas(money):
    assert 'class="math' not in render(f"A {money} b")[0]


def test_a_formula_keeps_its_tex_and_has_mathml_where_it_can():
    html, _, _ = render("$$\nT = \\frac{a}{b} \\\\\nU < {c}_{d}\n$$\n\n$\\nosuch{x}$")
    assert '<annotation encoding="application/x-tex">\nT = \\frac{a}{b} \\\\\nU &lt; {c}_{d}\n</annotation>' in html
    assert "<mfrac>" in html and "<mtable>" in html
    assert "<code>\\nosuch{x}</code>" in html and " style=" not in html


def test_state_words_are_coloured_where_they_are_marked():
    html, problems, _ = render("==reused== and reused, ==To compute==, ==reserved, empty==, a ==b, if a == b == c.")
    assert html.count('class="state ') == 3 and not problems
    assert '<span class="state state-to-compute">To compute</span>' in html
    assert '<span class="state state-reserved-empty">reserved, empty</span>' in html


def test_headings_have_ids_of_their_own():
    html, _, _ = render("# Same\n\n# Same\n\n# Same 2\n\n# `code` & more\n\n# !!!\n\n# Préfixe 日本")
    ids = [part.split('"')[0] for part in html.split('<h1 id="')[1:]]
    assert ids == ["same", "same-2", "same-2-2", "code-more", "section", "préfixe-日本"]


def test_tables_align_without_style_attributes():
    html, _, _ = render("| a | b |\n|:-:|--:|\n| `x\\|y` | 1 |")
    assert "style" not in html and '<td class="align-right">1</td>' in html and "<code>x|y</code>" in html


def test_a_note_without_its_other_half_is_said():
    _, problems, warnings = render("A[^a]\n\n[^b]: B.\n\n[^c]: C.")
    assert problems == ["p.md:1: there is no footnote [^a] (add a line [^a]: …)"]
    assert [warning.split(": ")[0] for warning in warnings] == ["p.md:3", "p.md:5"]


def test_code_that_is_never_closed_is_said():
    assert render("a\n\n```py\nx\n\nrest")[2][0].startswith("p.md:3: this code block is never closed")
    assert not render("> ```\n> x\n> ```\n\n- a\n  ```\n  x\n  ```")[2]


HARD = {"[": 5000, "[a](": 3000, "![": 3000, "*a _b ": 5000, "<": 20000, "<a ": 8000, "<a b='": 4000, "{{": 10000}
HARD |= {'{{ "': 5000, "$": 20000, "$a ": 8000, "$a\\": 5000, "==a ": 8000, "`a": 8000, "<!-- ": 3000, "<!--\n\n": 2000}
HARD |= {"<div>\n\n": 2000, "<script>\n\n": 2000, "$$\na\n\n": 2000, "<b>": 2000, "[^1]": 3000, ">": 3000, "$3 ": 5000}


@pytest.mark.parametrize("piece", HARD)
def test_no_input_takes_for_ever(piece):
    start = time.monotonic()
    render(piece * HARD[piece])
    assert time.monotonic() - start < 10, "seconds; a fault of this kind takes minutes"


def test_notes_within_the_text_are_text():
    html, problems, _ = render("a^[b {{ 1 }} [c](https://example.org) ==reused==]")
    assert "b 1 " in html and 'href="https://example.org"' in html and "state-reused" in html and not problems


def test_what_lies_deep_is_there():
    assert "deep" in render("> " * 60 + "deep")[0]
    assert "deep" in render("".join("  " * level + "- x\n" for level in range(40)) + "  " * 40 + "- deep\n")[0]


def test_ids_of_notes_terms_and_html_are_taken():
    html, _, _ = render("a[^1]\n\n## Fn1\n\n## Fnref1\n\n## Own\n\n<b id=own></b>\n\nT\n: x\n\n## Term T\n\n[^1]: b\n")
    ids = re.findall(r'<[^>]* id="?([^" >]*)', html)
    assert len(ids) == len(set(ids)) == 8


@pytest.mark.parametrize("name", ["p", "/p", "li", "td", "img", "input", "option"])
def test_a_bare_name_of_a_tag_is_text(name):
    for body in (f"## The <{name}> element", f"The <{name}> element", f"| <{name}> |\n|---|"):
        html, _, warnings = render(body)
        assert f"&lt;{name}&gt;" in html and f"<{name}>" not in html.replace("<p>The", "").replace("element</p>", "")
        assert len(warnings) == 1


def test_lists_in_cells_pass_through():
    assert "<ul><li>a</li><li>b</li></ul>" in render("| x |\n|---|\n| <ul><li>a</li><li>b</li></ul> |")[0]


def test_code_in_html_is_code():
    html, problems, _ = render("A <code>{{ x }}</code> and {{ 1 }} and <kbd>{{ y }}</kbd>.")
    assert "<code>{{ x }}</code> and 1 and <kbd>{{ y }}</kbd>" in html and not problems


def test_a_table_without_its_line_is_said():
    _, _, warnings = render("| $P(a|b)$ |\n|---|\n| x |")
    assert len(warnings) == 1 and "this is not read as a table" in warnings[0]
