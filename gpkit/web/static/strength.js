"use strict";
/* Strength on the ladder of the game: rows that grow with their intervals, from server-sent events. */

/* A number of a row; shares of games are percents. */
const digits = (value, row, signed) => {
  if (value === null) { return "–"; }
  const text = row.share ? (100 * value).toFixed(1) : Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
  return signed && value > 0 ? `+${text}` : text.replace("-", "\u2212");
};

const NOT_SAID = "not said";
const SIGNS = "http://www.w3.org/2000/svg";
const shape = (name, attributes) => {
  const made = document.createElementNS(SIGNS, name);
  for (const [key, value] of Object.entries(attributes)) { made.setAttribute(key, String(value)); }
  return made;
};

/* An interval between two ends of a scale; a single deal has none. */
const bar = (row, least, most, zero) => {
  const at = (value) => 4 + 92 * Math.min(1, Math.max(0, (value - least) / (most - least || 1)));
  const svg = shape("svg", { viewBox: "0 0 100 16", width: 100, height: 16, "aria-hidden": "true", class: "interval" });
  svg.append(shape("line", { x1: 4, x2: 96, y1: 8, y2: 8, class: "axis" }));
  if (zero) { svg.append(shape("line", { x1: at(0), x2: at(0), y1: 1, y2: 15, class: "axis" })); }
  const low = at(row.low ?? row.mean), high = at(row.high ?? row.mean);
  svg.append(shape("rect", { x: low, y: 5, width: Math.max(1, high - low), height: 6, class: "range" }), shape("circle", { cx: at(row.mean), cy: 8, r: 3.5, class: "mean" }));
  return svg;
};

