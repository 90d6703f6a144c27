"use strict";
/* All pages: a pressed button is busy until its response comes, a disabled button does nothing, and short messages appear. */

const toast = (text) => {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.hidden = false;
  setTimeout(() => { place.hidden = true; }, 5000);
};

const pressing = (button, busy) => {
  if (button) { busy ? button.setAttribute("aria-busy", "true") : button.removeAttribute("aria-busy"); }
};
document.addEventListener("click", (event) => {
  if (event.target.closest("[aria-disabled=true]")) { event.preventDefault(); event.stopImmediatePropagation(); }
}, true);
document.addEventListener("click", (event) => { if (event.target.dataset.toast) { toast(event.target.dataset.toast); } });
document.addEventListener("submit", (event) => { pressing(event.submitter, true); });
const idle = () => { document.querySelectorAll("button[aria-busy]").forEach((each) => pressing(each, false)); };
addEventListener("pageshow", idle);
document.addEventListener("htmx:afterRequest", idle);

/* The form for a new run proposes an unused name, until the person types one. */
document.addEventListener("change", (event) => {
  const form = event.target.closest(".new-run");
  if (form && event.target.name === "what" && !form.dataset.named) { form.elements.name.value = event.target.selectedOptions[0].dataset.name; }
  if (form && event.target.name === "name") { form.dataset.named = "yes"; }
});

/* The deal of a day has the date as its seed; the page shows how many days in a row the person has played it. */
document.addEventListener("DOMContentLoaded", () => {
  const link = document.querySelector("a[data-days]"), ago = (days) => new Date(Date.now() - 864e5 * days).toISOString().slice(0, 10);
  if (!link) { return; }
  const played = link.dataset.days.split(" "), isDone = played.includes(ago(0));
  link.href += `?seed=${ago(0).replaceAll("-", "")}`;
  let days = 0;
  while (played.includes(ago(days + 1 - isDone))) { days += 1; }
  if (isDone || days) { link.nextElementSibling.textContent = `${isDone ? "You have played it today" : "You played it up to yesterday"}: ${days} day${days === 1 ? "" : "s"} in a row.`; }
});

/* A fold that the address names is opened. */
document.addEventListener("DOMContentLoaded", () => {
  const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (named && named.matches("details")) { named.open = true; }
});

/* Lists that a field filters, choices that send their form, and dates in the words of the reader. */
document.addEventListener("input", (event) => {
  const list = event.target.dataset.filters && document.querySelector(event.target.dataset.filters);
  if (list) { list.querySelectorAll("li, tbody tr").forEach((each) => { each.hidden = !each.textContent.toLowerCase().includes(event.target.value.trim().toLowerCase()); }); }
});
document.addEventListener("keydown", (event) => {
  const first = event.key === "Enter" && event.target.dataset.filters && document.querySelector(`${event.target.dataset.filters} li:not([hidden]) button`);
  if (first) { event.preventDefault(); first.click(); }
});
document.addEventListener("change", (event) => {
  if (event.target.dataset.sends !== undefined) { location.assign(`${event.target.form.action}?${new URLSearchParams({ [event.target.name]: event.target.value })}`); }
});
const dated = () => {
  document.querySelectorAll("time[data-at]").forEach((each) => {
    const day = new Date(1000 * each.dataset.at);
    each.dateTime = day.toISOString();
    const seconds = Date.now() / 1000 - each.dataset.at, unit = [["day", 86400], ["hour", 3600], ["minute", 60]].find(([, long]) => seconds >= long || long === 60);
    each.textContent = each.dataset.ago !== undefined ? new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(seconds / unit[1]), unit[0]) : day.toLocaleString("en", { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hour12: false });
  });
};
document.addEventListener("DOMContentLoaded", dated);
document.addEventListener("htmx:afterSettle", dated);

document.addEventListener("htmx:beforeRequest", () => { document.getElementById("mistake").textContent = ""; });

/* Some addresses start something new. Reading a page changes nothing, so the page sends its form at once. */
document.addEventListener("DOMContentLoaded", () => {
  const asked = document.querySelector("form[data-begins]");
  if (asked) { asked.requestSubmit(asked.querySelector("button")); }
});

/* If the server stops, or restarts with another token, the page stays as it is and asks every five seconds. It
   continues when the server accepts it, and never discards what a person is writing. */
const UNKNOWN = 401;
let asking = 0;
const lose = (status) => {
  const lost = document.getElementById("lost");
  lost.hidden = false;
  lost.querySelectorAll("p").forEach((each) => { each.hidden = each.dataset.status !== String(status); });
  lost.querySelector("button").onclick = again;
  asking = asking || setInterval(again, 5_000);
};
const again = async () => {
  try {
    const { status } = await fetch(location.href, { redirect: "manual" });
    if (status === UNKNOWN) { lose(status); return; }
    clearInterval(asking);
    asking = 0;
    document.getElementById("lost").hidden = true;
    if (!document.querySelector("[data-stays]")) { location.reload(); }
  } catch { lose(0); }
};
document.addEventListener("htmx:sendError", () => { lose(0); });
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status === UNKNOWN) { detail.shouldSwap = false; lose(UNKNOWN); }
});

/* Traces: every way to another step moves the slider, which fetches it; the slider shows the current step. */

let board = "before"; /* which of the two boards is shown */
const stepTo = (number) => {
  const slider = document.getElementById("slider");
  if (number === "" || Number(number) === Number(slider.value)) { return; }
  slider.value = number;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
};

document.addEventListener("click", (event) => {
  const button = event.target.closest(".steps button"), slider = document.getElementById("slider");
  if (!button || button.getAttribute("aria-disabled")) { return; }
  if (button.dataset.by) { stepTo(Number(slider.value) + Number(button.dataset.by)); }
  if (button.dataset.decision) { stepTo(document.getElementById("step").dataset[button.dataset.decision]); }
});
document.addEventListener("change", (event) => { if (event.target.name === "when") { board = event.target.value; } });
document.addEventListener("keydown", (event) => {
  const slider = document.getElementById("slider");
  if (!slider || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) { return; }
  if (event.target.matches("input, select, textarea, .scroll")) { return; }
  const to = { ArrowLeft: Number(slider.value) - 1, ArrowRight: Number(slider.value) + 1, Home: 0, End: Number(slider.max) }[event.key];
  if (to !== undefined) { event.preventDefault(); stepTo(Math.min(Math.max(to, 0), Number(slider.max))); }
});

const off = (button, is) => { is ? button.setAttribute("aria-disabled", "true") : button.removeAttribute("aria-disabled"); };
const settled = () => {
  const step = document.getElementById("step"), slider = document.getElementById("slider");
  if (!step || !slider) { return; }
  const { step: here, last, before, after } = step.dataset;
  if (document.activeElement !== slider) { slider.value = here; }
  document.getElementById("place").textContent = `${here} of ${last}`;
  document.querySelectorAll(".steps [data-by]").forEach((each) => off(each, here === (each.dataset.by === "1" ? last : "0")));
  document.querySelectorAll(".steps [data-decision]").forEach((each) => off(each, (each.dataset.decision === "before" ? before : after) === ""));
  const when = step.querySelector(`input[name=when][value=${board}]`);
  if (when) { when.checked = true; }
  const mark = step.querySelector(".listing mark");
  if (mark) { mark.parentElement.scrollTop = mark.offsetTop - mark.parentElement.clientHeight / 2; }
};
document.addEventListener("DOMContentLoaded", settled);
document.addEventListener("htmx:afterSettle", settled);
