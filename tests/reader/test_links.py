"""Every step is a place: with a link from outside, from the prose, and without scripts."""

from __future__ import annotations

import pytest

WINDOW = "({scrollY, innerHeight})"


def test_an_address_opens_its_step(reading, base, figure_of):
    page = reading(f"{base}sharing.html#tree=ben-1")
    figure = figure_of(page)
    assert figure.name(figure.step) == "ben-1"
    assert figure.stage.bounding_box()["y"] == pytest.approx(0, abs=12)
    figure.drawn()
    assert {figure.name(step) for step in figure.shown()} == {"ben-1"}
    figure.press("next")
    assert figure.name(figure.step - 1) == "ben-1"


@pytest.mark.parametrize(("fragment", "step"), [("tree=3", 3), ("tree=0", 0)])
def test_a_number_works_too(reading, served, figure_of, fragment, step):
    assert figure_of(reading(f"{served}sharing.html#{fragment}")).step == step


@pytest.mark.parametrize("fragment", ["tree=nobody", "tree=99", "other=1", "tree", "%E0%A4%A"])
def test_an_address_of_no_step_is_no_matter(reading, served, figure_of, fragment):
    figure = figure_of(reading(f"{served}sharing.html#{fragment}"))
    assert figure.step == figure.key


def test_an_address_typed_later_is_followed(reading, served, figure_of):
    figure = figure_of(reading(f"{served}sharing.html"))
    figure.page.evaluate("location.hash = '#tree=mina-1'")
    figure.page.wait_for_function("id => Flipbook.players.get(id).step !== Flipbook.players.get(id).key", arg=figure.id)
    assert figure.name(figure.step) == "mina-1"


def test_a_link_in_the_prose_moves_the_figure_and_nothing_else(reading, base, figure_of):
    page = reading(base + "sharing.html")
    figure = figure_of(page)
    link = page.locator('.prose > p a[href^="#tree="], .prose > ul a[href^="#tree="]').first
    link.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    wanted = link.get_attribute("href").split("=")[1]
    link.click()
    assert figure.name(figure.step) == wanted
    assert page.evaluate("scrollY") == before
    assert link.get_attribute("aria-current") == "true"
    figure.press("next") if figure.stage.locator("button.next").is_visible() else None
    page.evaluate("id => Flipbook.players.get(id).go(0)", figure.id)
    assert link.get_attribute("aria-current") is None


def test_a_second_click_goes_to_a_figure_out_of_sight(reading, served, figure_of):
    page = reading(served + "sharing.html", height=400)
    figure = figure_of(page)
    link = page.locator('.prose > p a[href^="#tree="]').last
    link.evaluate("link => link.scrollIntoView({block: 'end'})")
    link.click()
    assert figure.stage.bounding_box()["y"] < -100
    link.click()
    assert figure.stage.bounding_box()["y"] == pytest.approx(0, abs=12)


def test_without_scripts_the_link_lands_on_the_line(reading, base):
    page = reading(f"{base}sharing.html#tree=ben-1", java_script_enabled=False)
    line = page.locator('[id="tree=ben-1"]')
    box = line.bounding_box()
    assert box and 0 <= box["y"] < 800
    assert line.evaluate("line => line.matches(':target')")
    here, other = (
        page.locator(f'[id="tree={name}"]').evaluate("line => getComputedStyle(line).backgroundColor")
        for name in ("ben-1", "ana-1")
    )
    assert here != other


def test_without_scripts_the_page_still_teaches(reading, base):
    page = reading(base + "sharing.html", java_script_enabled=False)
    lines = page.locator(".steps li[value]")
    assert lines.count() > 15
    assert all(lines.nth(k).is_visible() for k in range(lines.count()))
    assert all(page.locator(".for-desktop svg").nth(k).is_visible() for k in range(page.locator(".panel").count()))
    assert not page.locator(".controls, .theme-toggle, .list-button, .copy").filter(visible=True).count()
    page.locator('.prose a[href="#tree=ben-1"]').first.click()
    assert 0 <= page.locator('[id="tree=ben-1"]').bounding_box()["y"] < 800
