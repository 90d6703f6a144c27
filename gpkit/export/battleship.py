"""Whole games of Battleship in which one program takes every shot, recorded: what proves an exported program equal."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.export.conformance import SCHEMA
from gpkit.games.battleship.arena import log_game
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.seating import DEFAULT_PLACEMENT
from gpkit.games.game import Game
from gpkit.playing.players import player_of_name, player_of_program

GAME: Game = game_of("battleship")

OFF_BOARD, GAVE_UP = 0, -1
"""In place of a square: a turn that went off the board, and a program that ran out of steps."""


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


def record_game(program: Any, header: Mapping[str, str], rules: Rules, seed: int) -> RecordedGame:
    """The game of a program on the board of a seed, played by the compiled engine."""
    deals = GAME.deal(stream(seed, "export"), 1, rules)
    players = [
        player_of_program(program, GAME, "exported", {**header, "placement": ""}),
        player_of_name(DEFAULT_PLACEMENT, GAME),
    ]
    (board,) = GAME.begin(players, deals, rules).boards
    squares = [int(row[at.LOG_SQUARE]) for row in log_game(players, deals, rules) if row[at.LOG_SQUARE] != -1]
    invalid = GAME.play(players, deals, rules).invalid
    shots = [square + 1 if square >= 0 else OFF_BOARD for square in squares] + [GAVE_UP] * invalid
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


def without_giving_up(game: RecordedGame) -> RecordedGame:
    """The game as far as the program took shots."""
    return replace(game, shots=tuple(shot for shot in game.shots if shot != GAVE_UP))


def conformance_lines(name: str, games: tuple[RecordedGame, ...]) -> str:
    """The games as JSON lines, after a line that says what they are of."""
    head = {"schema": SCHEMA, "program": name, "game": "battleship"}
    return "".join(
        f"{json.dumps(line)}\n" for line in (head, *({"kind": "game", **asdict(g)} for g in games))
    )
