"""The instructions that the game carries out, in plain Python; ``kernel/gunnery.py`` is the compiled twin.

Positions are (column, row) from the top left corner and may lie off the board; directions are words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from gpkit.games.battleship.aiming import STEPS, Weights, answer, expected, target_squares
from gpkit.games.battleship.board import shot_text, square_name
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, Known, announced
from gpkit.languages.sinking.interpreter import Outcome, Position, Registers
from gpkit.vm.keyed import keyed_uniform_readable

DIRECTIONS = dict(zip(("north", "east", "south", "west"), STEPS, strict=True))
"""The step of each direction, in columns and rows."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "RandDir": ("north", "east", "south", "west"),
    "VertDir": ("north", "south"),
    "HorzDir": ("east", "west"),
}
"""The directions that each instruction draws from."""

OPPOSITE: Mapping[str, str] = {"north": "south", "east": "west", "south": "north", "west": "east"}


@dataclass(slots=True)
class Gunner:
    """A player that carries out what a program asks of the game (``gpkit.languages.sinking.interpreter.Host``).

    It looks at the board that it was last given, and leaves the shot to whoever plays the game.

    Attributes:
        board: what it shoots at.
        key: of its shots, 26 bits.
        aim: gives the square of ``Target`` on a board.
        draws: how many directions have been drawn.
        used: the directions drawn since the last ``Target``.
    """

    board: Board
    key: int
    aim: Callable[[Board], int]
    draws: int = 0
    used: frozenset[str] = frozenset()

    @classmethod
    def of(cls, board: Board, key: int, dialect: Mapping[str, str], weights: Weights = ()) -> "Gunner":
        """The gunner before the first shot at a board.

        If there are weights of placements, such as those from earlier games, they decide what ``Target`` answers.
        """
        target = dialect["target"]
        squares = target_squares(target, key, board)
        aim = partial(expected, squares, weights) if weights else partial(answer, target, squares)
        return cls(board, key, aim)

    def execute(self, word: str, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """Carry out one word."""
        position, direction, rules = registers.target_pos, registers.target_dir, self.board.rules
        match word:
            case "Target":
                self.used = frozenset()
                y, x = divmod(self.aim(self.board), rules.width)
                return self._moved(registers, (x, y))
            case "Shoot":
                return self._shoot(registers, dialect)
            case "MoveFwd":
                return self._moved(registers, move_forward(position, direction, dialect["edge"], rules))
            case "OppDir":
                direction = OPPOSITE[direction]
            case "IfEdge":
                return Outcome(registers, holds=self._known(ahead(position, direction)) is None)
            case "IfKnown":
                return Outcome(
                    registers, holds=self._known(ahead(position, direction)) not in (None, "unshot")
                )
            case _:
                direction = self.draw(word, position, dialect["direction"])
        return Outcome(replace(registers, target_dir=direction), told=f", {direction}")

    def _moved(self, registers: Registers, position: Position) -> Outcome:
        """A target elsewhere."""
        square = self.board.rules.square_at(position)
        name = square_name(square, self.board.rules) if square >= 0 else "off"
        return Outcome(replace(registers, target_pos=position), told=f", to {name}")

    def _known(self, position: Position) -> Known | None:
        """Knowledge about the square at a position; None off the board."""
        square = self.board.rules.square_at(position)
        return None if square < 0 else self.board.known[square]

    def _shoot(self, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """``Shoot``: the answer, and whether it costs the turn; the board stays as it was before the shot.

        ``off-board`` says that a shot off the board is ``free`` or costs a ``turn``; ``known``, that one at a square
        shot before is ``free``, with what is known there; ``blind``: free and a miss; or costs a ``turn``, with what is
        known there.
        """
        rules = self.board.rules
        shot = self.board.shoot(rules.square_at(registers.target_pos)).shots[-1]
        switch = dialect["off-board"] if shot.square < 0 else dialect["known"] if shot.known else "turn"
        shot = replace(shot, hit=shot.hit and switch != "blind")
        told = f" at {shot_text(shot, rules)}{'' if switch == 'turn' else ', costs nothing'}"
        after = replace(registers, target_hit=shot.hit, sunk=announced(shot, rules) is not None)
        return Outcome(after, ends_turn=switch == "turn", told=told)

    def draw(self, word: str, position: Position, switch: str) -> str:
        """``RandDir``, ``VertDir`` or ``HorzDir``: a direction drawn uniformly from those that the switch allows.

        Args:
            word: the instruction.
            position: the target.
            switch: ``unshot``: those that lead to an unshot square, else any direction that does, else all of the kind;
                ``unshot-all``: the same, but else all four; ``unused``: those not drawn since ``Target``, else all of
                the kind; ``any``: all of the kind.
        """
        choices = KINDS[word]
        if switch in ("unshot", "unshot-all"):
            free = [d for d in DIRECTIONS if self._known(ahead(position, d)) == "unshot"]
            rest = choices if switch == "unshot" else tuple(DIRECTIONS)
            choices = tuple(d for d in choices if d in free) or tuple(free) or rest
        elif switch == "unused":
            choices = tuple(d for d in choices if d not in self.used) or choices
        drawn = choices[int(keyed_uniform_readable(self.key, self.draws, 1) * len(choices))]
        self.draws, self.used = self.draws + 1, self.used | {drawn}
        return drawn


def ahead(position: Position, direction: str) -> Position:
    """The position one step further."""
    step = DIRECTIONS[direction]
    return position[0] + step[0], position[1] + step[1]


def move_forward(position: Position, direction: str, edge: str, rules: Rules) -> Position:
    """``MoveFwd``: one step; ``edge`` says what happens there: ``leave`` the board, ``clamp`` to it, or ``torus``."""
    x, y = ahead(position, direction)
    if edge == "clamp":
        return min(max(x, 0), rules.width - 1), min(max(y, 0), rules.height - 1)
    return (x % rules.width, y % rules.height) if edge == "torus" else (x, y)
