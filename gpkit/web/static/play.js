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
  if (spot.dataset.order) { spot.focus({ preventScroll: true }); return; }
  if (spot.dataset.square) { step(spot.closest(".board"), Number(spot.dataset.square), spot); return; }
  send(spot, spot.dataset.action);
};
const send = (spot, action) => {
  const form = spot.closest("form");
  lastSpot = document.activeElement === spot ? middle(spot) : null;
  const asked = document.getElementById("confirm");
  if (asked) { asked.remove(); }
  form.elements.spot.value = action;
  form.requestSubmit();
};

/* Pieces that move: the first square lifts one and shows where it can go, the next ones move it, Escape puts it back. */

let lifted = []; /* the squares chosen so far */
const waysOf = (board) => JSON.parse(board.querySelector(".ways").dataset.ways);
const goesOn = (path, chosen) => chosen.every((square, k) => path[k] === square);
const targets = (ways) => ways.flatMap(([, , path]) => [path[lifted.length], ways.filter((each) => each[2].at(-1) === path.at(-1)).length === 1 ? path.at(-1) : undefined]);
const aim = (board, chosen) => {
  lifted = chosen;
  const ways = waysOf(board), left = ways.filter(([, , path]) => goesOn(path, lifted)), ends = targets(left);
  for (const way of board.querySelectorAll(".way")) {
    const square = Number(way.dataset.square), isEnd = Boolean(lifted.length) && ends.includes(square), isFirst = ways.some(([, , path]) => path[0] === square);
    const one = left.find(([, , path]) => path.at(-1) === square), isLifted = lifted.includes(square);
    way.classList.toggle("lifted", isLifted);
    way.classList.toggle("target", isEnd);
    way.classList.toggle("spot", isEnd || isFirst || isLifted);
    way.dataset.name = way.dataset.name || way.getAttribute("aria-label") || "";
    if (isEnd || isLifted || (isFirst && !lifted.length)) {
      way.setAttribute("role", "button");
      way.setAttribute("aria-label", isEnd ? (one ? one[1] : `on to square ${square}`) : `${way.dataset.name}${isLifted ? ", put back" : ""}`);
    } else { ["role", "aria-label"].forEach((each) => { way.removeAttribute(each); }); }
  }
  board.classList.toggle("lifting", Boolean(lifted.length));
};
const putBack = () => document.querySelectorAll(".board.lifting").forEach((board) => { aim(board, []); });
const ask = (board, ways) => {
  const row = document.createElement("span");
  row.id = "confirm";
  row.className = "row";
  row.append(...ways.map(([action, text]) => Object.assign(document.createElement("button"), { type: "button", className: "main", textContent: text, onclick: () => { send(board.querySelector(".way"), action); } })));
  document.querySelector(".acts").prepend(row);
  row.firstElementChild.focus();
};
const step = (board, square, spot) => {
  const left = waysOf(board).filter(([, , path]) => goesOn(path, lifted));
  const whole = left.filter(([, , path]) => path.length === lifted.length), asked = document.getElementById("confirm");
  if (asked) { asked.remove(); }
  const settled = (ways) => { if (ways.length === 1) { send(spot, ways[0][0]); } else { ask(board, ways); } };
  if (lifted.length && square === lifted.at(-1)) {
    if (whole.length) { settled(whole); } else { aim(board, []); }
    return;
  }
  if (!lifted.length || !targets(left).includes(square)) {
    const begun = waysOf(board).filter(([, , path]) => path[0] === square);
    if (begun.length && begun.every(([, , path]) => path.length === 1)) { settled(begun); } else { aim(board, begun.length ? [square] : []); }
    return;
  }
  const next = left.filter(([, , path]) => path[lifted.length] === square), ends = left.filter(([, , path]) => path.at(-1) === square);
  const done = next.length ? next.filter(([, , path]) => path.length === lifted.length + 1) : ends;
  if (done.length && done.length === (next.length || 1)) {
    settled(done);
  } else { aim(board, [...lifted, square]); }
};

