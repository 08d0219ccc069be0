// What the reader touches: buttons, slider and keys; and what a figure says about its step.
(() => {
  "use strict";
  const flipbook = (window.Flipbook ??= {});

  /** Keys that are the figure's wherever in its stage the focus is. */
  const KEYS = {
    ArrowLeft: (player) => player.previous(),
    ArrowRight: (player) => player.next(),
    PageUp: (player) => player.previousBeat(),
    PageDown: (player) => player.nextBeat(),
    Home: (player) => player.go(0),
    End: (player) => player.go(player.last),
  };

  /** @param {HTMLElement} figure @param {Player} player */
  function connectControls(figure, player) {
    const stage = figure.querySelector(".stage");
    const [previous, play, next] = ["previous", "play", "next"].map(
      (name) => /** @type {HTMLButtonElement} */ (stage.querySelector(`button.${name}`)),
    );
    const slider = /** @type {HTMLInputElement} */ (stage.querySelector(".slider"));

    /** The reader's own moves end playing. */
    const by = (move) => () => {
      player.pause();
      move(player);
    };
    const toggle = () => (player.playing ? player.pause() : player.play());
    previous.addEventListener("click", by(KEYS.ArrowLeft));
    next.addEventListener("click", by(KEYS.ArrowRight));
    play.addEventListener("click", toggle);
    slider.addEventListener("input", by(() => player.go(slider.valueAsNumber)));

    figure.addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      const ours = target === figure || stage.contains(target);
      if (!ours || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const move = KEYS[event.key];
      // Space on a button presses that button.
      const space = event.key === " " && !target.closest("button, a");
      if (!move && !space) return;
      event.preventDefault();
      if (move) by(move)();
      else if (!event.repeat) toggle();
    });

    for (const control of [previous, play, next, slider]) control.disabled = false;
    // A browser may put back where the slider was before a reload.
    slider.value = String(player.step);
    player.addEventListener("step", () => tell(figure, player, { previous, next, slider }));
    player.addEventListener("playing", () => {
      stage.classList.toggle("is-playing", player.playing);
      play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    });
    player.addEventListener("drawing", () => tellDrawing(stage, player));
  }

  /** Everything in words: caption, beat, number. The caption is that of the list of steps. */
  function tell(figure, player, { previous, next, slider }) {
    const { step, last, steps } = player;
    const caption = steps[step].caption;
    const words = caption.cloneNode(true);
    figure.querySelector(".caption").replaceChildren(...words.childNodes);
    const beat = steps.findLast((one, number) => number <= step && one.beat);
    figure.querySelector(".beat").textContent = beat ? beat.beat : "";
    figure.querySelector(".count .number").textContent = String(step);
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", `step ${step} of ${last}`);
    // Not `disabled`, which would take the focus away from under the reader's finger.
    previous.setAttribute("aria-disabled", String(step === 0));
    next.setAttribute("aria-disabled", String(step === last));
    for (const line of figure.querySelectorAll(".steps li[aria-current]")) line.removeAttribute("aria-current");
    caption.closest("li").setAttribute("aria-current", "step");
    markLate(figure.querySelector(".stage"), player);
  }

  /** Until Plotly draws, the picture is that of the key step: it says so where the caption is of another. */
  function markLate(stage, player) {
    const late = player.drawing !== "ready" && player.step !== player.key;
    stage.classList.toggle("is-late", late && player.drawing === "loading");
    const notice = stage.querySelector(".notice");
    notice.hidden = !(late && player.drawing === "failed");
    notice.textContent = notice.hidden
      ? ""
      : `The animation could not be loaded. The picture shows step ${player.key}; the captions go on.`;
  }

  function tellDrawing(stage, player) {
    markLate(stage, player);
    stage.classList.toggle("is-ready", player.drawing === "ready");
  }

  flipbook.connectControls = connectControls;
})();
