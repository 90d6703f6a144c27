"""Whole games of Battleship in which one program takes every shot, recorded: what proves an exported program equal.

Sinking programs play in the compiled engine; formulas, whose every value counts, by the readable rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.export.registry import Subject
from gpkit.export.transcripts import Recorder
from gpkit.games.battleship.aiming import UNDERLYING
from gpkit.games.battleship.arena import log_game
from gpkit.games.battleship.board import SIGNS
from gpkit.games.battleship.fleets import Placements, squares_of
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.players import DEFAULT_PLACEMENT
from gpkit.games.battleship.primitives import BELIEFS
from gpkit.games.battleship.sides import drawn_fleet
from gpkit.games.battleship.state import State
from gpkit.genomes.tree import TreeProgram
from gpkit.playing.decisions import Decision
from gpkit.playing.players import player_of_name, player_of_program

_WORK = 200_000  # squares of the board, squared, times games

OFF_BOARD, GAVE_UP = 0, -1
"""Instead of a square: a turn that went off the board, and a program that ran out of steps."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game of solitaire; squares count from 1, row by row.

    Attributes:
        key: of the shots.
        width, height: of the board.
        fleet: the lengths of the ships.
        announce: what the program was told when a ship sank: ``ship``, ``sunk`` or ``hit``, as the rules say.
        ships: the squares of each.
        shots: the square of every turn, ``OFF_BOARD`` or ``GAVE_UP``.
    """

    key: int
    width: int
    height: int
    fleet: tuple[int, ...]
    announce: str
    ships: tuple[tuple[int, ...], ...]
    shots: tuple[int, ...]


def recorded(
    subject: Subject, count: int, first: int = 1, *, counts_steps: bool = True
) -> tuple[RecordedGame, ...]:
    """Games of solitaire of the program under the rules of the subject; one that gives up may not count steps.

    Raises:
        UsageError: an unknown rule or value, or one that a program in Lua cannot play by.
    """
    rules = playable(subject.rules)
    games = (
        record_game(subject.program, subject.header, rules, subject.seed * 1_000_000 + number)
        for number in range(first, first + count)
    )
    return tuple(
        replace(game, shots=tuple(each for each in game.shots if counts_steps or each != GAVE_UP))
        for game in games
    )


def target_parts(target: str) -> tuple[str, tuple[str, ...], str]:
    """Hand-written parts of a targeting player: its order of squares, what it knows of fleets, and its choice."""
    order = f"sinker_order_{UNDERLYING.get(target, target)}"
    fleets = ("sinker_lie",) if target in ("filter", "density") else ()
    return order, fleets, f"sinker_{target}" if target in UNDERLYING else "sinker_first"


def record_game(program: Any, header: Mapping[str, str], rules: Rules, seed: int) -> RecordedGame:
    """The game of a program on the board of a seed, played by the compiled engine."""
    deals = GAME.deal(stream(seed, "export"), 1, rules)
    exported = player_of_program(program, GAME, "exported", {**header, "placement": ""})
    players = [exported, player_of_name(DEFAULT_PLACEMENT, GAME)]
    (board,) = GAME.begin(players, deals, rules).boards
    played = log_game(players, deals, rules)
    squares = [int(row[at.LOG_SQUARE]) for row in played.log if row[at.LOG_SQUARE] != -1]
    shots = [square + 1 if square >= 0 else OFF_BOARD for square in squares] + [GAVE_UP] * played.invalid
    return RecordedGame(
        int(deals.keys[0, 0, 2]),
        rules.width,
        rules.height,
        rules.fleet,
        rules.announce,
        tuple(
            tuple(square + 1 for square in squares_of(placement, length, rules))
            for placement, length in zip(board.fleet, rules.fleet, strict=True)
        ),
        tuple(shots),
    )


def solitaire(options: Mapping[str, str]) -> Rules:
    """The rules with these options set, for a player that shoots alone.

    Raises:
        UsageError: an unknown option or value.
    """
    return replace(Rules.from_options(options), mode="solitaire")


def playable(options: Mapping[str, str]) -> Rules:
    """The rules as of ``solitaire`` by which a program in Lua can play.

    Raises:
        UsageError: an unknown option or value, or the first target is to be a ship.
    """
    rules = solitaire(options)
    if rules.found:
        raise UsageError(
            "a program in Lua is not told where the ships lie, so its first target cannot be one: "
            "export it without found=yes"
        )
    return rules


class BattleshipRecorder(Recorder):
    """Plays formulas by the readable rules and the readable interpreter; squares count from 0."""

    game = "battleship"
    keyed = "battleship_keyed"
    folders = (Path(__file__).parents[1] / "lua",)
    carried = 2

    def parts(self, program: TreeProgram) -> tuple[str, ...]:
        """Belief propagation only where the formula reads beliefs."""
        reads = {name for tree in program.trees for name in tree.reads}
        beliefs = ("battleship_propagation", "battleship_beliefs")
        return (
            *("sinker_order_uniform", "size", "battleship", "sinker_squares", "sinker_lie"),
            *(beliefs if reads & set(BELIEFS) else ("battleship_no_beliefs",)),
            *("battleship_sensors", "sinker_attribute", "battleship_game"),
        )

    def rules(self, options: Mapping[str, str]) -> dict[str, int | bool | str]:
        """The rules that matter to who shoots, by name."""
        rules = solitaire(options)
        return {
            "width": rules.width,
            "height": rules.height,
            "fleet": ",".join(map(str, rules.fleet)),
            "touch": rules.touch,
            "announce": rules.announce,
        }

    def most(self, program: TreeProgram, options: Mapping[str, str]) -> int:
        """Few games on large boards."""
        rules = solitaire(options)
        return 0 if rules.found else _WORK // rules.squares**2

    def tables(self, options: Mapping[str, str]) -> Mapping[str, Sequence[int]]:
        """None: a player computes everything.

        Raises:
            UsageError: an unknown option or value, or the first target is to be a ship.
        """
        playable(options)
        return {}

    def begin(self, options: Mapping[str, str], key: int) -> tuple[State, dict[str, Any]]:
        """The fleet of a key hidden.

        Raises:
            UsageError: an unknown option or value; no legal fleet was found.
        """
        rules = solitaire(options)
        fleet = keyed_fleet(key, rules)
        covered = zip(fleet, rules.fleet, strict=True)
        squares = [square for placement, length in covered for square in squares_of(placement, length, rules)]
        return State.begin((fleet,), rules), {"squares": squares}

    def follow(self, state: State, program: TreeProgram, key: int) -> tuple[int, Decision | None]:
        """The square that a formula shoots at, and its decision between the squares that it can tell apart."""
        square, found = super().follow(state, program, key)
        return square, found and _distinct(found)

    def seen(self, state: State) -> dict[str, Any]:
        """Knowledge of who shoots: of every square a sign, the lengths of the ships afloat, and the turns taken."""
        board = state.board
        known = "".join(SIGNS[each] for each in board.known)
        return {"known": known, "afloat": list(board.afloat), "turns": board.turns}

    def count(self, state: State) -> int:
        """The turns taken."""
        return state.boards[0].turns


RECORDER = BattleshipRecorder()


def _distinct(decision: Decision) -> Decision:
    """The decision without the squares that look to the formula like one before them."""
    tree = decision.evaluations[0].tree
    first: dict[tuple[float, ...], int] = {}
    for place, evaluation in enumerate(decision.evaluations):
        alike = (float(place),) if tree.draws else tuple(evaluation.sensors[name] for name in tree.reads)
        first.setdefault(alike, place)
    actions = tuple(decision.actions[place] for place in first.values())
    return Decision(
        actions,
        tuple(decision.evaluations[place] for place in first.values()),
        actions.index(decision.action),
    )


def keyed_fleet(key: int, rules: Rules) -> Placements:
    """The fleet of a key of 0 … 2^26 − 1, which every exported player can draw again: that of ``one-by-one``.

    Raises:
        UsageError: no legal fleet was found.
    """
    return drawn_fleet("one-by-one", (key, 0, 0), rules)
