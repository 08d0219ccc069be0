"""What moves and what cuts, and how playing goes."""

from __future__ import annotations

import pytest

# Every call of Plotly.animate, with its duration; hooked in as soon as Plotly is there.
SPY = """
  window.durations = [];
  let plotly;
  Object.defineProperty(window, "Plotly", {
    get: () => plotly,
    set: (value) => {
      const animate = value.animate;
      value.animate = (element, frame, options) => {
        durations.push(options.transition.duration);
        return animate(element, frame, options);
      };
      plotly = value;
    },
    configurable: true,
  });
"""


@pytest.fixture
def figure(reading, served, figure_of):
    def open_figure(**options):
        page = reading(served + "404.html", **options)
        page.add_init_script(SPY)
        page.goto(served + "sharing.html")
        figure = figure_of(page).drawn()
        figure.root.focus()
        page.keyboard.press("Home")
        page.wait_for_timeout(200)
        return figure

    return open_figure


def durations(figure, key):
    """The durations of the animations that a key starts, none of them left over from before."""
    figure.page.wait_for_timeout(900)
    figure.page.evaluate("durations.length = 0")
    figure.page.keyboard.press(key)
    figure.page.wait_for_timeout(200)
    return set(figure.page.evaluate("durations"))


def moving_steps(figure):
    """(number, whether it opens a beat) of the steps at which some panel is neither the same nor cut."""
    return figure.page.evaluate(
        """id => {
          const {steps, panels} = Flipbook.players.get(id);
          const picture = (panel, number) => JSON.stringify(panel.drawing.frames[number].data);
          const moves = (panel, number) =>
            panel.spec.motion === "tween" && !(panel.spec.cuts ?? []).includes(number) &&
            picture(panel, number) !== picture(panel, number - 1);
          return steps.map((step, number) => [number, Boolean(step.beat)])
            .filter(([number]) => number && panels.some((panel) => moves(panel, number)));
        }""",
        figure.id,
    )


@pytest.mark.parametrize(("opens_a_beat", "expected"), [(False, 400), (True, 700)])
def test_one_step_forward_moves_and_the_first_of_a_beat_slowly(figure, opens_a_beat, expected):
    figure = figure()
    step = next(number for number, opens in moving_steps(figure) if opens == opens_a_beat)
    figure.page.evaluate("([id, step]) => Flipbook.players.get(id).go(step - 1)", [figure.id, step])
    moved = durations(figure, "ArrowRight")
    assert expected in moved
    assert moved <= {expected, 0}


@pytest.mark.parametrize("key", ["ArrowLeft", "PageDown", "PageUp", "End", "Home"])
def test_back_and_jumps_cut(figure, key):
    figure = figure()
    for _ in range(3):
        figure.page.keyboard.press("ArrowRight")
    moved = durations(figure, key)
    assert moved == {0}


def test_reduced_motion_cuts(figure):
    figure = figure(reduced_motion="reduce")
    assert durations(figure, "ArrowRight") == {0}
    assert durations(figure, "ArrowRight") == {0}


def test_next_during_a_tween_ends_it_at_once(figure):
    figure = figure()
    step = next(number for number, _ in moving_steps(figure) if [number + 1, False] in moving_steps(figure))
    figure.page.evaluate("([id, step]) => Flipbook.players.get(id).go(step - 1)", [figure.id, step])
    figure.page.wait_for_timeout(300)
    figure.page.evaluate("durations.length = 0")
    figure.page.keyboard.press("ArrowRight")
    figure.page.wait_for_timeout(60)
    figure.page.keyboard.press("ArrowRight")
    figure.page.wait_for_timeout(1200)
    said = figure.page.evaluate("durations")
    assert max(said[:4]) > 0
    assert 0 in said
    assert max(said[said.index(0) :]) > 0
    assert figure.step == step + 1
    assert set(figure.shown()) == {step + 1}


def test_the_picture_after_moving_is_the_picture_after_a_jump(figure):
    figure = figure()
    bars = "() => [...document.querySelectorAll('.plot .bars path')].map((bar) => bar.getAttribute('d'))"
    for _ in range(9):
        figure.page.keyboard.press("ArrowRight")
    figure.page.wait_for_timeout(1500)
    walked = figure.page.evaluate(bars)
    figure.page.keyboard.press("End")
    figure.page.keyboard.press("Home")
    figure.page.evaluate("id => Flipbook.players.get(id).go(9)", figure.id)
    figure.page.wait_for_timeout(500)
    assert figure.page.evaluate(bars) == walked


def test_play_runs_to_the_end_and_stops(reading, served, figure_of):
    page = reading(served + "404.html", reduced_motion="reduce")
    page.clock.install()
    page.goto(served + "sharing.html")
    figure = figure_of(page)
    page.evaluate(
        """id => {
          const player = Flipbook.players.get(id);
          window.seen = [];
          player.addEventListener("step", () => seen.push(player.step));
        }""",
        figure.id,
    )
    figure.play.click()
    assert page.evaluate("seen") == [0]
    assert figure.play.get_attribute("aria-label") == "Pause"
    page.wait_for_function("id => Flipbook.players.get(id).drawing === 'ready'", arg=figure.id, polling=50)
    for _ in range(figure.last):
        page.clock.run_for(10_000)
    assert page.evaluate("seen") == list(range(figure.last + 1))
    assert figure.play.get_attribute("aria-label") == "Play"
    page.clock.run_for(30_000)
    assert figure.step == figure.last
    figure.play.click()
    assert figure.step == 0
    figure.press("next")
    assert figure.play.get_attribute("aria-label") == "Play"


def test_a_step_stays_as_long_as_it_takes_to_read(figure):
    figure = figure()
    steps = figure.page.evaluate(
        """id => {
          const player = Flipbook.players.get(id);
          const told = (step, number) => ({...step, caption: step.caption.textContent, dwell: player.dwell(number)});
          return player.steps.map(told);
        }""",
        figure.id,
    )
    for number, step in enumerate(steps):
        reading = min(7000, max(2000, 900 + 280 * len(step["caption"].split())))
        expected = 600 if step["quick"] else reading
        expected += 800 if number < figure.last and steps[number + 1]["beat"] else 0
        expected += 1500 if step["caption"].endswith("?") else 0
        assert step["dwell"] == expected
    assert any(step["quick"] for step in steps)


def test_space_plays_and_pauses(figure):
    figure = figure()
    for said in ("Pause", "Play"):
        figure.page.keyboard.press(" ")
        assert figure.play.get_attribute("aria-label") == said


def test_playing_pauses_where_nobody_looks(figure):
    figure = figure()
    figure.page.keyboard.press(" ")
    figure.page.evaluate(
        """() => {
          Object.defineProperty(document, "hidden", {get: () => true});
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    assert figure.play.get_attribute("aria-label") == "Play"
