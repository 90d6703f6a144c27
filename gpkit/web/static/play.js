"use strict";
/* Boards: every place that can be chosen is a button, by a click, Enter or the space bar; arrow keys go to the next. */

const spotsOf = (board) => (board.offsetParent ? [...board.querySelectorAll(".spot[role=button]")] : []); /* of a drawing that is shown */
let lastSpot = null; /* where the focus was when an action was chosen, in pixels of the board */

const boxOf = (spot) => (spot.querySelector(".hit") || spot).getBoundingClientRect(); /* without what it shows beside */
const middle = (spot) => {
  const box = boxOf(spot);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

const only = (spots, chosen) => {
  for (const spot of spots) { spot.setAttribute("tabindex", spot === chosen ? "0" : "-1"); }
};

const nearest = (spots, place) => {
  const far = (spot) => { const at = middle(spot); return Math.hypot(at.x - place.x, at.y - place.y); };
  return spots.reduce((best, spot) => (far(spot) < far(best) ? spot : best), spots[0]);
};

const towards = (spots, from, key) => {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (dx && from.querySelector(".face")) { return spots[spots.indexOf(from) + dx]; } /* rows of a hand follow each other */
  const here = middle(from);
  let best = null, least = Infinity;
  for (const spot of spots) {
    const at = middle(spot), x = at.x - here.x, y = at.y - here.y;
    const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (spot !== from && along > 1 && along + 3 * aside < least) { best = spot; least = along + 3 * aside; }
  }
  return best;
};

const isOff = (spot) => spot.getAttribute("aria-disabled") === "true";
const choose = (spot) => {
  if (isOff(spot)) { return; }
  const form = spot.closest("form");
  lastSpot = document.activeElement === spot ? middle(spot) : null;
  const asked = document.getElementById("confirm");
  if (asked) { asked.remove(); }
  form.elements.spot.value = spot.dataset.action;
  form.requestSubmit();
};

/* Where places are smaller than a finger, a first touch selects one, and a second touch or a button chooses it. */

const FINGER = 40;

const select = (spot) => {
  only(spotsOf(spot.closest(".board")), spot);
  spot.focus({ preventScroll: true });
  const button = document.getElementById("confirm") || document.createElement("button");
  button.remove();
  if (isOff(spot)) { return; }
  Object.assign(button, { id: "confirm", type: "button", className: "main", textContent: spot.getAttribute("aria-label"), onclick: () => { spot.focus(); choose(spot); } });
  document.querySelector(".acts").prepend(button);
};

document.addEventListener("click", (event) => {
  const place = event.target.closest(".spot");
  if (!place) { return; }
  const spot = place.closest("svg").querySelector(`.spot[role=button][data-action="${place.dataset.action}"]`) || place; /* as a card in the hand */
  const box = boxOf(place), small = event.pointerType === "touch" && Math.min(box.width, box.height) < FINGER;
  if (small && spot !== document.activeElement) { select(spot); } else { choose(spot); }
});

document.addEventListener("mousedown", (event) => { if (event.target.closest(".spot")) { event.preventDefault(); } }); /* a click is no focus */

/* Keys: arrows between places, and the keys that buttons name. */

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || event.target.matches("input:not([type=radio]), select, textarea")) { return; }
  const spot = event.target.closest(".spot");
  if (event.key.startsWith("Arrow") && !event.target.matches("input, .scroll")) {
    const all = spot ? spotsOf(spot.closest(".board")) : [...document.querySelectorAll(".board")].flatMap(spotsOf);
    const next = spot ? towards(all, spot, event.key) : all.find((each) => each.getAttribute("tabindex") === "0");
    if (all.length) { event.preventDefault(); }
    if (next) { only(all, next); next.focus(); }
  } else if (spot && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(spot);
  } else if (event.key === "Enter" && event.target.matches("body, .palette .peg") && document.querySelector("#guess:not([aria-disabled=true])")) {
    event.preventDefault();
    document.getElementById("guess").click();
  } else if (event.key === "Escape") {
    document.querySelectorAll(".asks[open], .rail details[open]").forEach((each) => { each.open = false; });
  } else {
    const named = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === event.key.toLowerCase());
    if (!named) { return; }
    event.preventDefault();
    lastSpot = spot ? middle(spot) : null;
    named.click();
  }
});

document.addEventListener("click", (event) => {
  const close = event.target.closest("[data-close]"), link = event.target.closest('a[href^="#"]');
  if (close) { close.closest("details").open = false; }
  const heading = link && document.querySelector(`${link.getAttribute("href")} h2`);
  if (heading) { event.preventDefault(); heading.focus(); heading.scrollIntoView(); }
});

document.addEventListener("input", (event) => {
  if (!event.target.closest(".filter")) { return; }
  const text = event.target.value.toLowerCase();
  document.querySelectorAll(".actions button").forEach((each) => { each.hidden = !each.textContent.toLowerCase().includes(text); });
});

/* Codes: a colour fills the ringed place and the next one is ringed; a peg is taken out by choosing it. */

