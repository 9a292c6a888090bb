/* What the pages need beyond htmx and Alpine: clocks, dialogs, keys, and the card picker.
   Everything listens on the document, so parts that htmx brings later work without a word. */
"use strict";

(() => {
  const find = (selector, scope = document) => scope.querySelector(selector);
  const all = (selector, scope = document) => [...scope.querySelectorAll(selector)];

  /* Clocks: seconds since data-pb-since (Unix time), on the server's clock.
     data-pb-now on the page is the server's time when the page was made. */

  let ahead = 0;

  function setClock() {
    const made = find("[data-pb-now]");
    if (made) ahead = Date.now() / 1000 - Number(made.dataset.pbNow);
  }

  function tick() {
    const now = Date.now() / 1000 - ahead;
    for (const clock of all("[data-pb-since]")) {
      const seconds = Math.max(0, Math.floor(now - Number(clock.dataset.pbSince)));
      const hours = Math.floor(seconds / 3600);
      const minutes = Math.floor(seconds / 60) % 60;
      const shown = hours
        ? `${hours}h ${String(minutes).padStart(2, "0")}m`
        : `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
      if (clock.textContent !== shown) clock.textContent = shown;
    }
  }

  /* Parts of a page that come one by one, each in the place of the one with its id. They hold
     nothing for htmx, which would look at each of their thousands of elements, out and in. */

  function putParts(event) {
    const { requestConfig, serverResponse, xhr } = event.detail;
    if (!requestConfig.elt.matches("[data-pb-parts]")) return;
    if (xhr.status !== 200 || xhr.getResponseHeader("HX-Retarget")) return;
    event.detail.shouldSwap = false;
    const arrived = document.createElement("template");
    arrived.innerHTML = serverResponse;
    const focused = document.activeElement;
    for (const part of [...arrived.content.children]) {
      document.getElementById(part.id)?.replaceWith(part);
    }
    if (focused?.id && !focused.isConnected) {
      document.getElementById(focused.id)?.focus({ preventScroll: true });
    }
    tick();
  }

  /* Dialogs */

  function show(dialog) {
    if (!dialog || dialog.open) return;
    if (dialog.id === "pb-keys") listKeys(dialog);
    dialog.showModal();
    const first = ":is(input:not([type=hidden]), select, textarea):enabled";
    (find("[autofocus]", dialog) ?? find(first, dialog))?.focus();
  }

  function showArrived(scope) {
    const dialogs = all("dialog[data-pb-show]", scope);
    if (scope.matches?.("dialog[data-pb-show]")) dialogs.push(scope);
    dialogs.forEach(show);
  }

  /* Keys: an element with data-pb-key is pressed, or focused if one types into it. */

  const KEYS_OFF = "pb-keys-off";
  const typesInto = (element) => element.matches("input, select, textarea, [contenteditable]");

  function keyed(key) {
    const scope = find("dialog[open]") ?? document;
    return all("[data-pb-key]", scope).find(
      (element) =>
        element.dataset.pbKey.toLowerCase() === key &&
        !element.matches(":disabled, [aria-disabled=true]") &&
        element.checkVisibility(),
    );
  }

  function pressKey(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      const form = find("dialog[open] form");
      // A key held down must not confirm what has only just appeared.
      if (!form || event.repeat) return;
      event.preventDefault();
      (find("[data-pb-default]", form) ?? find("[type=submit]", form))?.click();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (typesInto(event.target) || localStorage.getItem(KEYS_OFF)) return;
    const element = keyed(event.key.toLowerCase());
    if (!element) return;
    event.preventDefault();
    if (typesInto(element)) element.focus();
    else element.click();
  }

  function listKeys(dialog) {
    const list = find("[data-pb-key-list]", dialog);
    list.replaceChildren();
    for (const element of all("[data-pb-key]")) {
      const key = document.createElement("dt");
      const hint = document.createElement("kbd");
      hint.className = "pb-kbd";
      hint.textContent = element.dataset.pbKey.toUpperCase();
      key.append(hint);
      const meaning = document.createElement("dd");
      const label = element.cloneNode(true);
      all("kbd", label).forEach((inner) => inner.remove());
      meaning.textContent =
        element.dataset.pbKeyLabel || element.getAttribute("aria-label") || label.textContent.trim();
      list.append(key, meaning);
    }
    find("[data-pb-key-switch]", dialog).checked = !localStorage.getItem(KEYS_OFF);
  }

  /* Go to a table */

  function narrowChoices(dialog) {
    const words = find("input", dialog).value.trim().toLowerCase();
    const links = all("a", dialog);
    for (const link of links) link.hidden = !link.textContent.toLowerCase().includes(words);
    choose(dialog, links.find((link) => !link.hidden));
  }

  function choose(dialog, link) {
    for (const other of all("a", dialog)) other.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    link?.scrollIntoView({ block: "nearest" });
  }

  function pressInGoto(event, dialog) {
    const links = all("a", dialog).filter((link) => !link.hidden);
    const at = links.findIndex((link) => link.hasAttribute("aria-current"));
    if (event.key === "Enter") links[Math.max(at, 0)]?.click();
    else if (event.key === "ArrowDown") choose(dialog, links[Math.min(at + 1, links.length - 1)]);
    else if (event.key === "ArrowUp") choose(dialog, links[Math.max(at - 1, 0)]);
    else return;
    event.preventDefault();
  }

  /* Card picker */

  const GLYPHS = { S: "♠", H: "♥", D: "♦", C: "♣" };
  const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

  const isCard = (word) => /^[A2-9TJQK][SHDC]$/.test(word);

  /** Read "ks10h 4x" as ["KS", "TH", "4X"]: cards, and as it came what is none. A slash stands
      between the two hands of a split. */
  function readCards(text) {
    const plain = text
      .toUpperCase()
      .replaceAll("10", "T")
      .replace(/[♠♥♦♣]/g, (glyph) => SUITS[glyph]);
    return plain.match(/[A2-9TJQK][SHDC]|\/|[^\s,;/]+/g) ?? [];
  }

  function showCards(input) {
    const shown = find(`[data-pb-shown="${CSS.escape(input.id)}"]`);
    if (!shown) return;
    const cards = readCards(input.value);
    const typing = document.activeElement === input;
    if (typing && cards.length && !isCard(cards.at(-1))) cards.pop();
    shown.replaceChildren(
      ...cards.map((card) => {
        const drawn = document.createElement("span");
        const tone = !isCard(card) ? "wrong" : "HD".includes(card[1]) ? "red" : "black";
        drawn.className = card === "/" ? "pb-picker-between" : `pb-picker-card pb-picker-card-${tone}`;
        drawn.textContent = isCard(card) ? card[0].replace("T", "10") + GLYPHS[card[1]] : card;
        return drawn;
      }),
    );
  }

  function setCards(input, cards) {
    input.value = cards.join(" ");
    showCards(input);
    for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  function aim(input) {
    const picker = input.closest("[data-pb-picker]");
    for (const other of all("[data-pb-cards]", picker)) {
      other.classList.toggle("pb-picker-target", other === input);
    }
  }

  /** The field that keys go to: the one used last, else the first. */
  function target(picker) {
    return find(".pb-picker-target", picker) ?? find("[data-pb-cards]", picker);
  }

  /** Add a card, unless its field is full: it must not land in the other hand. */
  function pressCard(key) {
    const input = target(key.closest("[data-pb-picker]"));
    const cards = readCards(input.value);
    if (cards.length >= Number(input.dataset.pbMost)) return;
    aim(input);
    setCards(input, [...cards, key.dataset.pbCard]);
  }

  function takeBack(button) {
    const input = target(button.closest("[data-pb-picker]"));
    setCards(input, readCards(input.value).slice(0, -1));
  }

  function readyPickers(scope) {
    for (const picker of all("[data-pb-picker]:not(.pb-picker-ready)", scope.parentNode ?? scope)) {
      picker.classList.add("pb-picker-ready");
      all("[data-pb-cards]", picker).forEach(showCards);
    }
  }

  /* Listening */

  document.addEventListener("click", (event) => {
    const pressed = event.target.closest?.(
      "[data-pb-open], [data-pb-close], [data-pb-card], [data-pb-card-back]",
    );
    if (!pressed) return;
    if (pressed.dataset.pbOpen) show(document.getElementById(pressed.dataset.pbOpen));
    else if (pressed.dataset.pbCard) pressCard(pressed);
    else if ("pbCardBack" in pressed.dataset) takeBack(pressed);
    else pressed.closest("dialog")?.close();
  });

  document.addEventListener("keydown", (event) => {
    const goto = event.target.closest?.("[data-pb-goto]");
    if (goto) pressInGoto(event, goto);
    else pressKey(event);
  });

  document.addEventListener("input", (event) => {
    const goto = event.target.closest?.("[data-pb-goto]");
    if (goto) narrowChoices(goto);
    if (event.target.matches("[data-pb-cards]")) showCards(event.target);
  });

  document.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-pb-cards]")) aim(event.target);
  });

  document.addEventListener("focusout", (event) => {
    if (!event.target.matches("[data-pb-cards]")) return;
    event.target.value = readCards(event.target.value).join(" ");
    setTimeout(() => showCards(event.target));
  });

  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-pb-key-switch]")) return;
    if (event.target.checked) localStorage.removeItem(KEYS_OFF);
    else localStorage.setItem(KEYS_OFF, "1");
  });

  function arrive(scope) {
    readyPickers(scope);
    showArrived(scope);
    tick();
  }

  document.addEventListener("htmx:beforeSwap", putParts);
  document.addEventListener("htmx:load", (event) => arrive(event.target));
  document.addEventListener("DOMContentLoaded", () => {
    setClock();
    arrive(document);
    setInterval(tick, 1000);
  });
})();
