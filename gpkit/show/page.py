"""Self-contained HTML pages: functions from data to text. Pages load nothing, and all text in them is escaped.

A page's Content-Security-Policy forbids network access, and allows only one script, identified by its hash.
"""

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType

STYLE = """
:root{color-scheme:light dark;--ink:#24292f;--dim:#57606a;--rule:#d8dde2;--card:#f6f8fa;--paper:#fff;--link:#0072b2;
--mark:#fdf0d2}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6e9ec;--dim:#9aa4ad;--rule:#363d44;--card:#1d2227;
--paper:#15191d;--link:#56b4e9;--mark:#5a4410}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:62rem;font:16px/1.55 Helvetica,Arial,sans-serif;color:var(--ink);
background:var(--paper);overflow-wrap:break-word}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2.6rem 0 .8rem;padding-top:1rem;
border-top:1px solid var(--rule)}
.lead,figcaption,footer,caption{color:var(--dim)}figure{margin:1.2rem 0}figcaption,caption{font-size:.9rem;
margin-top:.4rem;text-align:left}
nav{margin:1rem 0;font-size:.95rem}nav a{color:var(--link);margin-right:1.1rem;
text-decoration:none;display:inline-block}
dl{display:grid;grid-template-columns:fit-content(40%) minmax(0,1fr);gap:.2rem 1.4rem;margin:1rem 0}dt{color:var(--dim)}
dd{margin:0;overflow-wrap:anywhere}
.charts{display:flex;flex-wrap:wrap;gap:1.2rem 1rem}.charts figure{margin:0;max-width:100%}
.charts svg{display:block;max-width:100%;height:auto}
.scroll{overflow:auto;border:1px solid var(--rule);border-radius:8px}.white{background:#fff;
max-height:90rem}.white svg{display:block;margin:auto;max-width:100%;height:auto}
pre{margin:0;padding:.9rem 1.1rem;background:var(--card);font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;tab-size:4;
white-space:pre-wrap;overflow-wrap:anywhere}
.table{overflow-x:auto}
table{border-collapse:collapse;white-space:nowrap;font-size:.95rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--rule);text-align:left}
th{color:var(--dim);font-weight:normal}
th.number,.number{text-align:right}summary{cursor:pointer;color:var(--link)}
[hidden]{display:none!important}
.replay svg{display:block;max-width:100%;height:auto;margin:auto}.replay .bar{display:flex;flex-wrap:wrap;gap:.5rem;
align-items:center;margin:.6rem 0}.replay input{flex:1 1 8rem;min-width:0;accent-color:var(--link)}
.replay button{font:inherit;padding:.2rem .8rem;border:1px solid var(--rule);border-radius:6px;background:var(--card);
color:var(--ink);cursor:pointer;white-space:nowrap}.replay output{min-width:5.5rem;text-align:right;color:var(--dim)}
.replay p{margin:.4rem 0}.replay svg.hidden{position:absolute;width:0;height:0}
.stage{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}.boards{flex:2 1 20rem;min-width:0}
.listings{position:relative;flex:1 1 15rem;min-width:0;max-height:34rem;overflow:auto;
border:1px solid var(--rule);border-radius:8px}
.listings .line{display:block;min-height:1.5em}.listings mark{display:block;background:var(--mark);color:inherit}
.listings i{font-style:normal}.idle mark{background:none}.idle mark i{visibility:hidden}
footer{margin-top:3rem;font-size:.9rem}
@media (max-width:45rem){body{padding:1.2rem .8rem 3rem}.listings{max-height:13rem}.replay button{padding:.2rem .6rem}}
@media print{nav,.bar{display:none}.white,.listings{max-height:none}}
"""

SCRIPT = """
const replays = [...document.querySelectorAll(".replay")].map((replay) => {
  const frames = [...replay.querySelectorAll(".frame")];
  const boards = [...replay.querySelectorAll(".board")], listings = [...replay.querySelectorAll(".listing")];
  const slider = replay.querySelector("input"), output = replay.querySelector("output");
  const button = (name) => replay.querySelector(`button[data-do="${name}"]`);
  const last = frames.length - 1, pause = frames.length > 100 ? 250 : 900;
  let timer = 0;
  const choose = (all, index) => { all.forEach((each, k) => { each.hidden = k !== Number(index); }); };
  const show = (number) => {
    const to = Math.max(0, Math.min(last, number)), frame = frames[to];
    choose(frames, to);
    choose(boards, frame.dataset.board);
    choose(listings, frame.dataset.listing);
    const listing = listings[frame.dataset.listing];
    if (listing) {
      const room = listing.parentElement, mark = listing.querySelector("mark");
      listing.classList.toggle("idle", "idle" in frame.dataset);
      if (mark && !("idle" in frame.dataset)) { room.scrollTop = mark.offsetTop - room.clientHeight / 2; }
    }
    slider.value = to;
    output.textContent = (to + 1) + " of " + frames.length;
  };
  const now = () => Number(slider.value);
  const stop = () => { clearInterval(timer); timer = 0; button("play").textContent = "Play"; };
  const go = (number) => { stop(); show(number); };
  const run = () => {
    if (timer) { stop(); return; }
    if (now() === last) { show(0); }
    button("play").textContent = "Pause";
    timer = setInterval(() => {
      show(now() + 1);
      if (now() === last) { stop(); }
    }, pause);
  };
  const next = () => {
    const found = frames.findIndex((frame, k) => k > now() && "stop" in frame.dataset);
    go(found < 0 ? last : found);
  };
  slider.oninput = () => { go(now()); };
  button("first").onclick = () => { go(0); };
  button("back").onclick = () => { go(now() - 1); };
  button("play").onclick = run;
  button("on").onclick = () => { go(now() + 1); };
  button("last").onclick = () => { go(last); };
  if (button("stop")) { button("stop").onclick = next; }
  replay.querySelector(".bar").hidden = false;
  show(0);
  return { replay, by: (steps) => { go(now() + steps); } };
});
const isInView = ({ replay }) => {
  const place = replay.getBoundingClientRect();
  return place.bottom > 0 && place.top < innerHeight;
};
document.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!steps || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) {
    return;
  }
  const chosen = replays.find(({ replay }) => replay.contains(event.target)) || replays.find(isInView) || replays[0];
  if (chosen) { chosen.by(steps); event.preventDefault(); }
});
"""


