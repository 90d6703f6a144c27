"""The rules of Battleship: options, fleets, placement patterns, boards and shots.

A placement is a number: 2 · square + 1 for a vertical ship, 2 · square for a horizontal one. The square is the ship's
top or left end; squares are numbered row by row from the top left. ``kernel/shooting.py`` draws fleets, and
``gpkit_experiments.readable.battleship`` is its readable version.

Fleets follow J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and
Placement Strategies", Figure 2; ``one-by-one`` follows section III of the paper about the Monte Carlo agent for
Battleships. The probability of a placement is proportional to its weight. If ships overlap, or touch in violation of
the rules, the whole fleet is drawn again. With the patterns in ``REDRAWS``, only the ship that does not fit is drawn
again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Literal

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.errors import UsageError
from gpkit.gamekit.game import Deals
from gpkit.gamekit.options import (
    NO,
    YES,
    Option,
    OptionRules,
    Value,
    Variants,
    bad_value,
    rule,
    text_of,
    written_rule,
)
from gpkit.games.battleship.kernel import layout as at
from gpkit.vm.keyed import HALF

MAX_SIDE = 64
MAX_SHIPS = 128

VARIANTS: Variants = {
    "classic": {"fleet": "5,4,3,3,2", "touch": YES},
    "ten-ships": {"fleet": "4,3,3,2,2,2,1,1,1,1", "touch": NO},
}
"""Sets of rules by name; explicit options override them."""

_BOARD = Option("board", "columns and rows", form=f"a size such as 10x10, at most {MAX_SIDE}x{MAX_SIDE}")
_FLEET = Option("fleet", "the lengths of the ships", form="lengths separated by commas, such as 5,4,3,3,2")


@dataclass(frozen=True, slots=True)
class BattleshipRules(OptionRules):
    """The rules of a game; fields that are options have the options' names.

    >>> BattleshipRules.from_options({"variant": "ten-ships", "board": "12x12"}).squares
    144

    Attributes:
        width, height: the columns and rows of the board.
        fleet: the lengths of the ships, longest first.
    """

    title = "Battleship"
    variant = Option("variant", "the standard fleet, or ten small ships that may not touch", tuple(VARIANTS))
    variants = VARIANTS
    duel = MappingProxyType({"mode": "duel"})

    mode: str = rule(
        "solitaire",
        "one player shoots until the board is cleared, or two take turns",
        choices=("solitaire", "duel"),
    )
    width: int = written_rule(10, _BOARD)
    height: int = 10
    fleet: tuple[int, ...] = written_rule((5, 4, 3, 3, 2), _FLEET)
    touch: bool = rule(True, "ships may touch; otherwise not even at corners", choices=(YES, NO))
    announce: str = rule(
        "ship",
        "what is announced when a ship sinks: which one, that one did, or nothing",
        choices=("ship", "sunk", "hit"),
    )
    shots: str = rule("one", "one shot a turn, or again after a hit", choices=("one", "again"))
    found: bool = rule(False, "the first answer to Target is a square with a ship, for practice")

    @property
    def is_duel(self) -> bool:
        """True if two players take turns to shoot."""
        return self.mode == "duel"

    @property
    def squares(self) -> int:
        """The number of squares on a board."""
        return self.width * self.height

    @property
    def cap(self) -> int:
        """The number of turns after which a player gives up: twice the number of squares."""
        return 2 * self.squares

    def square_at(self, position: tuple[int, int]) -> int:
        """The number of the square at a position (column, row), or −1 off the board."""
        x, y = position
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else -1

    @property
    def board(self) -> str:
        """The size of the board as text, in the format of the option."""
        return f"{self.width}x{self.height}"

    @classmethod
    def fields_of(cls, values: Mapping[str, Value]) -> Mapping[str, object]:
        """The fields that these options set; the option ``board`` sets the width and the height.

        Raises:
            UsageError: the board is not a valid size, or the fleet is not a valid list of lengths.
        """
        fields: dict[str, object] = dict(values)
        if "board" in values:
            text = str(fields.pop("board"))
            sides = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", text)
            if sides is None or not all(1 <= int(side) <= MAX_SIDE for side in sides.groups()):
                raise bad_value(_BOARD, text)
            fields["width"], fields["height"] = int(sides[1]), int(sides[2])
        if "fleet" in values:
            text = str(values["fleet"])
            words = text.split(",")
            are_lengths = all(re.fullmatch(r"[1-9][0-9]?", word.strip()) for word in words)
            if len(words) > MAX_SHIPS or not are_lengths:
                raise bad_value(_FLEET, text, f", at most {MAX_SHIPS} of them")
            fields["fleet"] = tuple(sorted((int(word) for word in words), reverse=True))
        return fields

    def check(self) -> None:
        """Check that the fleet fits on the board.

        Raises:
            UsageError: the fleet does not fit on the board.
        """
        if max(self.fleet) > max(self.width, self.height) or sum(self.fleet) > self.squares:
            raise bad_value(_FLEET, text_of(self.fleet), f"; these ships do not fit on {self.board}")


_EXTRA = HALF >> at.SHIP_BITS
"""The number of possible values of a fleet's extra key, which shares a counter with the ship's number."""


@dataclass(frozen=True, slots=True)
class FleetDeals(Deals):
    """The keys from which fleets and shots are drawn.

    Attributes:
        keys: int64 (deals, 2, 3): for each seat, the key of its fleet, more bits of that key, and the key of its shots.
            These numbers are below 2^26, 2^19 (``_EXTRA``) and 2^26.
    """

    def key(self, seat: int) -> int:
        """The key of a seat's shots in the first deal."""
        return int(self.keys[0, seat, at.SHOT_KEY])

    def seat(self, deal: int, seat: int) -> tuple[int, int, int]:
        """The keys of a seat in a deal."""
        fleet, extra, shots = self.keys[deal, seat].tolist()
        return fleet, extra, shots


