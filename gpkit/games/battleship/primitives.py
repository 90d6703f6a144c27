"""Primitives of Battleship: instructions with their switches, and sensors for formulas.

The instructions here are in plain Python; ``kernel/shooting.py`` has the compiled version. Positions are (column, row)
from the top left corner and may be off the board. Directions are words.

A formula is evaluated for each unshot square, and the player shoots at the square with the highest value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from gpkit.core.primitives import PORTABLE, RANDOM, Alphabet, HostInstruction, PrimitiveSet, Switch, operators
from gpkit.core.registry import PrimitiveSets
from gpkit.games.battleship import sensors
from gpkit.games.battleship.aiming import STEPS, Weights, answer, expected, target_squares
from gpkit.games.battleship.board import shot_text, square_name
from gpkit.games.battleship.rules import PATTERNS, BattleshipRules, Board, Known, announced
from gpkit.languages.sinking.interpreter import Outcome, Position, Registers
from gpkit.vm.keyed import keyed_uniform_readable

DIRECTIONS = dict(zip(("north", "east", "south", "west"), STEPS, strict=True))
"""The step in each direction, as columns and rows."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "RandDir": ("north", "east", "south", "west"),
    "VertDir": ("north", "south"),
    "HorzDir": ("east", "west"),
}
"""The directions from which each instruction draws."""

OPPOSITE: Mapping[str, str] = {"north": "south", "east": "west", "south": "north", "west": "east"}