/* A piece can be dragged to its square, too. */

document.addEventListener("pointerdown", (event) => {
  const way = event.target.closest(".way.spot"), board = way && way.closest(".board"), piece = way && board.querySelector(`.piece[data-at="${way.dataset.square}"]`);
  const square = way && Number(way.dataset.square);
  if (event.button || !piece || !waysOf(board).some(([, , path]) => path[0] === square)) { return; }
  const over = new AbortController(), place = piece.getAttribute("transform"), scale = board.querySelector("svg").getScreenCTM().a, signal = over.signal;
  let isDragged = false;
  way.releasePointerCapture(event.pointerId);
  addEventListener("pointermove", (now) => {
    const [x, y] = [now.clientX - event.clientX, now.clientY - event.clientY];
    if (!isDragged && Math.hypot(x, y) < 6) { return; }
    if (!isDragged) { aim(board, [square]); piece.parentNode.insertBefore(piece, board.querySelector(".ways")); }
    isDragged = true;
    piece.setAttribute("transform", `translate(${x / scale} ${y / scale}) ${place}`);
  }, { signal });
  const end = (now) => {
    over.abort();
    piece.setAttribute("transform", place);
    if (!isDragged) { return; }
    const under = document.elementFromPoint(now.clientX, now.clientY), onto = under && under.closest(".way.target");
    if (onto) { step(board, Number(onto.dataset.square), onto); } else { aim(board, []); }
    addEventListener("click", (click) => { click.stopPropagation(); }, { capture: true, once: true });
    setTimeout(() => { dispatchEvent(new MouseEvent("click")); }); /* where no click follows */
  };
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", end, { signal });
});

/* Orders on a timeline can be dragged to another time, or moved with Shift and an arrow, while they can be taken back. */

const ordersOf = (board) => [...board.querySelectorAll(".order")];
const order = (bar, to) => {
  const form = bar.closest("form"), last = ordersOf(bar.closest(".board")).length - 1, place = Number(bar.dataset.order);
  if (to === place || to < 0 || to > last) { return; }
  lastSpot = middle(ordersOf(bar.closest(".board")).find((each) => Number(each.dataset.order) === to));
  htmx.ajax("POST", form.getAttribute("hx-post").replace(/act$/, "reorder"), { source: form, target: "#table", values: { place, to } });
};
const upgrade = (board) => {
  if (!ordersOf(board).length || !document.querySelector("[data-key=u]")) { return; }
  board.querySelector("svg").setAttribute("role", "group");
  for (const bar of ordersOf(board)) {
    bar.classList.add("spot");
    bar.setAttribute("role", "button");
    bar.setAttribute("aria-label", `${bar.textContent}. Drag it, or press Shift and an arrow.`);
  }
};

document.addEventListener("pointerdown", (event) => {
  const bar = event.target.closest(".order.spot"), over = new AbortController();
  if (event.button || !bar) { return; }
  const scale = bar.closest("svg").getScreenCTM().a;
  let isDragged = false;
  addEventListener("pointermove", ({ clientX }) => {
    isDragged = isDragged || Math.abs(clientX - event.clientX) > 5;
    if (isDragged) { bar.classList.add("dragged"); bar.setAttribute("transform", `translate(${(clientX - event.clientX) / scale} 0)`); }
  }, { signal: over.signal });
  const end = ({ type }) => {
    over.abort();
    const left = boxOf(bar).x, others = ordersOf(bar.closest(".board")).filter((each) => each !== bar);
    bar.removeAttribute("transform");
    bar.classList.remove("dragged");
    if (isDragged && type === "pointerup") { order(bar, others.filter((each) => boxOf(each).x < left).length); }
  };
  ["pointerup", "pointercancel"].forEach((each) => { addEventListener(each, end, { signal: over.signal }); });
});

document.addEventListener("touchmove", (event) => { if (event.target.closest(".way.spot, .order.spot")) { event.preventDefault(); } }, { passive: false }); /* a drag scrolls no page */

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
  const lifts = spot.dataset.order || spot.dataset.square && !spot.classList.contains("target");
  if (small && !lifts && spot !== document.activeElement) { select(spot); } else { choose(spot); }
});