def draw_deals(rng: np.random.Generator, count: int) -> FleetDeals:
    """``count`` deals; a larger count appends further deals to the same ones."""
    return FleetDeals((rng.random((count, 2, at.KEYS)) * (HALF, _EXTRA, HALF)).astype(np.int64))


Placements = tuple[int, ...]
"""The placement of each ship, in the order of the fleet."""

Redraw = Literal["fleet", "ship"]
"""The part of a fleet that is drawn again if a ship does not fit: the whole fleet, or only this ship."""


def squares_of(placement: int, length: int, rules: BattleshipRules) -> tuple[int, ...]:
    """The squares of a ship, from its top or left end."""
    step = rules.width if placement & 1 else 1
    return tuple((placement >> 1) + k * step for k in range(length))


def fleet_squares(fleet: Sequence[int], rules: BattleshipRules) -> frozenset[int]:
    """The squares of a fleet with these placements; the last ships may be missing."""
    laid = zip(fleet, rules.fleet, strict=False)
    return frozenset(square for placement, length in laid for square in squares_of(placement, length, rules))


def is_on_board(placement: int, length: int, rules: BattleshipRules) -> bool:
    """True if a ship is entirely on the board."""
    y, x = divmod(placement >> 1, rules.width)
    return y + length <= rules.height if placement & 1 else x + length <= rules.width


@lru_cache(maxsize=256)
def placements_of(length: int, rules: BattleshipRules) -> tuple[int, ...]:
    """The placements of a ship on the board, in ascending order; a ship of one square has only horizontal ones."""
    return tuple(
        placement
        for placement in range(2 * rules.squares)
        if is_on_board(placement, length, rules) and not (length == 1 and placement & 1)
    )


