"""A mistake in a project's own template is an author's mistake: one line with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import AuthorError


@pytest.mark.parametrize(
    ("template", "line"),
    [("ok\n{% if %}", 2), ("\n\n{{ page.nope }}", 3), ("{{ asset('nope.css') }}", 1), ("{{ nope() }}", 1)],
)
def test_a_broken_template_is_one_line(template, line, site):
    Path("theme").mkdir()
    Path("theme/page.html").write_text(template, "utf-8")
    with pytest.raises(AuthorError) as error:
        site({"p": "Text."}, theme=Path("theme"))
    (problem,) = error.value.problems
    assert str(problem).startswith(f"theme/page.html:{line}: this template cannot be filled in: ")


def test_a_template_of_ones_own_is_used(site):
    Path("theme").mkdir()
    Path("theme/page.html").write_text("{{ page.title }}: {{ page.body_html|safe }}", "utf-8")
    assert site({"p": "Text."}, theme=Path("theme")).files["p.html"] == b"P: <p>Text.</p>\n"
