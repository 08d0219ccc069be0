// Under a figure: the list of steps behind its button, and the link to the step that is shown.
(() => {
  "use strict";
  const flipbook = (window.Flipbook ??= {});

  /** @param {HTMLElement} figure @param {Player} player */
  function connectShare(figure, player) {
    const button = figure.querySelector(".list-button");
    const list = figure.querySelector(".steps");
    button.addEventListener("click", () => {
      const open = list.classList.toggle("is-open");
      button.setAttribute("aria-expanded", String(open));
    });

    const copy = figure.querySelector(".copy");
    const label = copy.textContent;
    copy.addEventListener("click", async () => {
      const address = new URL(flipbook.fragmentOf(figure.id, player), location.href).href;
      try {
        await navigator.clipboard.writeText(address);
        copy.textContent = "Copied";
      } catch {
        // Not allowed, or no clipboard outside a secure page: show what would have been copied.
        prompt("The link to this step", address);
      }
      setTimeout(() => (copy.textContent = label), 2000);
    });
  }

  flipbook.connectShare = connectShare;
})();
