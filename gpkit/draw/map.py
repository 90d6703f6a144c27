"""Maps of behaviour as small SVG texts: a colour for each filled cell, by how good the program in it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpkit.core.characters import in_markup
from gpkit.core.tabular import aligned
from gpkit.draw.heat import DARK
from gpkit.draw.palette import BLUE, FAINT, FONT, INK, MIST, PALE, PAPER, blend

WIDTH, LARGEST, SMALLEST = 560, 56, 6
"""Width of the plotted area at most, and the sides of a cell, in pixels as all lengths here."""
LEFT, TOP, RIGHT, BOTTOM = 70, 64, 24, 52
READABLE = 34
"""The least side of a cell that has room for a number."""
LOW_SHARE = 0.15
"""Part of the full colour that the worst filled cell has, so that it is told from an empty one."""


@dataclass(frozen=True, slots=True)
class Side:
    """One axis of a map: its name, and the bounds between its bins in order, one more than there are bins."""

    name: str
    bounds: tuple[float, ...]

    @property
    def bins(self) -> int:
        """Number of bins."""
        return len(self.bounds) - 1


@dataclass(frozen=True, slots=True)
class Spot:
    """A filled cell: its value as people read it, and words that appear when it is pointed at."""

    value: float
    words: str


@dataclass(frozen=True, slots=True)
class MapPicture:
    """A map before it is drawn.

    Attributes:
        title: of the whole.
        remark: what else there is to be said, such as the coverage.
        across, up: the two axes; a map of one axis has a single bin upwards.
        spots: by their bins across and upwards.
        measure: what the values are.
        lower_is_better: whether a smaller value is the better one.
    """

    title: str
    remark: str
    across: Side
    up: Side
    spots: Mapping[tuple[int, int], Spot]
    measure: str
    lower_is_better: bool = False


def map_svg(drawn: MapPicture) -> str:
    """The map as an SVG document."""
    side = max(SMALLEST, min(LARGEST, WIDTH // drawn.across.bins, WIDTH // drawn.up.bins))
    wide, high = drawn.across.bins * side, drawn.up.bins * side
    width, height = max(LEFT + wide + RIGHT, 420), TOP + high + BOTTOM
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="{FONT}" font-size="11">',
            f"<title>{in_markup(drawn.title)}</title><desc>{in_markup(drawn.remark)}</desc>",
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
            f'<text x="8" y="20" font-size="14" font-weight="bold" fill="{INK}">{in_markup(drawn.title)}</text>',
            f'<text x="8" y="40" fill="{FAINT}">{in_markup(drawn.remark)}</text>',
            f'<rect x="{LEFT}" y="{TOP}" width="{wide}" height="{high}" fill="{MIST}" stroke="{PALE}"/>',
            *_spots(drawn, side),
            *_marks(drawn, side),
            "</svg>",
            "",
        ]
    )


def _spots(drawn: MapPicture, side: int) -> Iterator[str]:
    values = [spot.value for spot in drawn.spots.values()]
    low, high = min(values, default=0.0), max(values, default=0.0)
    for (x, y), spot in sorted(drawn.spots.items()):
        share = (spot.value - low) / (high - low) if high > low else 1.0
        share = 1.0 - share if drawn.lower_is_better and high > low else share
        colour = LOW_SHARE + (1.0 - LOW_SHARE) * share
        left, top = LEFT + x * side, TOP + (drawn.up.bins - 1 - y) * side
        number = f"{spot.value:.3g}"
        shown = (
            f'<text x="{left + side / 2:g}" y="{top + side / 2 + 4:g}" text-anchor="middle" '
            f'fill="{PAPER if colour > DARK else INK}">{number}</text>'
            if side >= READABLE and len(number) * 7 <= side
            else ""
        )
        yield (
            f'<g><title>{in_markup(spot.words)}</title><rect x="{left}" y="{top}" width="{side}" height="{side}" '
            f'fill="{blend(PAPER, BLUE, colour)}" stroke="{PAPER}"/>{shown}</g>'
        )


def _marks(drawn: MapPicture, side: int) -> Iterator[str]:
    across, up = drawn.across, drawn.up
    floor = TOP + up.bins * side
    middle, half = LEFT + across.bins * side / 2, TOP + up.bins * side / 2
    for place in _spread(across.bins, max(1, -(-44 // side))):
        at, mark = LEFT + place * side, f"{across.bounds[place]:.4g}"
        yield f'<text x="{at}" y="{floor + 16}" text-anchor="middle" fill="{FAINT}">{mark}</text>'
    name = in_markup(across.name)
    yield f'<text x="{middle:g}" y="{floor + 38}" text-anchor="middle" fill="{INK}">{name}</text>'
    if not up.name:
        return
    for place in _spread(up.bins, max(1, -(-18 // side))):
        at, mark = floor - place * side + 4, f"{up.bounds[place]:.4g}"
        yield f'<text x="{LEFT - 6}" y="{at}" text-anchor="end" fill="{FAINT}">{mark}</text>'
    turned = f'text-anchor="middle" transform="rotate(-90 16 {half:g})" fill="{INK}"'
    yield f'<text x="16" y="{half:g}" {turned}>{in_markup(up.name)}</text>'


def _spread(bins: int, step: int) -> Sequence[int]:
    """The bounds that are named: every so many, and the last instead of what would touch it."""
    places = [place for place in range(0, bins, step) if place == 0 or bins - place >= step]
    return [*places, bins]


def map_text(drawn: MapPicture) -> str:
    """The map as lines of text: a row for each bin upwards, the highest first, and a point for an empty cell."""
    rows = [
        [
            f"{drawn.up.bounds[y]:.4g}" if drawn.up.name else "",
            *(
                f"{drawn.spots[x, y].value:.3g}" if (x, y) in drawn.spots else "."
                for x in range(drawn.across.bins)
            ),
        ]
        for y in reversed(range(drawn.up.bins))
    ]
    rows.append(["", *(f"{bound:.4g}" for bound in drawn.across.bounds[:-1])])
    heading = f"{drawn.title}: {drawn.measure}; {drawn.remark}"
    sides = f"across: {drawn.across.name}" + (f"; upwards: {drawn.up.name}" if drawn.up.name else "")
    return f"{heading}\n{aligned(rows, left=())}{sides}; bins by their least values\n"
