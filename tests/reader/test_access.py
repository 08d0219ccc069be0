"""For readers with a keyboard, a screen reader, a thumb, or little patience for things that jump."""

from __future__ import annotations

import itertools

import pytest
from axe_playwright_python.sync_playwright import Axe

PAGES = ["index.html", "sharing.html", "glossary.html", "404.html"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1200, 800), (375, 667)])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(reading, served, figure_of, name, width, height, scheme):
    page = reading(served + name, width=width, height=height, color_scheme=scheme, bypass_csp=True)
    if page.locator("figure").count():
        figure = figure_of(page).drawn()
        figure.root.locator(".list-button").click()
        figure.root.locator("summary").click()
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_the_tab_order_is_the_reading_order(reading, served, figure_of):
    page = reading(served + "sharing.html")
    figure_of(page).drawn()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    classes = []
    for _ in range(30):  # terms of the glossary come before the figure
        page.keyboard.press("Tab")
        classes.append(page.evaluate("document.activeElement.className || document.activeElement.localName"))
    inside = [name for name in ["previous", "play", "next", "slider", "list-button", "summary"] if name in classes]
    order = [name for name in classes if name in inside]
    assert order[:6] == ["previous", "play", "next", "slider", "list-button", "summary"]


def test_the_focus_can_be_seen_and_is_ink(reading, served):
    page = reading(served + "sharing.html")
    for _ in range(4):
        page.keyboard.press("Tab")
        style = page.evaluate(
            """() => {
              const {outlineStyle, outlineWidth, outlineColor} = getComputedStyle(document.activeElement);
              return [outlineStyle, outlineWidth, outlineColor, getComputedStyle(document.body).color];
            }"""
        )
        assert style[:2] == ["solid", "3px"]
        assert style[2] == style[3]


@pytest.mark.parametrize("width", [1200, 375, 320])
def test_targets_are_large_enough(reading, served, figure_of, width):
    page = reading(served + "sharing.html", width=width, height=667)
    figure_of(page).root.locator("summary").click()
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, input, summary, .more a, .turn a, .site-name")]
          .filter((target) => target.checkVisibility())
          .map((target) => [target.className || target.localName, target.getBoundingClientRect()])
          .filter(([, box]) => box.width < 44 || box.height < 44)
          .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""
    )
    assert small == []


@pytest.mark.parametrize("width", [1200, 899, 375, 320])
@pytest.mark.parametrize("name", PAGES)
def test_no_page_scrolls_sideways(reading, served, name, width):
    page = reading(served + name, width=width, height=667)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_headings_go_down_one_by_one_from_one(reading, served):
    for name in PAGES:
        page = reading(served + name)
        levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.localName[1]))")
        assert levels[0] == 1 and levels.count(1) == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


SHIFTS = """
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shift += entry.value;
  }).observe({type: "layout-shift", buffered: true});
"""
BOXES = """[...document.querySelectorAll(".drawing, .controls, .more")].map((element) => {
  const {x, y, width, height} = element.getBoundingClientRect();
  return [x, y + scrollY, width, height];
})"""


@pytest.mark.parametrize(("width", "height"), [(1200, 800), (900, 700), (899, 900), (375, 667)])
def test_nothing_jumps_when_plotly_takes_over_or_captions_change(reading, served, figure_of, width, height):
    page = reading(served + "404.html", width=width, height=height)
    page.add_init_script(SHIFTS)
    page.goto(served + "sharing.html")
    figure = figure_of(page).bring()
    before = page.evaluate(BOXES)
    figure.drawn()
    assert page.evaluate(BOXES) == before
    moved = page.evaluate(
        f"""id => {{
          const player = Flipbook.players.get(id);
          const boxes = () => JSON.stringify({BOXES});
          const before = boxes();
          return player.steps.map((_, step) => (player.go(step), boxes() === before ? "" : step)).filter(String);
        }}""",
        figure.id,
    )
    assert moved == []
    page.wait_for_timeout(300)
    assert page.evaluate("shift") < 0.001
    drawings = page.evaluate("[...document.querySelectorAll('.drawing')].map((d) => d.getBoundingClientRect().width)")
    plots = page.evaluate("[...document.querySelectorAll('.plot')].map((p) => p.getBoundingClientRect().width)")
    assert plots == pytest.approx(drawings, abs=0.5)


@pytest.mark.parametrize(("width", "height"), [(1200, 800), (375, 667)])
def test_the_whole_figure_fits_one_screen(reading, served, figure_of, width, height):
    page = reading(served + "sharing.html", width=width, height=height)
    figure = figure_of(page).bring().drawn()
    assert figure.stage.bounding_box()["height"] <= height
    parts = [".beat", ".caption", ".key", ".panels", ".controls"]
    boxes = [figure.stage.locator(part).bounding_box() for part in parts]
    assert all(box["y"] >= -1 and box["y"] + box["height"] <= height + 1 for box in boxes)
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)


def test_controls_stay_at_the_bottom_edge_while_the_figure_is_in_view(reading, served, figure_of):
    page = reading(served + "sharing.html", height=500)
    figure = figure_of(page)
    for offset in (300, 100, -100):
        figure.stage.evaluate("(stage, by) => scrollTo(0, stage.getBoundingClientRect().top + scrollY - by)", offset)
        box = figure.stage.locator(".controls").bounding_box()
        assert box["y"] + box["height"] == pytest.approx(500, abs=1)


def test_the_page_begins_well_without_anything_but_its_style_sheet(reading, served):
    page = reading(served + "sharing.html")
    asked = page.evaluate(
        "performance.getEntriesByType('resource').map((entry) => [entry.name, entry.renderBlockingStatus])"
    )
    assert [name.split("/")[-1].split(".")[0] for name, blocking in asked if blocking == "blocking"] == ["flipbook"]


WIDE = (
    '<p>A</p><div class="wide" role="group" aria-label="Table: A" tabindex="0"><table>'
    f"<thead><tr><th>A</th></tr></thead><tbody><tr><td><code>{'x' * 60}</code></td></tr></tbody></table></div>"
)


def with_wide_table(page, address):
    """The page with a table of one long line in its text."""
    text = page.request.get(address).text().replace("<p>", f"{WIDE}<p>", 1)
    page.route(address, lambda route: route.fulfill(body=text, content_type="text/html"))
    page.goto(address)
    return page.locator(".wide")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_table_wider_than_the_window_scrolls_by_key_and_the_page_does_not(reading, served, scripts):
    page = reading(served + "prefix-cache.html", width=375, java_script_enabled=scripts, bypass_csp=True)
    group = with_wide_table(page, served + "prefix-cache.html").first
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert group.evaluate("group => group.scrollWidth > group.clientWidth") and group.get_attribute("tabindex") == "0"
    group.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    assert group.evaluate("group => group.scrollLeft") > 0
    if scripts:
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()


def test_a_table_that_fits_is_no_tab_stop(reading, served):
    page = reading(served + "prefix-cache.html", width=375)
    group = with_wide_table(page, served + "prefix-cache.html").first
    page.set_viewport_size({"width": 1200, "height": 800})
    page.wait_for_function("!document.querySelector('.wide').hasAttribute('tabindex')")
    page.set_viewport_size({"width": 375, "height": 800})
    page.wait_for_function("document.querySelector('.wide').hasAttribute('tabindex')")
    assert group.get_attribute("role") == "group"
