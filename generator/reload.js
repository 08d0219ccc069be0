// In the preview only: show what is wrong over the last good page, reload when the site changed, keep the reader's place.
(() => {
  "use strict";
  const KEPT = "flipbook-preview:" + location.pathname;

  /** What a reload would lose: which disclosures are open and where each figure's slider stands. */
  function remember() {
    const open = Array.from(document.querySelectorAll("details"), (details) => details.open);
    const moved = Array.from(document.querySelectorAll("input[type=range]"), (slider) =>
      slider.value === slider.defaultValue ? null : slider.value,
    );
    sessionStorage.setItem(KEPT, JSON.stringify({ open, moved, scroll: scrollY }));
  }

  function restore() {
    const text = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    if (!text) return;
    const { open, moved, scroll } = JSON.parse(text);
    document.querySelectorAll("details").forEach((details, i) => (details.open = Boolean(open[i])));
    document.querySelectorAll("input[type=range]").forEach((slider, i) => {
      if (moved[i] === null || moved[i] === undefined) return;
      slider.value = moved[i];
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    scrollTo(0, scroll);
  }

  /** @param {string} problems one line each, or "" */
  function show(problems) {
    let box = document.getElementById("flipbook-problems");
    if (!problems) {
      box?.remove();
      return;
    }
    if (!box) {
      box = document.createElement("pre");
      box.id = "flipbook-problems";
      box.setAttribute("role", "alert");
      document.body.append(box);
    }
    Object.assign(box.style, {
      position: "fixed", inset: "auto 0 0 0", margin: "0", padding: "16px", maxHeight: "50vh", overflow: "auto",
      background: "#10161d", color: "#fff", font: "14px/1.5 ui-monospace, monospace", whiteSpace: "pre-wrap", zIndex: "9999",
    });
    box.textContent = problems;
  }

  let version = null;
  const events = new EventSource("/-/events");
  events.onmessage = (event) => {
    const news = JSON.parse(event.data);
    const first = version === null;
    const changed = !first && news.version !== version;
    version = news.version;
    show(news.problems);
    if (changed && !news.problems) {
      remember();
      location.reload();
    }
  };
  addEventListener("pagehide", () => events.close());
  restore();
})();
