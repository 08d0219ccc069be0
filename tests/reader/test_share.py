"""What a reader takes along: a link, code to embed, numbers, a picture; and the figure in a frame elsewhere."""

from __future__ import annotations

import csv
import html
import io
import re
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe

PUBLISHED = "https://example.org/repo/"
REFUSE = """() => Object.defineProperty(navigator, "clipboard", {
  value: {writeText: () => Promise.reject(new DOMException("no", "NotAllowedError"))},
})"""
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


@pytest.fixture
def sharing(reading, served, figure_of):
    """The sharing page with its figure at step 0 and everything under it open."""

    def open_figure(root=served, **options):
        figure = figure_of(reading(root + "sharing.html", **options))
        figure.root.focus()
        figure.page.keyboard.press("Home")
        figure.root.locator("summary").click()
        return figure

    return open_figure


def copied(figure):
    figure.root.get_by_text("Copied:").wait_for()
    return figure.page.evaluate("navigator.clipboard.readText()")


def test_the_link_to_this_step_is_copied_and_it_says_so(sharing, served):
    figure = sharing(**CLIPBOARD)
    figure.root.locator(".copy-link").click()
    assert copied(figure) == f"{served}sharing.html#tree={figure.name(0)}"
    told = figure.root.locator(".copied")
    assert told.inner_text() == "Copied: the link to step 0." and told.get_attribute("role") == "status"
    assert not figure.root.locator(".to-copy").is_visible()


@pytest.mark.parametrize("button", [".copy-link", ".copy-frame"])
def test_where_the_clipboard_is_refused_the_text_is_there_to_be_copied(sharing, button):
    figure = sharing()
    figure.page.evaluate(REFUSE)
    figure.root.locator(button).click()
    field = figure.root.locator(".to-copy")
    field.wait_for()
    chosen = field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert f"sharing{'-tree-embed' * (button == '.copy-frame')}.html#tree={figure.name(0)}" in chosen
    assert field.evaluate("field => document.activeElement === field")
    assert "to be copied from here" in figure.root.locator(".copied").inner_text()


def test_from_disk_the_published_address_is_copied(sharing, site):
    figure = sharing(site.as_uri() + "/")
    figure.page.evaluate(REFUSE)
    figure.root.locator(".copy-link").click()
    assert figure.root.locator(".to-copy").input_value() == f"{PUBLISHED}sharing.html#tree={figure.name(0)}"


def frame(figure):
    """The attributes of the frame that is copied, as a browser reads them."""
    figure.root.locator(".copy-frame").click()
    element = ElementTree.fromstring(copied(figure).replace("></iframe>", "/>"))
    assert element.tag == "iframe"
    return element.attrib


def test_the_code_of_a_frame_starts_at_the_step_shown(sharing):
    figure = sharing(**CLIPBOARD)
    attributes = frame(figure)
    assert attributes["src"] == f"{PUBLISHED}sharing-tree-embed.html#tree={figure.name(0)}"
    assert attributes["title"] == figure.root.locator(".figure-title").inner_text()
    assert attributes["width"] == "100%" and 300 < int(attributes["height"]) < 1000


def test_where_nobody_said_where_the_site_lies_the_frame_has_its_address_of_now(sharing, served):
    figure = sharing(**CLIPBOARD)
    figure.page.evaluate("document.querySelector('link[rel=canonical]').remove()")
    assert frame(figure)["src"].startswith(f"{served}sharing-tree-embed.html#tree=")


def test_a_title_with_quotes_stays_one(sharing):
    figure = sharing(**CLIPBOARD)
    title = 'Who "pays" & <why>'
    figure.root.locator(".figure-title").evaluate("(element, title) => { element.textContent = title }", title)
    figure.root.locator(".copy-frame").click()
    written = re.search(r'title="([^"]*)"', copied(figure))
    assert written and html.unescape(written[1]) == title


