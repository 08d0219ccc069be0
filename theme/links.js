// Every step is a place: addresses such as #tree=hana-2, and links in the prose that move a figure.
(() => {
  "use strict";
  const flipbook = (window.Flipbook ??= {});
  /** Addresses follow at most this often, in milliseconds: browsers limit how many changes they take. */
  const SETTLE = 150;

  /** The figure and step that a fragment names, by name or number; none if there is no such step. */
  function find(fragment, players) {
    const [id, name] = fragment.slice(1).split("=");
    const player = name ? players.get(id) : undefined;
    if (!player) return undefined;
    const named = player.steps.findIndex((step) => step.name === name);
    const step = named >= 0 ? named : /^\d+$/.test(name) ? Number(name) : -1;
    return step >= 0 && step <= player.last ? { id, player, step } : undefined;
  }

  /** @param {Map<string, Player>} players by the id of their figure */
  function connectLinks(players) {
    const links = [...document.querySelectorAll('a[href^="#"]')]
      .map((link) => ({ link, place: find(link.getAttribute("href"), players) }))
      .filter(({ place }) => place);
    for (const { link, place } of links) {
      if (!link.closest(".steps")) link.classList.add("step-link");
      link.addEventListener("click", (event) => follow(event, link, place));
    }

    for (const [id, player] of players) {
      let timer;
      player.addEventListener("step", () => {
        mark(links, players);
        clearTimeout(timer);
        timer = setTimeout(() => history.replaceState(null, "", fragmentOf(id, player)), SETTLE);
      });
    }

    const open = () => {
      const place = find(location.hash, players);
      if (!place) return;
      place.player.pause();
      place.player.go(place.step);
      // A figure in a frame is all there is: scrolling to it would move the page around the frame.
      if (!document.body.classList.contains("embed")) document.getElementById(place.id).scrollIntoView();
    };
    addEventListener("hashchange", open);
    open();
  }

  /** Move the figure and leave the reading position; a second click goes to a figure out of sight. */
  function follow(event, link, { id, player, step }) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (link.hasAttribute("aria-current") && player.step === step && direction(id)) {
      document.getElementById(id).scrollIntoView();
      return;
    }
    player.pause();
    player.go(step);
  }

  /** Where the stage of a figure is when no half of it can be seen: "figure-above", "figure-below" or "". */
  function direction(id) {
    const { top, bottom, height } = document.getElementById(id).querySelector(".stage").getBoundingClientRect();
    if (bottom < height / 2) return "figure-above";
    return top > innerHeight - height / 2 ? "figure-below" : "";
  }

  /** Mark the links whose step is shown, each with where its figure is. */
  function mark(links, players) {
    for (const { link, place } of links) {
      const here = !players.get(place.id).untouched && place.player.step === place.step;
      link.classList.remove("figure-above", "figure-below");
      if (!here) {
        link.removeAttribute("aria-current");
        continue;
      }
      link.setAttribute("aria-current", "true");
      const where = direction(place.id);
      if (where) link.classList.add(where);
    }
  }

  const fragmentOf = (id, player) => `#${id}=${player.steps[player.step].name}`;

  Object.assign(flipbook, { connectLinks, fragmentOf });
})();
