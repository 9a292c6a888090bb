/* Pads: keys that fill the field above them with numbers. A key has data-pb-put, its number, and
   data-pb-into, the field's id; data-pb-padded on the field says how many numbers it takes.
   Everything listens on the document, so pads that htmx brings later work without a word. */
"use strict";

(() => {
  const all = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const numbers = (field) => field.value.match(/\d+/g) ?? [];

  /** Add a number; into a field that is full it goes as the first of new ones. */
  function press(key) {
    const field = document.getElementById(key.dataset.pbInto);
    const before = numbers(field);
    const full = before.length >= Number(field.dataset.pbPadded);
    field.value = [...(full ? [] : before), key.dataset.pbPut].join(" ");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function showPressed(field) {
    const shown = numbers(field);
    for (const key of all(`[data-pb-into="${CSS.escape(field.id)}"]`)) {
      key.setAttribute("aria-pressed", shown.includes(key.dataset.pbPut));
    }
  }

  document.addEventListener("click", (event) => {
    const key = event.target.closest?.("[data-pb-put]");
    if (key) press(key);
  });

  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-pb-padded]")) showPressed(event.target);
  });

  const arrive = () => all("[data-pb-padded]").forEach(showPressed);
  document.addEventListener("htmx:load", arrive);
  document.addEventListener("DOMContentLoaded", arrive);
})();