@lru_cache(maxsize=256)
def _ways(length: int, rules: BattleshipRules) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The placements of a ship on the board, with their squares."""
    return tuple((each, squares_of(each, length, rules)) for each in placements_of(length, rules))


def surroundings(squares: Sequence[int], rules: BattleshipRules) -> frozenset[int]:
    """These squares and their neighbours, including diagonal ones, or only these squares if ships may touch."""
    if rules.touch:
        return frozenset(squares)
    around = set()
    for square in squares:
        y, x = divmod(square, rules.width)
        for row, column in product((y - 1, y, y + 1), (x - 1, x, x + 1)):
            if 0 <= row < rules.height and 0 <= column < rules.width:
                around.add(row * rules.width + column)
    return frozenset(around)


def is_legal(placements: Sequence[int], rules: BattleshipRules) -> bool:
    """True if all ships are on the board, do not overlap, and touch only if the rules allow it."""
    taken: set[int] = set()
    for placement, length in zip(placements, rules.fleet, strict=True):
        squares = squares_of(placement, length, rules)
        if not is_on_board(placement, length, rules) or taken & surroundings(squares, rules):
            return False
        taken.update(squares)
    return True


def fleet_through(
    rng: np.random.Generator, hits: Sequence[int], rules: BattleshipRules, missed: Sequence[int]
) -> Placements | None:
    """A random legal fleet that covers all hits and no missed squares, or None if this attempt fails.

    The ships are placed in random order. Each ship covers as many of the uncovered hits as it can.
    """
    fleet: dict[int, int] = {}
    left, taken = set(hits), set(missed)
    for ship in rng.permutation(len(rules.fleet)).tolist():
        length = rules.fleet[ship]
        best = [
            (len(left.intersection(squares)), placement)
            for placement, squares in _ways(length, rules)
            if taken.isdisjoint(squares)
        ]
        if not best:
            return None
        most = max(covered for covered, _ in best)
        found = [placement for covered, placement in best if covered == most]
        fleet[ship] = found[int(rng.integers(len(found)))]
        squares = squares_of(fleet[ship], length, rules)
        left.difference_update(squares)
        taken.update(surroundings(squares, rules))
    return None if left else tuple(fleet[ship] for ship in range(len(rules.fleet)))


def no_fleet(rules: BattleshipRules) -> UsageError:
    """The error to raise for a fleet that does not fit on the board."""
    message = ",".join(map(str, rules.fleet))
    apart = "" if rules.touch else " without touching"
    return UsageError(
        f"no layout was found for the ships {message} on {rules.width}x{rules.height}{apart}; choose a larger "
        "board, fewer ships or another placement"
    )


PATTERNS: Mapping[str, str] = {
    "uniform": "every legal fleet is equally likely",
    "corner": "the lower left quarter is favoured nine to one",
    "wall": "ships stand on the bottom row and reach upward",
    "corners": "one ship in each corner, the others anywhere",
    "lines": "all ships lie along the rows",
    "one-by-one": "the longest ship first, each anywhere that it fits beside those before it",
}

REDRAWS: Mapping[str, Redraw] = {"one-by-one": "ship"}
"""The part that is drawn again, for patterns that do not redraw the whole fleet."""

CORNER_WEIGHT = 9.0


def weights(pattern: str, rules: BattleshipRules) -> Floats:
    """The placement weights of each ship: float64 (ships, 2 · squares).

    Placement 2 · square + 1 is vertical, and 2 · square is horizontal; the square is the ship's top or left end.
    Placements off the board have weight 0. If no placement of a ship fits the pattern, the ship is placed uniformly at
    random.

    Args:
        pattern: one of ``PATTERNS``.
        rules: the board and the fleet.
    """
    table = np.zeros((len(rules.fleet), 2 * rules.squares))
    for ship, length in enumerate(rules.fleet):
        for placement in range(2 * rules.squares):
            if is_on_board(placement, length, rules):
                table[ship, placement] = _weight(pattern, ship, placement, length, rules)
        if not table[ship].any():
            table[ship] = weights("uniform", rules)[ship]
    return table


def _weight(pattern: str, ship: int, placement: int, length: int, rules: BattleshipRules) -> float:
    """The weight of a placement on the board."""
    (y, x), vertical = divmod(placement >> 1, rules.width), bool(placement & 1)
    right, below = (x, y + length - 1) if vertical else (x + length - 1, y)
    if pattern == "corner":
        return CORNER_WEIGHT if right < (rules.width + 1) // 2 and y >= rules.height // 2 else 1.0
    if pattern == "wall":
        return float(vertical and below + 1 == rules.height)
    if pattern == "corners":
        return float(
            ship >= 4 or bool({x, right} & {0, rules.width - 1} and {y, below} & {0, rules.height - 1})
        )
    return float(pattern != "lines" or not vertical)


Known = Literal["unshot", "miss", "open", "sunk"]
"""The shooter's knowledge of a square; a hit is open until it is known to belong to a sunk ship."""

