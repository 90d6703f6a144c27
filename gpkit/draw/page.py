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

from gpkit.draw.page_assets import SCRIPT, STYLE

Markup = NewType("Markup", str)
"""Text that is HTML already, made by the functions of this file."""

_SCRIPT_HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()

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
        f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{html.escape(title)}</h1>\n"
        f"{f'<p class=lead>{html.escape(lead)}</p>' if lead else ''}\n"
        f"{f'<nav>{links}</nav>' if len(sections) > 1 else ''}\n<main>\n{parts}</main>\n"
        f"{f'<footer>{html.escape(footer)}</footer>' if footer else ''}\n"
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def picture_page(title: str, svg: str, text: str) -> str:
    """A page with one picture, and the text of the program below it if there is any."""
    body = [drawing(svg)] + ([listing(text)] if text else [])
    return page(title, "", [Section("", tuple(body))])
