"""Self-contained HTML pages: data in, text out. Nothing on them is fetched, and every text is escaped.

The page forbids itself the network by its Content-Security-Policy, and runs one script only, known by its hash.
"""

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType

Markup = NewType("Markup", str)
"""Text that is HTML already, made by the functions of this file."""

_STYLE = """
:root{color-scheme:light dark;--ink:#24292f;--dim:#57606a;--rule:#d8dde2;--card:#f6f8fa;--paper:#fff;--link:#0072b2}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6e9ec;--dim:#9aa4ad;--rule:#363d44;--card:#1d2227;
--paper:#15191d;--link:#56b4e9}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:62rem;font:16px/1.55 Helvetica,Arial,sans-serif;color:var(--ink);
background:var(--paper)}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2.6rem 0 .8rem;padding-top:1rem;
border-top:1px solid var(--rule)}
.lead,figcaption,footer,caption{color:var(--dim)}figure{margin:1.2rem 0}figcaption,caption{font-size:.9rem;
margin-top:.4rem;text-align:left}
nav{margin:1rem 0;font-size:.95rem}nav a{color:var(--link);margin-right:1.1rem;
text-decoration:none;display:inline-block}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.4rem;margin:1rem 0}dt{color:var(--dim)}dd{margin:0;
overflow-wrap:anywhere}
.charts{display:flex;flex-wrap:wrap;gap:1.2rem 1rem}.charts figure{margin:0;max-width:100%;
overflow-x:auto}.charts svg{max-width:100%;min-width:29rem;height:auto}
.scroll{overflow:auto;border:1px solid var(--rule);border-radius:8px}.white{background:#fff;
max-height:90rem}.white svg{display:block;margin:auto;max-width:100%;height:auto}
pre{margin:0;padding:.9rem 1.1rem;background:var(--card);font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;tab-size:4;
white-space:pre-wrap;overflow-wrap:anywhere}
.table{overflow-x:auto}
table{border-collapse:collapse;white-space:nowrap;font-size:.95rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .9rem .3rem 0;border-bottom:1px solid var(--rule);text-align:left}
th{color:var(--dim);font-weight:normal}
th.number,.number{text-align:right}summary{cursor:pointer;color:var(--link)}
.replay svg{display:block;max-width:100%;height:auto;margin:auto}.replay .bar{display:flex;gap:.5rem;align-items:center;
margin:.6rem 0}.replay input{flex:1;accent-color:var(--link)}
.replay button{font:inherit;padding:.2rem .8rem;border:1px solid var(--rule);border-radius:6px;background:var(--card);
color:var(--ink);cursor:pointer}.replay output{min-width:5.5rem;text-align:right;color:var(--dim)}
.replay p{margin:.4rem 0}.replay svg.hidden{position:absolute;width:0;height:0}footer{margin-top:3rem;font-size:.9rem}
@media print{nav,.bar{display:none}.white{max-height:none}}
"""

_SCRIPT = """
for (const replay of document.querySelectorAll(".replay")) {
  const frames = [...replay.querySelectorAll(".frame")];
  const slider = replay.querySelector("input"), output = replay.querySelector("output");
  const [first, back, play, forth, last] = replay.querySelectorAll("button");
  let timer = 0;
  const show = (number) => {
    const to = Math.max(0, Math.min(frames.length - 1, number));
    frames.forEach((frame, k) => { frame.hidden = k !== to; });
    slider.value = to;
    output.textContent = (to + 1) + " of " + frames.length;
  };
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
  const step = (by) => { stop(); show(Number(slider.value) + by); };
  const run = () => {
    if (timer) { stop(); return; }
    if (Number(slider.value) === frames.length - 1) { show(0); }
    play.textContent = "Pause";
    timer = setInterval(() => {
      show(Number(slider.value) + 1);
      if (Number(slider.value) === frames.length - 1) { stop(); }
    }, 900);
  };
  slider.oninput = () => { step(0); };
  first.onclick = () => { stop(); show(0); };
  back.onclick = () => { step(-1); };
  play.onclick = run;
  forth.onclick = () => { step(1); };
  last.onclick = () => { stop(); show(frames.length - 1); };
  replay.querySelector(".bar").hidden = false;
  show(0);
}
"""

_SCRIPT_HASH = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()

POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_SCRIPT_HASH}'; "
    "base-uri 'none'; form-action 'none'"
)
"""The page's Content-Security-Policy: no network at all, no script but its own."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: its title, which may be empty, and what stands under it."""

    title: str
    body: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a replayed game: the board as SVG text, what happens in words, and what more there is to it."""

    svg: str
    words: str
    more: tuple[Markup, ...] = ()


def paragraph(text: str) -> Markup:
    """A paragraph of plain text."""
    return Markup(f"<p>{html.escape(text)}</p>")


def facts(pairs: Sequence[tuple[str, str]]) -> Markup:
    """Names with their values, one pair a line."""
    rows = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in pairs)
    return Markup(f"<dl>{rows}</dl>")


def table(heads: Sequence[str], rows: Sequence[Sequence[str | int | float]], *, caption: str = "") -> Markup:
    """A table; numbers stand to the right, and those with a fraction have four digits after the point."""
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
    shown = f"{value:,}" if isinstance(value, int) else f"{value:.4f}"
    return f"<td{_NUMBER}>{shown}</td>"


def charts(svgs: Sequence[str]) -> Markup:
    """Charts side by side where there is room."""
    return Markup(
        f'<div class="charts">{"".join(f"<figure>{inline_svg(svg)}</figure>" for svg in svgs)}</div>'
    )


def drawing(svg: str, caption: str = "") -> Markup:
    """A picture on white paper: shrunk a little if it must be, and then it scrolls."""
    words = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    picture = inline_svg(svg)
    if size := re.match(r'<svg width="(\d+)pt"', picture):
        least = round(int(size[1]) * 4 / 3 * 0.6)
        picture = Markup(f'<svg style="min-width:{least}px" {picture.removeprefix("<svg ")}')
    return Markup(f'<figure><div class="scroll white">{picture}</div>{words}</figure>')


def listing(text: str, caption: str = "") -> Markup:
    """The text of a program."""
    words = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    return Markup(
        f'<figure><div class="scroll"><pre><code>{html.escape(text)}</code></pre></div>{words}</figure>'
    )


def folded(summary: str, body: Markup) -> Markup:
    """Something that is shown when its summary is clicked."""
    return Markup(f"<details><summary>{html.escape(summary)}</summary>{body}</details>")


def replay(frames: Sequence[Frame]) -> Markup:
    """A game to step through, forwards and backwards; without scripts its first moment is shown."""
    if not frames:
        return paragraph("No moves were recorded.")
    definitions, svgs = shared_definitions([frame.svg for frame in frames])
    boards = "".join(
        f'<div class="frame"{" hidden" if k else ""}>{inline_svg(svg)}<p>{html.escape(frame.words)}</p>'
        f"{''.join(frame.more)}</div>"
        for k, (svg, frame) in enumerate(zip(svgs, frames, strict=True))
    )
    buttons = "".join(
        f'<button type="button" aria-label="{label}">{sign}</button>'
        for label, sign in (
            ("first move", "|\N{LEFTWARDS ARROW}"),
            ("one move back", "\N{LEFTWARDS ARROW}"),
            ("play or pause", "Play"),
            ("one move on", "\N{RIGHTWARDS ARROW}"),
            ("last move", "\N{RIGHTWARDS ARROW}|"),
        )
    )
    slider = f'<input type="range" aria-label="move" min="0" max="{len(frames) - 1}" value="0">'
    bar = f'<div class="bar" hidden>{buttons}{slider}<output></output></div>'
    return Markup(f'<div class="replay">{definitions}{bar}{boards}</div>')


def shared_definitions(svgs: Sequence[str]) -> tuple[Markup, list[str]]:
    """Every definition of some SVG documents once, as an invisible picture for their page, and the documents without.

    A definition is an element with an id on a line of its own, between lines ``<defs>`` and ``</defs>``; the same id
    must mean the same in all documents.
    """
    definitions: dict[str, None] = {}
    rest = []
    for svg in svgs:
        block = _DEFINITIONS.search(svg)
        definitions |= dict.fromkeys(block[1].splitlines() if block else ())
        rest.append(_DEFINITIONS.sub("", svg, count=1))
    if not definitions:
        return Markup(""), rest
    lines = "\n".join(definitions)
    return Markup(f'<svg class="hidden" aria-hidden="true"><defs>\n{lines}\n</defs></svg>'), rest


_DEFINITIONS = re.compile(r"^<defs>\n(.*?)\n</defs>\n", re.MULTILINE | re.DOTALL)


def inline_svg(svg: str) -> Markup:
    """An SVG document as part of a page: without its prologue, and without ids, which would meet those of others.

    Raises:
        ValueError: it is not an SVG document.
    """
    start = svg.find("<svg")
    if start < 0:
        raise ValueError("not an SVG document")
    body = re.sub(r"<!--.*?-->\n?", "", svg[start:], flags=re.DOTALL)
    return Markup(re.sub(r'(<(?:g|svg)\b[^>]*?) id="[^"]*"', r"\1", body).strip())


def page(title: str, lead: str, sections: Sequence[Section], *, footer: str = "") -> str:
    """A whole page: title, a sentence under it, links to the sections, the sections."""
    links = "".join(f'<a href="#s{k}">{html.escape(s.title)}</a>' for k, s in enumerate(sections))
    parts = "".join(
        f'<section id="s{k}">{f"<h2>{html.escape(s.title)}</h2>" if s.title else ""}{"".join(s.body)}</section>\n'
        for k, s in enumerate(sections)
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{html.escape(title)}</h1>\n"
        f"{f'<p class=lead>{html.escape(lead)}</p>' if lead else ''}\n"
        f"{f'<nav>{links}</nav>' if len(sections) > 1 else ''}\n<main>\n{parts}</main>\n"
        f"{f'<footer>{html.escape(footer)}</footer>' if footer else ''}\n"
        f"<script>{_SCRIPT}</script>\n</body>\n</html>\n"
    )


def picture_page(title: str, svg: str, text: str) -> str:
    """A page with one picture, and the text of the program below it if there is any."""
    body = [drawing(svg)] + ([listing(text)] if text else [])
    return page(title, "", [Section("", tuple(body))])
