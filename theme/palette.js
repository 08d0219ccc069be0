// Colours for Plotly, read from the style sheet: frames carry small numbers, the theme has the colours.
(() => {
  "use strict";
  const flipbook = (window.Flipbook ??= {});

  /** What the numbers in frames stand for: the states in the order of the key, then the tones. */
  const PAINTS = [
    "to compute", "computed", "reused", "held", "evicted", "weights", "reserved, empty", "parked", "without", "refused",
    "ink", "muted", "limit", "on-fill", "free", "hairline", "heavy",
  ];
  const STATES = PAINTS.indexOf("ink");

  /** @returns {Palette} */
  function readPalette() {
    const probe = document.body.appendChild(document.createElement("span"));
    // The value of a custom property can be `light-dark(…)`; as a colour of an element the browser resolves it.
    const resolve = (property) => {
      probe.style.color = `var(${property})`;
      return getComputedStyle(probe).color;
    };
    const named = (kind) =>
      PAINTS.map((paint, number) => {
        const name = paint.replace(",", "").replaceAll(" ", "-");
        return resolve(number < STATES ? `--${kind}-${name}` : `--${name}`);
      });
    const fills = named("fill");
    const strokes = named("word");
    const hairline = resolve("--hairline");
    probe.remove();
    const steps = PAINTS.length;
    return {
      scale: fills.flatMap((colour, number) => [[number / steps, colour], [(number + 1) / steps, colour]]),
      stroke: (paint) => strokes[PAINTS.indexOf(paint)],
      hairline,
    };
  }

  /** A trace in the theme's colours. Its `meta` says what they are for; frames need no colours after that. */
  function paintTrace(trace, palette) {
    const { kind, paint } = trace.meta ?? {};
    if (kind === "line") return { ...trace, line: { ...trace.line, color: palette.stroke(paint) } };
    if (kind === "text") return { ...trace, textfont: { ...trace.textfont, color: palette.stroke(paint) } };
    const line = { ...trace.marker.line, colorscale: palette.scale };
    return { ...trace, marker: { ...trace.marker, colorscale: palette.scale, line } };
  }

  /** A layout with axes in the theme's colours. */
  function paintLayout(layout, palette) {
    const paintAxis = (axis) => ({
      ...axis,
      tickfont: { ...axis.tickfont, color: palette.stroke("muted") },
      gridcolor: palette.hairline,
      linecolor: palette.stroke("muted"),
    });
    return {
      ...layout,
      font: { ...layout.font, color: palette.stroke("ink") },
      xaxis: paintAxis(layout.xaxis),
      yaxis: paintAxis(layout.yaxis),
    };
  }

  /** Calls back after the colours have changed, by the system or by the reader. */
  function onPaletteChange(callback) {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", callback);
    document.addEventListener("flipbook:theme", callback);
  }

  Object.assign(flipbook, { readPalette, paintTrace, paintLayout, onPaletteChange });
})();
