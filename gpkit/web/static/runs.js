"use strict";
/* A run that is watched: its rows come as server-sent events, and its charts grow. */

const MOST_POINTS = 2000;
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const states = {
  "going on": "Running.",
  "killed": "The run was killed, or its machine went down: Resume continues from its last checkpoint.",
  "at rest": "Not running.",
};
const strokes = ["#0072b2", "#d55e00"];

const chartOf = (id, names) => {
  const place = document.getElementById(id);
  const axis = { stroke: colour("--dim"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") } };
  const series = names.map((name, k) => ({ label: name, stroke: strokes[k], width: 2, spanGaps: true, points: { show: false } }));
  const size = () => ({ width: Math.max(260, place.clientWidth), height: 220 });
  const plot = new uPlot({ ...size(), scales: { x: { time: false } }, axes: [axis, { ...axis, size: 64 }], series: [{ label: "generation" }, ...series], cursor: { drag: { setScale: false } } }, [[], ...names.map(() => [])], place);
  addEventListener("resize", () => plot.setSize(size()));
  return plot;
};

const watch = (run) => {
  const charts = {
    training: chartOf("training", ["best", "median"]),
    validation: chartOf("validation", ["champion"]),
    size: chartOf("size", ["best", "mean"]),
    diversity: chartOf("diversity", ["different"]),
  };
  const state = document.getElementById("state"), resume = document.getElementById("resume"), pause = document.getElementById("pause");
  let rows = [], champion = null, waiting = false, first = true;
  const tell = (name, value) => { run.querySelector(`[data-number="${name}"]`).textContent = value === null ? "-" : String(Math.round(value * 1e4) / 1e4); };
  const draw = () => {
    waiting = false;
    const column = (k) => rows.map((row) => row[k]);
    const x = column(0);
    charts.training.setData([x, column(1), column(2)]);
    charts.size.setData([x, column(3), column(4)]);
    charts.diversity.setData([x, column(5)]);
    charts.validation.setData([x, column(6)]);
    const last = rows[rows.length - 1];
    if (last) { [0, 1, 2].forEach((k) => tell(k, last[k])); tell("champion", champion); }
  };
  const source = new EventSource(run.dataset.feed);
  source.addEventListener("anew", () => { rows = []; champion = null; });
  source.addEventListener("rows", (event) => {
    let found = false;
    for (const [kind, ...values] of JSON.parse(event.data)) {
      if (kind === "c") {
        champion = values[1];
        found = true;
        if (rows.length) { rows[rows.length - 1][6] = champion; }
      } else { rows.push([...values, champion]); }
    }
    while (rows.length > MOST_POINTS) { rows = rows.filter((row, k) => k % 2 === (rows.length - 1) % 2); }
    if (!waiting) { waiting = true; requestAnimationFrame(draw); }
    if (found && !first) { htmx.trigger("#champion", "champion"); }
    first = false;
  });
  source.addEventListener("state", (event) => {
    const going = event.data === "going on";
    state.textContent = states[event.data];
    resume.hidden = going;
    pause.hidden = !going;
  });
  source.onerror = () => { state.textContent = "The server does not answer; trying again."; };
};

document.addEventListener("DOMContentLoaded", () => {
  const run = document.getElementById("run"), waiting = document.getElementById("waiting");
  if (run) { watch(run); }
  if (waiting) { setTimeout(() => location.reload(), 1500); }
});
