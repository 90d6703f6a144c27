"""Heat maps of boards and confusion matrices as small SVG documents, with a colour and a number in each square.

Maps of behaviour as small SVG documents: the colour of each filled cell shows how good its program is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpkit.core.diagnostics import shortened
from gpkit.core.layout import aligned
from gpkit.core.wording import in_markup
from gpkit.show.graph import BLUE, FAINT, FONT, INK, MIST, PALE, PAPER, blend

CELL = 30
"""The side of a square, in pixels like all lengths here."""
TITLE, MARGIN = 34, 12
COLUMNS = 2
"""The number of maps in a row."""


def heat_svg(title: str, maps: Mapping[str, Sequence[float]], squares: int) -> str:
    """Maps as one SVG document, two in a row; the largest value in each map has the full colour.

    Each square also has a number in hundredths, so colour is never the only sign of a value.

    Args:
        title: the title of the document.
        maps: by title, the values of the squares, at least 0, row by row from the top.
        squares: the number of squares in a row.
    """
    wide = squares * CELL + 2 * MARGIN
    high = max(map(len, maps.values())) // squares * CELL + TITLE + MARGIN
    columns = min(COLUMNS, len(maps))
    width, height = columns * wide, -(-len(maps) // columns) * high
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{FONT}">',
        f"<title>{in_markup(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for number, (name, values) in enumerate(maps.items()):
        parts += _map(name, values, squares, number % columns * wide + MARGIN, number // columns * high)
    return "\n".join([*parts, "</svg>", ""])


def _map(title: str, values: Sequence[float], squares: int, left: int, top: int) -> Iterator[str]:
    highest = max(values)
    yield (
        f'<text x="{left}" y="{top + TITLE - 12}" font-size="14" font-weight="bold" fill="{INK}">'
        f"{in_markup(title)}</text>"
    )
    for square, value in enumerate(values):
        part = value / highest if highest > 0.0 else 0.0
        at, down = left + square % squares * CELL, top + TITLE + square // squares * CELL
        yield f'<rect x="{at}" y="{down}" width="{CELL}" height="{CELL}" fill="{blend(PAPER, BLUE, part)}"/>'
        yield (
            f'<text x="{at + CELL / 2:g}" y="{down + CELL / 2 + 4:g}" font-size="11" text-anchor="middle" '
            f'fill="{PAPER if part > DARK else INK}">{100 * value:.0f}</text>'
        )
    size = f'width="{squares * CELL}" height="{len(values) // squares * CELL}"'
    yield f'<rect x="{left}" y="{top + TITLE}" {size} fill="none" stroke="{FAINT}"/>'


DARK = 0.55
"""The colour intensity, as a share of the full colour, above which a square is too dark for dark text."""

NAMES, HEAD, WIDE, HIGH = 150, 78, 64, 34
"""The space for names on the left and above, and the width and height of a cell of a confusion matrix."""

STYLE = """
.gpkit-confusion{--ink:#24292f;--dim:#57606a;--rule:#d8dde2;--full:#0072b2;font:12px Helvetica,Arial,sans-serif}
@media screen and (prefers-color-scheme:dark){.gpkit-confusion{--ink:#e6e9ec;--dim:#9aa4ad;--rule:#363d44;
--full:#56b4e9}}
.gpkit-confusion text{fill:var(--ink)}.gpkit-confusion .dim{fill:var(--dim)}
.gpkit-confusion .title{font-size:14px;font-weight:bold}.gpkit-confusion .end{text-anchor:end}
.gpkit-confusion .cell{fill:var(--full)}.gpkit-confusion .frame{fill:none;stroke:var(--rule)}
.gpkit-confusion .right{stroke:var(--ink);stroke-width:1.5}.gpkit-confusion .middle{text-anchor:middle}
"""


def confusion_svg(title: str, classes: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    """A confusion matrix as SVG text: a row for each true class, and a column for each predicted class.

    The colour of a cell shows its share of the row; correct predictions are on the diagonal, in a frame.

    Args:
        title: the title of the matrix.
        classes: the names of the classes.
        counts: the number of rows, by true and predicted class.
    """
    width, height = NAMES + WIDE * len(classes) + 12, HEAD + HIGH * len(classes) + 12
    right = sum(row[place] for place, row in enumerate(counts))
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gpkit-confusion" role="img" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>{in_markup(title)}</title><desc>{right} of {sum(map(sum, counts))} are right</desc>"
        f"<style>{STYLE}</style>",
        f'<text class="title" x="8" y="20">{in_markup(title)}</text>',
        f'<text class="dim end" x="{NAMES - 8}" y="{HEAD - 10}">true, predicted →</text>',
    ]
    for place, name in enumerate(classes):
        across, down = NAMES + WIDE * (place + 0.5), HEAD + HIGH * (place + 0.5) + 4
        rows.append(f'<text class="middle" x="{across:g}" y="{HEAD - 10}">{_named(name, 9)}</text>')
        rows.append(f'<text class="end" x="{NAMES - 8}" y="{down:g}">{_named(name, 20)}</text>')
    for y, row in enumerate(counts):
        whole = max(1, sum(row))
        for x, count in enumerate(row):
            left, top = NAMES + WIDE * x, HEAD + HIGH * y
            size = f'x="{left}" y="{top}" width="{WIDE}" height="{HIGH}"'
            rows.append(f'<rect class="cell" {size} fill-opacity="{0.5 * count / whole:.3f}"/>')
            rows.append(
                f'<text class="middle" x="{left + WIDE // 2}" y="{top + HIGH // 2 + 4}">{count:,}</text>'
            )
            rows.append(f'<rect class="frame" {size}/>')
    for place in range(len(classes)):
        at = f'x="{NAMES + WIDE * place}" y="{HEAD + HIGH * place}"'
        rows.append(f'<rect class="frame right" {at} width="{WIDE}" height="{HIGH}"/>')
    return "\n".join([*rows, "</svg>", ""])


def _named(name: str, most: int) -> str:
    """A name, shortened if it is long; its tooltip shows the full name."""
    return f"{in_markup(shortened(name, most))}<title>{in_markup(name)}</title>"


def confusion_text(classes: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    """A confusion matrix as lines of text: a row for each true class."""
    cells = [["true \\ predicted", *classes]]
    cells += [[name, *map(str, row)] for name, row in zip(classes, counts, strict=True)]
    return aligned(cells, left=())


WIDTH, LARGEST, SMALLEST = 560, 56, 6
"""The maximum width of the plotted area, and the largest and the smallest side of a cell, in pixels."""
LEFT, TOP, RIGHT, BOTTOM = 70, 64, 24, 52
READABLE = 34
"""The smallest side of a cell that has room for a number."""
LOW_SHARE = 0.15
"""The share of the full colour for the worst filled cell, which distinguishes it from an empty cell."""


@dataclass(frozen=True, slots=True)
class MapAxis:
    """One axis of a map: its name, and the bounds of its bins in order; n bins have n + 1 bounds."""

    name: str
    bounds: tuple[float, ...]

    @property
    def bins(self) -> int:
        """The number of bins."""
        return len(self.bounds) - 1


@dataclass(frozen=True, slots=True)
class Spot:
    """A filled cell: its value as displayed, and the text of its tooltip."""

    value: float
    words: str


@dataclass(frozen=True, slots=True)
class MapPicture:
    """The content of a map to draw.

    Attributes:
        title: the title of the map.
        remark: a further remark, such as the coverage.
        across, up: the horizontal and the vertical axis; a map with only one axis has a single vertical bin.
        spots: the filled cells, by their horizontal and vertical bins.
        measure: the name of the measured quantity.
        lower_is_better: whether smaller values are better.
    """

    title: str
    remark: str
    across: MapAxis
    up: MapAxis
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
    """The bounds to label: every ``step``-th bound and the last one, which replaces a label that would touch it."""
    return [*(place for place in range(0, bins, step) if place == 0 or bins - place >= step), bins]


def map_text(drawn: MapPicture) -> str:
    """The map as lines of text: a row for each vertical bin, the highest first, with a dot for an empty cell."""
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
    return f"{heading}\n{aligned(rows, left=())}{sides}; each bin is labelled with its smallest value\n"
