// One panel: a still that Plotly takes over, at the size it was drawn for, scaled to the box of the still.
(() => {
  "use strict";
  const flipbook = (window.Flipbook ??= {});
  const narrow = matchMedia("screen and (max-width: 899.98px)");

  class Panel {
    /**
     * @param {HTMLElement} box holds the stills and the place for Plotly
     * @param {PanelData} spec
     */
    constructor(box, spec) {
      this.box = box;
      this.spec = spec;
      this.element = /** @type {HTMLElement} */ (box.querySelector(".plot"));
      /** The step that Plotly shows, none before it has taken over. @type {number | undefined} */
      this.shown = undefined;
      /** When the last tween will have ended, on the clock of `performance.now()`. */
      this.still = 0;
      new ResizeObserver(() => this.fit()).observe(box);
    }

    /** @returns {Drawing} */
    get drawing() {
      return (narrow.matches && this.spec.phone) || this.spec;
    }

    /** Draw `step` with Plotly in place of what is there: at first, and when width or colours have changed. */
    async mount(step) {
      const palette = flipbook.readPalette();
      const { data, layout, frames } = this.drawing;
      const traces = data.map((trace) => rooted(flipbook.paintTrace(trace, palette)));
      await Plotly.newPlot(this.element, traces, flipbook.paintLayout(layout, palette), {
        staticPlot: true,
        displayModeBar: false,
        responsive: false,
      });
      this.shown = step;
      await this.animate(frames[step], 0);
      this.fit();
      this.box.classList.add("is-live");
    }

    /** Go to `step`, in `duration` milliseconds where this panel may move at all. */
    show(step, duration) {
      const { frames, cuts = this.spec.cuts ?? [] } = this.drawing;
      const before = frames[this.shown];
      const after = frames[step];
      this.shown = step;
      const samePicture = same(before.data, after.data);
      const sameAxes = same(before.layout, after.layout);
      if (samePicture && sameAxes) return Promise.resolve();
      const moves = sameAxes && this.spec.motion === "tween" && !cuts.includes(step);
      return this.animate(sameAxes ? { data: after.data, traces: after.traces } : after, moves ? duration : 0);
    }

    /** End a tween under way at once. */
    finish() {
      const moving = performance.now() < this.still;
      return moving ? this.animate(this.drawing.frames[this.shown], 0) : Promise.resolve();
    }

    animate(frame, duration) {
      this.still = performance.now() + duration;
      const { data, traces, layout } = frame;
      const change = { data: data.map(rooted), traces, ...(layout && { layout }) };
      const animated = Plotly.animate(this.element, change, {
        mode: "immediate",
        frame: { duration, redraw: true },
        transition: { duration, easing: "cubic-in-out" },
      });
      // An interrupted animation never settles and a dropped one rejects with nothing: neither is a fault.
      return animated.catch(() => {});
    }

    /** Plotly draws at the size of its layout; the box has whatever width the page gives it. */
    fit() {
      const { width, height } = this.drawing.layout;
      this.element.style.width = `${width}px`;
      this.element.style.height = `${height}px`;
      this.element.style.transform = `scale(${this.box.clientWidth / width})`;
    }
  }

  /**
   * Plotly draws a bar that has neither length nor outline at the corner of the plot, and from there it would fly in
   * when it grows. With an outline too thin to see it stays where it stands.
   */
  const rooted = (trace) => {
    const outline = trace.marker?.line;
    if (!Array.isArray(outline?.width)) return trace;
    const width = outline.width.map((pixels) => pixels || 0.001);
    return { ...trace, marker: { ...trace.marker, line: { ...outline, width } } };
  };

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  Object.assign(flipbook, { Panel, onWidthChange: (callback) => narrow.addEventListener("change", callback) });
})();