@dataclass(slots=True)
class Gunner:
    """A player that executes the game's instructions for a program (``gpkit.languages.sinking.interpreter.Host``).

    The gunner never changes the board; its caller applies the shot and sets the next board.

    Attributes:
        board: the board to shoot at.
        key: the key of the player's shots, 26 bits.
        aim: the function that returns the square that ``Target`` chooses on a board.
        draws: the number of directions drawn so far.
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

        Weights of placements, such as those learned in earlier games, determine the square that ``Target`` chooses.
        """
        target = dialect["target"]
        squares = target_squares(target, key, board)
        return cls(
            board, key, partial(expected, squares, weights) if weights else partial(answer, target, squares)
        )

    def execute(self, word: str, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """Carry out one instruction."""
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
        """The outcome with the target at another position."""
        square = self.board.rules.square_at(position)
        name = square_name(square, self.board.rules) if square >= 0 else "off"
        return Outcome(replace(registers, target_pos=position), told=f", to {name}")

    def _known(self, position: Position) -> Known | None:
        """The knowledge of the square at a position, or None off the board."""
        square = self.board.rules.square_at(position)
        return None if square < 0 else self.board.known[square]

    def _shoot(self, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """Carry out ``Shoot``; the outcome contains the announced result, and whether the shot costs a turn.

        The method does not change the board. The switch ``off-board`` determines whether a shot off the board is
        ``free`` or costs a ``turn``. The switch ``known`` determines the effect of a second shot at a square. With
        ``free``, the second shot repeats the known result and costs nothing. With ``blind``, the second shot counts as
        a miss and costs nothing. With ``turn``, the second shot repeats the known result and costs a turn.
        """
        rules = self.board.rules
        shot = self.board.shoot(rules.square_at(registers.target_pos)).shots[-1]
        switch = dialect["off-board"] if shot.square < 0 else dialect["known"] if shot.known else "turn"
        shot = replace(shot, hit=shot.hit and switch != "blind")
        told = f" at {shot_text(shot, rules)}{'' if switch == 'turn' else ', costs nothing'}"
        after = replace(registers, target_hit=shot.hit, sunk=announced(shot, rules) is not None)
        return Outcome(after, ends_turn=switch == "turn", told=told)

    def draw(self, word: str, position: Position, switch: str) -> str:
        """Carry out ``RandDir``, ``VertDir`` or ``HorzDir``: draw one of the directions that the switch allows.

        Args:
            word: the instruction.
            position: the target.
            switch: ``unshot`` allows the directions of this kind that lead to an unshot square, or else any direction
                that does, or else all of this kind. ``unshot-all`` is the same as ``unshot``, except that the last
                resort is all four directions. ``unused`` allows the directions of this kind that were not drawn since
                ``Target``, or else all of this kind. ``any`` allows all directions of this kind.
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
    """The position after one step in a direction."""
    step = DIRECTIONS[direction]
    return position[0] + step[0], position[1] + step[1]


def move_forward(position: Position, direction: str, edge: str, rules: BattleshipRules) -> Position:
    """The position after ``MoveFwd``.

    ``edge`` selects the behaviour at the edge: the target leaves the board (``leave``), stays in place (``clamp``), or
    wraps around (``torus``).
    """
    x, y = ahead(position, direction)
    if edge == "clamp":
        return min(max(x, 0), rules.width - 1), min(max(y, 0), rules.height - 1)
    return (x % rules.width, y % rules.height) if edge == "torus" else (x, y)


TARGETS = ("checkerboard", "uniform", "filter", "raster", "diagonal", "hunt", "density")
"""The players that can answer ``Target``."""

SWITCHES = (
    Switch(
        "edge", ("leave", "clamp", "torus"), "MoveFwd at the edge leaves the board, stays, or wraps around"
    ),
    Switch(
        "off-board", ("free", "turn"), "a shot off the board costs nothing or a turn; it is a miss either way"
    ),
    Switch(
        "known",
        ("free", "blind", "turn"),
        "a second shot at a square: free, with what is known there; or free and a miss; or it costs a turn",
    ),
    Switch(
        "sunk", ("silent", "reset"), "when a ship sinks, the program continues, or restarts with targeting"
    ),
    Switch(
        "direction",
        ("unshot", "unused", "any", "unshot-all"),
        "which directions can be drawn: those to unshot squares (if there are none, all of the kind, or with -all "
        "all four), those not drawn since Target, or all of the kind",
    ),
    Switch("target", TARGETS, "who answers Target"),
)
"""The switches for all details of shooting and moving that the source leaves open."""

_TURNING = ("TargetPos",)

INSTRUCTIONS = (
    HostInstruction(
        "Target",
        "TargetPos = a square to shoot at",
        (),
        ("TargetPos",),
        switches=("target",),
        acts_with=("direction", "unused"),
    ),
    HostInstruction(
        "Shoot",
        "shoot at TargetPos; TargetHit = whether it hit",
        ("TargetPos",),
        ("TargetHit", "Sunk"),
        switches=("off-board", "known", "sunk"),
        acts=True,
        shoots=True,
        restarts_with=("sunk", "reset"),
        repeats_with=("known", "turn"),
    ),
    HostInstruction(
        "MoveFwd",
        "TargetPos moves one square in TargetDir",
        ("TargetPos", "TargetDir"),
        ("TargetPos",),
        switches=("edge",),
    ),
    HostInstruction(
        "RandDir", "TargetDir = one at random", _TURNING, ("TargetDir",), switches=("direction",), acts=True
    ),
    HostInstruction(
        "VertDir",
        "TargetDir = north or south at random",
        _TURNING,
        ("TargetDir",),
        switches=("direction",),
        acts=True,
    ),
    HostInstruction(
        "HorzDir",
        "TargetDir = east or west at random",
        _TURNING,
        ("TargetDir",),
        switches=("direction",),
        acts=True,
    ),
    HostInstruction("OppDir", "TargetDir is reversed", ("TargetDir",), ("TargetDir",)),
    HostInstruction(
        "IfEdge",
        "run the next line only if the square ahead is off the board",
        ("TargetPos", "TargetDir"),
        is_condition=True,
        level=1,
    ),
    HostInstruction(
        "IfKnown",
        "run the next line only if the square ahead has been shot at",
        ("TargetPos", "TargetDir"),
        is_condition=True,
        level=1,
    ),
)
"""The instructions in the order of their opcodes, starting at ``HOST``."""

_SOURCE = (
    *("Target", "Shoot", "MoveFwd", "RandDir", "VertDir", "HorzDir", "OppDir"),
    *("SavePos", "LoadPos", "SetTrue", "SetFalse", "IfHit", "IfMiss", "IfTrue", "IfFalse", "Jump", "Nop"),
)

PRIMITIVES = PrimitiveSet(
    game="battleship",
    sections=("targeting", "locking", "sinking"),
    sensors=(),
    alphabets=(
        Alphabet("bridon", constants=False, instructions=_SOURCE),
        Alphabet(
            "level-1",
            constants=False,
            instructions=(*_SOURCE, "IfSunk", "IfEdge", "IfKnown", "Reset", "Up", "Down", "IfZero"),
        ),
    ),
    instructions=INSTRUCTIONS,
    switches=SWITCHES,
    capacities=(10, 20, 20),
    placements=tuple(PATTERNS),
    host=Gunner.of,
)

SENSORS = tuple(each.sensor for each in (*sensors.COUNTING, *sensors.BELIEVING))
"""All sensors in the order of their slots."""

BELIEFS = tuple(each.sensor.name for each in sensors.BELIEVING)
"""The names of the belief sensors."""

FORMULAS = PrimitiveSet(
    "battleship",
    ("shoot",),
    SENSORS,
    (
        Alphabet(
            "placements",
            ("env.cover", "env.cover1", "env.cover2", "env.cover3", "env.open", "env.blocked", "env.edge"),
            operators("+", "-", "*", "max"),
        ),
        Alphabet("squares", (*(each.sensor.name for each in sensors.COUNTING), RANDOM), PORTABLE),
        Alphabet(
            "posterior",
            (
                *("env.chance", "env.sinks", "env.follow", "env.fleets", "env.open", "env.near", "env.edge"),
                *("env.parity", "env.afloat", "env.left"),
            ),
            operators("+", "-", "*", "/", "max", "min"),
        ),
    ),
    placements=tuple(PATTERNS),
)

OFFERS = PrimitiveSets({"sinking": PRIMITIVES, "arithmetic": FORMULAS})
