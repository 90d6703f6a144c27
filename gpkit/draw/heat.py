"""Heat maps of the squares of a board as small SVG texts: a colour and a number for each, several maps side by side."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpkit.draw.palette import BLUE, FAINT, FONT, INK, PAPER, blend

CELL = 30
"""Side of a square, in pixels as all lengths here."""
TITLE, MARGIN = 34, 12
COLUMNS = 2
"""Maps in a row."""


@dataclass(frozen=True, slots=True)
class Heat:
    """One map: its title, and by row, the top one first, the values of its squares, of at least 0."""

    title: str
    rows: tuple[tuple[float, ...], ...]


def heat_of(title: str, values: Sequence[float], width: int) -> Heat:
    """The map of values row after row."""
    return Heat(title, tuple(tuple(values[k : k + width]) for k in range(0, len(values), width)))


def heat_svg(title: str, maps: Sequence[Heat]) -> str:
    """Maps as one SVG document, two in a row; in each the largest value has the full colour.

    Numbers are hundredths, so that no value is told by its colour alone.
    """
    wide = max(len(row) for each in maps for row in each.rows) * CELL + 2 * MARGIN
    high = max(len(each.rows) for each in maps) * CELL + TITLE + MARGIN
    columns = min(COLUMNS, len(maps))
    width, height = columns * wide, -(-len(maps) // columns) * high
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{FONT}">',
        f"<title>{html.escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for number, each in enumerate(maps):
        parts += _map(each, number % columns * wide + MARGIN, number // columns * high)
    return "\n".join([*parts, "</svg>", ""])


def _map(each: Heat, left: int, top: int) -> Iterator[str]:
    highest = max(value for row in each.rows for value in row)
    yield (
        f'<text x="{left}" y="{top + TITLE - 12}" font-size="14" font-weight="bold" fill="{INK}">'
        f"{html.escape(each.title)}</text>"
    )
    for y, row in enumerate(each.rows):
        for x, value in enumerate(row):
            part = value / highest if highest > 0.0 else 0.0
            at, down = left + x * CELL, top + TITLE + y * CELL
            yield f'<rect x="{at}" y="{down}" width="{CELL}" height="{CELL}" fill="{blend(PAPER, BLUE, part)}"/>'
            yield (
                f'<text x="{at + CELL / 2:g}" y="{down + CELL / 2 + 4:g}" font-size="11" text-anchor="middle" '
                f'fill="{PAPER if part > _DARK else INK}">{100 * value:.0f}</text>'
            )
    size = f'width="{len(each.rows[0]) * CELL}" height="{len(each.rows) * CELL}"'
    yield f'<rect x="{left}" y="{top + TITLE}" {size} fill="none" stroke="{FAINT}"/>'


_DARK = 0.55
"""Part of the full colour from which on it is too dark for ink."""
