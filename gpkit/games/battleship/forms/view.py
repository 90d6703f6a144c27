"""The view of Battleship (``gpkit.gamekit.view.View``): sentences, parsing of shots, and feature tables."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import get_args

from gpkit.core.errors import UsageError
from gpkit.core.primitives import Sensor
from gpkit.core.wording import counted, does
from gpkit.gamekit.sensors import FeatureTable, rows_of
from gpkit.gamekit.view import Move, Played, View, Words, everywhere, title
from gpkit.games.battleship.board import (
    board_svg,
    board_text,
    heat_text,
    shot_text,
    square_name,
    square_of_name,
    squares,
)
from gpkit.games.battleship.primitives import SENSORS
from gpkit.games.battleship.rules import BattleshipRules, Known, fleet_squares, squares_of
from gpkit.games.battleship.sensors import sense
from gpkit.games.battleship.state import BattleshipState
from gpkit.playing.trace import Step

KNOWN = Sensor("known", "0 not shot at, 1 a miss, 2 an open hit, 3 a hit on a ship known to be sunk", 0, 3)

HOME = Sensor("home", "own board in a duel: 1 for a ship, plus 2 where the opponent has shot; else 0", 0, 3)

COLUMNS = (*SENSORS, KNOWN, HOME)
"""The feature table's columns: sensors of unshot squares, and the player's knowledge of each square on both boards."""

_NUMBERS = {word: float(number) for number, word in enumerate(get_args(Known))}


def columns() -> tuple[Sensor, ...]:
    """The columns of the feature table."""
    return COLUMNS


def actions(rules: BattleshipRules) -> int:
    """The number of actions: one for each square."""
    return rules.squares


def encode(state: BattleshipState, player: int) -> FeatureTable:
    """A player's knowledge as a table: float64 (squares, columns)."""
    rules, board = state.rules, state.boards[player]
    table = rows_of(sense(board), rules.squares, COLUMNS)
    table[:, -2] = [_NUMBERS[known] for known in board.known]
    if rules.is_duel:
        home = state.boards[1 - player]
        for placement, length in zip(home.fleet, rules.fleet, strict=True):
            table[list(squares_of(placement, length, rules)), -1] = 1
        table[sorted({shot.square for shot in home.shots if shot.square >= 0}), -1] += 2
    return table


def action_text(state: BattleshipState, square: int) -> str:
    """The name of a square, such as ``C4``."""
    return square_name(square, state.rules)