document.addEventListener("mousedown", (event) => { if (event.target.closest(".spot")) { event.preventDefault(); } }); /* a click is no focus */

/* Keys: arrows between places, and the keys that buttons name. */

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || event.target.matches("input:not([type=radio]), select, textarea")) { return; }
  const spot = event.target.closest(".spot");
  if (event.shiftKey && spot && spot.dataset.order && event.key.startsWith("Arrow")) {
    event.preventDefault();
    order(spot, Number(spot.dataset.order) + (["ArrowLeft", "ArrowUp"].includes(event.key) ? -1 : 1));
  } else if (event.key.startsWith("Arrow") && !event.target.matches("input, .scroll")) {
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
  } else if (event.key === "Escape" && lifted.length) {
    putBack();
    if (spot) { spot.focus(); }
  } else if (event.key === "Escape") {
    document.querySelectorAll(".asks[open], .rail details[open]").forEach((each) => { each.open = false; });
  } else if (event.key === "?" && document.getElementById("keys")) {
    event.preventDefault();
    document.getElementById("keys").showModal();
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
  const dialog = heading && heading.closest("dialog");
  if (dialog && !dialog.open) { dialog.showModal(); }
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
  lifted = [];
  for (const board of document.querySelectorAll(".board")) {
    upgrade(board);
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

/* The piece that moved last travels to its square; a new one comes from above. */

const travel = (boards) => {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) { return; }
  for (const piece of boards.flatMap((board) => [...board.querySelectorAll(".piece[data-from]")])) {
    const [x, y] = piece.getAttribute("transform").match(/[-.\d]+/g), [fromX, fromY] = piece.dataset.from.split(" ");
    piece.animate([{ transform: `translate(${fromX}px, ${fromY}px)` }, { transform: `translate(${x}px, ${y}px)` }], { duration: 150, easing: "ease-out" });
  }
};

/* After a win the score counts up from 0; numbers in players' names stay. Readers hear the last text alone. */

const countUp = (prompt, name) => {
  const task = prompt.querySelector(".won ~ .task"), began = performance.now();
  if (!task || matchMedia("(prefers-reduced-motion: reduce)").matches) { return; }
  const parts = task.textContent.split(/((?<![-.\d])\d+(?![-.\d]))/);
  const show = (now) => {
    const share = Math.min(Math.max(now - began, 0) / 600, 1), isScore = (place) => place % 2 && !parts[place - 1].endsWith(`${name} `);
    task.textContent = parts.map((text, place) => (isScore(place) && share < 1 ? Math.round(text * share) : text)).join("");
    if (share < 1 && task.isConnected) { requestAnimationFrame(show); } else { prompt.removeAttribute("aria-busy"); }
  };
  prompt.setAttribute("aria-busy", "true");
  show(began);
};

const settle = async () => {
  const form = document.getElementById("act"), prompt = document.getElementById("prompt"), frames = [...document.querySelectorAll("template.frame")];
  const boards = [...form.querySelectorAll(".board")], shown = document.createElement("div");
  if (frames.length && boards.length && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    boards.forEach((each) => { each.hidden = true; });
    form.prepend(shown);
    for (const frame of frames) {
      shown.replaceChildren(frame.content.cloneNode(true));
      travel([shown]);
      prompt.dataset.moving = frame.dataset.told;
      if (await whenSkipped(Math.min(350, 1500 / frames.length)) || !form.isConnected) { break; }
    }
    delete prompt.dataset.moving;
    shown.remove();
    boards.forEach((each) => { each.hidden = false; });
  }
  if (form.isConnected) { prepare(); travel(boards); countUp(prompt, form.dataset.thinking.replace(/ \d+$/, "")); }
  if (prompt.querySelector(".over") && prompt.getBoundingClientRect().top < 0) { prompt.scrollIntoView(); }
};

/* The page names a player that thinks for longer than a moment. */

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
