"""Games of Battleship's adaptive player, turn by turn, with targets as in the source.

The interpreter runs the sinking program. Before each shot, waves may continue to evolve, and the squares of a
checkerboard may come first; the compiled games support neither.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import initial, next_generation
from gpkit.evolution.problem import Population
from gpkit.games.battleship.aiming import expected, target_squares
from gpkit.games.battleship.arena import TargetAnswers
from gpkit.games.battleship.learner.adaptive import Experience, dialect
from gpkit.games.battleship.learner.targeting import (
    LearnerSettings,
    target_answers,
    wave_target,
)
from gpkit.games.battleship.primitives import PRIMITIVES, Gunner
from gpkit.games.battleship.rules import BattleshipRules, Board, Placements, placements_of, squares_of
from gpkit.games.battleship.waves import Wave, wave_loop
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.interpreter import interpret

Answer = Callable[[Board], int]
"""The square that ``Target`` names on a board with unshot squares."""

Parity = Literal["any", "checkerboard"]
"""The squares that ``waves`` chooses first: ``any``, or a ``checkerboard`` whose period is the largest ship left."""


@dataclass(frozen=True, slots=True)
class SourceSettings(LearnerSettings):
    """The settings of the adaptive player for games played turn by turn.

    Attributes:
        parity: the squares that waves choose first.
        turn_generations: the generations of waves before each shot, in all games except the first.
    """

    parity: Parity = "any"
    turn_generations: int = 0


SOURCE = SourceSettings(targeting="waves", parity="checkerboard", turn_generations=1)
"""Targeting as in the source: waves on a checkerboard for the largest ship left, which evolve before every shot."""


def cleared_by_turns(
    fleet: Placements, program: LinearProgram, key: int, rules: BattleshipRules, answer: Answer
) -> Board:
    """The board after the shots of a program.

    Args:
        fleet: the fleet to shoot at.
        program: the sinking program, in the dialect of the player.
        key: the key for the shots, 26 bits.
        rules: the rules.
        answer: answers ``Target``.
    """
    board = Board.of(fleet, rules)
    gunner = Gunner(board, key, answer)
    for step in interpret(program, dialect(), PRIMITIVES, gunner):
        if step.ends_turn:
            board = board.shoot(rules.square_at(step.registers.target_pos))
            if board.status != "playing":
                return board
            gunner.board = board
    return replace(board, status="invalid")


class TurnAnswers:
    """Answers to ``Target`` that follow the waves as they evolve in a game.

    The answers depend on the boards in the order of the calls; within a turn, the answer does not change.
    """

    def __init__(
        self, experience: Experience, seed: int, rules: BattleshipRules, settings: SourceSettings
    ) -> None:
        self._experience, self._seed, self._rules, self._settings = experience, seed, rules, settings
        self._squares: Sequence[int] = ()
        self._population: Population[Wave] | None = None
        self._generation = 0
        self._answered = -1
        self._square = -1

    def __call__(self, board: Board) -> int:
        """The square to shoot at on this board."""
        if board.turns != self._answered:
            if not self._squares:
                self._squares = target_squares("filter", self._seed, board)
            self._answered, self._square = board.turns, self._best(board)
        return self._square

    def _best(self, board: Board) -> int:
        known = self._experience
        answers = target_answers(known.seen, self._wave(), known.logs, self._rules, self._settings)
        if answers.weights is not None:
            return expected(self._squares, answers.weights.tolist(), board)
        return first_possible(
            self._squares if answers.order is None else _in_order(answers), board, self._settings
        )

    def _wave(self) -> Wave:
        """The best wave, after further generations if turns have any; the first game has no waves."""
        if not self._settings.turn_generations or not self._experience.games:
            return self._experience.waves[0]
        target = wave_target(self._experience.seen, self._rules, self._settings.training)
        loop = wave_loop(target, self._seed, start=self._experience.waves)
        if self._population is None:
            self._population = initial(loop, SerialExecutor())
        for _ in range(self._settings.turn_generations):
            self._generation += 1
            self._population = next_generation(loop, self._population, self._generation, SerialExecutor())
        return self._population[0].genome


def _in_order(answers: TargetAnswers) -> Sequence[int]:
    assert answers.order is not None
    squares: list[int] = answers.order[0].tolist()
    return squares


def first_possible(squares: Sequence[int], board: Board, settings: SourceSettings) -> int:
    """The first unshot square where the largest ship left may lie; otherwise, the first unshot square.

    With a checkerboard, squares whose row and column add up to a multiple of that ship's length come first: each of the
    ship's placements covers one of them.
    """
    length = max(board.afloat, default=1)
    covering = covering_placements(length, board.rules)
    free = [known in ("unshot", "open") for known in board.known]
    unshot = [square for square in squares if board.known[square] == "unshot"]
    first = []
    if settings.parity == "checkerboard":
        first = [square for square in unshot if sum(divmod(square, board.rules.width)) % length == 0]
    possible = (
        square
        for square in (*first, *unshot)
        if any(all(free[covered] for covered in placed) for placed in covering[square])
    )
    return next(possible, unshot[0])


@cache
def covering_placements(length: int, rules: BattleshipRules) -> Mapping[int, Sequence[Sequence[int]]]:
    """The squares of each placement of a ship, by each square that it covers."""
    found: dict[int, list[Sequence[int]]] = {square: [] for square in range(rules.squares)}
    for placement in placements_of(length, rules):
        covered = squares_of(placement, length, rules)
        for square in covered:
            found[square].append(covered)
    return found
