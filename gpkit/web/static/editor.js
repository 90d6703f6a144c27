"use strict";
/* The editor of a program: CodeMirror where it is there, else the text area itself; both look alike from outside. */

const scopesOf = (scope) => scope.split(".").map((part, k, parts) => `s-${parts.slice(0, k + 1).join("-")}`).join(" ");

/* The pieces of a line that have a colour, as [start, end, class]; at each place the first pattern that matches counts. */
const piecesOf = (line, colours) => {
  const pieces = [];
  for (let at = 0; at < line.length;) {
    let length = 0;
    for (const { pattern, classes, groups } of colours) {
      pattern.lastIndex = at;
      const match = pattern.exec(line);
      if (!match || !match[0]) { continue; }
      length = match[0].length;
      let from = at;
      for (const [number, inner] of groups) {
        const place = match.indices[number];
        if (!place || place[0] === place[1]) { continue; }
        if (place[0] > from) { pieces.push([from, place[0], classes]); }
        pieces.push([...place, inner]);
        from = place[1];
      }
      if (from < at + length) { pieces.push([from, at + length, classes]); }
      break;
    }
    at += length || 1;
  }
  return pieces;
};

const colouring = (rules) => {
  const { Decoration, RangeSetBuilder, ViewPlugin } = codemirror;
  const colours = rules.map(([pattern, scope, groups]) => ({
    pattern: new RegExp(pattern, "yd"), classes: scopesOf(scope), groups: Object.entries(groups).map(([k, inner]) => [Number(k), scopesOf(inner)]),
  }));
  const drawn = (view) => {
    const builder = new RangeSetBuilder();
    for (const { from, to } of view.visibleRanges) {
      for (let line = view.state.doc.lineAt(from); ; line = view.state.doc.line(line.number + 1)) {
        for (const [start, end, classes] of piecesOf(line.text.slice(0, 5000), colours)) {
          builder.add(line.from + start, line.from + end, Decoration.mark({ class: classes }));
        }
        if (line.to >= to || line.number === view.state.doc.lines) { break; }
      }
    }
    return builder.finish();
  };
  return ViewPlugin.fromClass(class {
    constructor(view) { this.decorations = drawn(view); }
    update(change) { if (change.docChanged || change.viewportChanged) { this.decorations = drawn(change.view); } }
  }, { decorations: (plugin) => plugin.decorations });
};

