"use strict";
/* A run that is watched: its rows come as server-sent events, and its charts grow. A row is a generation: its number,
   best, median, size of the best, mean size, different programs, games, and the champion's strength by then. */

const MOST_POINTS = 2000, CHAMPION = 7;
const AGREED = { "going on": ["running", "pausing"], killed: ["failed"], "at rest": ["paused", "finished", "waiting", "failed"] }; /* states of the head by that of the feed */
const LINES = [["best", 1], ["median", 2], ["champion", CHAMPION]];
const within = (parent, name, attributes, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) { made.setAttribute(key, value); }
  if (text !== undefined) { made.textContent = text; }
  return parent.appendChild(made);
};
const number = (value, digits) => value.toFixed(digits).replace("-", "−");
const path = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const seconds = (count) => (count < 120 ? `${Math.round(count)} seconds` : `${Math.round(count / 60)} minutes`);

const marksOf = (low, high) => {
  const rough = (high - low || 1) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough) * power;
  const first = Math.floor(low / step + 1e-9), last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return { digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), marks: Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step) };
};

const watch = (run) => {
  const { share, even, guided, feed, head } = run.dataset, times = share ? 100 : 1;
  const chart = document.getElementById("chart"), reading = document.getElementById("reading"), table = document.querySelector("#numbers tbody");
  const lines = guided ? LINES.slice(2) : LINES, hint = reading.textContent;
  const strength = (value) => (value === null || value === undefined ? "–" : number(value * times, share ? 1 : Math.abs(value) < 100 ? 2 : 0));
  const goalNow = () => Number(document.getElementById("head").dataset.goal); /* which grows when a run goes on */
  let rows = [], champion = null, waiting = false, scale = null, since = null, goal = goalNow();

  const tell = () => {
    for (const [name, k] of LINES) {
      const place = run.querySelector(`[data-number=${name}]`);
      if (place && rows.length) { place.textContent = strength(name === "champion" ? champion : rows[rows.length - 1][k]) + (share ? "%" : ""); }
    }
  };
  const draw = () => {
    waiting = false;
    if (!rows.length) { return; }
    const last = rows[rows.length - 1];
    tell();
    document.getElementById("done").setAttribute("width", goal ? Math.min(100, 100 * last[0] / goal) : 100);
    run.querySelectorAll("[data-small]").forEach((small) => {
      const k = Number(small.dataset.small), values = rows.map((row) => row[k] ?? 0), most = Math.max(...values, 1);
      run.querySelector(`[data-last="${k}"]`).textContent = last[k] === null ? "–" : number(last[k], k === 4 ? 1 : 0);
      small.replaceChildren();
      within(small, "path", { d: path(values.map((value, at) => [260 * at / Math.max(1, values.length - 1), 52 - 48 * value / most])) });
    });
    drawChart(last);
    if (document.getElementById("numbers").open) { fill(); }
  };

  const drawChart = (last) => {
    const width = Math.max(260, chart.clientWidth), height = width < 520 ? 250 : 300, left = 40, right = width < 520 ? 104 : 124, floor = height - 24;
    const values = rows.flatMap((row) => lines.map(([, k]) => row[k])).filter((each) => each !== null && each !== undefined).map((each) => each * times);
    if (even) { values.push(even * times); }
    const { digits, marks } = marksOf(Math.min(...values), Math.max(...values)), first = rows[0][0], end = Math.max(last[0], goal || 0, first + 1);
    const x = (generation) => left + (generation - first) / (end - first) * (width - left - right);
    const y = (value) => floor - (value * times - marks[0]) / (marks[marks.length - 1] - marks[0]) * (floor - 10);
    const svg = within(document.createDocumentFragment(), "svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" });
    for (const mark of marks) {
      within(svg, "path", { class: "grid", d: `M${left} ${y(mark / times)}H${width - right}` });
      within(svg, "text", { x: left - 6, y: y(mark / times) + 4, "text-anchor": "end" }, number(mark, digits));
    }
    for (const mark of marksOf(first, end).marks.filter((each) => each >= first && each <= end && each % 1 === 0)) { within(svg, "text", { x: x(mark), y: height - 6, "text-anchor": "middle" }, mark); }
    const names = [];
    if (even) {
      within(svg, "path", { class: "even", d: `M${left} ${y(even)}H${width - right}` });
      names.push({ at: y(even), text: "even share", kind: "even" });
    }
    for (const [name, k] of lines) {
      const known = rows.filter((row) => row[k] !== null && row[k] !== undefined);
      if (!known.length) { continue; }
      const ups = name === "champion" ? known.flatMap((row, at) => (at ? [[x(row[0]), y(known[at - 1][k])], [x(row[0]), y(row[k])]] : [[x(row[0]), y(row[k])]])) : known.map((row) => [x(row[0]), y(row[k])]);
      within(svg, "path", { class: `line ${name}`, d: path(ups) });
      if (name === "champion") { known.filter((row, at) => !at || row[k] !== known[at - 1][k]).forEach((row) => within(svg, "circle", { cx: x(row[0]), cy: y(row[k]), r: 4 })); }
      const value = known[known.length - 1][k];
      names.push({ at: y(value), text: name === "champion" ? `champion ${number(value * times, share ? 0 : 1)}` : name, kind: name });
    }
    names.sort((one, other) => one.at - other.at).forEach((each, k) => { if (k) { each.at = Math.max(each.at, names[k - 1].at + 17); } });
    const over = Math.max(0, (names.length ? names[names.length - 1].at : 0) - floor);
    for (const { at, text, kind } of names) { within(svg, "text", { x: width - right + 8, y: at - over + 4, class: `is-${kind}` }, text); }
    const cross = within(svg, "path", { class: "cross", d: "" });
    scale = { cross, x, floor };
    chart.replaceChildren(svg);
  };

  const read = (event) => {
    if (!scale) { return; }
    const at = event.clientX - chart.getBoundingClientRect().left;
    const row = rows.reduce((best, each) => (Math.abs(scale.x(each[0]) - at) < Math.abs(scale.x(best[0]) - at) ? each : best), rows[0]);
    scale.cross.setAttribute("d", `M${scale.x(row[0])} 10V${scale.floor}`);
    reading.textContent = `Generation ${row[0]}: ${lines.map(([name, k]) => `${name} ${strength(row[k])}`).reverse().join(", ")}`;
  };
  const fill = () => {
    table.replaceChildren(...[...rows].reverse().map((row) => {
      const line = document.createElement("tr");
      for (const text of [row[0], strength(row[CHAMPION]), strength(row[1]), strength(row[2])]) { line.insertCell().textContent = text; }
      return line;
    }));
  };
  const progress = (fresh) => { /* what the run does now, from the generations that came while the page was open */
    const going = document.getElementById("going"), now = performance.now() / 1000, last = rows[rows.length - 1];
    if (!last) { return; }
    if (!since || last[0] < since.generation) { since = { now, generation: last[0], games: 0 }; return; }
    since.games += fresh.reduce((sum, row) => sum + (row[6] || 0), 0);
    const time = now - since.now, done = last[0] - since.generation;
    if (!going || !done || time < 1) { return; }
    const left = goal ? `, about ${seconds(time / done * (goal - last[0]))} left` : "";
    const speed = since.games ? ` ${Math.round(since.games / time).toLocaleString("en")} games a second.` : "";
    going.textContent = `Generation ${last[0]}${goal ? ` of ${goal}` : ""}${left}.${speed}`;
  };
  const refresh = () => { htmx.ajax("GET", head, { target: "#head", swap: "outerHTML" }); htmx.trigger("#facts", "changed"); };
  document.addEventListener("htmx:afterSwap", () => { goal = goalNow(); draw(); agree(500); });

  const source = new EventSource(feed), silence = document.getElementById("silence");
  let lost = 0, known = false, latest = "", asking = 0;
  source.addEventListener("anew", () => { rows = []; champion = null; });
  source.addEventListener("rows", (event) => {
    const before = champion, fresh = [];
    for (const [kind, ...values] of JSON.parse(event.data)) {
      if (kind === "c") {
        champion = values[1];
        if (rows.length) { rows[rows.length - 1][CHAMPION] = champion; }
      } else { fresh.push(values); rows.push([...values.slice(0, CHAMPION), champion]); }
    }
    while (rows.length > MOST_POINTS) { rows = rows.filter((row, k) => k % 2 === (rows.length - 1) % 2); }
    if (!waiting) { waiting = true; requestAnimationFrame(draw); }
    if (known && champion !== before) { htmx.trigger("#champion", "champion"); htmx.trigger("#facts", "changed"); }
    progress(known ? fresh : []);
    known = true;
  });
  const agree = (pause) => { /* the head shows what the feed said last; a run that starts may end before the feed sees it */
    const state = document.getElementById("head").dataset.state, agreed = AGREED[latest] || AGREED["at rest"];
    clearTimeout(asking);
    if (latest && !agreed.includes(state)) { asking = setTimeout(refresh, state === "starting" && latest !== "going on" ? 500 : pause); }
  };
  source.addEventListener("state", (event) => { latest = event.data; agree(0); });
  source.onopen = () => {
    if (lost) { clearInterval(lost); lost = 0; silence.replaceChildren(); refresh(); }
  };
  source.onerror = () => {
    if (lost) { return; }
    const begun = performance.now(), told = document.getElementById("no-news").content.cloneNode(true), count = told.querySelector("span:not(.pill)");
    const tell = () => {
      const silent = Math.round((performance.now() - begun) / 1000);
      count.textContent = seconds(silent);
      if (silent % 5 === 4 || source.readyState === EventSource.CLOSED) { again(); } /* a response that is not a feed closes the source */
    };
    silence.replaceChildren(told);
    tell();
    lost = setInterval(tell, 1000);
  };
  chart.addEventListener("pointermove", read);
  chart.addEventListener("pointerleave", () => { if (scale) { scale.cross.setAttribute("d", ""); reading.textContent = hint; } });
  document.getElementById("numbers").addEventListener("toggle", (event) => { if (event.target.open) { fill(); } });
  addEventListener("resize", () => requestAnimationFrame(draw));
};

/* A pressed button says at once what it does, until the new head is there. */
document.addEventListener("submit", (event) => {
  const status = document.getElementById("status");
  if (event.target.dataset.saying && status) {
    status.textContent = event.target.dataset.saying;
    document.querySelector("#head .pill").textContent = `… ${event.target.dataset.saying.split(" ")[0]}`;
  }
});
const began = performance.now();
setInterval(() => { document.querySelectorAll("[data-counts]").forEach((each) => { each.textContent = seconds((performance.now() - began) / 1000); }); }, 1000);
document.addEventListener("DOMContentLoaded", () => {
  const run = document.getElementById("run");
  if (run) { watch(run); }
});
