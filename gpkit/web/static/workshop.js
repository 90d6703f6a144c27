"use strict";
/* The workshop: what is typed is checked and drawn; saving, layout and Lua without leaving the page. */

const LOOK_AFTER = 150, TELL_AFTER = 900; /* milliseconds without a key */

const workshop = (form) => {
  const part = (id) => document.getElementById(id);
  const area = part("text"), state = part("state"), told = part("found"), list = part("findings"), drawing = part("picture");
  const mistake = part("mistake");
  let saved = form.elements.opened.value ? area.value : null, looking = false, stale = false, timer = 0, teller = 0, drawn = null, errors = 0, count = 0;

  const fields = (others) => new URLSearchParams({ ...Object.fromEntries(new FormData(form)), text: editor.text(), ...others });
  const ask = async (deed, others = {}) => {
    const answer = await fetch(`/workshop/${deed}`, { method: "POST", body: fields(others), headers: { "hx-request": "true" } });
    if (!answer.ok) { throw Object.assign(new Error("refused"), { page: await answer.text(), status: answer.status }); }
    return (answer.headers.get("content-type") || "").startsWith("application/json") ? answer.json() : answer.text();
  };
  const complain = (error) => {
    if (error.page) { mistake.innerHTML = error.page; } else { mistake.textContent = "The server does not answer."; }
  };
  const quietly = (deed, others) => ask(deed, others).catch(() => null);
  const act = (deed) => async (event) => {
    if (event && event.preventDefault) { event.preventDefault(); }
    mistake.textContent = "";
    try { await deed(); } catch (error) { complain(error); }
  };

  const say = () => {
    const number = (many, what) => `${many} ${what}${many === 1 ? "" : "s"}`;
    const text = !count ? "None." : errors ? number(errors, "error") + (count > errors ? `, ${number(count - errors, "other finding")}` : "") : `${number(count, "finding")}, no error`;
    if (told.textContent !== text) { told.textContent = text; }
  };
  const show = (findings) => {
    editor.mark(findings);
    errors = findings.filter((each) => each.severity === "error").length;
    count = findings.length;
    list.replaceChildren(...findings.slice(0, 200).map((each) => {
      const item = document.createElement("li"), place = document.createElement("button"), help = document.createElement("span");
      item.className = each.severity;
      place.type = "button";
      place.textContent = `line ${each.line}, column ${each.column}`;
      place.addEventListener("click", () => editor.go(each.from, each.to));
      help.className = "dim";
      help.textContent = each.help;
      item.append(place, ` ${each.severity} ${each.code}: ${each.message} `, help);
      return item;
    }));
    clearTimeout(teller);
    teller = setTimeout(say, TELL_AFTER);
  };
  const draw = async () => {
    const text = editor.text();
    if (text === drawn) { return; }
    try {
      drawing.innerHTML = await ask("draw");
      drawn = text;
      drawing.classList.remove("old");
    } catch (error) {
      drawn = null;
      if (error.page && !errors) { drawing.innerHTML = error.page; }
      drawing.classList.add("old");
    }
  };
  const look = async () => {
    if (looking) { stale = true; return; }
    looking = true;
    stale = false;
    const text = editor.text(), found = await quietly("look");
    if (found && text === editor.text()) {
      show(found.findings);
      if (errors) { drawing.classList.add("old"); } else { await draw(); }
    }
    looking = false;
    if (stale || text !== editor.text()) { look(); }
  };
  const changed = () => {
    state.textContent = editor.text() === saved ? "" : "Not saved yet.";
    clearTimeout(timer);
    timer = setTimeout(look, LOOK_AFTER);
  };

  const save = act(async () => {
    const text = editor.text(), found = await ask("save");
    form.elements.opened.value = form.elements.name.value = found.name;
    form.elements.mark.value = found.mark;
    saved = text;
    state.textContent = `Saved ${found.name}.`;
    part("title").textContent = `Edit ${found.name}`;
    document.title = `Edit ${found.name} · gpkit`;
    history.replaceState(null, "", `/edit/${found.name.split("/").map(encodeURIComponent).join("/")}`);
  });
  const lay = act(async () => {
    const found = await ask("format"), same = found.text === editor.text();
    editor.set(found.text);
    state.textContent = same ? "It is laid out already." : "Laid out.";
  });
  const lua = act(async () => { part("lua").innerHTML = await ask("lua"); });

  const strength = strengthOf(ask);
  const run = act(() => strength.begin("run")), compare = act(() => strength.begin("compare"));

  const press = (deed) => () => { deed(); return true; };
  const editor = editorOver(area, JSON.parse(form.dataset.editor), {
    complete: (place) => quietly("complete", { place }), explain: (place) => quietly("explain", { place }), changed,
    keys: [{ key: "Mod-s", run: press(save), preventDefault: true }, { key: "Mod-Enter", run: press(run), preventDefault: true }],
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
  if (part("show-lua")) {
    part("show-lua").hidden = false;
    part("show-lua").addEventListener("click", lua);
  }
  addEventListener("beforeunload", (event) => { if (saved !== null && editor.text() !== saved) { event.preventDefault(); } });
  look();
};

document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("workshop");
  if (form) { workshop(form); }
});