Status = Literal["playing", "cleared", "stalled", "invalid"]
"""The status of a player: still playing, fleet cleared, limit on turns reached, or program out of steps."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot and its result.

    Attributes:
        square: the square, or −1 for a shot off the board.
        hit: whether a ship is there.
        sunk: the number of the ship that the shot sank, or −1. The option ``announce`` determines how much of this the
            shooter learns.
        known: whether the square had been shot before, in which case the shot changed nothing.
    """

    square: int
    hit: bool
    sunk: int = -1
    known: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A fleet and all shots at it so far.

    Attributes:
        rules: the rules.
        fleet: the placement of each ship, which is hidden from the shooter.
        known: the shooter's knowledge of each square.
        left: for each ship, the number of squares that have not been hit.
        shots: all shots so far that cost a turn.
        status: the status of the shooter.
    """

    rules: BattleshipRules
    fleet: Placements
    known: tuple[Known, ...]
    left: tuple[int, ...]
    shots: tuple[Shot, ...] = ()
    status: Status = "playing"

    @classmethod
    def of(cls, fleet: Placements, rules: BattleshipRules) -> "Board":
        """The board before the first shot; the fleet must be legal."""
        assert is_legal(fleet, rules), "ships lie on the board, and not too near each other"
        return replace(unseen(rules), fleet=fleet)

    @property
    def turns(self) -> int:
        """The number of turns that the shooter has taken."""
        return len(self.shots)

    def ship_at(self, square: int) -> int:
        """The number of the ship on a square, or −1 if there is no ship."""
        for ship, (placement, length) in enumerate(zip(self.fleet, self.rules.fleet, strict=True)):
            if square in squares_of(placement, length, self.rules):
                return ship
        return -1

    @property
    def ships_afloat(self) -> tuple[int, ...]:
        """The numbers of the ships that, as far as the shooter knows, may be afloat.

        If the rules do not announce which ship sank, the result contains all ships.
        """
        told = self.rules.announce == "ship"
        return tuple(ship for ship, left in enumerate(self.left) if left > 0 or not told)

    @property
    def afloat(self) -> tuple[int, ...]:
        """The lengths of the ships that, as far as the shooter knows, may be afloat."""
        return tuple(self.rules.fleet[ship] for ship in self.ships_afloat)

    def shoot(self, square: int) -> "Board":
        """The board after a shot that costs a turn, at a square or off the board (−1).

        A shot off the board, or at a square that was shot before, changes nothing except the turns.
        """
        assert self.status == "playing", "the game is over"
        if square < 0:
            return self._after(Shot(-1, hit=False))
        if self.known[square] != "unshot":
            return self._after(Shot(square, self.known[square] != "miss", known=True))
        ship = self.ship_at(square)
        if ship < 0:
            return replace(self, known=_with(self.known, [square], "miss"))._after(Shot(square, hit=False))
        left = tuple(count - (number == ship) for number, count in enumerate(self.left))
        known = _with(self.known, [square], "open")
        if left[ship] == 0 and self.rules.announce == "ship":
            known = _with(known, attributed(known, square, self.rules.fleet[ship], self.rules), "sunk")
        return replace(self, known=known, left=left)._after(
            Shot(square, hit=True, sunk=ship if left[ship] == 0 else -1)
        )

    def _after(self, shot: Shot) -> "Board":
        status: Status = "playing"
        if not any(self.left):
            status = "cleared"
        elif self.turns + 1 >= self.rules.cap:
            status = "stalled"
        return replace(self, shots=(*self.shots, shot), status=status)


def unseen(rules: BattleshipRules) -> Board:
    """A board without a fleet, before any shot."""
    untouched: list[Known] = ["unshot"]
    return Board(rules, (), tuple(untouched * rules.squares), rules.fleet)


def attributed(known: tuple[Known, ...], square: int, length: int, rules: BattleshipRules) -> tuple[int, ...]:
    """The open hits that the shooter attributes to a ship of this length that has just been sunk at this square.

    These hits are the first straight run of open hits through the square, where horizontal runs come before vertical
    ones, and runs with earlier starts before runs with later ones. If ships may touch, the run may belong to a
    different ship from the one that sank.
    """
    for placement in sorted(placements_of(length, rules), key=lambda placement: placement & 1):
        squares = squares_of(placement, length, rules)
        if square in squares and all(known[each] == "open" for each in squares):
            return squares
    return ()


def _with(known: tuple[Known, ...], squares: "tuple[int, ...] | list[int]", what: Known) -> tuple[Known, ...]:
    changed = list(known)
    for square in squares:
        changed[square] = what
    return tuple(changed)


def returns_of(boards: tuple[Board, ...], rules: BattleshipRules) -> tuple[float, ...]:
    """The final score of each seat, from the board that the seat shot at; see ``BattleshipState.returns``."""
    if not rules.is_duel:
        (board,) = boards
        return (float(board.turns if board.status == "cleared" else rules.cap),)
    first, second = (board.status for board in boards)
    if first == second:
        return (0.5, 0.5)
    return (1.0, 0.0) if first == "cleared" or second == "invalid" else (0.0, 1.0)


def replayed(fleet: Placements, shot_at: Board) -> Board | None:
    """The board of another fleet after the same shots, or None if any answer would have been different."""
    board = Board.of(fleet, shot_at.rules)
    for shot in shot_at.shots:
        if board.status != "playing":
            return None
        board = board.shoot(shot.square)
        answer = board.shots[-1]
        if (answer.hit, announced(answer, board.rules)) != (shot.hit, announced(shot, board.rules)):
            return None
    return board if board.status == shot_at.status else None


def announced(shot: Shot, rules: BattleshipRules) -> int | None:
    """The announced length of the sunk ship: 0 if the length is not announced, None if nothing is announced."""
    if shot.sunk < 0 or rules.announce == "hit":
        return None
    return rules.fleet[shot.sunk] if rules.announce == "ship" else 0
