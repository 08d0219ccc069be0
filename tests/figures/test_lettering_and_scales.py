"""Labels that fit, round ticks, a stable order of all that ever appears, and names of panels."""

from __future__ import annotations

import pytest

from generator import drawing, lettering
from generator.drawing import missing_fields, panels
from generator.errors import UnknownName
from generator.scales import linear, logarithmic, round_ticks
from generator.unions import filled, in_order
from generator.units import ms, tokens


def test_the_first_label_that_fits_is_taken_or_none():
    labels = ("support prompt · 2,048", *lettering.shorter("support prompt"))
    assert labels[1:] == ("support prompt", "support")
    assert lettering.fit(labels, 1000) == labels[0]
    assert lettering.fit(labels, lettering.width("support prompt")) == "support prompt"
    assert lettering.fit(labels, lettering.width("support") + 0.1) == "support"
    assert lettering.fit(labels, 5) == ""


def test_bold_and_longer_texts_are_wider():
    assert lettering.width("Hana", bold=True) > lettering.width("Hana") > lettering.width("Han") > 0


def test_letters_are_as_wide_as_the_widest_system_font_has_them(browser):
    """Against DejaVu Sans where the browser has it, else whatever it has: never narrower by more than 3 %."""
    page = browser.new_page()
    page.set_content("<canvas></canvas>")
    measure = """text => { const pen = document.querySelector("canvas").getContext("2d");
      pen.font = "12px 'DejaVu Sans', system-ui, sans-serif"; return pen.measureText(text).width; }"""
    for text in ("support prompt · 2,048", "3,000 tokens", "floor 22.7 ms", "Hana", "60 to compute", "WMwm@% 100"):
        assert lettering.width(text) >= 0.97 * page.evaluate(measure, text), text


@pytest.mark.parametrize(
    ("high", "most", "ticks"),
    [
        (562, 3, (0, 200, 400)),
        (562, 1, (0, 500)),
        (3650, 7, (0, 500, 1000, 1500, 2000, 2500, 3000, 3500)),
        (26_000, 3, (0, 10_000, 20_000)),
        (30, 3, (0, 10, 20, 30)),
        (30, 1, (0, 30)),
        (1, 2, (0, 0.5, 1)),
    ],
)
def test_round_ticks(high, most, ticks):
    assert round_ticks(high, most) == pytest.approx(ticks)


@pytest.mark.parametrize("high", [0.0007 * 1.37**k for k in range(60)])
@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_there_is_always_a_tick_above_nought_and_never_too_many(high, most):
    assert 2 <= len(round_ticks(high, most)) <= most + 1


def test_an_axis_of_nothing_is_refused():
    with pytest.raises(ValueError, match="positive end: 0"):
        round_ticks(0, 3)


def test_the_unit_stands_in_the_last_tick_only():
    assert [text for _, text in linear(3650, most=3, last=tokens).ticks] == ["0", "1,000", "2,000", "3,000 tokens"]
    axis = logarithmic(0.01, 2, text=lambda s: ms(s)[:-3], last=ms)
    assert [text for _, text in axis.ticks] == ["10", "100", "1,000 ms"]
    assert axis.value(axis.fraction(0.5)) == pytest.approx(0.5)


def test_newcomers_stand_behind_what_they_follow():
    assert in_order([["a", "c"], ["a", "b", "c"], ["x", "a"], []]) == ["x", "a", "b", "c"]


def test_what_is_absent_is_told_by_what_comes_next():
    assert filled([None, 1, None, 2, None]) == [1, 1, 2, 2, 2]


def test_panels_are_found_by_file_name_and_tell_what_they_miss():
    assert {"request", "prefix-tree", "time-to-first-token", "cache-memory"} <= set(panels())

    class Half:
        request = "Ana"
        held_tokens = 1

    assert missing_fields("cache-memory", Half()) == ["held_tokens_without", "capacity_tokens"]
    with pytest.raises(UnknownName) as failure:
        missing_fields("prefix-treee", Half())
    assert failure.value.hint == 'did you mean "prefix-tree"?'


def test_panels_under_each_other_share_axis_and_ticks(real):
    modules = [drawing._module(name) for name in ("request", "prefix-tree", "time-to-first-token", "cache-memory")]
    for width in (drawing.DESKTOP, drawing.PHONE):
        strip, tree, time, memory = drawing.arrange([module.layout(real, width) for module in modules])
        assert (strip.x.low, strip.x.high) == (tree.x.low, tree.x.high)
        assert strip.margins.left == tree.margins.left and strip.margins.right == tree.margins.right
        assert not strip.x.shown and tree.x.shown and memory.x.shown
        assert time.x.shown is (width == drawing.DESKTOP)
        phone_heights = strip.height + tree.height, time.height + memory.height
        assert width == drawing.DESKTOP or phone_heights <= (218, 156)
