"""Recorded games of Battleship in which one program takes every shot, for checking exported programs.

The recorded sinking programs play in the compiled engine. Formulas play by the readable rules, because the check
compares the values of all squares.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.export.conformance import Recorder
from gpkit.export.subject import Subject
from gpkit.games.battleship.aiming import UNDERLYING
from gpkit.games.battleship.arena import DEFAULT_PLACEMENT, drawn_fleet, log_game
from gpkit.games.battleship.board import SIGNS
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.primitives import BELIEFS
from gpkit.games.battleship.rules import BattleshipRules, Placements, squares_of
from gpkit.games.battleship.state import BattleshipState
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.sinking.forms.exports import SinkingRecorder
from gpkit.playing.decisions import Decision
from gpkit.playing.players import player_of_name, player_of_program

_WORK = 200_000  # squares of the board, squared, times games

OFF_BOARD, GAVE_UP = 0, -1
"""The values that stand for a shot off the board and for a program that ran out of steps, instead of a square."""


def recorded(
    subject: Subject, count: int, first: int = 1, counts_steps: bool = True
) -> tuple[dict[str, Any], ...]:
    """Games of solitaire played by the subject's program under the subject's rules; see ``record_game``.

    Without ``counts_steps``, the shots of a game do not include ``GAVE_UP``.

    Raises:
        UsageError: a rule or its value is unknown, or a program in Lua cannot play by it.
    """
    rules = playable(subject.rules)
    games = (
        record_game(subject.program, subject.header, rules, subject.seed * 1_000_000 + number)
        for number in range(first, first + count)
    )
    return tuple(
        game | {"shots": tuple(each for each in game["shots"] if counts_steps or each != GAVE_UP)}
        for game in games
    )


def target_parts(target: str) -> tuple[str, tuple[str, ...], str]:
    """The names of the handwritten parts for a targeting player: its order, its test of placements, and its choice."""
    order = f"sinker_order_{UNDERLYING.get(target, target)}"
    fleets = ("sinker_lie",) if target in ("filter", "density") else ()
    return order, fleets, f"sinker_{target}" if target in UNDERLYING else "sinker_first"


def record_game(
    program: object, header: Mapping[str, str], rules: BattleshipRules, seed: int
) -> dict[str, Any]:
    """A game of solitaire that a program plays in the compiled engine on the board for a seed.

    Returns:
        ``key``: the key of the shots; ``width``, ``height``, ``fleet`` and ``announce``: see ``BattleshipRules``;
        ``ships``: the squares of each ship, numbered row by row from 1; and ``shots``: the square of every turn,
        ``OFF_BOARD`` or ``GAVE_UP``.
    """
    deals = GAME.deal(stream(seed, "export"), 1, rules)
    exported = player_of_program(program, GAME, "exported", {**header, "placement": ""})
    players = [exported, player_of_name(DEFAULT_PLACEMENT, GAME)]
    (board,) = GAME.begin(players, deals, rules).boards
    invalid, log = log_game(players, deals, rules)
    squares = [int(row[at.LOG_SQUARE]) for row in log if row[at.LOG_SQUARE] != -1]
    return {
        "key": int(deals.keys[0, 0, 2]),
        "width": rules.width,
        "height": rules.height,
        "fleet": rules.fleet,
        "announce": rules.announce,
        "ships": tuple(
            tuple(square + 1 for square in squares_of(placement, length, rules))
            for placement, length in zip(board.fleet, rules.fleet, strict=True)
        ),
        "shots": (*(square + 1 if square >= 0 else OFF_BOARD for square in squares), *[GAVE_UP] * invalid),
    }


def solitaire(options: Mapping[str, str]) -> BattleshipRules:
    """The solitaire rules with these options.

    Raises:
        UsageError: there is no such option or value.
    """
    return replace(BattleshipRules.from_options(options), mode="solitaire")


def playable(options: Mapping[str, str]) -> BattleshipRules:
    """The solitaire rules with these options, if a program in Lua can play by them.

    Raises:
        UsageError: there is no such option or value, or the rule ``found`` is selected.
    """
    rules = solitaire(options)
    if rules.found:
        raise UsageError(
            "a program in Lua is not told where the ships lie, so its first target cannot be a ship square: "
            "export it without found=yes"
        )
    return rules


class BattleshipRecorder(Recorder):
    """A recorder that plays formulas with the readable rules and interpreter, and numbers squares from 0."""

    game = "battleship"
    keyed = "battleship_keyed"
    folders = (Path(__file__).parents[1] / "lua",)
    carried = 2

    def parts(self, program: TreeProgram) -> tuple[str, ...]:
        """The parts of the exported program; belief propagation is included only if the formula reads beliefs."""
        reads = {name for tree in program.trees for name in tree.reads}
        beliefs = ("battleship_propagation", "battleship_beliefs")
        return (
            *("sinker_order_uniform", "size", "battleship", "sinker_squares", "sinker_lie"),
            *(beliefs if reads & set(BELIEFS) else ("battleship_no_beliefs",)),
            *("battleship_sensors", "sinker_attribute", "battleship_game"),
        )

    def rules(self, options: Mapping[str, str]) -> dict[str, int | bool | str]:
        """The values, by name, of the rules that affect the shooter."""
        rules = solitaire(options)
        return {
            "width": rules.width,
            "height": rules.height,
            "fleet": ",".join(map(str, rules.fleet)),
            "touch": rules.touch,
            "announce": rules.announce,
        }

    def most(self, program: TreeProgram, options: Mapping[str, str]) -> int:
        """The maximum number of games to record, which is smaller for larger boards."""
        rules = solitaire(options)
        return 0 if rules.found else _WORK // rules.squares**2

    def tables(self, options: Mapping[str, str]) -> Mapping[str, Sequence[int]]:
        """No tables, because an exported player computes all values itself.

        Raises:
            UsageError: there is no such option or value, or the rule ``found`` is selected.
        """
        playable(options)
        return {}

    def begin(self, options: Mapping[str, str], key: int) -> tuple[BattleshipState, dict[str, Any]]:
        """The first state, with the hidden fleet for a key, and the squares of the fleet.

        Raises:
            UsageError: there is no such option or value, or no legal fleet was found.
        """
        rules = solitaire(options)
        fleet = keyed_fleet(key, rules)
        covered = zip(fleet, rules.fleet, strict=True)
        squares = [square for placement, length in covered for square in squares_of(placement, length, rules)]
        return BattleshipState.begin((fleet,), rules), {"squares": squares}

    def follow(self, state: BattleshipState, program: TreeProgram, key: int) -> tuple[int, Decision | None]:
        """The square that a formula shoots at, and its decision, reduced to squares that the formula can tell apart."""
        square, found = super().follow(state, program, key)
        return square, found and _distinct(found)

    def seen(self, state: BattleshipState) -> dict[str, Any]:
        """The shooter's knowledge: a symbol for every square, the lengths of the ships afloat, and the turn count."""
        board = state.board
        known = "".join(SIGNS[each] for each in board.known)
        return {"known": known, "afloat": list(board.afloat), "turns": board.turns}

    def count(self, state: BattleshipState) -> int:
        """The number of turns taken."""
        return state.boards[0].turns


RECORDER: Recorder = BattleshipRecorder()

SINKING: SinkingRecorder = SinkingRecorder(GAME.name, RECORDER.folders, recorded, target_parts)


def _distinct(decision: Decision) -> Decision:
    """The decision without the squares that the formula cannot tell apart from an earlier square."""
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


def keyed_fleet(key: int, rules: BattleshipRules) -> Placements:
    """The ``one-by-one`` fleet for a key from 0 to 2^26 − 1; every exported player can reproduce this fleet.

    Raises:
        UsageError: no legal fleet was found.
    """
    return drawn_fleet("one-by-one", (key, 0, 0), rules)
