"""A browser, the built site from disk and over HTTP, and pages that tell on every error they see."""

from __future__ import annotations

import functools
import importlib.util
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

PROJECT = Path(__file__).parents[2]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
]
RECORD_VIOLATIONS = """
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""
Reading = Callable[..., Page]


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; a machine without a browser fails the tests, it does not skip them."""
    path = _module(PROJECT / "tests/find_browser.py").find()
    assert path, "no browser found: run python tests/find_browser.py"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as readers get it, built once."""
    from generator.build import build

    folder = tmp_path_factory.mktemp("reader") / "repo"
    build(PROJECT / "content", None, folder, "https://example.org/repo/")
    return folder


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """The address of the same files over HTTP, under /repo/ as on GitHub Pages."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/repo/"
    server.shutdown()


@pytest.fixture(params=["disk", "http"])
def base(request: pytest.FixtureRequest, site: Path) -> str:
    """The root of the site, once from disk and once over HTTP."""
    return site.as_uri() + "/" if request.param == "disk" else str(request.getfixturevalue("served"))


@pytest.fixture
def reading(browser: Browser) -> Iterator[Reading]:
    """Opens pages, each in a context of its own. Afterwards none may have complained.

    `reading(url, faults=False, width=…, height=…, **context)`: without `faults`, console errors, breaches
    of the policy and requests to other hosts fail the test.
    """
    opened: list[tuple[Page, list[str], bool]] = []

    def open_page(url: str, *, width: int = 1200, height: int = 800, faults: bool = False, **options: object) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.add_init_script(RECORD_VIOLATIONS)
        seen: list[str] = []
        opened.append((page, seen, faults))
        page.on("console", lambda message: seen.append(message.text) if message.type != "log" else None)
        page.on("pageerror", lambda error: seen.append(str(error)))
        home = url.split("/repo/")[0]
        page.on("request", lambda asked: None if asked.url.startswith((home, "data:")) else seen.append(asked.url))
        page.goto(url)
        return page

    yield open_page
    for page, seen, _ in opened:
        seen += page.evaluate("window.violations ?? []")
        page.context.close()
    assert [seen for _, seen, faults in opened if seen and not faults] == []


class Figure:
    """The first figure of a page, as a reader handles it."""

    def __init__(self, page: Page, id: str = "") -> None:
        self.page = page
        self.root = page.locator(f'figure[id="{id}"]' if id else "figure").first
        self.id = str(self.root.get_attribute("id"))
        self.stage = self.root.locator(".stage")
        self.slider = self.stage.locator("input[type=range]")
        self.caption = self.stage.locator("[aria-live]")
        self.play = self.stage.locator("button.play")
        self.lines = self.root.locator(".steps li[value]")
        self.key = int(str(self.root.get_attribute("data-key")))
        self.last = self.lines.count() - 1

    @property
    def step(self) -> int:
        """The step shown, by the slider; caption and number must say the same."""
        slider, count, caption, line = self.root.evaluate(
            """figure => {
              const text = (part) => figure.querySelector(part).textContent;
              const {valueAsNumber: step} = figure.querySelector(".slider");
              return [step, text(".count"), text(".caption"), text(`.steps li[value="${step}"] .step-caption`)];
            }"""
        )
        assert count == f"step {slider} of {self.last}"
        assert caption == line
        return int(slider)

    def text(self, step: int) -> str:
        """The caption of a step in the list."""
        return str(self.lines.nth(step).locator(".step-caption").text_content())

    def name(self, step: int) -> str:
        return str(self.lines.nth(step).get_attribute("id")).split("=")[1]

    def press(self, name: str) -> None:
        """A real click with the mouse on one of the buttons, wherever it is."""
        box = self.stage.locator(f"button.{name}").bounding_box()
        assert box
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def bring(self) -> Figure:
        """Scroll the top of the figure to the top of the window."""
        self.stage.evaluate("stage => scrollTo(0, stage.getBoundingClientRect().top + scrollY)")
        return self

    def drawn(self) -> Figure:
        """Wait until Plotly draws the figure."""
        self.root.dispatch_event("pointerenter")
        self.stage.and_(self.page.locator(".is-ready")).wait_for()
        return self

    def shown(self) -> list[int]:
        """The step that each panel draws."""
        return self.page.evaluate("id => Flipbook.players.get(id).panels.map((panel) => panel.shown)", self.id)


@pytest.fixture
def figure_of() -> Callable[..., Figure]:
    return Figure
