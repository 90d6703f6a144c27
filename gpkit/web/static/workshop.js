"use strict";
/* The workshop: what is typed is checked and drawn; saving, layout and Lua without leaving the page. */

const LOOK_AFTER = 150, TELL_AFTER = 900; /* milliseconds without a key */

/* What a terminal prints in lower case, as a sentence in which names are code. */
const sentence = (text) => (/[.?!]$/.test(text) ? text : `${text}.`).replace(/^[a-z](?=[a-z]* )/, (first) => first.toUpperCase()).split("`").map((piece, number) => {
  const code = document.createElement("code");
  code.textContent = piece;
  return number % 2 ? code : piece;
});

const workshop = (form) => {
  const part = (id) => document.getElementById(id);
  const area = part("text"), state = part("state"), told = part("found-told"), list = part("findings"), drawing = part("picture");
  const mistake = part("mistake");
  const settings = JSON.parse(form.dataset.editor);
  let clean = area.value, looking = false, led = false, busy = false, quiet = false, timer = 0, teller = 0, drawn = null, sound = null, errors = 0, count = 0, comparing = false, game = "";

  const fields = (others) => new URLSearchParams({ ...Object.fromEntries(new FormData(form)), text: editor.text(), ...others });
  const ask = async (action, others = {}) => {
    const answer = await fetch(`/workshop/${action}`, { method: "POST", body: fields(others), headers: { "hx-request": "true" } }).catch((error) => { lose(0); throw error; });
    if (answer.status === UNKNOWN) { lose(UNKNOWN); }
    if (!answer.ok) { throw Object.assign(new Error("refused"), { page: await answer.text(), status: answer.status }); }
    return (answer.headers.get("content-type") || "").startsWith("application/json") ? answer.json() : answer.text();
  };
  const complain = (error) => {
    if (error.page) { mistake.innerHTML = error.page; } else { mistake.textContent = "The server does not answer."; }
    mistake.scrollIntoView({ block: "nearest" });
  };
  const quietly = (action, others) => ask(action, others).catch(() => null);
  const act = (action) => async (event) => {
    if (event && event.preventDefault) { event.preventDefault(); }
    mistake.textContent = "";
    try { await action(); } catch (error) { complain(error); } finally { idle(); }
  };

  const turn = (tab) => { /* to one of the panels beside the text, where only one of them has room */
    part("rail").dataset.tab = tab;
    document.querySelectorAll(".tabs button").forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.tab === tab)));
  };
  const say = () => {
    const number = (many, what) => `${many} ${what}${many === 1 ? "" : "s"}`;
    const text = !count ? "No problems" : errors ? number(errors, "error") + (count > errors ? `, ${number(count - errors, "warning")}` : "") : `${number(count, "warning")}, no error`;
    part("found").textContent = text;
    part("no-game").hidden = Boolean(game);
    const tab = part("rail").dataset.tab; /* no picture is drawn while there are errors */
    if (errors && tab === "picture-panel") { turn("problems"); led = true; } else if (!count && game && led && tab === "problems") { turn("picture-panel"); led = false; }
    part("to-problems").textContent = document.querySelector(".tabs button").textContent = count ? `Problems ${count}` : "Problems";
    clearTimeout(teller);
    teller = setTimeout(() => { if (told.textContent !== text) { told.textContent = text; } }, TELL_AFTER);
  };
  const show = (findings) => {
    editor.mark(findings);
    errors = findings.filter((each) => each.severity === "error").length;
    count = findings.length;
    list.replaceChildren(...findings.slice(0, 200).map((each) => {
      const item = document.createElement("li"), place = document.createElement("button"), help = document.createElement("span");
      item.className = each.severity;
      place.type = "button";
      place.className = "quiet";
      place.textContent = `Line ${each.line}, column ${each.column}`;
      place.addEventListener("click", () => editor.go(each.from, each.to));
      help.className = "dim";
      help.append(...(each.help && !each.fix ? [...sentence(each.help), " "] : []), each.code || "");
      item.append(place, ": ", ...sentence(each.message), " ", help);
      if (each.fix) {
        const fix = document.createElement("button");
        fix.type = "button";
        fix.textContent = each.fix.text.trim() && each.fix.text.length <= 30 ? `Use ${each.fix.text.trim()}` : each.fix.title;
        fix.addEventListener("click", () => { editor.replace(each.fix.from, each.fix.to, each.fix.text); editor.go(each.fix.from, each.fix.from + each.fix.text.length); });
        item.append(" ", fix);
      }
      return item;
    }));
    say();
  };
  const draw = async () => { /* the last text that had no error */
    if (busy) { return; }
    busy = true;
    for (let text = null; sound !== null && text !== sound && sound !== drawn;) {
      text = sound;
      const found = await quietly("draw", { text });
      if (found !== null) { drawing.innerHTML = found; drawn = text; }
    }
    drawing.classList.toggle("old", editor.text() !== drawn);
    busy = false;
  };
  const differ = async () => { /* from the saved version, in the decisions of the last text that had no error */
    if (comparing) { return; }
    comparing = true;
    for (let text = null; sound !== null && text !== sound;) {
      text = sound;
      part("differs").textContent = await quietly("differ", { text }) || "";
    }
    comparing = false;
  };
  const look = async () => {
    if (looking) { return; }
    looking = true;
    for (let text = null; text !== editor.text();) {
      text = editor.text();
      const found = await quietly("look");
      if (!found || text !== editor.text()) { continue; }
      game = found.game;
      show(found.findings);
      if (!errors) { sound = text; }
      drawing.classList.toggle("old", text !== drawn);
      draw();
      differ();
    }
    looking = false;
  };
  const changed = () => {
    state.textContent = editor.text() === clean && form.elements.opened.value ? "" : "Not saved yet";
    clearTimeout(timer);
    timer = setTimeout(look, LOOK_AFTER);
  };

  const save = act(async () => {
    const text = editor.text(), found = await ask("save");
    form.elements.opened.value = form.elements.name.value = found.name;
    form.elements.mark.value = found.mark;
    clean = text;
    differ();
    state.textContent = `Saved ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false })}`;
    part("title").textContent = `Edit ${found.name}`;
    document.title = `Edit ${found.name} · gpkit`;
    history.replaceState(null, "", `/edit/${found.name.split("/").map(encodeURIComponent).join("/")}`);
  });
  const lay = act(async () => {
    const found = await ask("format"), same = found.text === editor.text();
    editor.set(found.text);
    state.textContent = same ? "Already formatted" : "Formatted";
  });
  const lua = act(async () => { part("lua").innerHTML = await ask("lua"); });
  const copy = act(async () => {
    part("lua").innerHTML = await ask("lua");
    await navigator.clipboard.writeText(part("lua").querySelector("pre").textContent);
    toast("Copied");
  });

  const strength = strengthOf(ask);
  const measure = (action) => act(async () => { await strength.begin(action); turn("strength"); });
  const run = measure("run"), compare = measure("compare");

  const explain = async () => {
    const found = await quietly("explain", { place: editor.place() });
    state.textContent = found ? `${found.usage} is a ${found.text}` : "There is no name with a meaning at the cursor.";
  };

  const press = (action) => () => { action(); return true; };
  const editor = editorOver(area, settings, {
    complete: (place) => quietly("complete", { place }), explain: (place) => quietly("explain", { place }), changed,
    keys: [{ key: "Mod-s", run: press(save), preventDefault: true }, { key: "Mod-Enter", run: press(run), preventDefault: true },
      { key: "Mod-i", run: press(explain), preventDefault: true }],
  });
  part("keys").hidden = !window.codemirror;
  form.addEventListener("submit", (event) => { if (!event.submitter || event.submitter === part("save")) { save(event); } });
  mistake.addEventListener("click", (event) => {
    const other = event.target.closest("[data-save-as]");
    if (other) { form.elements.name.value = other.dataset.saveAs; save(); }
  });
  part("format").addEventListener("click", lay);
  part("look").hidden = true;
  part("run").hidden = part("compare").hidden = false;
  part("run").addEventListener("click", run);
  part("compare").addEventListener("click", compare);
  for (const [id, action] of [["show-lua", lua], ["copy-lua", copy]]) {
    if (part(id)) {
      part(id).hidden = false;
      part(id).addEventListener("click", action);
    }
  }
  part("to-problems").hidden = document.querySelector(".tabs").hidden = false;
  turn(list.children.length ? "problems" : "picture-panel");
  document.querySelectorAll(".tabs button").forEach((each) => each.addEventListener("click", () => turn(each.dataset.tab)));
  part("game").addEventListener("change", () => {
    if (part("game").value) { editor.replace(0, 0, `${settings.comment} game: ${part("game").value}\n`); }
    part("game").value = "";
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || !["s", "Enter"].includes(event.key)) { return; }
    event.preventDefault();
    if (event.key === "s") { save(); } else { run(); }
  });
  form.addEventListener("submit", () => { quiet = true; setTimeout(() => { quiet = false; idle(); }, 1000); }); /* a download, which leads nowhere */
  addEventListener("beforeunload", (event) => { if (!quiet && editor.text() !== clean) { event.preventDefault(); } });
  look();
};

document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("workshop");
  if (form) { workshop(form); }
});
