"""A game on a page, to step through with buttons, a slider and the arrow keys."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from gpkit.draw.page import Markup, inline_svg, paragraph

MARK = ">"
"""The first character of a line of a listing that is marked."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a replayed game.

    Attributes:
        svg: the board.
        words: what happens.
        more: what more there is to it.
        listing: the text of the program with ``MARK`` before the line that is executed; empty if none is.
        stop: whether the button that skips halts here.
    """

    svg: str
    words: str
    more: tuple[Markup, ...] = ()
    listing: str = ""
    stop: bool = False


def replay(frames: Sequence[Frame], *, skip: str = "") -> Markup:
    """A game to step through, forwards and backwards; without scripts its first moment is shown.

    A board or a listing that several moments share is written once.

    Args:
        frames: the moments.
        skip: the label of a button that goes on to the next frame to ``stop`` at, such as "next shot"; empty for none.
    """
    if not frames:
        return paragraph("No moves were recorded.")
    definitions, svgs = shared_definitions([frame.svg for frame in frames])
    boards = list(dict.fromkeys(svgs))
    listings = list(dict.fromkeys(frame.listing for frame in frames if frame.listing))

    def shown(kind: str, bodies: Sequence[str]) -> str:
        """Parts of which only the first is not hidden."""
        return "".join(
            f'<div class="{kind}"{" hidden" if k else ""}>{body}</div>' for k, body in enumerate(bodies)
        )

    pictures = shown("board", [*map(inline_svg, boards)])
    stage = f'<div class="boards">{pictures}</div>'
    if listings:
        texts = shown("listing", [*map(_listing, listings)])
        stage += f'<div class="listings" tabindex="0" role="region" aria-label="the program">{texts}</div>'
    place = {svg: k for k, svg in enumerate(boards)}
    parts = [
        f'<div class="frame" data-board="{place[svg]}"{_listed(frame, listings)}'
        f"{' data-stop' if frame.stop else ''}{' hidden' if k else ''}>"
        f"<p>{html.escape(frame.words)}</p>{''.join(frame.more)}</div>"
        for k, (svg, frame) in enumerate(zip(svgs, frames, strict=True))
    ]
    bar = _bar(len(frames), skip)
    return Markup(
        f'<div class="replay">{definitions}{bar}<div class="stage">{stage}</div>{"".join(parts)}</div>'
    )


def _listed(frame: Frame, listings: Sequence[str]) -> str:
    """HTML attribute that selects the listing of a frame; where no line is executed a short one without its mark."""
    if not listings:
        return ""
    if not frame.listing:
        return f' data-listing="{listings.index(min(listings, key=len))}" data-idle'
    return f' data-listing="{listings.index(frame.listing)}"'


def _listing(text: str) -> str:
    lines = []
    for line in text.splitlines():
        said = html.escape(line.removeprefix(MARK))
        marked = f'<mark class="line"><i>{html.escape(MARK)}</i>{said}</mark>'
        lines.append(marked if line.startswith(MARK) else f'<span class="line">{said}</span>')
    return f"<pre>{''.join(lines)}</pre>"


def _bar(frames: int, skip: str) -> str:
    """The buttons and the slider; they need the script, which shows them."""
    known = [
        ("first", "first move", "|\N{LEFTWARDS ARROW}"),
        ("back", "one move back", "\N{LEFTWARDS ARROW}"),
        ("play", "play or pause", "Play"),
        ("on", "one move forward", "\N{RIGHTWARDS ARROW}"),
        ("last", "last move", "\N{RIGHTWARDS ARROW}|"),
    ]
    if skip:
        known.insert(4, ("stop", skip, skip))
    buttons = "".join(
        f'<button type="button" data-do="{name}" aria-label="{html.escape(label)}">{html.escape(sign)}</button>'
        for name, label, sign in known
    )
    slider = f'<input type="range" aria-label="move" min="0" max="{frames - 1}" value="0">'
    return f'<div class="bar" hidden>{buttons}{slider}<output></output></div>'


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
