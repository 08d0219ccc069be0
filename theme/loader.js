// Plotly, fetched when the browser is idle and run at the first sign of interest.
(() => {
  "use strict";
  const flipbook = (window.Flipbook ??= {});
  const page = /** @type {HTMLElement} */ (document.querySelector("[data-plotly]"));
  /** @type {Promise<any> | undefined} */
  let plotly;

  function add(parent, tag, properties) {
    return new Promise((resolve, reject) => {
      const element = Object.assign(document.createElement(tag), properties);
      element.onload = resolve;
      element.onerror = () => reject(new Error("Plotly could not be loaded"));
      parent.append(element);
    });
  }

  /** Plotly itself, loaded once. Rejects when its files cannot be had. */
  flipbook.loadPlotly = () => {
    plotly ??= Promise.all([
      // Plotly injects no style rules of its own where an element of this id and class is: the policy forbids them.
      add(document.head, "link", {
        rel: "stylesheet",
        id: "plotly.js-style-global",
        className: "no-inline-styles",
        href: page.dataset.plotlyRules,
      }),
      add(document.head, "script", { src: page.dataset.plotly }),
    ]).then(() => {
      window.Plotly.setPlotConfig({ logging: 0 });
      return window.Plotly;
    });
    return plotly;
  };

  const whenIdle = window.requestIdleCallback ?? ((callback) => setTimeout(callback, 1500));
  addEventListener("load", () =>
    whenIdle(() => {
      if (plotly || location.protocol === "file:") return;
      // A prefetch that fails is no matter: the script is asked for again when it is needed.
      add(document.head, "link", { rel: "prefetch", as: "script", href: page.dataset.plotly }).catch(() => {});
    }),
  );
})();