const LOOK = {
  "&": { color: "var(--ink)", backgroundColor: "var(--paper)", border: "1px solid var(--dim)", borderRadius: "8px", fontSize: ".9rem" },
  "&.cm-focused": { outline: "3px solid var(--link)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace", lineHeight: "1.55", maxHeight: "62vh", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: ".5rem 0" },
  ".cm-content, .cm-gutter": { minHeight: "16rem" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--dim)", borderRight: "1px solid var(--line)", borderRadius: "8px 0 0 8px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  ".cm-gutters .cm-activeLineGutter": { color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selected) !important" },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "var(--gold-tint)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--gold-tint)", outline: "1px solid var(--dim)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--bad)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--dim)", borderRadius: "6px" },
  ".cm-panels input, .cm-panels button, .cm-panels label": { fontSize: ".85rem", color: "var(--ink)" },
  ".cm-textfield, .cm-button": { backgroundColor: "var(--paper)", backgroundImage: "none", color: "var(--ink)", borderColor: "var(--dim)" },
  ".cm-tooltip": { maxWidth: "min(30rem, 88vw)", zIndex: "10" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "inherit", maxWidth: "min(28rem, 80vw)", maxHeight: "none", overflow: "hidden" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--go)", color: "var(--on-go)" },
  ".cm-completionDetail": { fontStyle: "normal", color: "inherit", opacity: "1" },
  ".cm-completionInfo": { padding: ".4rem .6rem", whiteSpace: "pre-wrap" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-meaning": { padding: ".4rem .6rem" },
  ".cm-meaning code": { fontFamily: "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace", fontWeight: "600" },
  ".cm-diagnostic": { padding: ".4rem .6rem", whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": { backgroundColor: "var(--go)", color: "var(--on-go)", font: "inherit", padding: ".15rem .6rem", borderRadius: "6px", margin: ".2rem 0 0" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--c-warn) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline dotted var(--dim) 1.5px", textUnderlineOffset: "3px" },
  ".cm-lint-marker": { content: "normal", width: ".7em", height: ".7em", margin: ".4em .1em 0", borderRadius: "50%" },
  ".cm-lint-marker-error": { content: "normal", backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { content: "normal", backgroundColor: "var(--c-warn)", borderRadius: "2px" },
  ".cm-lint-marker-info": { content: "normal", backgroundColor: "var(--dim)" },
  ".s-comment": { color: "var(--c-comment)" },
  ".s-comment .s-keyword, .s-keyword-other": { color: "var(--c-key)" },
  ".s-string": { color: "var(--c-string)" },
  ".s-constant": { color: "var(--c-number)" },
  ".s-keyword-control, .s-storage, .s-constant-language": { color: "var(--c-key)" },
  ".s-support, .s-entity-name-function": { color: "var(--c-call)" },
  ".s-entity-name-section, .s-entity-name-class": { color: "var(--c-head)", fontWeight: "600" },
  ".s-entity-name-type, .s-variable-language": { color: "var(--c-number)" },
};

/* The meaning of a completion stands right of the list, or below it where there is no room. */
const besides = (view, list, option, info, space) => {
  const right = space.right - list.right, height = info.bottom - info.top;
  if (right >= info.right - info.left) {
    const top = Math.max(space.top, Math.min(option.top, space.bottom - height)) - list.top;
    return { style: `top: ${top}px; max-width: ${Math.min(400, right)}px`, class: "cm-completionInfo-right" };
  }
  return { style: `top: ${list.bottom - list.top}px; left: 0; width: ${list.right - list.left}px; max-width: none`, class: "" };
};

/* CodeMirror over a text area. Its style sheets are constructed, so it lives in a shadow root: the page forbids others. */
const richEditor = (area, settings, hooks) => {
  const cm = codemirror, place = document.createElement("div");
  place.id = "editor";
  area.before(place);
  area.hidden = true;
  const root = place.attachShadow({ mode: "open" });
  const complete = async (context) => {
    const begun = context.matchBefore(/[A-Za-z_&][\w.]*$/);
    if (!begun && !context.explicit && !/(game|alphabet):\s*$/.test(context.state.doc.lineAt(context.pos).text)) { return null; }
    const found = await hooks.complete(context.pos);
    if (!found || !found.length || context.aborted || !view.hasFocus) { return null; }
    if (!context.explicit && found.length === 1 && begun && found[0].apply === begun.text) { return null; }
    return { from: found[0].from, options: found, validFor: /^[\w.&]*$/ };
  };
  const explain = async (view, position) => {
    const found = await hooks.explain(position);
    return found && {
      pos: found.from, end: found.to, above: true,
      create: () => {
        const box = document.createElement("div"), usage = document.createElement("code"), text = document.createElement("div");
        box.className = "cm-meaning";
        usage.textContent = found.usage;
        text.textContent = found.text;
        box.append(usage, text);
        return { dom: box };
      },
    };
  };
  const view = new cm.EditorView({
    root, parent: root,
    state: cm.EditorState.create({
      doc: area.value,
      extensions: [
        cm.lineNumbers(), cm.lintGutter(), cm.highlightActiveLine(), cm.highlightActiveLineGutter(), cm.highlightSpecialChars(),
        cm.history(), cm.drawSelection(), cm.bracketMatching(), cm.closeBrackets(), cm.search({ top: true }), cm.highlightSelectionMatches(),
        cm.EditorView.lineWrapping, cm.indentUnit.of("  "), cm.EditorState.tabSize.of(4),
        cm.EditorState.languageData.of(() => [{ commentTokens: { line: settings.comment } }]),
        cm.autocompletion({ override: [complete], icons: false, maxRenderedOptions: 9, positionInfo: besides }), cm.hoverTooltip(explain),
        cm.keymap.of([...hooks.keys, ...cm.closeBracketsKeymap, ...cm.completionKeymap, ...cm.lintKeymap, ...cm.searchKeymap, ...cm.historyKeymap, cm.indentWithTab, ...cm.defaultKeymap]),
        cm.EditorView.contentAttributes.of({ "aria-label": "Text of the program", tabindex: "0", "aria-describedby": "keys", spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
        cm.EditorView.updateListener.of((change) => { if (change.docChanged) { area.value = view.state.doc.toString(); hooks.changed(); } }),
        colouring(settings.colours), cm.EditorView.theme(LOOK),
      ],
    }),
  });
  const write = (changes) => view.dispatch({ changes, scrollIntoView: true });
  return {
    text: () => view.state.doc.toString(),
    place: () => view.state.selection.main.head,
    set: (text) => { if (text !== view.state.doc.toString()) { write({ from: 0, to: view.state.doc.length, insert: text }); } },
    replace: (from, to, text) => write({ from, to, insert: text }),
    go: (from, to) => { view.focus(); view.dispatch({ selection: { anchor: from, head: Math.min(to, view.state.doc.length) }, scrollIntoView: true }); },
    mark: (findings) => view.dispatch(cm.setDiagnostics(view.state, findings.filter((each) => each.to <= view.state.doc.length).map((each) => ({
      from: each.from, to: each.to, severity: each.severity, message: `${each.code}: ${each.message}${each.help ? `\n${each.help}` : ""}`,
      actions: each.fix ? [{ name: each.fix.title, apply: () => write({ from: each.fix.from, to: each.fix.to, insert: each.fix.text }) }] : [],
    })))),
  };
};

const plainEditor = (area, hooks) => {
  area.addEventListener("input", hooks.changed);
  const changed = (text) => { area.value = text; hooks.changed(); };
  return {
    text: () => area.value,
    place: () => area.selectionStart,
    set: changed,
    replace: (from, to, text) => changed(area.value.slice(0, from) + text + area.value.slice(to)),
    go: (from, to) => { area.focus(); area.setSelectionRange(from, to); },
    mark: () => {},
  };
};

/* hooks: complete(place), explain(place), changed(), keys. */
const editorOver = (area, settings, hooks) => (window.codemirror ? richEditor(area, settings, hooks) : plainEditor(area, hooks));
