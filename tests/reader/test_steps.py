"""A reader steps: with the mouse, with keys, with the slider, from disk and over HTTP."""

from __future__ import annotations

import pytest


@pytest.fixture
def figure(reading, base, figure_of):
    return figure_of(reading(base + "sharing.html")).bring()


def test_it_opens_on_the_key_step_and_nothing_moves_by_itself(figure):
    assert figure.step == figure.key > 0
    figure.page.wait_for_timeout(1500)
    assert figure.step == figure.key
    assert not figure.page.evaluate("'Plotly' in window")
    assert figure.page.url.endswith("sharing.html")


def test_the_first_next_starts_at_the_beginning_then_goes_on(figure):
    for expected in (0, 1, 2, 3):
        figure.press("next")
        assert figure.step == expected
    figure.press("previous")
    assert figure.step == 2
    figure.drawn()
    figure.page.wait_for_function("id => location.hash === id", arg=f"#{figure.id}={figure.name(2)}")
    figure.page.wait_for_timeout(100)
    assert set(figure.shown()) == {2}


def test_keys_step_when_the_figure_has_the_focus(figure):
    keyboard = figure.page.keyboard
    keyboard.press("ArrowRight")
    assert figure.step == figure.key
    figure.root.focus()
    beats = [
        k for k in range(figure.last + 1) if figure.lines.nth(k).locator("xpath=preceding-sibling::li").count() == 0
    ]
    for key, expected in [
        ("ArrowRight", 0), ("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowLeft", 0), ("PageDown", beats[1]),
        ("PageDown", beats[2]), ("PageUp", beats[1]), ("End", figure.last), ("ArrowRight", figure.last),
        ("PageUp", beats[-1]), ("Home", 0),
    ]:  # fmt: skip
        keyboard.press(key)
        assert figure.step == expected, key


def test_keys_on_the_slider_do_the_same(figure):
    figure.slider.focus()
    figure.page.keyboard.press("Home")
    figure.page.keyboard.press("ArrowRight")
    figure.page.keyboard.press("PageDown")
    assert figure.step > 2
    figure.page.keyboard.press("End")
    assert figure.step == figure.last


def test_the_slider_drags(figure):
    box = figure.slider.bounding_box()
    mouse, middle = figure.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] / 2, middle)
    mouse.down()
    mouse.move(box["x"] + 9, middle, steps=8)
    mouse.up()
    assert figure.step == 0
    assert figure.slider.get_attribute("aria-valuetext") == f"step 0 of {figure.last}"


def test_arrow_keys_elsewhere_are_the_pages(figure):
    figure.page.locator(".site-name").focus()
    for key in ("ArrowRight", "PageDown", "Home", "End"):
        figure.page.keyboard.press(key)
    assert figure.step == figure.key


def test_buttons_say_where_the_ends_are(figure):
    figure.root.focus()
    figure.page.keyboard.press("End")
    assert figure.stage.locator("button.next").get_attribute("aria-disabled") == "true"
    figure.page.keyboard.press("Home")
    assert figure.stage.locator("button.previous").get_attribute("aria-disabled") == "true"
    assert figure.stage.locator("button.next").get_attribute("aria-disabled") == "false"


def test_every_step_is_drawn_and_read(figure):
    figure.drawn().root.focus()
    figure.page.keyboard.press("Home")
    for step in range(figure.last):
        assert figure.step == step
        figure.page.keyboard.press("ArrowRight")
    assert figure.step == figure.last
    figure.page.wait_for_timeout(600)
    assert set(figure.shown()) == {figure.last}


def test_each_live_caption_is_announced_politely(figure):
    assert figure.caption.get_attribute("aria-live") == "polite"
    assert figure.caption.get_attribute("aria-atomic") == "true"
