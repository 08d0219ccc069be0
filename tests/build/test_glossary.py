"""The glossary: first uses lead to it, and each mistake in it is one line."""

from __future__ import annotations

import re

import pytest

from generator.glossary import finder

GLOSSARY = "KV cache\n: Keys and values, the prefix of a prompt.\n\nPrefix\n: A beginning.\n"


def html(made, name: str) -> str:
    return made.files[f"{name}.html"].decode("utf-8")


def links(made, name: str) -> list[tuple[str, str]]:
    return re.findall(r'<a href="([^"]+)" class="term">([^<]+)</a>', html(made, name))


def test_the_first_use_of_a_term_leads_to_the_glossary(site):
    prose = "## The prefix\n\n`prefix` [prefix](../index.md) A **Prefix**, a prefix; KV\ncaches, KV cache.\n"
    made = site({"index": "Home.", "glossary": GLOSSARY, "guide/a": prose, "b": "No terms."})
    assert links(made, "guide/a") == [
        ("../glossary.html#term-prefix", "Prefix"),
        ("../glossary.html#term-kv-cache", "KV\ncaches"),
    ]
    assert '<dt id="term-kv-cache">KV cache</dt>' in html(made, "glossary")
    assert 'class="term"' not in html(made, "glossary") + html(made, "b")


@pytest.mark.parametrize(
    ("prose", "linked"),
    [
        ("**A prefix counts.** Then a prefix.", "Then a <a prefix</a>."),
        ("**A prefix counts.** Then more.", "<strong>A <a prefix</a> counts.</strong>"),
        ("A **prefix** counts.", "<strong><a prefix</a></strong>"),
        ("| prefix |\n|---|\n| prefix |\n\n- A *prefix*.", "<em><a prefix</a></em>"),
        ("==held== <a href='https://example.org'>prefix</a> <kbd>prefix</kbd> prefix", "</kbd> <a prefix</a>"),
        ("> A prefix.", "<blockquote>\n<p>A <a prefix</a>."),
        ("pre-prefix, prefix-like, _prefix_.", "<em><a prefix</a></em>"),
        ("A formula $prefix$, a prefix", ", a <a prefix</a>"),
        ("A note.[^1] Prefix\n\n[^1]: prefix", "</sup> <a Prefix</a>"),
    ],
)
def test_where_a_term_is_linked(prose, linked, site):
    glossary = "Prefix\n: A beginning.\n"
    page = html(site({"glossary": glossary, "a": prose}), "a")
    assert page.count('class="term"') == 1
    assert linked.replace("<a ", '<a href="glossary.html#term-prefix" class="term">') in page


def test_a_link_by_the_author_is_the_link_of_its_term(site):
    made = site({"glossary": "Turn\n: A message.\n", "a": "It turns out well. The [turn](glossary.md#term-turn) ends."})
    assert links(made, "a") == [] and 'href="glossary.html#term-turn">turn</a>' in html(made, "a")


def test_other_forms_of_a_term_lead_to_it_too(site):
    made = site({"glossary": "Eviction (evict, evicted)\n: A loss.\n", "a": "It is Evicted.", "b": "Evictions."})
    assert links(made, "a") == [("glossary.html#term-eviction", "Evicted")]
    assert links(made, "b") == [("glossary.html#term-eviction", "Evictions")]
    assert '<dt id="term-eviction">Eviction <span class="forms">(evict, evicted)</span></dt>' in html(made, "glossary")


@pytest.mark.parametrize(
    ("term", "use"),
    [
        ("prefix", "prefixes"),
        ("policy", "policies"),
        ("batch", "Batches"),
        ("time to first token", "times to first token"),
        ("key-value head", "key-value\nheads"),
        ("system prompt", "system-prompt"),
        ("day", "days"),
        ("C++", "c++"),
    ],
)
def test_plurals_capitals_and_joints(term, use):
    assert [match[0] for _, match in finder([[term]]).uses(f"a {use}, a")] == [use]


def test_the_longest_term_wins():
    terms = [["prefix"], ["cache", "KV cache"], ["prefix cache"]]
    found = [
        (number, match[0]) for number, match in finder(terms).uses("the prefix cache, a prefix, KV caches, cached")
    ]
    assert found == [(2, "prefix cache"), (0, "prefix"), (1, "KV caches")]


GOOD = "Prefix\n: A beginning.\n\n"
MISTAKES = {
    "twice": ("Prefixes\n: Ends.\n", '7: "Prefixes" is defined twice (the first is on line 4) (keep one of them)'),
    "a plural first": (
        "Sets\n: Ends.\n\nSet\n: End.\n",
        '10: "Set" is defined twice (the first is on line 7) (keep one of them)',
    ),
    "another form twice": ("Start (prefix)\n: A start.\n", '7: "prefix" is defined twice (the first is on line 4)'),
    "no page uses it": ("Suffix\n: An end.\n", '7: no page uses the term "Suffix" (take it out, or '),
    "two sentences": ("Block\n: A piece. It is small.\n", '7: "Block" is explained in more than one sentence'),
    "a question": ("Block\n: A piece? Yes.\n", '7: "Block" is explained in more than one sentence'),
    "two meanings": ("Block\n: A piece.\n: Another.\n", '7: "Block" is explained in more than one sentence'),
    "two paragraphs": ("Block\n: A piece.\n\n    More\n", '7: "Block" is explained in more than one sentence'),
    "a list": ("Block\n: - A piece.\n  - More.\n", '7: "Block" is explained in more than one sentence'),
    "no sentence": ("Block\n: A piece\n", '7: the meaning of "Block" does not end like a sentence (end it with a '),
    "no meaning": ("Block\n: ---\n", '7: "Block" has no meaning (write it on the next line'),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_one_line_for_one_mistake(name, messages):
    text, expected = MISTAKES[name]
    lines = messages({"glossary": GOOD + text, "a": "A prefix of blocks, sets."})
    assert len(lines) == 1, lines
    assert lines[0].startswith(f"content/glossary.md:{expected}"), lines[0]


@pytest.mark.parametrize(
    "meaning",
    ["A piece, e.g. of 16.", "Between 0.5 and T.", "A piece (see [a](a.md)).", "Is it *one*?", "16 tokens, etc."],
)
def test_one_sentence_is_one_sentence(meaning, messages):
    assert messages({"glossary": f"Block\n: {meaning}\n", "a": "A block."}) == []


def test_a_link_to_no_term_is_said(messages):
    pages = {"glossary": GOOD, "a": "A prefix.\n\nA [block](glossary.md#term-prefx)."}
    assert messages(pages) == [
        'content/a.md:6: there is no place "#term-prefx" on glossary.html (did you mean "term-prefix"?)'
    ]


def test_a_term_of_a_draft_is_used(messages):
    assert messages({"glossary": GOOD, "a": "---\ntitle: A\ndraft: true\n---\nA prefix.\n"}) == []


def test_where_a_page_cannot_be_read_nothing_is_called_unused(messages):
    lines = messages({"glossary": GOOD, "a": b"---\ntitle: A\n---\nA pr\xe9fix.\n", "b": "---\ntitle: [\n---\n"})
    assert [line.partition(":")[0] for line in lines] == ["content/a.md", "content/b.md"]


def test_definition_lists_of_other_pages_are_free(messages):
    assert messages({"a": "Block\n: A piece. And more\n\nBlock\n: Again\n"}) == []
