"""The rules of Dots and Boxes: options, the edges of a board, and immutable states.

Edges and boxes are identified by numbers. On boards, the horizontal edges come first, row by row, and then the vertical
edges, row by row. Boxes are numbered row by row. OpenSpiel's Dots and Boxes uses the same numbers. Two boxes share the
edge between them; an edge at the border leads from its box to the ground.

Dots and Boxes can also be played on graphs of strings and coins (Berlekamp, Conway and Guy, "Winning Ways", 1982,
chapter 16). On such graphs, coins take the place of boxes, strings take the place of edges, and both are numbered
separately. A string ties a coin to another coin or to the ground. Cutting the last string of a coin takes the coin,
just as drawing the last side closes a box, so the rules are the same as on boards.

Two players take turns to draw edges. A player who draws the fourth side of a box owns it and draws again; one edge can
close two boxes. When all edges are drawn, the player with more boxes wins.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from gpkit.gamekit.options import Option, OptionRules, Value, bad_value, written_rule
from gpkit.gamekit.state import NOBODY, check_legal

MAX_EDGES = 62
"""The maximum number of edges of a board, which fit into the bits of an integer; 5x5 boxes have 60 edges."""

BOARD = Option("board", "columns and rows of boxes", form="a size such as 3x3, at most 5x5, 4x6 or 3x8")


@dataclass(frozen=True, slots=True)
class DotsAndBoxesRules(OptionRules):
    """The rules of a game.

    >>> DotsAndBoxesRules.from_options({"board": "4x3"}).edges
    31

    Attributes:
        width, height: the numbers of columns and rows of boxes.
    """

    title = "Dots and Boxes"

    width: int = written_rule(3, BOARD)
    height: int = 3

    @property
    def board(self) -> str:
        """The size of the board in the format of its option, such as ``4x3``."""
        return f"{self.width}x{self.height}"

    @property
    def boxes(self) -> int:
        """The number of boxes on the board."""
        return self.width * self.height

    @property
    def edges(self) -> int:
        """The number of edges, including border edges."""
        return self.width * (self.height + 1) + self.height * (self.width + 1)

    @classmethod
    def fields_of(cls, values: Mapping[str, Value]) -> Mapping[str, int]:
        """The columns and rows of a board.

        Raises:
            UsageError: the value is not a size.
        """
        if "board" not in values:
            return {}
        sides = re.fullmatch(r"([1-9][0-9]?)x([1-9][0-9]?)", str(values["board"]))
        if sides is None:
            raise bad_value(BOARD, str(values["board"]))
        return {"width": int(sides[1]), "height": int(sides[2])}

    def check(self) -> None:
        """Check that the board is not too large.

        Raises:
            UsageError: the board has more than ``MAX_EDGES`` edges.
        """
        if self.edges > MAX_EDGES:
            message = f"; {self.board} has {self.edges} edges, more than {MAX_EDGES}"
            raise bad_value(BOARD, self.board, message)


MOST_STRINGS = 4
"""The maximum number of strings of a coin, which is the number of sides of a box."""


@dataclass(frozen=True, slots=True)
class Coins:
    """A graph of coins and strings on which to play.

    Attributes:
        names: the name of each coin.
        strings: the coins of each string, in ascending order: two coins, or one if the other end is the ground.
    """

    names: tuple[str, ...]
    strings: tuple[tuple[int, ...], ...]

    @property
    def boxes(self) -> int:
        """The number of coins."""
        return len(self.names)

    @property
    def edges(self) -> int:
        """The number of strings."""
        return len(self.strings)


Field = DotsAndBoxesRules | Coins


SIDES = ("top", "bottom", "left", "right")
"""The sides of a box, in the order of ``edges_of_box``."""


def edges_of_box(box: int, field: Field) -> tuple[int, ...]:
    """The edges above, below, left and right of a box, or the strings of a coin.

    >>> edges_of_box(4, DotsAndBoxesRules(3, 3))
    (4, 7, 17, 18)
    """
    return edges_of_boxes(field)[box]


@cache
def edges_of_boxes(field: Field) -> tuple[tuple[int, ...], ...]:
    """The edges of all boxes; see ``edges_of_box``."""
    if isinstance(field, Coins):
        return _inverse(field.strings, field.boxes)
    edges = {place_of(edge, field): edge for edge in range(field.edges)}
    middles = [(2 * x + 1, 2 * y + 1) for y in range(field.height) for x in range(field.width)]
    return tuple((edges[x, y - 1], edges[x, y + 1], edges[x - 1, y], edges[x + 1, y]) for x, y in middles)


@cache
def boxes_of_edges(field: Field) -> tuple[tuple[int, ...], ...]:
    """The boxes on both sides of each edge, in ascending order; an edge at the border has only one."""
    return field.strings if isinstance(field, Coins) else _inverse(edges_of_boxes(field), field.edges)


def _inverse(rows: Sequence[Sequence[int]], count: int) -> tuple[tuple[int, ...], ...]:
    """For each number below ``count``, the indices of the rows that contain it, in ascending order."""
    found: list[list[int]] = [[] for _ in range(count)]
    for number, row in enumerate(rows):
        for each in row:
            found[each].append(number)
    return tuple(map(tuple, found))


def symmetries(field: Field) -> tuple[tuple[int, ...], ...]:
    """The rotations and reflections of a board, each as the images of all edges; the first one is the identity.

    For coins, the result contains only the identity, because gpkit does not look for symmetries of coins.
    """
    if isinstance(field, Coins):
        return (tuple(range(field.edges)),)
    places = [place_of(edge, field) for edge in range(field.edges)]
    edges = {place: edge for edge, place in enumerate(places)}
    wide, high = 2 * field.width, 2 * field.height
    turns = (False, True) if wide == high else (False,)
    return tuple(
        tuple(
            edges[wide - x if mirrored_x else x, high - y if mirrored_y else y]
            for x, y in ((y, x) if turned else (x, y) for x, y in places)
        )
        for turned, mirrored_x, mirrored_y in product(turns, (False, True), (False, True))
    )


def place_of(edge: int, rules: DotsAndBoxesRules) -> tuple[int, int]:
    """The middle of an edge as (x, y), in half boxes from the top left dot."""
    across = rules.width * (rules.height + 1)
    if edge < across:
        y, x = divmod(edge, rules.width)
        return 2 * x + 1, 2 * y
    y, x = divmod(edge - across, rules.width + 1)
    return 2 * x, 2 * y + 1


PLAYERS = 2


@dataclass(frozen=True, slots=True)
class DotsAndBoxesState:
    """A position of a game.

    Attributes:
        rules: the rules with the board, or the coins on which the game is played.
        drawn: the edges that are drawn.
        owners: the player who closed each box, or ``NOBODY``.
        current_player: the player who draws next, 0 or 1, or ``NOBODY`` at the end.
    """

    rules: Field
    drawn: frozenset[int]
    owners: tuple[int, ...]
    current_player: int = 0

    decision = "draw"

    @classmethod
    def begin(cls, rules: Field) -> "DotsAndBoxesState":
        """The initial position, in which nothing is drawn and player 0 draws first."""
        return cls(rules, frozenset(), (NOBODY,) * rules.boxes)

    @property
    def board(self) -> DotsAndBoxesRules:
        """The rules of a position on a board."""
        assert isinstance(self.rules, DotsAndBoxesRules), "coins are not a board"
        return self.rules

    @property
    def is_terminal(self) -> bool:
        """Whether all edges are drawn."""
        return len(self.drawn) == self.rules.edges

    def legal_actions(self) -> tuple[int, ...]:
        """The edges that are not drawn, in ascending order."""
        return tuple([edge for edge in range(self.rules.edges) if edge not in self.drawn])

    def undrawn_sides(self, box: int) -> int:
        """The degree of a box: the number of its undrawn sides."""
        sides = edges_of_box(box, self.rules)
        return len(sides) - len(self.drawn.intersection(sides))

    def closed_by(self, edge: int) -> tuple[int, ...]:
        """The boxes that are closed by drawing this edge."""
        return tuple([box for box in boxes_of_edges(self.rules)[edge] if self.undrawn_sides(box) == 1])

    def apply(self, edge: int) -> "DotsAndBoxesState":
        """The position after the current player has drawn this edge.

        Raises:
            ValueError: there is no such edge, or it is already drawn.
        """
        if edge in self.drawn or edge not in range(self.rules.edges):
            check_legal(edge, self)
        closed = self.closed_by(edge)
        owners = list(self.owners)
        for box in closed:
            owners[box] = self.current_player
        drawn = self.drawn | {edge}
        player = self.current_player if closed else 1 - self.current_player
        if len(drawn) == self.rules.edges:
            player = NOBODY
        return DotsAndBoxesState(self.rules, drawn, tuple(owners), player)

    def boxes_of(self, player: int) -> int:
        """The number of boxes that a player owns."""
        return self.owners.count(player)

    @property
    def winner(self) -> int | None:
        """The player with more boxes at the end, or None for a tie."""
        assert self.is_terminal, "the game is not over"
        lead = self.lead(0)
        return None if lead == 0 else int(lead < 0)

    def lead(self, player: int) -> int:
        """A player's boxes minus the opponent's, during or at the end of the game."""
        return self.boxes_of(player) - self.boxes_of(1 - player)

    def returns(self) -> tuple[float, float]:
        """The score of each player: 1 for more boxes than the opponent, ½ for the same number, and 0 for fewer."""
        lead = self.lead(0)
        share = (lead > 0) + (lead == 0) / 2
        return share, 1.0 - share

    def observation(self, player: int) -> "DotsAndBoxesState":
        """The position itself, because nothing is hidden."""
        return self
