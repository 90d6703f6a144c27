"""Common parts of game pictures: the SVG document, colours, and the marks and clickable places of an overlay.

The elements of a picture have CSS classes. A web page defines light and dark styles for the classes, and a script makes
the clickable places (elements of class ``spot``) react to clicks and keys. A picture outside a page contains its styles
(``LOOKS``).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from gpkit.gamekit.view import GRADED, Overlay, Spot

INK, MUTED, CREAM = "#22262b", "#6b7280", "#f7f5ef"
"""The colours of lines and text, of less important text, and of the paper."""


def number(value: float) -> str:
    """A number in as few characters as possible, with at most two decimal places.

    >>> number(20.0), number(7.5), number(2 / 3)
    ('20', '7.5', '0.67')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


LOOKS = {
    "paper": 'fill="#faf8f4"',
    "card": 'fill="#fff" stroke="#dcd7cc"',
    "sunk": 'fill="#f0ede6"',
    "felt": 'fill="#1f5c46"',
    "sea": 'fill="#1f4f74"',
    "go": 'fill="#1d6b4f"',
    "name": 'fill="#1f2428" font-weight="700"',
    "cell": 'fill="#ffffff22"',
    "cell free": 'fill="#ffffff38" stroke="#fff" stroke-width="2" stroke-dasharray="5 4"',
    "square": 'fill="#ead9bb"',
    "square other": 'fill="#dcc59f"',
    "trail": 'fill="#e8b02380"',
    "side": 'fill="#6f6a62" stroke="#fff" stroke-width="1.5"',
    "side-0": 'fill="#0a5fa5" stroke="#fff" stroke-width="1.5"',
    "side-1": 'fill="#b4480f" stroke="#fff" stroke-width="1.5"',
    "side-2": 'fill="#6a3d9a" stroke="#fff" stroke-width="1.5"',
    "side-3": 'fill="#2f6b3a" stroke="#fff" stroke-width="1.5"',
    "aim": 'fill="#1d6b4f"',
    "way-best": 'fill="none" stroke="#1d6b4f" stroke-width="6" stroke-linecap="round" stroke-dasharray="10 9"',
    "dim": 'fill="#586069"',
    "you": 'fill="#0a5fa5"',
    "you-tint": 'fill="#d9e9f7"',
    "opponent": 'fill="#b4480f"',
    "opponent-tint": 'fill="#fbe4d5"',
    "last": 'fill="none" stroke="#e8b023" stroke-width="3.5"',
    "last-edge": 'fill="none" stroke="#1f2428" stroke-width="6.5"',
    "line": 'fill="none" stroke="#1f2428" stroke-width="9" stroke-linecap="round"',
    "line last": 'fill="none" stroke="#e8b023" stroke-width="6" stroke-linecap="round"',
    "free": 'stroke="#858b92" stroke-width="3.5" stroke-linecap="round" stroke-dasharray=".1 9"',
    "free best": 'stroke="#1d6b4f" stroke-width="6" stroke-linecap="round" stroke-dasharray="10 9"',
    "dot": 'fill="#1f2428"',
    "face": 'fill="#fff" stroke="#b9b3a6"',
    "back": 'fill="#2f5d8c" stroke="#fff" stroke-width="1.5"',
    "on": 'fill="#fff" font-weight="700"',
    "faint": 'fill="#d5e8df"',
    "hole": 'fill="#9fd0bb"',
    "next": 'fill="none" stroke="#9fd0bb" stroke-width="1.5" stroke-dasharray="5 4"',
    "next-rank": 'fill="#c4e2d5"',
}
"""The styles of the classes in a picture outside a page; they are the same as on a light page."""


