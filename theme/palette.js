// Colours for Plotly, read from the style sheet: frames carry small numbers, the theme has the colours.
(() => {
  "use strict";
  const flipbook = (window.Flipbook ??= {});

  /** What the numbers in frames stand for: the states in the order of the key, then the tones. */
  const PAINTS = [
    "to compute", "computed", "reused", "held", "evicted", "weights", "reserved, empty", "parked", "without", "refused",
    "ink", "muted", "limit", "on-fill",
  ];
  const STATES = 10;

  /** @typedef {{fill: string[], line: string[], word: string[]}} Palette colours by what they paint, by number */

  /** The value of a custom property as Plotly takes it; `light-dark()` is resolved by the browser. */
  function resolve(probe, property) {
    probe.style.color = `var(${property})`;
    return getComputedStyle(probe).color;
  }

  /** @returns {Palette} */
  flipbook.readPalette = () => {
    const probe = document.body.appendChild(document.createElement("span"));
    const table = (kind) =>
      PAINTS.map((paint, number) => {
        const name = paint.replace(",", "").replaceAll(" ", "-");
        return resolve(probe, number < STATES ? `--${kind}-${name}` : `--${name}`);
      });
    const palette = { fill: table("fill"), line: table("line"), word: table("word") };
    probe.remove();
    return palette;
  };

  /** Which table a `color` belongs to, by the key that holds it: fills of marks, lines, or text. */
  const TABLES = { marker: "fill", line: "line", textfont: "word", insidetextfont: "word", tickfont: "word", font: "word" };

  /**
   * A copy of a piece of a Plotly figure with colours in place of numbers.
   * @param {any} value @param {Palette} palette @param {string} holder the key that `value` was found under
   */
  flipbook.paint = function paint(value, palette, holder = "") {
    if (Array.isArray(value)) return value.map((item) => (item && typeof item === "object" ? paint(item, palette, holder) : item));
    if (!value || typeof value !== "object") return value;
    const copy = {};
    for (const [key, item] of Object.entries(value)) {
      const coloured = key === "color" || key.endsWith("color");
      copy[key] = coloured ? colours(item, palette[TABLES[holder] ?? "line"]) : paint(item, palette, key);
    }
    return copy;
  };

  const colours = (codes, table) =>
    Array.isArray(codes) ? codes.map((code) => table[code] ?? code) : (table[codes] ?? codes);

  const listeners = new Set();
  /** Calls back after the colours have changed, by the system or by the reader. */
  flipbook.onPaletteChange = (callback) => listeners.add(callback);
  const tell = () => listeners.forEach((callback) => callback());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  document.addEventListener("flipbook:theme", tell);
})();
