"""Half panels: two by two, and one that is left over takes the whole width."""

from __future__ import annotations

from generator.drawing import DESKTOP, draw_figure, paired
from generator.figures import cache_memory, request, time_to_first_token


def test_a_half_panel_that_is_left_over_is_wide(hand_made):
    whole, times, memory = (panel.layout(hand_made, DESKTOP) for panel in (request, time_to_first_token, cache_memory))
    assert [layout.half for layout in paired([whole, times, memory])] == [False, True, True]
    alone = paired([whole, times])[1]
    assert not alone.half and alone.width == DESKTOP
    assert [layout.half for layout in paired([times, memory, memory])] == [True, True, False]
    assert [layout.half for layout in paired([times, whole, memory])] == [False, False, False]


def test_it_is_drawn_wide(hand_made):
    panels = draw_figure(["request", "time-to-first-token"], hand_made, 3)
    assert [panel.half for panel in panels] == [False, False]
    assert panels[1].data["layout"]["width"] == DESKTOP
    assert panels[1].data["phone"]["layout"]["width"] == 343
