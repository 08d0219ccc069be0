// Under a figure: the list of steps behind its button, and what a reader takes along: a link, code to embed.
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

    const home = /** @type {HTMLAnchorElement | null} */ (figure.querySelector(".figure-home"));
    if (home) player.addEventListener("step", () => (home.hash = flipbook.fragmentOf(figure.id, player)));
    else connectCopies(figure, player);
  }

  function connectCopies(figure, player) {
    const fragment = () => flipbook.fragmentOf(figure.id, player);

    figure.querySelector(".copy-link").addEventListener("click", () => {
      // A page on this reader's disk is nowhere for others.
      const page = location.protocol === "file:" ? published() : location.href;
      hand(figure, `The link to step ${player.step}`, new URL(fragment(), page).href);
    });
    figure.querySelector(".copy-frame").addEventListener("click", ({ currentTarget }) => {
      const address = new URL(figure.querySelector(".alone").getAttribute("href"), published());
      // At its key step a figure needs no script until somebody touches it; any other step has to be asked for.
      if (player.step !== player.key) address.hash = fragment();
      hand(figure, `The code to embed step ${player.step}`, frame(figure, address.href, currentTarget.dataset.height));
    });
  }

  /** Where the page is published; where it lies now if nobody said. */
  const published = () => document.querySelector('link[rel="canonical"]')?.getAttribute("href") ?? location.href;

  /** The code of a frame that shows `address`; the browser writes it, with everything escaped. */
  function frame(figure, address, height) {
    const element = document.createElement("iframe");
    const title = figure.querySelector(".figure-title").textContent || document.title;
    Object.entries({ src: address, title, width: "100%", height, loading: "lazy", frameborder: "0" }).forEach(
      ([name, value]) => element.setAttribute(name, value),
    );
    return element.outerHTML;
  }

  /** Put `text` on the clipboard and say so; where that is not allowed, show it, ready to be copied by hand. */
  async function hand(figure, what, text) {
    const told = figure.querySelector(".copied");
    const field = /** @type {HTMLInputElement} */ (figure.querySelector(".to-copy"));
    try {
      await navigator.clipboard.writeText(text);
      field.hidden = true;
      told.textContent = `Copied: ${what[0].toLowerCase()}${what.slice(1)}.`;
    } catch {
      // Not allowed, or no clipboard outside a secure page.
      field.hidden = false;
      field.value = text;
      field.select();
      told.textContent = `${what}, to be copied from here:`;
    }
  }

  flipbook.connectShare = connectShare;
})();
