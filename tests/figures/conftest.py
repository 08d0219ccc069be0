"""Steps made by hand, the real run, a browser, and every panel drawn from them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from generator.drawing import draw_figure
from generator.simulations.prefix_sharing import Scenario, simulate

PANELS = ("request", "prefix-tree", "time-to-first-token", "cache-memory")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@dataclass(frozen=True)
class Piece:
    label: str
    tokens: int
    state: str


@dataclass(frozen=True)
class TreeBox:
    key: str
    label: str
    start: int
    tokens: int
    row: int
    rows: int
    state: str


@dataclass(frozen=True)
class RowName:
    name: str
    row: int
    end: int


@dataclass(frozen=True)
class Step:
    name: str
    caption: str = "Something happens."
    who: str = ""
    strip: tuple[Piece, ...] = ()
    boxes: tuple[TreeBox, ...] = ()
    names: tuple[RowName, ...] = ()
    row_count: int = 3
    cut: bool = False
    request: str = ""
    time_to_first_token: float | None = None
    time_without: float | None = None
    floor: float = 0.02
    look_closer: float | None = None
    held_tokens: int = 0
    held_tokens_without: int = 0
    capacity_tokens: int | None = None

    @property
    def serving(self) -> str:
        return self.who


def by_hand(capacity: int | None = 1500) -> tuple[Step, ...]:
    """Ana, Ben <b> on one prompt & a markup-like name; the last box evicted; room for 1,500 tokens."""
    prompt = "the <i>one</i> & only prompt"
    slab = TreeBox("p", prompt, 0, 1000, 0, 1, "computed")
    ana, ben = TreeBox("a", "message", 1000, 20, 0, 1, "computed"), TreeBox("b", "message", 1000, 400, 1, 1, "computed")
    held = TreeBox("a", "message", 1000, 20, 0, 1, "held")
    shared = TreeBox("p", prompt, 0, 1000, 0, 2, "reused")
    asked = (Piece(prompt, 1000, "to compute"), Piece("message", 20, "to compute"))
    return (
        Step("empty", capacity_tokens=capacity),
        Step("ana-arrives", who="Ana", strip=asked, capacity_tokens=capacity),
        Step(
            "ana", who="Ana", strip=tuple(Piece(p.label, p.tokens, "computed") for p in asked), boxes=(slab, ana),
            names=(RowName("Ana", 0, 1020),), request="Ana", time_to_first_token=0.2, time_without=0.2,
            held_tokens=1020, held_tokens_without=1020, capacity_tokens=capacity,
        ),
        Step(
            "ben", who="Ben <b>", strip=(Piece(prompt, 1000, "reused"), Piece("message", 400, "computed")),
            boxes=(shared, held, ben), names=(RowName("Ana", 0, 1020), RowName("Ben <b>", 1, 1400)), request="Ben <b>",
            time_to_first_token=0.07, time_without=0.26, held_tokens=1420, held_tokens_without=2420,
            capacity_tokens=capacity,
        ),
        Step(
            "lost", boxes=(shared, held, TreeBox("b", "message", 1000, 400, 1, 1, "evicted")), cut=True,
            names=(RowName("Ana", 0, 1020), RowName("Ben <b>", 1, 1400)), look_closer=0.1, held_tokens=1020,
            held_tokens_without=2420, capacity_tokens=capacity,
        ),
    )  # fmt: skip


@pytest.fixture(scope="session")
def hand_made():
    return by_hand()


@pytest.fixture(scope="session")
def real():
    return tuple(simulate(Scenario()))


@pytest.fixture(scope="session", params=["by hand", "real"])
def steps(request, hand_made, real):
    return hand_made if request.param == "by hand" else real


@pytest.fixture(scope="session", params=PANELS)
def panel(request):
    return request.param


@pytest.fixture(scope="session", params=["desktop", "phone"])
def width(request):
    return request.param


@pytest.fixture(scope="session")
def drawn(steps):
    """All four panels, by name; the key step is the last but one."""
    panels = draw_figure(PANELS, steps, len(steps) - 2)
    return {drawn.name: drawn for drawn in panels}


@pytest.fixture(scope="session")
def drawn_alone(steps):
    """Every fifth step and the last as the key step of all four panels, by number and name."""
    numbers = {*range(0, len(steps), 5), len(steps) - 1}
    return {number: {drawn.name: drawn for drawn in draw_figure(PANELS, steps, number)} for number in numbers}


@pytest.fixture
def part(drawn, panel, width):
    """Data, layout and frames of one panel at one width."""
    data = drawn[panel].data
    return data if width == "desktop" else data["phone"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium; a machine without a browser fails the tests, it does not skip them."""
    path = Path(__file__).parents[1] / "find_browser.py"
    spec = importlib.util.spec_from_file_location("find_browser", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.find()
    assert found, "no browser found: run python tests/find_browser.py"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()
