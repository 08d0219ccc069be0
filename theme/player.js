// The step that a figure shows, and the time between steps. Knows nothing of buttons or addresses.
(() => {
  "use strict";
  const flipbook = (window.Flipbook ??= {});
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** Milliseconds, as the storyboards have them. */
  const TWEEN = 400;
  const BEAT_TWEEN = 700;
  const QUICK = 600;
  const [READ_BASE, READ_WORD, READ_LEAST, READ_MOST] = [900, 280, 2000, 7000];
  const END_OF_BEAT = 800;
  const QUESTION = 1500;

  class Player extends EventTarget {
    /**
     * @param {Step[]} steps
     * @param {Panel[]} panels
     * @param {number} key the step that the stills show
     */
    constructor(steps, panels, key) {
      super();
      this.steps = steps;
      this.panels = panels;
      this.step = key;
      this.key = key;
      this.last = steps.length - 1;
      /** Until the reader has gone anywhere, Play and Next begin at the beginning. */
      this.untouched = true;
      this.playing = false;
      /** "waiting" for a sign of interest, "loading", "ready" or "failed". */
      this.drawing = "waiting";
      this.plotlyIsHere = false;
      this.redrawing = false;
      flipbook.onPaletteChange(() => this.redraw());
      flipbook.onWidthChange(() => this.redraw());
    }

    /** Go to a step. Only `forward`, by one, may tween. */
    go(step, { forward = false } = {}) {
      const target = Math.max(0, Math.min(this.last, step));
      this.untouched = false;
      const tween = forward && target === this.step + 1 && !calm.matches;
      this.step = target;
      this.dispatchEvent(new Event("step"));
      this.prepare();
      if (this.drawing === "ready" && !this.redrawing) this.draw(target, tween ? (this.steps[target].beat ? BEAT_TWEEN : TWEEN) : 0);
      if (this.playing) this.schedule();
    }

    next() {
      if (this.untouched) this.go(0);
      else if (this.step < this.last) this.go(this.step + 1, { forward: true });
    }

    previous() {
      if (this.step > 0) this.go(this.step - 1);
    }

    nextBeat() {
      const found = this.steps.findIndex((step, number) => number > this.step && step.beat);
      this.go(found < 0 ? this.last : found);
    }

    previousBeat() {
      const found = this.steps.findLastIndex((step, number) => number < this.step && step.beat);
      this.go(Math.max(0, found));
    }

    async draw(step, duration) {
      await Promise.all(this.panels.map((panel) => panel.finish()));
      // Somebody may have gone on while a tween was being ended.
      if (step === this.step && !this.redrawing) this.panels.forEach((panel) => panel.show(step, duration));
    }

    play() {
      if (this.playing) return;
      this.setPlaying(true);
      if (this.untouched || this.step === this.last) this.go(0);
      else this.schedule();
      this.prepare();
    }

    pause() {
      clearTimeout(this.timer);
      if (this.playing) this.setPlaying(false);
    }

    setPlaying(playing) {
      this.playing = playing;
      this.dispatchEvent(new Event("playing"));
    }

    /** Go on after the time that this step takes to read; captions do not run ahead of a picture still loading. */
    schedule() {
      clearTimeout(this.timer);
      if (this.step === this.last) return this.pause();
      if (this.drawing === "loading") return;
      this.timer = setTimeout(() => this.next(), this.dwell(this.step));
    }

    /** How long step number `number` stays when played, in milliseconds. */
    dwell(number) {
      const { caption, quick } = this.steps[number];
      const text = caption.textContent.trim();
      const reading = READ_BASE + READ_WORD * text.split(/\s+/).length;
      const own = quick ? QUICK : Math.max(READ_LEAST, Math.min(READ_MOST, reading));
      return own + (this.steps[number + 1]?.beat ? END_OF_BEAT : 0) + (text.endsWith("?") ? QUESTION : 0);
    }

    /** Let Plotly take over from the stills. Called at every sign of interest; does its work once. */
    async prepare() {
      if (this.drawing !== "waiting") return;
      this.setDrawing("loading");
      try {
        await flipbook.loadPlotly();
        this.plotlyIsHere = true;
        await this.redraw();
      } catch (error) {
        this.setDrawing("failed");
        if (this.plotlyIsHere) throw error;
        return;
      }
      this.setDrawing("ready");
    }

    /** Draw everything anew, until what is drawn is what is to be shown. */
    async redraw() {
      this.stale = true;
      if (!this.plotlyIsHere || this.redrawing) return;
      this.redrawing = true;
      for (let step; this.stale || step !== this.step; ) {
        this.stale = false;
        step = this.step;
        await Promise.all(this.panels.map((panel) => panel.mount(step)));
      }
      this.redrawing = false;
    }

    setDrawing(drawing) {
      this.drawing = drawing;
      this.dispatchEvent(new Event("drawing"));
      if (this.playing && drawing !== "loading") this.schedule();
    }
  }

  flipbook.Player = Player;
})();