Markup = NewType("Markup", str)
"""Text that is already HTML, made by the functions of this file."""

_SCRIPT_HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()

POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_SCRIPT_HASH}'; "
    "base-uri 'none'; form-action 'none'"
)
"""The page's Content-Security-Policy: no network access, and no script except its own."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: its title, which may be empty, and its content."""

    title: str
    body: tuple[Markup, ...]


def paragraph(text: str) -> Markup:
    """A paragraph of plain text."""
    return Markup(f"<p>{html.escape(text)}</p>")


def facts(pairs: Sequence[tuple[str, str]]) -> Markup:
    """Names with their values, one pair per line."""
    rows = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in pairs)
    return Markup(f"<dl>{rows}</dl>")


def table(heads: Sequence[str], rows: Sequence[Sequence[str | int | float]], *, caption: str = "") -> Markup:
    """A table; numbers are aligned to the right, and fractions have four digits after the decimal point."""
    first = rows[0] if rows else heads
    titles = "".join(
        f"<th{_NUMBER if not isinstance(value, str) else ''}>{html.escape(head)}</th>"
        for head, value in zip(heads, first, strict=True)
    )
    lines = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    words = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    head = f"<thead><tr>{titles}</tr></thead>"
    return Markup(f'<figure class="table"><table>{words}{head}<tbody>{lines}</tbody></table></figure>')


_NUMBER = ' class="number"'


def _cell(value: str | int | float) -> str:
    if isinstance(value, str):
        return f"<td>{html.escape(value)}</td>"
    return f"<td{_NUMBER}>{format(value, ',' if isinstance(value, int) else '.4f')}</td>"


def charts(svgs: Sequence[str]) -> Markup:
    """Charts, side by side if there is room."""
    return Markup(
        f'<div class="charts">{"".join(f"<figure>{inline_svg(svg)}</figure>" for svg in svgs)}</div>'
    )


def drawing(svg: str, caption: str = "") -> Markup:
    """A picture on white paper; in a narrow window, it shrinks a little and then scrolls."""
    words = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    picture = inline_svg(svg)
    if size := re.match(r'<svg width="(\d+)pt"', picture):
        least = round(int(size[1]) * 4 / 3 * 0.6)
        picture = Markup(f'<svg style="min-width:{least}px" {picture.removeprefix("<svg ")}')
    return Markup(f'<figure><div class="scroll white">{picture}</div>{words}</figure>')


def listing(text: str) -> Markup:
    """The text of a program."""
    return Markup(f'<figure><div class="scroll"><pre><code>{html.escape(text)}</code></pre></div></figure>')


def folded(summary: str, body: Markup) -> Markup:
    """Content that appears when the reader clicks its summary."""
    return Markup(f"<details><summary>{html.escape(summary)}</summary>{body}</details>")


def inline_svg(svg: str) -> Markup:
    """An SVG document as part of a page, without its prologue, and without ids, which could clash with other ids.

    Raises:
        ValueError: the text is not an SVG document.
    """
    start = svg.find("<svg")
    if start < 0:
        raise ValueError("not an SVG document")
    body = re.sub(r"<!--.*?-->\n?", "", svg[start:], flags=re.DOTALL)
    return Markup(re.sub(r'(<(?:g|svg)\b[^>]*?) id="[^"]*"', r"\1", body).strip())


def page(title: str, lead: str, sections: Sequence[Section], *, footer: str = "") -> str:
    """A complete page: its title, a sentence below it, links to the sections, and the sections."""
    links = "".join(f'<a href="#s{k}">{html.escape(s.title)}</a>' for k, s in enumerate(sections))
    parts = "".join(
        f'<section id="s{k}">{f"<h2>{html.escape(s.title)}</h2>" if s.title else ""}{"".join(s.body)}</section>\n'
        for k, s in enumerate(sections)
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{html.escape(title)}</h1>\n"
        f"{f'<p class=lead>{html.escape(lead)}</p>' if lead else ''}\n"
        f"{f'<nav>{links}</nav>' if len(sections) > 1 else ''}\n<main>\n{parts}</main>\n"
        f"{f'<footer>{html.escape(footer)}</footer>' if footer else ''}\n"
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def picture_page(title: str, svg: str, text: str) -> str:
    """A page with one picture, and below it the text of the program, if there is one."""
    return page(title, "", [Section("", (drawing(svg), *([listing(text)] if text else [])))])
