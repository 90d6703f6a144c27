"""Boards in plain Python: what happens to a fleet, shot by shot; the kernel must agree."""

from dataclasses import dataclass, replace
from typing import Literal

from gpkit.games.battleship.fleets import Placements, is_legal, placements_of, squares_of
from gpkit.games.battleship.options import Rules

Known = Literal["unshot", "miss", "open", "sunk"]
"""Knowledge of a square by the shooter: a hit is open until it is known to belong to a ship that sank."""

Status = Literal["playing", "cleared", "stalled", "invalid"]
"""Status of a player: the fleet is cleared, the cap on turns is reached, the program ran out of steps."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot, as it is announced.

    Attributes:
        square: −1 if it went off the board.
        hit: whether there is a ship.
        sunk: the number of the ship that it sank, else −1; the shooter hears of it what ``announce`` says.
        known: whether the square had been shot before, so that the shot changed nothing.
    """

    square: int
    hit: bool
    sunk: int = -1
    known: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A fleet, and what has become of it under fire.

    Attributes:
        rules: the rules.
        fleet: the placement of each ship; hidden from who shoots at it.
        known: what the shooter knows, by square.
        left: the squares of each ship that have not been hit.
        shots: every shot so far that cost a turn.
        status: of who shoots at it.
    """

    rules: Rules
    fleet: Placements
    known: tuple[Known, ...]
    left: tuple[int, ...]
    shots: tuple[Shot, ...] = ()
    status: Status = "playing"

    @classmethod
    def of(cls, fleet: Placements, rules: Rules) -> "Board":
        """The board before the first shot; the fleet is legal."""
        assert is_legal(fleet, rules), "ships lie on the board, and not too near each other"
        return replace(unseen(rules), fleet=fleet)

    @property
    def turns(self) -> int:
        """The turns that the shooter has taken."""
        return len(self.shots)

    def ship_at(self, square: int) -> int:
        """The number of the ship on a square, −1 if there is none."""
        for ship, (placement, length) in enumerate(zip(self.fleet, self.rules.fleet, strict=True)):
            if square in squares_of(placement, length, self.rules):
                return ship
        return -1

    @property
    def ships_afloat(self) -> tuple[int, ...]:
        """The numbers of the ships that the shooter must reckon with: all, unless it is told which ones sank."""
        told = self.rules.announce == "ship"
        return tuple(ship for ship, left in enumerate(self.left) if left > 0 or not told)

    @property
    def afloat(self) -> tuple[int, ...]:
        """The lengths of the ships that the shooter must reckon with."""
        return tuple(self.rules.fleet[ship] for ship in self.ships_afloat)

    def shoot(self, square: int) -> "Board":
        """The board after a shot that costs a turn, at a square or off the board (−1).

        At a square that was shot before, and off the board, nothing else happens.
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
        shot = Shot(square, hit=True, sunk=ship if left[ship] == 0 else -1)
        return replace(self, known=known, left=left)._after(shot)

    def _after(self, shot: Shot) -> "Board":
        status: Status = "playing"
        if not any(self.left):
            status = "cleared"
        elif self.turns + 1 >= self.rules.cap:
            status = "stalled"
        return replace(self, shots=(*self.shots, shot), status=status)


def unseen(rules: Rules) -> Board:
    """A board of which nothing is known, not even a fleet."""
    untouched: list[Known] = ["unshot"]
    return Board(rules, (), tuple(untouched * rules.squares), rules.fleet)


def attributed(known: tuple[Known, ...], square: int, length: int, rules: Rules) -> tuple[int, ...]:
    """The open hits that the shooter takes for a ship of this length that sank at this square.

    Straight runs of open hits through the square: a horizontal one before a vertical one, the one that starts first.
    Where ships touch, this may be another one than the ship that sank.
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


def returns_of(boards: tuple[Board, ...], rules: Rules) -> tuple[float, ...]:
    """By seat what it has at the end, by what it shot at; as of ``State.returns``."""
    if not rules.is_duel:
        (board,) = boards
        return (float(board.turns if board.status == "cleared" else rules.cap),)
    first, second = (board.status for board in boards)
    if first == second:
        return (0.5, 0.5)
    wins = first == "cleared" or second == "invalid"
    return (1.0, 0.0) if wins else (0.0, 1.0)


def replayed(fleet: Placements, shot_at: Board) -> Board | None:
    """Another fleet after the shots of a board; None if one would have been answered otherwise."""
    board = Board.of(fleet, shot_at.rules)
    for shot in shot_at.shots:
        if board.status != "playing":
            return None
        board = board.shoot(shot.square)
        answer = board.shots[-1]
        if (answer.hit, announced(answer, board.rules)) != (shot.hit, announced(shot, board.rules)):
            return None
    return board if board.status == shot_at.status else None


def announced(shot: Shot, rules: Rules) -> int | None:
    """Announcement of a ship that sank: its length, 0 if that is not told; None if nothing is."""
    if shot.sunk < 0 or rules.announce == "hit":
        return None
    return rules.fleet[shot.sunk] if rules.announce == "ship" else 0
