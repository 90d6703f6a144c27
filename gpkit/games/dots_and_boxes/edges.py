"""Edges by number, of boards and of strings and coins.

On boards the horizontal ones come first, row by row, then the vertical ones row by row; boxes row by row. These are the
numbers of OpenSpiel's Dots and Boxes, too. An edge between two boxes is shared by both; one at the border leads from
its box to the ground.

Strings and coins are graphs to play Dots and Boxes on (Berlekamp, Conway and Guy, "Winning Ways", 1982, chapter 16).
Coins are the boxes, and strings, by their own numbers, the edges: each ties a coin to another one or to the ground.
Cutting the last string of a coin takes it, as drawing the last side closes a box, so the rules are those of boards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from gpkit.games.dots_and_boxes.options import Rules

MOST_STRINGS = 4
"""A coin has at most as many strings as a box has sides."""


@dataclass(frozen=True, slots=True)
class Coins:
    """A graph to play on.

    Attributes:
        names: by coin its name.
        strings: by string its coins, ascending: two, or one where the other end is the ground.
    """

    names: tuple[str, ...]
    strings: tuple[tuple[int, ...], ...]

    @property
    def boxes(self) -> int:
        """The coins."""
        return len(self.names)

    @property
    def edges(self) -> int:
        """The strings."""
        return len(self.strings)


Field = Rules | Coins


SIDES = ("top", "bottom", "left", "right")
"""The sides of a box, in the order of ``edges_of_box``."""


def edges_of_box(box: int, field: Field) -> tuple[int, ...]:
    """The edges above, below, left and right of a box, or the strings of a coin.

    >>> edges_of_box(4, Rules(3, 3))
    (4, 7, 17, 18)
    """
    return edges_of_boxes(field)[box]


@cache
def edges_of_boxes(field: Field) -> tuple[tuple[int, ...], ...]:
    """By box its edges, as of ``edges_of_box``."""
    if isinstance(field, Coins):
        return _inverse(field.strings, field.boxes)
    edges = {place_of(edge, field): edge for edge in range(field.edges)}
    middles = [(2 * x + 1, 2 * y + 1) for y in range(field.height) for x in range(field.width)]
    return tuple((edges[x, y - 1], edges[x, y + 1], edges[x - 1, y], edges[x + 1, y]) for x, y in middles)


@cache
def boxes_of_edges(field: Field) -> tuple[tuple[int, ...], ...]:
    """The boxes of each edge, ascending: two, or one at the border."""
    return field.strings if isinstance(field, Coins) else _inverse(edges_of_boxes(field), field.edges)


def _inverse(rows: Sequence[Sequence[int]], count: int) -> tuple[tuple[int, ...], ...]:
    """For each number below ``count``, the rows that hold it, ascending."""
    found: list[list[int]] = [[] for _ in range(count)]
    for number, row in enumerate(rows):
        for each in row:
            found[each].append(number)
    return tuple(map(tuple, found))


def symmetries(field: Field) -> tuple[tuple[int, ...], ...]:
    """The rotations and reflections of a board: by edge the one that takes its place; the first changes nothing.

    For coins it is the only one: their symmetries are not looked for.
    """
    if isinstance(field, Coins):
        return (tuple(range(field.edges)),)
    places = [place_of(edge, field) for edge in range(field.edges)]
    edges = {place: edge for edge, place in enumerate(places)}
    wide, high = 2 * field.width, 2 * field.height
    found = []
    turns = (False, True) if wide == high else (False,)
    for turned, mirrored_x, mirrored_y in product(turns, (False, True), (False, True)):
        moved = (
            (wide - x if mirrored_x else x, high - y if mirrored_y else y)
            for x, y in ((y, x) if turned else (x, y) for x, y in places)
        )
        found.append(tuple(edges[place] for place in moved))
    return tuple(found)


def place_of(edge: int, rules: Rules) -> tuple[int, int]:
    """Position of the middle of an edge, (x, y) in half boxes from the top left dot."""
    across = rules.width * (rules.height + 1)
    if edge < across:
        y, x = divmod(edge, rules.width)
        return 2 * x + 1, 2 * y
    y, x = divmod(edge - across, rules.width + 1)
    return 2 * x, 2 * y + 1
