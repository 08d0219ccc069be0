// Bring the figures of the page to life.
(() => {
  "use strict";
  const flipbook = window.Flipbook;

  /** A figure's player: the data is in its script element, the captions are in its list of steps. */
  function playerOf(figure) {
    const data = JSON.parse(figure.querySelector(".figure-data").textContent);
    const captions = [...figure.querySelectorAll(".step-caption")];
    const steps = data.steps.map((step, number) => ({ ...step, caption: captions[number] }));
    const boxes = [...figure.querySelectorAll(".drawing")];
    const panels = data.panels.map((panel, number) => new flipbook.Panel(boxes[number], panel));
    return new flipbook.Player(steps, panels, Number(figure.dataset.key));
  }

  const players = new Map();
  for (const figure of document.querySelectorAll(".figure")) {
    const player = playerOf(figure);
    players.set(figure.id, player);
    flipbook.connectControls(figure, player);
    flipbook.connectShare(figure, player);
    for (const interest of ["pointerenter", "focusin", "touchstart"]) {
      figure.addEventListener(interest, () => player.prepare(), { once: true, passive: true });
    }
  }
  flipbook.connectLinks(players);
  flipbook.players = players;

  /** Nothing plays where nobody looks, nor goes on by itself when a page comes back. */
  const pause = () => players.forEach((player) => player.pause());
  document.addEventListener("visibilitychange", () => document.hidden && pause());
  addEventListener("pagehide", pause);
})();
