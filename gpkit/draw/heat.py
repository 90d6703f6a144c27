"""Heat maps as small SVG texts, a colour and a number for each square: of boards, and of classes taken for others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpkit.core.characters import in_markup
from gpkit.core.diagnostics import shortened
from gpkit.core.tabular import aligned
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
        f"<title>{in_markup(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for number, each in enumerate(maps):
        parts += _map(each, number % columns * wide + MARGIN, number // columns * high)
    return "\n".join([*parts, "</svg>", ""])


def _map(each: Heat, left: int, top: int) -> Iterator[str]:
    highest = max(value for row in each.rows for value in row)
    yield (
        f'<text x="{left}" y="{top + TITLE - 12}" font-size="14" font-weight="bold" fill="{INK}">'
        f"{in_markup(each.title)}</text>"
    )
    for y, row in enumerate(each.rows):
        for x, value in enumerate(row):
            part = value / highest if highest > 0.0 else 0.0
            at, down = left + x * CELL, top + TITLE + y * CELL
            yield f'<rect x="{at}" y="{down}" width="{CELL}" height="{CELL}" fill="{blend(PAPER, BLUE, part)}"/>'
            yield (
                f'<text x="{at + CELL / 2:g}" y="{down + CELL / 2 + 4:g}" font-size="11" text-anchor="middle" '
                f'fill="{PAPER if part > DARK else INK}">{100 * value:.0f}</text>'
            )
    size = f'width="{len(each.rows[0]) * CELL}" height="{len(each.rows) * CELL}"'
    yield f'<rect x="{left}" y="{top + TITLE}" {size} fill="none" stroke="{FAINT}"/>'


DARK = 0.55
"""Part of the full colour from which on it is too dark for ink."""

NAMES, HEAD, WIDE, HIGH = 150, 78, 64, 34
"""Room for names on the left and above, and the sides of a cell of a confusion matrix."""

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
    """A confusion matrix as SVG text: a row for each true class, a column for what it was taken for.

    The colour of a cell is its share of the row; what is right stands on the diagonal, in a frame.

    Args:
        title: of the whole.
        classes: their names.
        counts: of rows, by true and predicted class.
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
    """A name, cut if it is long, and whole where it is pointed at."""
    return f"{in_markup(shortened(name, most))}<title>{in_markup(name)}</title>"


def confusion_text(classes: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    """A confusion matrix as lines of text: a row for each true class."""
    cells = [["true \\ predicted", *classes]]
    cells += [[name, *map(str, row)] for name, row in zip(classes, counts, strict=True)]
    return aligned(cells, left=())