def test_a_frame_in_another_page_steps_and_leaves_that_page_alone(reading, served, sharing):
    figure = sharing(**CLIPBOARD)
    figure.page.evaluate("document.querySelector('link[rel=canonical]').remove()")
    figure.root.locator(".copy-frame").click()
    code = copied(figure)
    page = reading(served + "404.html")
    body = f"<!doctype html><p style='height: 3000px'>Somebody else's text.</p>{code.replace('lazy', 'eager')}"
    page.route("**/host.html", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(served + "host.html")
    inside = page.frame_locator("iframe")
    inside.locator(".is-ready").wait_for()
    assert inside.locator(".count").inner_text() == f"step 0 of {figure.last}"
    inside.locator("button.next").evaluate("button => button.click()")
    assert inside.locator(".caption").inner_text() == figure.text(1)
    assert page.evaluate("scrollY") == 0


def test_a_figure_by_itself_works_from_disk_and_from_a_server(reading, base, figure_of):
    figure = figure_of(reading(base + "sharing-tree-embed.html", width=640))
    assert figure.step == figure.key
    home = figure.root.locator(".figure-home")
    assert home.get_attribute("href") == f"sharing.html#tree={figure.name(figure.key)}"
    figure.press("next")
    figure.press("next")
    figure.drawn()
    assert figure.step == 1 and set(figure.shown()) == {1}
    assert home.evaluate("link => link.href") == f"{base}sharing.html#tree={figure.name(1)}"
    assert figure.page.locator(".site-head, .site-foot, .share").count() == 0
    with figure.page.context.expect_page() as opened:
        home.click()
    opened.value.wait_for_load_state()
    assert opened.value.locator(".count .number").inner_text() == "1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_figure_by_itself(reading, served, figure_of, scheme):
    page = reading(served + "sharing-tree-embed.html#tree=ben-1", width=500, color_scheme=scheme, bypass_csp=True)
    figure_of(page).drawn().root.locator(".list-button").click()
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_without_scripts_a_figure_by_itself_is_the_still_and_every_caption(reading, base):
    page = reading(base + "sharing-tree-embed.html", java_script_enabled=False)
    assert page.locator(".for-desktop .still").first.is_visible() and page.locator(".steps").is_visible()
    assert page.locator(".figure-home").is_visible() and not page.locator(".controls").is_visible()


def test_every_figure_fits_the_frame_that_is_offered(reading, served, site):
    offered = {
        address: int(height)
        for path in site.glob("*.html")
        for height, address in re.findall(
            r'data-height="(\d+)">.*?class="alone" href="([^"]+)"', path.read_text("utf-8"), re.S
        )
    }
    assert set(offered) == {path.name for path in site.glob("*-embed.html")}
    page = reading(served + "404.html")
    for (address, height), width in ((each, width) for each in offered.items() for width in (360, 640, 1100)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(served + address)
        assert page.evaluate("document.documentElement.scrollHeight") <= height, f"{address} at {width}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{address} at {width}"


def test_the_numbers_of_every_step_can_be_taken(sharing):
    figure = sharing()
    with figure.page.expect_download() as started:
        figure.root.get_by_text("(CSV)").click()
    rows = list(csv.DictReader(io.StringIO(started.value.path().read_text("utf-8"))))
    assert [row["name"] for row in rows] == [figure.name(step) for step in range(figure.last + 1)]
    assert started.value.suggested_filename == "sharing-tree.csv"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_opens_by_itself_in_colours_of_its_own(reading, base, scheme):
    # A browser asks for the icon of a picture, too, where there is none.
    page = reading(base + "sharing-tree.svg", color_scheme=scheme, faults=True)
    fill = "(kind) => getComputedStyle(document.querySelector(`.fill.state-${kind}`)).fill"
    assert page.evaluate(fill, "reused") == "rgb(86, 180, 233)"
    assert page.evaluate("getComputedStyle(document.querySelector('.tick')).fill") == "rgb(86, 99, 115)"
    assert page.evaluate("getComputedStyle(document.querySelector('svg > rect')).fill") == "rgb(255, 255, 255)"
    inside, whole = page.evaluate(
        """() => {
          const box = ({left, top, right, bottom}) => [left, top, right, bottom];
          const texts = [...document.querySelectorAll("text")].map((text) => box(text.getBoundingClientRect()));
          const extreme = (pick, part) => pick(...texts.map((text) => text[part]));
          return [[extreme(Math.min, 0), extreme(Math.min, 1), extreme(Math.max, 2), extreme(Math.max, 3)],
            box(document.documentElement.getBoundingClientRect())];
        }"""
    )
    assert inside[0] >= whole[0] and inside[1] >= whole[1] and inside[2] <= whole[2] and inside[3] <= whole[3]


def test_the_keys_are_told_under_the_figure(sharing):
    keys = sharing().root.locator(".share kbd").all_inner_texts()
    assert keys == ["←", "→", "Page Up", "Page Down", "Home", "End", "Space"]
