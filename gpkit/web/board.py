"""Boards on a page: the picture of a game with the places where a person can click, and what advice says there."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from markupsafe import Markup

from gpkit.draw.page import inline_svg
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Spot

GRADES = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725")
"""Colours of values from the least to the greatest (viridis)."""

TALL = 1.25
"""Height by width from which a value stands at the foot of a place, and does not fill it."""

EASY, LARGEST = 480.0, 2.0
"""Width of pictures, in pixels, that are not drawn larger, and how much larger others are at most."""

_SIZE = re.compile(r'(?<= )(width|height)="([\d.]+)"')

DARK_GRADES = 3
"""So many of the first of them need light letters."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Values of actions, shown at their places.

    Attributes:
        values: by action.
        best: the actions that are advised.
    """

    values: Mapping[int, float]
    best: tuple[int, ...]


NOTHING = Overlay({}, ())


def picture(svg: str) -> Markup:
    """A board to be looked at."""
    return Markup(_enlarged(inline_svg(svg)))  # noqa: S704 - inside is escaped where the picture is made


def marked(svg: str, spots: Mapping[int, Spot], overlay: Overlay) -> Markup:
    """A board to be looked at, with values at their places."""
    body, end, _ = _enlarged(str(inline_svg(svg))).rpartition("</svg>")
    best = "".join(
        f'<rect class="spot best" {_place(spots[each])}/>' for each in overlay.best if each in spots
    )
    return Markup(f"{body}{_marks(spots, overlay)}{best}{end}")  # noqa: S704 - numbers only


def _marks(spots: Mapping[Any, Spot], overlay: Overlay) -> str:
    return "".join(_mark(spots[action], overlay, action) for action in overlay.values if action in spots)


def clickable(
    svg: str, spots: Mapping[Any, Spot], labels: Mapping[Any, str], overlay: Overlay = NOTHING
) -> Markup:
    """A board with a button at every spot, which a script makes work: by clicks, Enter, and arrow keys.

    Spots and labels are by action, or by what can be typed.
    """
    whole = _enlarged(str(inline_svg(svg))).replace(' role="img"', ' role="group"', 1)
    body, end, _ = whole.rpartition("</svg>")
    marks = _marks(spots, overlay)
    buttons = "".join(_button(action, spot, labels, overlay) for action, spot in spots.items())
    return Markup(f"{body}{marks}{buttons}{end}")  # noqa: S704 - labels are escaped


def _enlarged(svg: str) -> str:
    """A picture that is small drawn larger, so that it can be read and hit."""
    width = svg_width(svg)
    factor = min(LARGEST, EASY / width) if width else 1.0
    if factor <= 1.0:
        return svg
    head, end, rest = svg.partition(">")
    return _SIZE.sub(lambda size: f'{size[1]}="{_n(float(size[2]) * factor)}"', head) + end + rest


def _button(action: Any, spot: Spot, labels: Mapping[Any, str], overlay: Overlay) -> str:
    label = labels[action]
    if action in overlay.values:
        label += f", worth {overlay.values[action]:.4g}"
    if action in overlay.best:
        label += ", advised"
    message = escape(label)
    kind = "spot best" if action in overlay.best else "spot free" if isinstance(action, str) else "spot"
    return (
        f'<rect class="{kind}" role="button" tabindex="-1" data-action="{escape(str(action))}" aria-label="{message}" '
        f"{_place(spot)}><title>{message}</title></rect>"
    )


def _mark(spot: Spot, overlay: Overlay, action: int) -> str:
    """The colour and the number of a value."""
    value = overlay.values[action]
    if spot.height > TALL * spot.width:  # a card, which stays to be seen
        spot = Spot(spot.x + 2, spot.y + 0.7 * spot.height, spot.width - 4, 0.27 * spot.height)
    number = grade(value, overlay.values)
    text = short(value)
    size = min(spot.height, 2.6 * spot.width / max(len(text), 3), 15.0) * 0.62
    x, y = spot.x + spot.width / 2, spot.y + spot.height / 2 + size * 0.36
    return (
        f'<rect class="worth" {_place(spot)} fill="{GRADES[number]}"/>'
        f'<text class="worth" x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="middle" '
        f'fill="{ink_on(number)}">{escape(text)}</text>'
    )


def ink_on(number: int) -> str:
    """The colour of letters on the colour of that number."""
    return "#ffffff" if number < DARK_GRADES else "#22262b"


def grade(value: float, values: Mapping[int, float]) -> int:
    """Number of the colour of a value; that of numbers that cannot be compared is the first."""
    known = [each for each in values.values() if abs(each) < float("inf")]
    if value != value or not known or max(known) == min(known):
        return 0
    share = (value - min(known)) / (max(known) - min(known))
    return int(min(max(share, 0.0), 1.0) * (len(GRADES) - 1) + 0.5)


def short(value: float) -> str:
    """A number in few characters.

    >>> short(0.25), short(12.0), short(-1234.5), short(float("nan")), short(1e300)
    ('.25', '12', '-1234', 'nan', '1e+300')
    """
    text = f"{value:.0f}" if 100 <= abs(value) < 10_000 else f"{value:.2g}"
    return text.replace("0.", ".", 1) if abs(value) < 1 else text


def svg_width(svg: str) -> float:
    """The width of a picture in the units of its view box; 0 where it does not say so."""
    found = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+)', svg[:1000])
    return float(found[1]) if found else 0.0


def _place(spot: Spot) -> str:
    return (
        f'x="{_n(spot.x)}" y="{_n(spot.y)}" width="{_n(spot.width)}" height="{_n(spot.height)}" '
        f'rx="{_n(min(spot.width, spot.height) / 6)}"'
    )


def labels_of(view: Any, state: Any) -> dict[int, str]:
    """The text of every legal action."""
    return {action: view.action_text(state, action) for action in state.legal_actions()}
