// Light or dark: the system's choice until the reader makes another, which is remembered.
(() => {
  "use strict";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const KEY = "flipbook-theme";

  /** Storage can be forbidden (a private window, a file opened from disk); then the choice lasts for the page. */
  function remembered() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function remember(choice) {
    try {
      if (choice) localStorage.setItem(KEY, choice);
      else localStorage.removeItem(KEY);
    } catch {
      // See `remembered`.
    }
  }

  const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";

  const choice = remembered();
  if (choice === "dark" || choice === "light") root.dataset.theme = choice;

  const button = document.querySelector(".theme-toggle");
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  show();
  system.addEventListener("change", show);

  button.addEventListener("click", () => {
    const wanted = isDark() ? "light" : "dark";
    const differs = wanted !== (system.matches ? "dark" : "light");
    if (differs) root.dataset.theme = wanted;
    else delete root.dataset.theme;
    remember(differs ? wanted : "");
    show();
    document.dispatchEvent(new Event("flipbook:theme"));
  });
})();
