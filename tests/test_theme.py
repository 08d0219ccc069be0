"""The theme: whose files win, what an asset is called, and what a template may not do."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
import pytest

from generator import shipped, theme
from generator.marks import PAINTS, css_class
from generator.primitives import outline_paint

SHIPPED = shipped.theme()


def sheet(of: theme.Theme) -> str:
    """The one style sheet of every page."""
    return of.assets()[of.asset_url("flipbook.css")].decode("utf-8")


def test_the_projects_own_files_win_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "not-found.html").write_text("ours: {{ page }}", encoding="utf-8")
    (tmp_path / "icon.svg").write_bytes(b"<svg/>")
    mine = theme.load(tmp_path)
    assert mine.render("not-found.html", page="<here>") == "ours: &lt;here&gt;"
    assert mine.assets()[mine.asset_url("icon.svg")] == b"<svg/>"
    assert sheet(mine) == sheet(theme.load())


def test_the_style_sheet_is_made_of_its_parts_in_order(tmp_path: Path) -> None:
    (tmp_path / "css").mkdir()
    (tmp_path / "css/20-type.css").write_text("b { color: var(--mine) }", encoding="utf-8")
    (tmp_path / "css/99-mine.css").write_text("i { color: var(--mine) }", encoding="utf-8")
    mine = theme.load(tmp_path)
    assert sheet(mine).endswith("i { color: var(--mine) }")
    assert "--paper" in sheet(mine) and "b { color: var(--mine) }" in sheet(mine)
    assert "text-wrap: balance" in sheet(theme.load()) and "text-wrap: balance" not in sheet(mine)
    assert not [name for name in mine.names if name.startswith("css/")]
    (tmp_path / "flipbook.css").write_text("u { color: var(--mine) }", encoding="utf-8")
    assert sheet(theme.load(tmp_path)) == "u { color: var(--mine) }"


def test_an_assets_name_changes_with_its_content() -> None:
    one, two = (theme.load(None, {"plotly.js": content}) for content in (b"1", b"2"))
    assert one.asset_url("plotly.js") != two.asset_url("plotly.js")
    assert re.fullmatch(r"assets/plotly\.[0-9a-f]{10}\.js", one.asset_url("plotly.js"))
    assert one.asset_url("flipbook.css") == two.asset_url("flipbook.css")


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        theme.load().render("not-found.html", root="")


def test_no_template_has_a_script_or_a_style_of_its_own() -> None:
    for template in SHIPPED.glob("*.html"):
        text = template.read_text(encoding="utf-8")
        assert not re.search(r"\sstyle=|<style|\son[a-z]+=", text), template.name
        for script in re.findall(r"<script[^>]*>", text):
            assert "src=" in script or 'type="application/json"' in script


def test_colours_are_named_in_one_block() -> None:
    css = sheet(theme.load())
    root = re.search(r"^:root \{.*?^\}", css, re.M | re.S)
    assert root
    assert not re.findall(r"#[0-9a-f]{3,8}\b|\brgba?\(", css.replace(root.group(), ""))


@pytest.mark.parametrize("paint", PAINTS)
def test_every_paint_has_its_colours(paint: str) -> None:
    css = sheet(theme.load())
    assert f".{css_class(paint)} {{ --fill: " in css


@pytest.mark.parametrize("paint", PAINTS)
def test_the_still_has_the_outlines_of_the_frames(paint: str) -> None:
    default, *others = re.findall(r"^\S.*\{\s+--outline: var\(--(.+)\);\s+\}", sheet(theme.load()), re.M)
    own = re.search(rf"^\.{css_class(paint)} \{{ --outline: var\(--(.+)\); \}}", sheet(theme.load()), re.M)
    assert (own[1] if own else default) == outline_paint(paint)
    assert default == "on-fill" and others


def test_the_player_counts_paints_as_the_frames_do() -> None:
    script = (SHIPPED / "palette.js").read_text(encoding="utf-8")
    listed = re.search(r"PAINTS = \[(.*?)\]", script, re.S)
    assert listed
    assert tuple(re.findall(r'"([^"]+)"', listed.group(1))) == PAINTS