const places = () => [...document.querySelectorAll(".peg[data-place]")];
const partOf = (place) => place.previousElementSibling;
const ring = (wanted) => {
  const all = places(), next = wanted || all.find((each) => !partOf(each).value);
  all.forEach((each) => { each.classList.toggle("ringed", each === next); });
  const guess = document.getElementById("guess"), task = document.querySelector("#prompt .task"), free = all.filter((each) => !partOf(each).value).length;
  const more = free === all.length ? `${free} colours` : `${["", "one", "two", "three"][free] || free} more colour${free > 1 ? "s" : ""}`;
  if (guess && task) { task.textContent = task.textContent.replace(/:.*/, free ? `: choose ${more}` : ": press Guess"); }
  if (guess) { guess.setAttribute("aria-disabled", String(all.some((each) => !partOf(each).value))); }
};
const put = (place, colour) => {
  const peg = [...document.querySelectorAll(".peg[data-colour]")].find((each) => each.dataset.colour === colour);
  partOf(place).value = peg ? colour : "";
  place.replaceChildren(...(peg ? [peg.firstElementChild.cloneNode(true)] : []));
  place.classList.toggle("empty", !peg);
  place.setAttribute("aria-label", `Place ${place.dataset.place}, ${peg ? `colour ${colour}, take it out` : "empty"}`);
  ring(peg ? null : place);
};

document.addEventListener("click", (event) => {
  const peg = event.target.closest(".peg"), whole = event.target.closest("[data-put]");
  if (whole) { places().forEach((place, k) => { put(place, whole.dataset.put[k]); }); document.getElementById("guess").focus(); }
  if (!peg) { return; }
  const ringed = document.querySelector(".peg.ringed");
  if (peg.dataset.place) { put(peg, ""); } else if (ringed) { put(ringed, peg.dataset.colour); }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Backspace" || event.target.matches("input, select, textarea")) { return; }
  const filled = places().filter((each) => partOf(each).value).pop();
  if (filled) { event.preventDefault(); put(filled, ""); }
});

/* The board is one stop for Tab; folds stay open, and the focus stays at the nearest place after a move. */

let unfolded = [], filled = ["", []];
const turnNow = () => document.querySelector("#act [name=turn]").value;
const prepare = () => {
  for (const board of document.querySelectorAll(".board")) {
    const spots = spotsOf(board);
    if (!spots.length) { continue; }
    const first = lastSpot ? nearest(spots, lastSpot) : spots[0];
    only(spots, first);
    if (lastSpot) { first.focus({ preventScroll: true }); }
  }
  lastSpot = null;
  if (filled[0] === turnNow()) { places().forEach((place, k) => { put(place, filled[1][k] || ""); }); }
  ring(null);
  unfolded.forEach((id) => { const fold = document.getElementById(id); if (fold) { fold.open = true; } });
};

document.addEventListener("DOMContentLoaded", prepare);
addEventListener("resize", prepare);

/* Others' moves are shown one by one, 350 ms apart and 1.5 s together at most; any key or click skips. */

const whenSkipped = (milliseconds) => new Promise((resolve) => {
  const over = new AbortController();
  const end = (event) => {
    over.abort();
    if (event && event.type === "keydown") { event.preventDefault(); event.stopPropagation(); }
    resolve(Boolean(event));
  };
  setTimeout(end, milliseconds);
  ["keydown", "pointerdown"].forEach((each) => { addEventListener(each, end, { capture: true, signal: over.signal }); });
});

const settle = async () => {
  const form = document.getElementById("act"), prompt = document.getElementById("prompt"), frames = [...document.querySelectorAll("template.frame")];
  const boards = [...form.querySelectorAll(".board")], shown = document.createElement("div");
  if (frames.length && boards.length && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    boards.forEach((each) => { each.hidden = true; });
    form.prepend(shown);
    for (const frame of frames) {
      shown.replaceChildren(frame.content.cloneNode(true));
      prompt.dataset.moving = frame.dataset.told;
      if (await whenSkipped(Math.min(350, 1500 / frames.length)) || !form.isConnected) { break; }
    }
    delete prompt.dataset.moving;
    shown.remove();
    boards.forEach((each) => { each.hidden = false; });
  }
  if (form.isConnected) { prepare(); }
  if (prompt.querySelector(".over") && prompt.getBoundingClientRect().top < 0) { prompt.scrollIntoView(); }
};

/* Who thinks for longer than a moment is named. */

let thinking = 0;
document.addEventListener("htmx:beforeRequest", (event) => {
  const name = event.target.dataset.thinking, prompt = document.getElementById("prompt"), was = prompt.innerHTML;
  if (!name) { return; }
  thinking = setTimeout(() => { prompt.querySelector(".task").textContent = `${name} is thinking`; }, 300);
  event.target.addEventListener("htmx:afterRequest", ({ detail }) => { clearTimeout(thinking); if (!detail.successful) { prompt.innerHTML = was; } }, { once: true });
});

/* A hint that takes longer than a second says so, and can be stopped. */

document.addEventListener("htmx:beforeRequest", (event) => {
  const source = event.target, began = Date.now();
  if (!(source.getAttribute("hx-get") || "").endsWith("/say/hint")) { return; }
  const told = document.createElement("p"), count = document.createElement("span"), stop = document.createElement("button");
  told.className = "row small";
  stop.type = "button";
  stop.textContent = "Stop";
  stop.onclick = () => { htmx.trigger(source, "htmx:abort"); };
  told.append(count, stop);
  const ticking = setInterval(() => {
    const seconds = Math.round((Date.now() - began) / 1000);
    count.textContent = `Working out the hint: ${seconds} second${seconds === 1 ? "" : "s"}`;
    if (source.isConnected) { document.querySelector(".acts").append(told); } else { clearInterval(ticking); }
  }, 1_000);
  source.addEventListener("htmx:afterRequest", () => { clearInterval(ticking); told.remove(); }, { once: true });
});
document.addEventListener("htmx:beforeSwap", () => { filled = [turnNow(), places().map((each) => partOf(each).value)]; unfolded = [...document.querySelectorAll("#table details[id][open]")].map((each) => each.id); });
document.addEventListener("htmx:afterSettle", (event) => { if (event.target.id === "table") { settle(); } });
