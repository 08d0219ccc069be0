"""Each mistake of an author gives exactly one line: file, line, what is wrong, what to write instead."""

from __future__ import annotations

import pytest

RUNS = """---
title: P
runs:
  desk:
    simulation: prefix-sharing
    users: {support: 2}
---
"""
FIGURE = """```figure
id: tree
run: desk
panels: [request, prefix-tree]
```
"""

MISTAKES = {
    # front matter
    "no front matter": ("---x\nHello\n", "1: no front matter (start the page with"),
    "never closed": ("---\ntitle: P\n\nHello\n", "1: the front matter is never closed"),
    "no title": ("---\norder: 1\n---\n", "1: this page has no title"),
    "unknown key": (
        "---\ntitle: P\ndescriptoin: x\n---\n",
        '3: unknown key "descriptoin" (did you mean "description"?)',
    ),
    "misspelt title": ("---\ntitel: P\n---\n", '2: unknown key "titel" (did you mean "title"?)'),
    "draft": ("---\ntitle: P\ndraft: yes\n---\n", '3: "draft" must be true or false, got "yes"'),
    "order": ("---\ntitle: P\norder: four\n---\n", '3: "order" must be a number, got "four"'),
    "date": (
        "---\ntitle: P\ndate: 03/01/2026\n---\n",
        '3: "date" must be a calendar day or an instant, got "03/01/2026"',
    ),
    "day that is none": ("---\ntitle: P\ndate: 2026-02-30\n---\n", '3: "date" must be a calendar day'),
    "instant without offset": ("---\ntitle: P\ndate: 2026-03-01T09:00:00\n---\n", '3: "date" must be a calendar day'),
    "slug": ("---\ntitle: P\nslug: a/b\n---\n", '3: "slug" must be letters, digits and hyphens, got "a/b"'),
    "colon": ("---\ntitle: Prefill: the long half\n---\n", "2: cannot read this line as YAML"),
    "title with a hash": (
        "---\ntitle: Issue #5\n---\n",
        '2: "title" ends where YAML begins a comment, at " #" (quote it: title: "Issue #5")',
    ),
    "value without quotes": ("---\ntitle: P\ndescription: {{ desk.floor }}\n---\n", "3: "),
    "caption with a hash": (
        RUNS + FIGURE.replace("id: tree", "id: tree\ncaption: Run #2"),
        '10: "caption" ends where YAML begins',
    ),
    "doubled key": ("---\ntitle: P\ntitle: Q\n---\n", '3: "title" is said twice (the first is on line 2)'),
    "anchor": ("---\ntitle: &a P\n---\n", "2: an anchor (&) is not allowed here"),
    "alias": ("---\ntitle: P\ndescription: *a\n---\n", "3: "),
    "tag": ("---\ntitle: !!str P\n---\n", "2: a tag (!) is not allowed here"),
    "tab": ("---\ntitle: P\nruns:\n\tdesk: x\n---\n", "4: a tab where YAML takes spaces only"),
    "list as title": ("---\ntitle: [P]\n---\n", '2: "title" must be a text (quote it: title: "[P]")'),
    "no mapping": ("---\n- a\n- b\n---\n", "2: expected lines of the form key: value"),
    "runs no mapping": ("---\ntitle: P\nruns: desk\n---\n", '3: "runs" must be a mapping of names to runs'),
    "run's name": (
        "---\ntitle: P\nruns:\n  long-run:\n    simulation: prefix-sharing\n---\n",
        '4: "long-run" cannot name a run',
    ),
    "no simulation": ("---\ntitle: P\nruns:\n  desk:\n    model: x\n---\n", '4: run "desk" names no simulation'),
    "misspelt simulation key": (
        "---\ntitle: P\nruns:\n  desk:\n    simulatoin: prefix-sharing\n---\n",
        '4: run "desk" names no simulation ("simulatoin": did you mean "simulation"?)',
    ),
    "misspelt runs": (RUNS.replace("runs:", "rusn:") + "{{ desk.floor | ms }}\n" + FIGURE, '3: unknown key "rusn"'),
    "runs twice": (RUNS.replace("runs:", "runs: {}\nruns:") + "{{ desk.floor }}", '4: "runs" is said twice'),
    "a list of lines as title": ("---\ntitle:\n  - a\n---\n", '2: "title" must be a text (write title: …)'),
    "quote never closed": ('---\ntitle: "P\norder: 1\n---\n', "2: a quote is opened on this line and never closed"),
    "quote closed by another": (
        '---\ntitle: "P\ndescription: "x"\n---\n',
        "2: a quote is opened on this line and never",
    ),
    "bracket never closed": (
        "---\ntitle: P\nclaims: [\norder: 1\n---\n",
        "3: a bracket is opened on this line and never",
    ),
    "brace never closed": (
        "---\ntitle: P\nruns: {a: {\norder: 1\n---\n",
        "3: a bracket is opened on this line and never",
    ),
    "indentation": ("---\ntitle: P\n  order: 1\n---\n", "3: cannot read this line as YAML: mapping values"),
    "text that goes on, with a hash": (
        "---\ntitle: P\ndescription: a\n  b # c\n---\n",
        '3: "description" ends where YAML begins a comment',
    ),
    "one letter with a hash": ("---\ntitle: t #2\n---\n", '2: "title" ends where YAML begins a comment'),
    "too deep": ("---\ntitle: P\nruns: " + "[" * 900 + "]" * 900 + "\n---\n", "3: this is nested too deeply"),
    "control character": ("---\ntitle: P\x07\n---\n", "2: character U+0007 is not allowed here"),
    "control character, escaped": ('---\ntitle: "P\\0"\n---\n', "2: character U+0000 is not allowed here"),
    "control character in prose": ("a\n\nb\x00c", "6: character U+0000 is not allowed here"),
    "value over several lines": ("---\ntitle: P\norder: |\n  a\n  b\n---\n", '3: "order" must be a number, got "a b"'),
    # runs
    "unknown simulation": (
        "---\ntitle: P\nruns:\n  desk:\n    simulation: prefix-shraing\n---\n",
        '5: unknown simulation "prefix-shraing" (did you mean "prefix-sharing"?)',
    ),
    "unknown parameter": (
        "---\ntitle: P\nruns:\n  desk:\n    simulation: prefix-sharing\n    modle: x\n---\n",
        '6: unknown parameter "modle" (did you mean "model"?)',
    ),
    "parameter's type": (
        "---\ntitle: P\nruns:\n  desk:\n    simulation: prefix-sharing\n    users: {support: many}\n---\n",
        '6: "users.support" must be a whole number, got "many"',
    ),
    "unknown model": (
        "---\ntitle: P\nruns:\n  desk:\n    simulation: prefix-sharing\n    model: llama-3.1-70\n---\n",
        "6: ",
    ),
    # values
    "unknown value": ("\n\nA {{ nope }}.", '6: unknown value "nope"'),
    "unknown fact": (
        RUNS + "\n{{ desk.flor | ms }}\n",
        '9: unknown value: "desk" has no "flor" (did you mean "floor"?)',
    ),
    "unknown run": (RUNS + "{{ dsek.floor }}", '8: unknown value "dsek" (did you mean "desk"?)'),
    "unknown field": (RUNS + "{{ desk.last.nmae }}", '8: unknown value: a step has no "nmae" (did you mean "name"?)'),
    "unknown step": (RUNS + '{{ desk.steps["anna-1"].name }}', '8: unknown step "anna-1" (did you mean "ana-1"?)'),
    "step number": (RUNS + "{{ desk.steps[999].name }}", '8: unknown step "999" (they are numbered from 0 to '),
    "unknown filter": (RUNS + "{{ desk.floor | mss }}", '8: unknown filter "mss" (did you mean "ms"?)'),
    "jinja's own filter": (RUNS + "{{ desk.floor | upper }}", '8: unknown filter "upper"'),
    "precedence": (
        RUNS + "{{ desk.floor - 1 | ms }}",
        "8: in desk.floor - 1 | ms the filter ms takes only the value next to it (write (…) | ms",
    ),
    "filter of text": (RUNS + "{{ desk.last.name | ms }}", '8: ms takes a number, but this is "floor"'),
    "no expression": ("{{ }}", "4: there is no expression between {{ and }}"),
    "not closed": ("A {{ desk.floor and more.", '4: "{{" is left over'),
    "over two lines": (RUNS + "{{ desk.floor\n| ms }}", '8: "{{" is left over'),
    "syntax": (RUNS + "{{ desk. }}", "8: cannot read the expression desk."),
    "statement": (RUNS + "{{ desk.floor }} {{ 1 %}{{ 2 }}", "8: "),
    "private": (RUNS + "{{ desk.__class__ }}", "8: "),
    "not text": (RUNS + "{{ desk.last }}", "8: desk.last is a step, which is neither text nor a number"),
    "none": (
        RUNS + "{{ desk.first.look_closer }}",
        "8: desk.first.look_closer is none, which is neither text nor a number",
    ),
    "division": ("{{ 1 / 0 }}", "4: cannot compute this: division by zero"),
    "power": ("{{ 9 ** 99 }}", "4: cannot compute this: "),
    "in a heading": ("# A {{ nope }}", '4: unknown value "nope"'),
    "in a list": ("- a\n- b {{ nope }}", '5: unknown value "nope"'),
    "in a cell": ("| a |\n|---|\n| {{ nope | ms }} |", '6: unknown value "nope"'),
    "in alternative text": ("![a {{ nope }}](https://example.org/x.png)", '4: unknown value "nope"'),
    "in an address": ("[a](x-{{a}}.md)", "4: values are not filled in inside an address"),
    "in the description": ("---\ntitle: P\ndescription: a {{ nope }}\n---\n", '3: unknown value "nope"'),
    "left in the description": ("---\ntitle: P\ndescription: a {{ nope\n---\n", '3: "{{" without "}}"'),
    # claims
    "false claim": (
        RUNS.replace("runs:", 'claims:\n  - desk.floor | ms == "24 ms"\nruns:'),
        '4: claim fails: desk.floor | ms == "24 ms" (here "23 ms" == "24 ms")',
    ),
    "half a false claim": (
        RUNS.replace("runs:", "claims:\n  - desk.floor < 1 and desk.requests == 0\nruns:"),
        "4: claim fails: desk.floor < 1 and desk.requests == 0 (here ",
    ),
    "no claim": (
        RUNS.replace("runs:", "claims:\n  - desk.floor | ms\nruns:"),
        '4: a claim must be true or false, but desk.floor | ms is "23 ms"',
    ),
    "unknown in a claim": (
        RUNS.replace("runs:", "claims:\n  - desk.flor < 1\nruns:"),
        '4: unknown value: "desk" has no "flor" (did you mean "floor"?)',
    ),
    "claim that is a mapping": (
        RUNS.replace("runs:", 'claims:\n  - desk.last.name == "a: b"\nruns:'),
        "4: ",
    ),
    "claim that starts with a quote": (
        RUNS.replace("runs:", 'claims:\n  - "23 ms" == desk.floor | ms\nruns:'),
        "4: cannot read this line as YAML",
    ),
    "claim that starts with a bracket": (
        RUNS.replace("runs:", "claims:\n  - [1] == [2]\nruns:"),
        "4: ",
    ),
    "claim with a hash": (
        RUNS.replace("runs:", 'claims:\n  - desk.last.name == "a #b"\nruns:'),
        """4: this claim ends where YAML begins a comment, at " #" (quote it: - 'desk.last.name == "a #b"')""",
    ),
    "claim cut to a true one": (
        RUNS.replace("runs:", "claims:\n  - desk.floor < 1 #and desk.floor > 5\nruns:"),
        '4: this claim ends where YAML begins a comment, at " #" (quote it: - "desk.floor < 1 #and desk.floor > 5")',
    ),
    "empty claim": (RUNS.replace("runs:", "claims:\n  -\nruns:"), "4: this claim is empty"),
    "claim in braces": (
        RUNS.replace("runs:", 'claims:\n  - "{{ desk.floor }} < 1"\nruns:'),
        "4: cannot read the expression {{ desk.floor }} < 1 (leave out {{ and }})",
    ),
    "claim with one equals sign": (
        RUNS.replace("runs:", "claims:\n  - desk.floor = 1\nruns:"),
        "4: cannot read the expression desk.floor = 1: unexpected '=' (equal is ==",
    ),
    "claims no list": ("---\ntitle: P\nclaims: 1 == 1\n---\n", '3: "claims" must be a list'),
    # figures
    "no id": (RUNS + FIGURE.replace("id: tree\n", ""), "8: this figure has no id"),
    "bad id": (RUNS + FIGURE.replace("tree", "Tree 1", 1), '9: "Tree 1" cannot be an id'),
    "id twice": (RUNS + FIGURE + FIGURE, '14: a second figure with the id "tree"'),
    "figure's unknown key": (
        RUNS + FIGURE.replace("panels", "pannels"),
        '11: unknown key "pannels" (did you mean "panels"?)',
    ),
    "figure's unknown run": (
        RUNS + FIGURE.replace("run: desk", "run: dsek"),
        '10: unknown run "dsek" (did you mean "desk"?)',
    ),
    "no run": (RUNS + FIGURE.replace("run: desk\n", ""), "8: this figure names no run"),
    "no panels": (RUNS + FIGURE.replace("panels: [request, prefix-tree]\n", ""), "8: this figure has no panels"),
    "unknown panel": (
        RUNS + FIGURE.replace("request", "reqeust"),
        '11: unknown panel "reqeust" (did you mean "request"?)',
    ),
    "id of the theme": (RUNS + FIGURE.replace("tree", "main", 1), '9: the id "main" is taken (choose another'),
    "id no text": (RUNS + FIGURE.replace("tree", "[tree]", 1), '9: "id" must be a text'),
    "run no text": (RUNS + FIGURE.replace("run: desk", "run: [desk]"), '10: "run" must be a text'),
    "run empty": (RUNS + FIGURE.replace("run: desk", "run:"), '10: "run" must not be empty'),
    "simulation empty": (RUNS + FIGURE.replace("run: desk", "simulation:"), '10: "simulation" must not be empty'),
    "simulation of a run no text": (
        "---\ntitle: P\nruns:\n  desk:\n    simulation: [x]\n---\n",
        '5: the simulation of run "desk" must be a name',
    ),
    "caption begins with a value": (
        RUNS + FIGURE.replace("id: tree", "id: tree\ncaption: {{ desk.floor | ms }}"),
        '10: a key must be a text (quote it: caption: "{{ desk.floor | ms }}")',
    ),
    "panel of other steps": (
        RUNS + FIGURE.replace("request, prefix-tree", "hit-rate"),
        '11: panel "hit-rate" needs "rate_axis", "rate_',
    ),
    "unknown key step": (
        RUNS + FIGURE.replace("id: tree", "id: tree\nkey-step: anna-1"),
        '10: unknown step "anna-1" (did you mean "ana-1"?)',
    ),
    "run and simulation": (
        RUNS + FIGURE.replace("run: desk", "run: desk\nsimulation: prefix-sharing"),
        '10: a figure has either "run" or "simulation", not both',
    ),
    "inline parameter": (
        RUNS + FIGURE.replace("run: desk", "simulation: prefix-sharing\nmodle: x"),
        '11: unknown parameter "modle" (did you mean "model"?)',
    ),
    "inline simulation": (
        RUNS + FIGURE.replace("run: desk", "simulation: prefix-shraing"),
        '10: unknown simulation "prefix-shraing"',
    ),
    "figure's YAML": (RUNS + FIGURE.replace("run: desk", "run: desk: x"), "10: cannot read this line as YAML"),
    "doubled key in a figure": (RUNS + FIGURE.replace("run: desk", "run: desk\nrun: desk"), '11: "run" is said twice'),
    "figure in a list": (
        RUNS + "- a\n\n" + "".join(f"  {x}\n" for x in FIGURE.splitlines()),
        "10: a figure cannot stand in a list",
    ),
    "figure in a quote": (
        RUNS + "".join(f"> {x}\n" for x in FIGURE.splitlines()),
        "8: a figure cannot stand in a quote",
    ),
    "figure indented": (
        RUNS + "".join(f"  {x}\n" for x in FIGURE.splitlines()),
        "8: a figure cannot stand in an indented line",
    ),
    "figure indented by four": (
        RUNS + "".join(f"    {x}\n" for x in FIGURE.splitlines()),
        "8: a figure cannot stand in an indented line",
    ),
    "figure in HTML": (RUNS + "<div>\n" + FIGURE + "</div>\n", "9: a figure cannot stand in raw HTML"),
    "figure never closed": (
        RUNS + FIGURE.removesuffix("```\n") + "\nMore prose.\n",
        "8: this figure's fence is never closed",
    ),
    "figure closed by an indented fence": (
        RUNS + FIGURE.removesuffix("```\n") + "    ```\n",
        "8: this figure's fence is",
    ),
    "figure never closed before a code block": (
        RUNS + FIGURE.removesuffix("```\n") + "\ntext\n\n```py\nx\n```\n",
        "8: this figure's fence is never closed (end it with a line ```, alone, before ```py)",
    ),
    "value in the caption": (
        RUNS + FIGURE.replace("id: tree", "id: tree\ncaption: a {{ desk.flor }}"),
        '10: unknown value: "desk" has no "flor"',
    ),
    # links
    "missing page": ("[a](nope.md)", '4: there is no page or file "nope.md"'),
    "nearly a page": ("\n[a](indx.md)", '5: there is no page or file "indx.md" (did you mean "index.md"?)'),
    "missing image": ("a\nb ![x](img/no.png)", '5: there is no page or file "img/no.png"'),
    "missing anchor": ("## Here\n\n[a](#heer)", '6: there is no place "#heer" on this page (did you mean "here"?)'),
    "missing anchor elsewhere": ("[a](index.md#nope)", '4: there is no place "#nope" on index.html'),
    "missing step": (
        RUNS + FIGURE + "[a](#tree=anna-1)",
        '13: figure "tree" has no step "anna-1" (did you mean "ana-1"?)',
    ),
    "missing step number": (RUNS + FIGURE + "[a](#tree=99)", '13: figure "tree" has no step 99'),
    "missing figure": (
        RUNS + FIGURE + "[a](#tre=ana-1)",
        '13: no figure "tre" on the page linked to (did you mean "tree"?)',
    ),
    "outside": ("[a](../secret.md)", '4: "../secret.md" leads out of the content folder'),
    "root-relative": ("[a](/nope/)", '4: there is no page or file "/nope/"'),
    "in another folder": ("[a](b/index.md)", '4: there is no page or file "b/index.md" (did you mean "index.md"?)'),
    "in raw HTML": ('<p>\n<a href="nope.md">x</a>\n</p>', '5: there is no page or file "nope.md"'),
    "in inline HTML": ('A <a href="nope.md">x</a>', '4: there is no page or file "nope.md"'),
    "in srcset": (
        '<img src="https://e.org/a.png" srcset="a.png 1x, https://e.org/b.png 2x">',
        '4: there is no page or file "a.png"',
    ),
    "empty address": ("[a]()", "4: a link without an address"),
    "no such reference": ("[a][b]", "4: [a][b] refers to an address that is not given"),
    "no such footnote": ("a\nb [^x]", "5: there is no footnote [^x]"),
    "space in an address": (
        "a\n[b](two words.md)",
        "5: [b](two words.md) is no link: its address has a space (write [b](<two",
    ),
    "space in an image's": ("![b](my pic.png)", "4: [b](my pic.png) is no link: its address has a space"),
    "script as an address": ("[b](javascript:x)", "4: [b](javascript:x) is no link: an address of this kind"),
    "address without quotes": ("<p>\n<a href=nope.md>x</a>\n</p>", '5: there is no page or file "nope.md"'),
    "id twice in HTML": ("<b id=a>x</b>\n\n<b id='a'>y</b>", '6: the id "a" is taken on this page'),
    "id of a figure in HTML": (RUNS + FIGURE + "\n<b id='tree'>x</b>\n", '14: the id "tree" is taken on this page'),
    "id of the theme in HTML": ("<div>\n<b id=main>x</b></div>\n", '5: the id "main" is taken on this page'),
    # the rest
    "cell too many": (
        "| a |\n|---|\n| `x|y` |",
        "6: this row has 2 cells, but the table has 1 columns (write a | within",
    ),
    "nested too deeply": ("a\n\n" + "> " * 200 + "b", "6: this is nested too deeply to be read"),
    "in a note": ("a^[b {{ nope }}]", '4: unknown value "nope"'),
    "link in a note": ("a\nb^[c [d](nope.md)]", '5: there is no page or file "nope.md"'),
    "fence of nearly a figure": (
        RUNS + FIGURE.replace("```figure", "```{figure}"),
        '8: a fence of "{figure}" is no figure',
    ),
    "state word": ("==resued==", '4: unknown state "resued" (did you mean "reused"?)'),
    "formula never closed": ("$$\na\n\nb", "4: this formula is never closed"),
    "not UTF-8": (b"---\ntitle: P\n---\nCaf\xe9\n", "4: this is not UTF-8"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_one_line_for_one_mistake(name, messages):
    text, expected = MISTAKES[name]
    lines = messages({"index": "Home.", "p": text})
    assert len(lines) == 1, lines
    assert lines[0].startswith(f"content/p.md:{expected}"), lines[0]


def test_a_line_that_is_no_yaml_hides_no_other(messages):
    """Six lines that YAML cannot read, or reads otherwise, between mistakes of other kinds: all in one run."""
    text = """---
title: *x
draft: !!bool true
slug: "a
description: a: b
order: @1
runs:
  a: &a {simulation: nope}
  b: {simulation: nope}
claims:
  - "x" == 1
  - [1] == 2
  - 1 == 2
foo: 1
---
{{ a.floor }} {{ c.floor }}
"""
    assert [line.split(":")[1] for line in messages({"p": text})] == [
        *("2", "3", "4", "5", "6", "8", "9", "11", "12", "13", "14", "16")
    ]


def test_ends_of_lines_that_only_yaml_knows_are_characters(site, messages):
    made = site({"p": "---\ntitle: A\u2028B\u0085C\norder: 1\n---\n"})
    assert "<title>A\u2028B\u0085C" in made.files["p.html"].decode()
    assert messages({"p": "---\ntitle: A\u2028B\nfoo: 1\n---\n"})[0].startswith("content/p.md:3:")


def test_code_that_looks_like_a_figure_is_code(messages):
    assert messages({"p": "```figure``` is how a figure begins, as in `x`.\n"}) == []


@pytest.mark.parametrize("text", [b"Caf\xe9", b"no front matter", b"---\ntitle: P\n", b"---\ntitle: P\n---\n\x00"])
def test_a_page_that_cannot_be_read_is_there_for_those_that_link_to_it(text, messages):
    assert len(messages({"p": text, "q": "[p](p.md) [p](p.md#there)"})) == 1


def test_all_that_is_wrong_with_a_figure_comes_in_one_run(messages):
    """Whether or not its run can be made."""
    fence = FIGURE.replace("request", "reqeust") + "caption: x\n"
    fence = fence.replace("```\ncaption: x\n", 'caption: "{{ nope }} {{ desk.flor }}"\n```\n')
    for run in ("dsek", "desk"):
        lines = messages({"p": RUNS + fence.replace("run: desk", f"run: {run}")})
        assert [line.split(": ")[1] for line in lines[-3:]] == ['unknown panel "reqeust" (did you mean "request"?)',
            'unknown value "nope" (known', "unknown value"], lines  # fmt: skip
        assert len(lines) == 3 + (run == "dsek")


def test_every_value_of_a_description_is_looked_at(messages):
    assert len(messages({"p": '---\ntitle: "{{ a }} {{ b }}"\ndescription: "{{ c }} {{ d }} {{"\n---\n'})) == 5


LOGS = {
    "empty": (b"", "it holds no request"),
    "no text": (b"\xff", "it is not a text in UTF-8"),
    "no log": (b"hello", "line 1: not JSON"),
    "too deep": (b"[" * 99999, "line 1: not JSON"),
}


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("simulation", ["traffic", "session-count"])
def test_a_log_that_is_none_is_said_where_it_is_named(simulation, name, messages):
    content, expected = LOGS[name]
    text = f"---\ntitle: P\nruns:\n  r:\n    simulation: {simulation}\n    log: log.jsonl\n---\n"
    assert messages({"p": text, "log.jsonl": content}) == [f'content/p.md:6: "log": {expected}']


PARAMETERS = {
    ("paging", "people: 1000000"): '"people": is 1,000,000 (at most 1,000)',
    (
        "session-count",
        "most: 100000000",
    ): '"most": 100,000,000 sessions are more than a figure can show (at most 1,000)',
    ("returns", "median-pause-seconds: 0.0000001"): '"median-pause-seconds": is 1e-07 (from 1 to 600)',
}


@pytest.mark.parametrize(("simulation", "line"), PARAMETERS)
def test_no_parameter_makes_a_build_endless(simulation, line, messages):
    text = f"---\ntitle: P\nruns:\n  r:\n    simulation: {simulation}\n    {line}\n---\n"
    assert messages({"p": text}) == [f"content/p.md:6: {PARAMETERS[simulation, line]}"]


def test_parameters_that_a_simulation_cannot_bear_are_the_pages_mistake(messages, monkeypatch):
    from generator.simulations import prefix_sharing

    def facts(scenario, _steps):
        return {"seed": 1 / (scenario.seed - 5)}

    monkeypatch.setattr(prefix_sharing, "facts", facts)
    text = "---\ntitle: P\nruns:\n  r:\n    simulation: prefix-sharing\n    seed: 5\n---\n"
    assert messages({"p": text}) == [
        'content/p.md:5: "prefix-sharing" cannot be run with these parameters: division by zero '
        "(with its defaults it runs)"
    ]
