"""Facts of a shooter: all that the answers to its shots say about the fleet, whatever the order of the shots was.

They are read from the shots and what was announced alone, and not from ``Board.known``, which guesses the squares of a
ship that sank where ships touch.
"""

from dataclasses import dataclass

from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, announced


@dataclass(frozen=True, slots=True, order=True)
class Sinking:
    """A ship that sank, as it was announced.

    Attributes:
        square: where the last shot at it hit.
        length: of the ship; 0 if that is not told.
        within: the squares hit until then, that one included, ascending: the ship lies within them.
    """

    square: int
    length: int
    within: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Knowledge of a shooter about a fleet.

    Attributes:
        rules: the rules.
        missed: the squares where no ship lies, ascending.
        hit: the squares where one lies, ascending.
        sinkings: those announced, ascending.
    """

    rules: Rules
    missed: tuple[int, ...] = ()
    hit: tuple[int, ...] = ()
    sinkings: tuple[Sinking, ...] = ()

    @classmethod
    def of(cls, board: Board) -> "Facts":
        """The facts that the shots at a board have told."""
        missed, hit, sinkings = set[int](), set[int](), []
        for shot in board.shots:
            if shot.known or shot.square < 0:
                continue
            (hit if shot.hit else missed).add(shot.square)
            told = announced(shot, board.rules)
            if told is not None:
                sinkings.append(Sinking(shot.square, told, tuple(sorted(hit))))
        return cls(board.rules, tuple(sorted(missed)), tuple(sorted(hit)), tuple(sorted(sinkings)))

    @property
    def unshot(self) -> tuple[int, ...]:
        """The squares that were not shot at, ascending."""
        shot = {*self.missed, *self.hit}
        return tuple(square for square in range(self.rules.squares) if square not in shot)
