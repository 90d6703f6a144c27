"""Decisions on shots, in readable form."""

from dataclasses import replace

from gpkit.core.errors import UsageError
from gpkit.gamekit.players import Player
from gpkit.games.battleship.board import Chances, square_name
from gpkit.games.battleship.fleets import Deals
from gpkit.games.battleship.forms.host import shooter_of, shot_keys, turns
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, State
from gpkit.playing.actions import Decision
from gpkit.playing.trace import StepTable

SHOWN = 12
"""Squares that a table shows."""


def explain(player: Player, state: State, deals: Deals) -> tuple[int, Decision | None]:
    """The square at which a player shoots, and the decision of a formula; a program takes its shots so far again.

    Raises:
        UsageError: the program has no steps left for a shot, or wastes it.
    """
    shooter, seat, now = shooter_of(player), state.current_player, state.board
    board = Board.of(now.fleet, state.rules) if shooter.dialect else now
    shoot = turns(shooter, board, shot_keys(deals)[seat])
    while board.turns < now.turns:
        shoot(replace(state, boards=tuple(board if each is now else each for each in state.boards)))
        board = board.shoot(now.shots[board.turns].square)
    played = shoot(state)[-1]
    square = played.state.boards[seat].shots[-1].square if played.ends_turn else -1
    if square not in state.legal_actions():
        raise UsageError(f"{player.name} does not shoot at a new square here")
    return square, played.decision


def decision_table(decision: Decision, rules: Rules) -> StepTable:
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
    return replace(table, note=f"and {left} more squares of no higher value") if left else table


def chances_table(chances: Chances, shot: int, rules: Rules) -> StepTable:
    """The squares on which an agent thinks a ship likeliest, that of its shot first."""
    best = sorted(range(len(chances)), key=lambda square: -chances[square])
    likely = [square for square in best if 0.0 < chances[square] < 1.0 and square != shot]
    rows = tuple((square_name(square, rules), chances[square]) for square in [shot, *likely][:SHOWN])
    return StepTable(("square", "chance"), rows, 0)