const strengthOf = (ask) => {
  const part = (id) => document.getElementById(id);
  const panel = part("matches"), told = part("match"), body = part("rows"), stop = part("stop"), head = panel.querySelector("thead");
  let source = null, name = "", rows = [], compared = "", waiting = false, patience = 0;

  const cell = (kind, ...content) => {
    const made = document.createElement("td");
    made.className = kind;
    made.append(...content);
    return made;
  };
  const heading = (names) => {
    const line = document.createElement("tr");
    for (const each of names) {
      const made = document.createElement("th");
      made.scope = "col";
      made.textContent = each;
      line.append(made);
    }
    head.replaceChildren(line);
  };
  const scale = (metric) => { /* of the rows of one metric */
    const known = rows.filter((row) => row.known && row.metric === metric), ends = known.flatMap((row) => [row.low ?? row.mean, row.high ?? row.mean]);
    if (compared) {
      const most = Math.max(1e-6, ...ends.map(Math.abs));
      return [-most, most];
    }
    if (known.length && known[0].share) { return [0, 1]; }
    const least = Math.min(...ends), most = Math.max(...ends), room = (most - least) * 0.15 || Math.abs(most) * 0.1 || 1;
    return [least - room, most + room];
  };
  const below = (text) => {
    const made = document.createElement("span");
    made.className = "below dim";
    made.textContent = text;
    return made;
  };
  const whose = (row) => cell("against", row.against, " ", below([row.rules, row.metric === rows[0].metric ? "" : row.metric].filter(Boolean).join(", ")));
  const range = (row, signed) => (row.exact ? "exact" : row.low !== null && row.high !== null ? `${digits(row.low, row, signed)} to ${digits(row.high, row, signed)}` : "");
  const count = (row) => (row.games ? row.games.toLocaleString("en") : "") + (row.invalid ? `, ${row.invalid.toLocaleString("en")} invalid` : "");
  const line = (row) => {
    const [least, most] = scale(row.metric);
    const made = document.createElement("tr");
    made.dataset.games = row.games ?? "";
    made.append(whose(row));
    if (!row.known) {
      const none = cell("dim", "not yet");
      none.colSpan = 3;
      made.append(none);
      return made;
    }
    const interval = cell("", bar(row, least, most, Boolean(compared)), range(row, Boolean(compared)));
    const verdict = row.verdict === "worse" ? "bad" : row.verdict === "better" ? "good" : "";
    made.append(cell("number", digits(row.mean, row, Boolean(compared))), interval, ...(compared ? [cell(verdict, verdict ? row.verdict : "no difference seen", below(count(row)))] : [cell("", count(row), below(row.held === NOT_SAID ? "" : row.held))]));
    return made;
  };
  const draw = () => {
    waiting = false;
    body.replaceChildren(...rows.map(line));
  };
  const show = (found) => {
    for (const row of found) { rows[row.row] = row; }
    const first = rows[0];
    part("metric").textContent = `${first.share ? "Games won, in %" : first.metric}${first.lower ? ", lower is better" : ""}${compared ? `: this text minus ${compared}, on the same deals` : ""}${rows.some((row) => row.held === NOT_SAID) ? "; the header does not say what it was trained on" : ""}`;
    if (!waiting) { waiting = true; requestAnimationFrame(draw); }
  };
  const end = (text) => {
    if (source) { source.abort(); }
    source = null;
    stop.hidden = true;
    told.textContent = text;
    part("verdict").textContent = verdict();
    part("verdict").hidden = !part("verdict").textContent;
  };
  const verdict = () => { /* of a comparison, from the row that tells most */
    const known = rows.filter((row) => row.known && row.low !== null && row.high !== null);
    if (!compared || !known.length) { return ""; }
    const half = (row) => (row.high - row.low) / 2, sure = (row) => Math.abs(row.mean) / (half(row) || 1e-9);
    const decided = known.filter((row) => ["better", "worse"].includes(row.verdict)).sort((a, b) => sure(b) - sure(a));
    if (!decided.length) { return `No difference seen in ${known.reduce((sum, row) => sum + row.games, 0).toLocaleString("en")} games`; }
    const [row] = decided, by = (value) => digits(Math.abs(value), row);
    const both = known.some((each) => each.verdict === "better") && known.some((each) => each.verdict === "worse");
    return `${row.verdict === "better" ? "Better" : "Worse"} by ${by(row.mean)} ± ${by(half(row))} ${row.share ? "games in 100" : row.metric} against ${row.against}${both ? ", but not against all" : ""}`;
  };
  const watch = async () => { /* watching plays the match, so this is a POST and cannot be an EventSource */
    const mine = source = new AbortController(), asked = { method: "POST", body: new URLSearchParams({ match: name }), headers: { "hx-request": "true" }, signal: mine.signal };
    try {
      const answer = await fetch("/workshop/feed", asked), lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      if (answer.status === UNKNOWN) { lose(UNKNOWN); }
      for (let text = "", part = await lines.read(); answer.ok && !part.done; part = await lines.read()) {
        const events = (text + part.value).split("\n\n");
        text = events.pop();
        for (const [, kind, data] of events.map((each) => /^event: (\w+)\ndata: (.*)$/.exec(each)).filter(Boolean)) {
          if (source === mine) { (kind === "rows" ? show : end)(JSON.parse(data)); }
        }
      }
    } catch { /* somebody stopped it, or the connection was lost */ }
    if (source === mine) { end("Stopped: another match began, or the connection was lost"); }
  };
  const changes = (lines) => {
    const place = part("changes"), listing = document.createElement("pre");
    place.replaceChildren();
    if (!lines) { return; }
    listing.className = "scroll listing diff";
    listing.tabIndex = 0;
    listing.setAttribute("aria-label", "what changed");
    for (const [sign, text] of lines) {
      const made = document.createElement(sign === "+" ? "ins" : sign === "-" ? "del" : "span");
      made.className = sign === "@" ? "line dim" : "line";
      made.textContent = `${sign === "-" ? "\u2212" : sign} ${text}`;
      listing.append(made);
    }
    place.append(listing);
  };
  stop.addEventListener("click", () => {
    fetch("/workshop/stop", { method: "POST", body: new URLSearchParams({ match: name }), headers: { "hx-request": "true" } }).catch(() => null);
    end("Stopped");
    part("run").focus();
  });
  return {
    begin: async (action) => {
      if (source) { end("Stopped"); }
      const found = await ask(action);
      name = found.match;
      compared = found.saved || "";
      rows = [];
      heading(compared ? ["Against", "Difference", "95% interval", "Verdict, games"] : ["Against", "Score", "95% interval", "Games, held out"]);
      body.replaceChildren();
      part("metric").textContent = "";
      changes(found.changes);
      panel.hidden = stop.hidden = false;
      part("unmeasured").hidden = part("verdict").hidden = true;
      told.textContent = "Playing";
      clearTimeout(patience);
      patience = setTimeout(() => {
        if (source && !rows.some((row) => row.known)) { told.textContent = "Playing. A game that was never played here is compiled first, which can take a minute."; }
      }, 8000);
      watch();
      panel.parentElement.scrollIntoView({ block: "nearest" });
    },
  };
};
