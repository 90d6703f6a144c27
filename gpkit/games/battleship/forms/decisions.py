"""Decisions of formulas on shots, in readable form."""

from dataclasses import replace
from functools import partial

from gpkit.gamekit.state import best_place
from gpkit.games.battleship.aiming import target_squares
from gpkit.games.battleship.board import Chances, square_name
from gpkit.games.battleship.decisions import random_numbers
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board
from gpkit.games.battleship.sensors import sense
from gpkit.genomes.tree import TreeProgram
from gpkit.playing.decisions import Decision, evaluation
from gpkit.playing.trace import Table

SHOWN = 12
"""Squares that a table shows."""


def follow(board: Board, program: TreeProgram, key: int) -> Decision:
    """Value of every unshot square by a formula, in the order in which equal values are taken; the highest is chosen.

    Args:
        board: what is shot at; the choice is that of ``gpkit.games.battleship.decisions.choose``.
        program: the formula.
        key: of the player's shots, 26 bits.
    """
    (section,), (tree,) = program.names, program.trees
    sensors = sense(board)
    squares = [square for square in target_squares("uniform", key, board) if square in sensors]
    evaluations = tuple(
        evaluation(section, tree, sensors[square], partial(random_numbers, key, board.turns, square))
        for square in squares
    )
    chosen = best_place([each.value for each in evaluations])
    forced = board.rules.found and not board.shots
    return Decision(tuple(squares), evaluations, 0 if forced else chosen)


def decision_table(decision: Decision, rules: Rules) -> Table:
    """The squares of the highest values, with the sensors that the formula reads."""
    values = [each.value for each in decision.evaluations]
    best = sorted(range(len(values)), key=lambda k: (values[k] == values[k], values[k]), reverse=True)
    shown = [decision.chosen, *(k for k in best if k != decision.chosen)][:SHOWN]
    some = replace(
        decision,
        actions=tuple(decision.actions[k] for k in shown),
        evaluations=tuple(decision.evaluations[k] for k in shown),
        chosen=0,
    )
    table = some.table("square", lambda square: square_name(square, rules))
    left = len(decision.actions) - len(shown)
    return replace(table, note=f"and {left} squares more, of no higher value") if left else table


def chances_table(chances: Chances, shot: int, rules: Rules) -> Table:
    """The squares on which an agent thinks a ship likeliest, that of its shot first."""
    best = sorted(range(len(chances)), key=lambda square: -chances[square])
    likely = [square for square in best if 0.0 < chances[square] < 1.0 and square != shot]
    rows = tuple((square_name(square, rules), chances[square]) for square in [shot, *likely][:SHOWN])
    return Table(("square", "chance"), rows, 0)