def parse_action(state: BattleshipState, text: str) -> int:
    """The unshot square with this name.

    Raises:
        UsageError: there is no such square, or it has been shot at; in that case, the message names the nearest unshot
            square.
    """
    rules, known = state.rules, state.board.known
    square = square_of_name(text, rules)
    if known[square] == "unshot":
        return square
    y, x = divmod(square, rules.width)
    close = min(
        state.legal_actions(), key=lambda other: abs(other // rules.width - y) + abs(other % rules.width - x)
    )
    message = {"miss": "a miss", "open": "a hit", "sunk": "part of a sunk ship"}[known[square]]
    raise UsageError(
        f"{square_name(square, rules)} is known: {message}; the nearest unshot square is {square_name(close, rules)}"
    )


def sensors(state: BattleshipState, square: int) -> dict[str, float]:
    """The value of every sensor for an unshot square."""
    return sense(state.board)[square]


def laid_squares(state: BattleshipState) -> dict[int, set[int]]:
    """The squares of each seat's fleet, at which the player in the other seat shoots."""
    rules = state.rules
    return {1 - shooter: set(fleet_squares(board.fleet, rules)) for shooter, board in enumerate(state.boards)}


def told_shot(name: str, seat: int, after: BattleshipState) -> str:
    """A sentence about the last shot from a seat, with the announced result."""
    return f"{does(name, 'shoots')} at {shot_text(after.boards[seat].shots[-1], after.rules)}"


class BattleshipWords(Words):
    """Sentences about a game of Battleship."""

    noun = "shot"
    candidate = "square"
    examples = (
        ("Next hit", "hit == 1"),
        ("A ship is sunk", "sinks > 0"),
        ("Next miss", "shot == 1 and hit == 0"),
    )
    roles = ("You both hide a fleet, and shoot in turns.", "You hunt a hidden fleet alone.")
    rivals = ("likeliest",)
    reasons = MappingProxyType(
        {
            "env.cover": (
                "ships that are left can lie across it in more ways than across {other}",
                "ships that are left can lie across it in fewer ways than across {other}",
            ),
            **{
                f"env.cover{count}": (
                    f"a ship through {hits} can lie across it in more ways than across {{other}}",
                    f"a ship through {hits} can lie across it in fewer ways than across {{other}}",
                )
                for count, hits in ((1, "a hit"), (2, "two hits"), (3, "three hits or more"))
            },
            "env.parity": (
                "it is a dark square of the chessboard, {other} a light one",
                "it is a light square of the chessboard, {other} a dark one",
            ),
            "env.beside": ("it is beside more hits than {other}", "it is beside fewer hits than {other}"),
            "env.line": (
                "it goes on with a longer row of hits than {other}",
                "the row of hits beside it is shorter",
            ),
            "env.near": (
                "it is further from the nearest hit than {other}",
                "it is nearer to a hit than {other}",
            ),
            "env.edge": ("it is further from the edge than {other}", "it is nearer to the edge than {other}"),
            "env.blocked": (
                "more squares beside it are known than beside {other}",
                "more squares beside it are open than beside {other}",
            ),
            "env.chance": (
                "a ship is likelier there than at {other}",
                "a ship is less likely there than at {other}",
            ),
            "env.sinks": (
                "a shot there is likelier to sink a ship than one at {other}",
                "a shot there is less likely to sink a ship than one at {other}",
            ),
            "env.follow": (
                "if a ship is hit there, the next square of it is better known than at {other}",
                "{other} would tell more about the next square",
            ),
            "env.fleets": (
                "its answer leaves more fleets possible than that of {other}",
                "its answer rules out more fleets than that of {other}",
            ),
        }
    )
    buttons = MappingProxyType({"belief": "Where ships can be", "watched": "What it knows"})
    setups = MappingProxyType(
        {
            "Hunt alone": {"mode": "solitaire"},
            "Duel": {"mode": "duel"},
            "Ten small ships": {"variant": "ten-ships", "mode": "solitaire"},
        }
    )
    rules = (
        "The fleet is hidden. Each shot is announced as a hit or a miss; a ship sinks when all its squares are hit. "
        "In a duel the first to sink the other's fleet wins; alone, the fewer shots the better."
    )

    def step(self, step: Step) -> str:
        """A sentence about the shot in a step."""
        return "before the first shot" if step.seat is None else told_shot(step.name, step.seat, step.after)

    def above(self, step: Step) -> str:
        """A heat map of an agent's beliefs before its shot; empty for players that are not agents."""
        if step.evaluations or not step.worths:
            return ""
        board = step.after.boards[step.seat]
        heat = heat_text(board, [step.worths.get(square, 0.0) for square in range(board.rules.squares)])
        return f"belief before the shot, in percent\n{heat}\n"

    def beliefs(self, step: Step) -> dict[int, float]:
        """An agent's estimated probability of a ship on each square, in percent; empty for other players."""
        return {} if step.evaluations else {square: 100 * chance for square, chance in step.worths.items()}

    def stage(self, state: BattleshipState) -> str:
        """The size of the board in words."""
        return f"{state.rules.width} by {state.rules.height} squares"

    def prompt(self, played: Played) -> tuple[str, str]:
        """The task, with the ships that are left, and a line about the last shots."""
        board, rules = played.state.boards[played.seat], played.state.rules
        afloat = sorted(board.afloat, reverse=True)
        left = " and ".join(filter(None, (", ".join(map(str, afloat[:-1])), *map(str, afloat[-1:]))))
        ships = f". {counted(len(afloat), 'ship')} left: {left} long" if rules.announce == "ship" else ""
        return f"Your shot{ships}", self.lately(played) or f"Shot {board.turns + 1}. Choose a square."

    def act(self, state: BattleshipState, action: int, text: str) -> str:
        """The action in words, such as ``shoot at C4``."""
        return f"shoot at {text}"

    def label(self, state: BattleshipState, action: int, text: str) -> str:
        """The action as a label, such as ``Shoot at C4``."""
        return f"Shoot at {text}"

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """Yield the shot and its result, with the seat of the player who shot."""
        seat = move.before.current_player
        if move.after.boards[seat].turns > move.before.boards[seat].turns:
            yield seat, shot_text(move.after.boards[seat].shots[-1], move.after.rules)

    def reason(self, sensor: str, meaning: str, mine: float, other: str, theirs: float) -> str:
        """The reason for an advised action, with probabilities in percent."""
        if sensor != "env.chance":
            return super().reason(sensor, meaning, mine, other, theirs)
        is_best = round(100 * mine) == round(100 * theirs)
        rest = "no other square is likelier" if is_best else f"at {other} of {theirs:.0%}"
        return f"a ship is there with a chance of {mine:.0%}, and {rest}"

    def fact(self, state: BattleshipState, action: int) -> str:
        """A phrase about a hit beside the square, or about the number of ways in which ships can cover it."""
        known = sensors(state, action)
        ways = f"ships that are left can lie across it in {counted(int(known['env.cover']), 'way')}"
        return "it is beside a hit" if known["env.beside"] else ways

    def ending(self, played: Played) -> tuple[str, str]:
        """The result, with the number of shots."""
        state = played.state
        mine = state.boards[played.seat]
        if not state.rules.is_duel:
            missed = mine.turns - sum(state.rules.fleet)
            return f"You sank the fleet in {counted(mine.turns, 'shot')}", f"{missed} of them missed."
        winner = played.seat if state.returns()[played.seat] == 1 else 1 - played.seat
        hits = sum(known in ("open", "sunk") for known in state.boards[1 - winner].known)
        total = sum(state.rules.fleet)
        return (
            f"{title(played.names[winner])} won after {counted(state.boards[winner].turns, 'shot')}",
            f"{title(played.names[1 - winner])} had hit {hits} of {total} squares by then.",
        )

    def compared(self, name: str, score: float, rules: BattleshipRules) -> str:
        """A sentence about the number of shots that a player needs for the same fleet; empty in a duel."""
        return "" if rules.is_duel else f"{name} needs {score:.0f} on this sea."


VIEW = View(
    action_text,
    parse_action,
    board_text,
    board_svg,
    sensors,
    placed=everywhere,
    squares=squares,
    laid_squares=laid_squares,
    words=BattleshipWords(),
)