SUIT_SHAPES = {
    "♥": ("#b81f2c", "M0 8C-3 4-9 1-9-4a4.6 4.6 0 0 1 9-1.6A4.6 4.6 0 0 1 9-4C9 1 3 4 0 8Z"),
    "♦": ("#b81f2c", "M0-9.5 7 0 0 9.5-7 0Z"),
    "♣": ("#20252a", "M-1 1.5-2.6 9h5.2L1 1.5A4.4 4.4 0 1 0 3.6-2a4.4 4.4 0 1 0-7.2 0A4.4 4.4 0 1 0-1 1.5Z"),
    "♠": (
        "#20252a",
        "M0-9.5C3-5.5 9-2.5 9 2.2a4.5 4.5 0 0 1-7.8 2.4L2.6 9.5h-5.2L-1.2 4.6A4.5 4.5 0 0 1-9 2.2C-9-2.5-3-5.5 0-9.5Z",
    ),
}
"""The colours and outlines of the suits, about 19 units high and centred."""


def document(
    width: float, height: float, title: str, parts: Iterable[str], overlay: Overlay | None = None
) -> str:
    """An SVG document from these parts; the title describes the picture to people who cannot see it."""
    x, y, is_page = number(width), number(height), overlay is not None and bool(overlay.labels)
    role = f'role="group" aria-label="{escape(title)}"' if is_page else 'role="img"'
    body = "\n".join(parts)
    if is_page:
        known = ""
    else:
        known = f"<title>{escape(title)}</title>\n"
        body = re.sub(
            r'class="([^"]*)"', lambda found: f"{found[0]} {LOOKS.get(found[1], '')}".rstrip(), body
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x} {y}" width="{x}" height="{y}" {role} '
        f'font-family="Helvetica, Arial, sans-serif">\n{known}{body}\n</svg>\n'
    )


def places(spots: Mapping[Any, Spot], overlay: Overlay | None) -> Iterator[str]:
    """Yield the values of an overlay on the rectangles of a picture, and buttons for the clickable rectangles.

    Args:
        spots: the rectangles, by action or by the word to type.
        overlay: the overlay; None if there is none.
    """
    if overlay is None:
        return
    for action, spot in spots.items():
        if action in overlay.values:
            is_graded = len(overlay.values) >= GRADED
            yield _grade(spot, action, overlay) if is_graded else pill(*foot_of(spot), action, overlay)
    for action, spot in spots.items():
        if action in overlay.labels:
            yield button(action, overlay, f'<rect class="hit" {box(spot)}/>')
        elif action in overlay.best:
            yield f'<rect class="best" {box(spot)}/>'


def button(action: object, overlay: Overlay, shape: str, *, is_off: bool = False) -> str:
    """A clickable place, disabled if ``is_off``; the class ``hit`` of its shape styles the pointer and the focus."""
    label = escape(said(action, overlay))
    kind = "spot best" if action in overlay.best else "spot"
    off = ' aria-disabled="true"' if is_off else ""
    return (
        f'<g class="{kind}" role="button" tabindex="-1" data-action="{escape(str(action))}" aria-label="{label}"{off}>'
        f"{shape}</g>"
    )


def said(action: object, overlay: Overlay) -> str:
    """The name of an action with its value; an advised action is marked as the best."""
    value = f", worth {short(overlay.values[action])}" if action in overlay.values else ""
    return f"{overlay.labels[action]}{value}{', best' if action in overlay.best else ''}"


def pill(x: float, y: float, action: object, overlay: Overlay) -> str:
    """The value of an action in a pill shape around (x, y); it is filled and has a star if the action is advised."""
    is_best = action in overlay.best
    text = ("\N{BLACK STAR} " if is_best else "") + signed(overlay.values[action], overlay.values)
    width = 7.6 * len(text) + 12
    place = f'x="{number(x - width / 2)}" y="{number(y - 11)}" width="{number(width)}" height="22" rx="11"'
    kind, fill, ink = (" best", "#1d6b4f", "#fff") if is_best else ("", "#fff", INK)
    return (
        f'<g class="value{kind}"><rect {place} fill="{fill}" stroke="#858b92"/><text x="{number(x)}" '
        f'y="{number(y + 4.5)}" fill="{ink}" font-size="13" text-anchor="middle">{escape(text)}</text></g>'
    )


