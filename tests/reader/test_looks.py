"""Colours, themes and paper; and what a reader sees when Plotly does not come."""

from __future__ import annotations

import re

import pytest

from generator import bundle
from generator.marks import STATES

FILLS = """() => Object.fromEntries(["reused", "held"].map((state) => {
  const box = document.querySelector(`.for-desktop .fill.state-${state}`);
  return [state, getComputedStyle(box).fill];
}))"""
BARS = "() => [...new Set([...document.querySelectorAll('.plot .bars path')].map((bar) => getComputedStyle(bar).fill))]"
TICK = "() => getComputedStyle(document.querySelector('.plot .xtick text')).fill"
BLUE, GREY = "rgb(86, 180, 233)", "rgb(180, 193, 207)"


def test_still_and_animation_have_the_same_colours(reading, served, figure_of):
    figure = figure_of(reading(served + "sharing.html")).drawn()
    assert figure.page.evaluate(FILLS) == {"reused": BLUE, "held": GREY}
    assert {BLUE, GREY} <= set(figure.page.evaluate(BARS))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_toggle_turns_the_colours_and_is_remembered(reading, served, figure_of, scheme):
    page = reading(served + "sharing.html", color_scheme=scheme)
    figure_of(page).drawn()
    paper, tick = page.evaluate("getComputedStyle(document.documentElement).backgroundColor"), page.evaluate(TICK)
    toggle = page.locator(".theme-toggle")
    assert toggle.get_attribute("aria-pressed") == str(scheme == "dark").lower()
    toggle.click()
    turned = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert turned != paper
    page.wait_for_function(
        "before => getComputedStyle(document.querySelector('.plot .xtick text')).fill !== before", arg=tick
    )
    page.goto(served + "index.html")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == turned
    page.locator(".theme-toggle").click()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == paper
    assert page.evaluate("localStorage.length") == 0


def test_a_change_of_the_system_is_followed(reading, served, figure_of):
    page = reading(served + "sharing.html", color_scheme="light")
    figure = figure_of(page).drawn()
    tick = page.evaluate(TICK)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "before => getComputedStyle(document.querySelector('.plot .xtick text')).fill !== before", arg=tick
    )
    assert figure.step == figure.key


def test_a_turned_phone_gets_the_other_drawing(reading, served, figure_of):
    page = reading(served + "sharing.html", width=1000, height=700)
    figure = figure_of(page).drawn()
    figure.root.focus()
    page.keyboard.press("Home")
    for width in (375, 1000):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_timeout(800)
        drawings = page.evaluate(
            "[...document.querySelectorAll('.drawing')].map((d) => d.getBoundingClientRect().width)"
        )
        plots = page.evaluate("[...document.querySelectorAll('.plot')].map((p) => p.getBoundingClientRect().width)")
        assert plots == pytest.approx(drawings, abs=0.5)
        assert set(figure.shown()) == {0}


@pytest.mark.parametrize("width", [320, 375, 768, 820, 899, 900, 1024, 1200])
def test_text_in_a_figure_is_neither_too_small_nor_larger_than_the_pages(reading, served, width):
    page = reading(served + "sharing.html", width=width)
    size, text = page.evaluate(
        """() => {
          const still = [...document.querySelectorAll(".figure .still")].find((still) => still.checkVisibility());
          const scale = still.getBoundingClientRect().width / still.viewBox.baseVal.width;
          return [12 * scale, parseFloat(getComputedStyle(document.documentElement).fontSize)];
        }"""
    )
    assert 9.8 <= size <= text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper_there_is_the_still_and_every_caption(reading, served, figure_of, scheme):
    page = reading(served + "sharing.html", color_scheme=scheme)
    figure = figure_of(page).drawn()
    page.emulate_media(media="print", color_scheme=scheme)
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert figure.root.locator(".controls, .more, .plot, .caption").filter(visible=True).count() == 0
    assert all(figure.lines.nth(k).is_visible() for k in range(figure.last + 1))
    stills = figure.root.locator(".for-desktop .still")
    assert all(stills.nth(k).is_visible() for k in range(stills.count()))


def test_the_key_has_at_most_five_states_and_their_swatches(reading, served):
    page = reading(served + "sharing.html")
    words = page.locator("figure .key .state").all_inner_texts()
    assert 1 <= len(words) <= 5
    assert words == [state for state in STATES if state in words]


def test_controls_and_links_are_ink(reading, served):
    page = reading(served + "sharing.html")
    ink = page.evaluate("getComputedStyle(document.body).color")
    for part in ("button.play", "button.next", ".prose a:not(.term)"):
        assert page.locator(part).first.evaluate("element => getComputedStyle(element).color") == ink


def test_captions_go_on_when_plotly_cannot_be_loaded(reading, served, figure_of):
    page = reading(served + "404.html", faults=True)
    page.route(re.compile(r"plotly[^/]*\.js$"), lambda route: route.abort())
    page.goto(served + "sharing.html")
    figure = figure_of(page).bring()
    figure.press("next")
    assert figure.step == 0
    notice = figure.stage.locator(".notice")
    notice.wait_for()
    assert f"step {figure.key}" in notice.inner_text()
    figure.press("next")
    assert figure.step == 1
    figure.root.focus()
    page.evaluate("id => Flipbook.players.get(id).go(Flipbook.players.get(id).key)", figure.id)
    assert not notice.is_visible()


def test_captions_do_not_wait_for_plotly(reading, served, figure_of):
    page = reading(served + "404.html")
    held = []
    page.route(re.compile(r"plotly[^/]*\.js$"), lambda route: held.append(route))
    page.goto(served + "sharing.html")
    figure = figure_of(page).bring()
    for expected in (0, 1):
        figure.press("next")
        assert figure.step == expected
    page.wait_for_timeout(200)
    for route in held:
        route.continue_()
    figure.drawn()
    assert set(figure.shown()) == {1}


def test_the_full_bundle_of_the_wheel_keeps_the_policy_too(reading, served, figure_of, tmp_path):
    def refuse() -> bytes:
        raise OSError("no registry")

    wheel = bundle.plotly(tmp_path, fetch=refuse)
    page = reading(served + "404.html")
    page.route(
        re.compile(r"plotly[^/]*\.js$"), lambda route: route.fulfill(body=wheel.js, content_type="text/javascript")
    )
    page.goto(served + "sharing.html")
    figure = figure_of(page).drawn()
    figure.root.focus()
    for key in ("Home", "ArrowRight", "ArrowRight", "End"):
        page.keyboard.press(key)
        page.wait_for_timeout(300)
    assert set(figure.shown()) == {figure.last}
