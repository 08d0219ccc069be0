"""Every page of the site, not only the first: each figure steps through, fits, and is fit for everybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

CONTENT = Path(__file__).parents[2] / "content"
NAMES = sorted(path.relative_to(CONTENT).with_suffix("").as_posix() for path in CONTENT.rglob("*.md"))

# Goes to every step as a reader would by key, from the last backwards and then forwards; what does not agree.
WALK = """async (id) => {
  const figure = document.getElementById(id);
  const player = Flipbook.players.get(id);
  const faults = [];
  const there = () => figure.querySelector(".caption").textContent === player.steps[player.step].caption.textContent;
  const settled = () => new Promise((resolve) => setTimeout(resolve, 40));
  const order = [...player.steps.keys()];
  for (const step of [...order].reverse().concat(order)) {
    player.go(step, {forward: true});
    await settled();
    if (player.step !== step || !there()) faults.push(step);
    if (player.panels.some((panel) => panel.shown !== step)) faults.push(`${step} is not drawn`);
  }
  return faults;
}"""


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_steps_through_every_step(reading, served, figure_of, name):
    page = reading(f"{served}{name}.html", reduced_motion="reduce")
    for id in page.eval_on_selector_all(".figure", "figures => figures.map((figure) => figure.id)"):
        figure_of(page, id).drawn()
        assert page.evaluate(WALK, id) == []


@pytest.mark.parametrize(("width", "height"), [(1200, 800), (375, 667)])
@pytest.mark.parametrize("name", NAMES)
def test_figures_fit_one_screen_and_captions_their_place(reading, served, name, width, height):
    page = reading(f"{served}{name}.html", width=width, height=height)
    faults = page.evaluate(
        """() => [...Flipbook?.players ?? []].flatMap(([id, player]) => {
          const stage = document.getElementById(id).querySelector(".stage");
          const heights = player.steps.map((_, step) => (player.go(step), stage.getBoundingClientRect().height));
          return heights.map((height, step) => [id, step, height])
            .filter(([, , height]) => height > innerHeight || Math.abs(height - heights[0]) > 0.5);
        })"""
        if page.locator(".figure").count()
        else "[]"
    )
    assert faults == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "scheme"), [(1200, "dark"), (375, "light")])
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing_on_any_page(reading, served, figure_of, name, width, scheme):
    page = reading(f"{served}{name}.html", width=width, height=700, color_scheme=scheme, bypass_csp=True)
    for id in page.eval_on_selector_all(".figure", "figures => figures.map((figure) => figure.id)"):
        figure_of(page, id).drawn().root.locator(".list-button").click()
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
