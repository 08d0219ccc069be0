// Tables, code and formulas that fit their page need no tab stop: only what scrolls is to be reached by key.
(() => {
  "use strict";
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });
  document.querySelectorAll('.prose [tabindex="0"]').forEach((element) => watch.observe(element));
})();
