"""Heat maps as pictures, with their scale and the same numbers as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from markupsafe import Markup

from gpkit.gamekit.svg import GRADES, grade, ink_on, short
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Spot
from gpkit.playing.heat import HeatMap

LABEL = 0.9
"""Room for the names of rows and columns, by the size of the smaller side of a square."""


@dataclass(frozen=True, slots=True)
class Scale:
    """One colour of a scale, and the least and the greatest value that it stands for."""

    grade: int
    low: str
    high: str


def scale_of(values: Mapping[Any, float]) -> tuple[Scale, ...]:
    """The scale by which these values are coloured."""
    known = [value for value in values.values() if abs(value) < float("inf")]
    if not known:
        return ()
    low, high, last = min(known), max(known), len(GRADES) - 1
    if low == high:
        return (Scale(0, short(low), short(high)),)
    ends = [low + (high - low) * min(max((k - 0.5) / last, 0.0), 1.0) for k in range(len(GRADES) + 1)]
    return tuple(Scale(k, short(ends[k]), short(ends[k + 1])) for k in range(len(GRADES)))


def shown_map(heat: HeatMap, spots: Mapping[int, Spot], names: Mapping[int, str]) -> dict[str, Any]:
    """A heat map for a page: title, picture, scale, and the values as a table; every square has a spot and a name.

    Each of the table's rows has a heading, and by column the text of a square with its name, empty where there is none.
    """
    tops, lefts = sorted({spot.y for spot in spots.values()}), sorted({spot.x for spot in spots.values()})
    places = {(spot.y, spot.x): square for square, spot in spots.items()}
    rows, columns = _headings(tops, lefts, places, names)
    table = [
        (heading, [_cell(heat, names, places.get((y, x))) for x in lefts])
        for heading, y in zip(rows, tops, strict=True)
    ]
    return {
        "title": heat.title,
        "svg": _picture(heat, spots, names, (rows, columns)),
        "scale": scale_of(heat.values),
        "columns": columns,
        "rows": table,
    }


def _cell(heat: HeatMap, names: Mapping[int, str], square: int | None) -> str:
    """The text of a square in the table."""
    if square is None:
        return ""
    return f"{names[square]}: {short(heat.values[square]) if square in heat.values else 'none'}"


def _headings(
    tops: Sequence[float],
    lefts: Sequence[float],
    places: Mapping[tuple[float, float], int],
    names: Mapping[int, str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Common parts of the names in each row and each column; numbers where they do not tell all apart."""
    by_row = [[names[places[y, x]] for x in lefts if (y, x) in places] for y in tops]
    by_column = [[names[places[y, x]] for y in tops if (y, x) in places] for x in lefts]
    rows = [_common([name[::-1] for name in row])[::-1].strip() for row in by_row]
    columns = [_common(column).strip() for column in by_column]
    plain = all(rows) and all(columns) and len(set(rows)) == len(rows) and len(set(columns)) == len(columns)
    if not plain:
        return tuple(str(k + 1) for k in range(len(tops))), tuple(str(k + 1) for k in range(len(lefts)))
    return tuple(rows), tuple(columns)


def _common(texts: Sequence[str]) -> str:
    """The longest beginning of all texts."""
    first, last = min(texts), max(texts)
    same = (k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(same, len(first))]


def _picture(
    heat: HeatMap,
    spots: Mapping[int, Spot],
    names: Mapping[int, str],
    headings: tuple[tuple[str, ...], tuple[str, ...]],
) -> Markup:
    side = max(min(spot.width, spot.height) for spot in spots.values())
    room = LABEL * side
    left, top = min(spot.x for spot in spots.values()), min(spot.y for spot in spots.values())
    width = max(spot.x + spot.width for spot in spots.values()) - left + room + 2
    height = max(spot.y + spot.height for spot in spots.values()) - top + room + 2
    longest = max((len(short(value)) for value in heat.values.values()), default=1)
    parts = [
        _square(
            square,
            Spot(spot.x - left + room, spot.y - top + room, spot.width, spot.height),
            heat,
            names,
            longest,
        )
        for square, spot in spots.items()
    ]
    tall = {spot.y: spot for spot in spots.values()}
    wide = {spot.x: spot for spot in spots.values()}
    size = 0.42 * side
    for heading, y in zip(headings[0], sorted(tall), strict=True):
        middle = y - top + room + tall[y].height / 2 + 0.36 * size
        parts.append(_heading(heading, room - 0.2 * side, middle, size, "end"))
    for heading, x in zip(headings[1], sorted(wide), strict=True):
        parts.append(
            _heading(heading, x - left + room + wide[x].width / 2, room - 0.25 * side, size, "middle")
        )
    message = escape(f"{heat.title}; {_extremes(heat, names)}")
    return Markup(  # noqa: S704 - names are escaped
        f'<svg xmlns="http://www.w3.org/2000/svg" class="heat" role="img" aria-label="{message}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}">{"".join(parts)}</svg>'
    )


def _extremes(heat: HeatMap, names: Mapping[int, str]) -> str:
    """The squares of the greatest and of the least value, in words."""
    if not heat.values:
        return "no values"
    most, least = max(heat.values, key=heat.values.__getitem__), min(heat.values, key=heat.values.__getitem__)
    return (
        f"most on {names[most]}, {short(heat.values[most])}; "
        f"least on {names[least]}, {short(heat.values[least])}; all numbers are in the table"
    )


def _heading(text: str, x: float, y: float, size: float, anchor: str) -> str:
    return (
        f'<text class="heading" x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )


def _square(square: int, spot: Spot, heat: HeatMap, names: Mapping[int, str], longest: int) -> str:
    place = f'x="{_n(spot.x)}" y="{_n(spot.y)}" width="{_n(spot.width)}" height="{_n(spot.height)}"'
    if square not in heat.values:
        return f'<rect class="empty" {place}><title>{escape(names[square])}: none</title></rect>'
    value = heat.values[square]
    number, text = grade(value, heat.values), short(value)
    size = min(0.5 * spot.height, 1.1 * spot.width / max(longest, 2))
    x, y = spot.x + spot.width / 2, spot.y + spot.height / 2 + 0.36 * size
    return (
        f'<rect class="g{number}" {place} rx="2"><title>{escape(names[square])}: {text}</title></rect>'
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="middle" fill="{ink_on(number)}">'
        f"{escape(text)}</text>"
    )