def golden(spot: Spot) -> str:
    """A gold frame around the place of the last action."""
    return f'<rect class="last-edge" {box(spot)}/><rect class="last" {box(spot)}/>'


def fanned(
    count: int, room: float, card: float, space: float, least: float
) -> Iterator[list[tuple[float, float]]]:
    """Yield rows of cards: the left edge and the visible width of each; cards overlap if there are many.

    Args:
        count: the number of cards.
        room, card, space: the width of a row, the width of a card, and the distance between cards, in pixels.
        least: the minimum visible width of a card, in pixels; more cards need more rows.
    """
    most = -(-count // max(-(-count // (int((room - card) // least) + 1)), 1))
    step = min(card + space, (room - card) / max(most - 1, 1))
    for first in range(0, count, max(most, 1)):
        last = min(most, count - first) - 1
        yield [(step * place, card if place == last else min(step, card)) for place in range(last + 1)]


def foot_of(spot: Spot) -> tuple[float, float]:
    """The centre of a pill in a rectangle: its middle, or near the lower edge of a tall rectangle such as a card."""
    return spot.x + spot.width / 2, spot.y + (0.85 if spot.height > 1.25 * spot.width else 0.5) * spot.height


def box(spot: Spot, corner: float = 1 / 6) -> str:
    """The attributes of a rectangle whose corner radius is this share of its shorter side."""
    return (
        f'x="{number(spot.x)}" y="{number(spot.y)}" width="{number(spot.width)}" height="{number(spot.height)}" '
        f'rx="{number(min(spot.width, spot.height) * corner)}"'
    )


def _grade(spot: Spot, action: object, overlay: Overlay) -> str:
    """A rectangle that is coloured and labelled according to a value."""
    value = overlay.values[action]
    star = "\N{BLACK STAR}" if action in overlay.best else ""
    colour, text = grade(value, overlay.values), star + (f"{value:.2f}" if 0 < value < 1 else short(value))
    size = min(spot.height, 2.6 * spot.width / max(len(text), 4), 26.0) * 0.55
    x, y = spot.x + spot.width / 2, spot.y + spot.height / 2 + size * 0.36
    return (
        f'<rect {box(spot)} fill="{GRADES[colour]}"/><text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" '
        f'text-anchor="middle" fill="{ink_on(colour)}">{escape(text)}</text>'
    )


GRADES = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725")
"""The colours of values, from the smallest to the largest value (viridis)."""

DARK_GRADES = 3
"""The number of dark colours, which need light text, at the start of ``GRADES``."""


def ink_on(grade: int) -> str:
    """The text colour for the background colour with this index in ``GRADES``."""
    return "#ffffff" if grade < DARK_GRADES else INK


def grade(value: float, values: Mapping[Any, float]) -> int:
    """The index in ``GRADES`` of the colour for a value; 0 if the values cannot be compared."""
    known = [each for each in values.values() if abs(each) < float("inf")]
    if value != value or not known or max(known) == min(known):
        return 0
    return int(min(max((value - min(known)) / (max(known) - min(known)), 0.0), 1.0) * (len(GRADES) - 1) + 0.5)


def signed(value: float, values: Mapping[Any, float]) -> str:
    """A value in a few characters; positive values get a plus sign if any of the values is negative.

    >>> signed(3.84, {0: 3.84, 1: -4.0}), signed(-4.0, {1: -4.0}), signed(0.25, {0: 0.25})
    ('+3.8', '−4', '0.25')
    """
    return ("+" if value > 0 and min(values.values()) < 0 else "") + short(value)


def short(value: float) -> str:
    """A number in a few characters.

    >>> short(0.25), short(12.0), short(-1234.5), short(float("nan")), short(1e300)
    ('0.25', '12', '−1234', 'nan', '1e+300')
    """
    return (f"{value:.0f}" if 100 <= abs(value) < 10_000 else f"{value:.2g}").replace("-", "\N{MINUS SIGN}")
