"""A person at Battleship without a terminal: seats, what is typed, and what is said."""

import re
from collections.abc import Iterator

from gpkit.app.seating import Seating, seat_all
from gpkit.cli.play_battleship import Sitting, play_shots, session
from gpkit.games.battleship.board import square_name
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import State
from gpkit.play.players import player_of_name

SMALL = {"board": "6x6", "fleet": "3,2"}
KEYS = (5, 6)


def seating_of(opponent: str, **options: str) -> Seating:
    rules = [f"{key}={value}" for key, value in options.items()]
    return seat_all(None, [opponent], game="battleship", language=None, players=None, rules=rules)


def said(seating: Seating, lines: Iterator[str], *, seed: int = 1, seat: int = 0) -> list[str]:
    parts = session(seating, lines, seed=seed, seat=seat)
    return [part for part in parts if isinstance(part, str)]


def shots_in(heard: list[str]) -> list[tuple[str, str]]:
    """Who shot and what was told of it, in order."""
    found = [re.match(r"(\S+) shoots? at ([^\n]+:[^\n]+)\Z", text) for text in heard]
    return [(match[1], match[2]) for match in found if match]


def every_square(rules: Rules) -> list[str]:
    return [square_name(square, rules) for square in range(rules.squares)]


def sitting_of(opponent: str, rules: Rules, seat: int) -> Sitting:
    player = player_of_name(opponent, GAME)
    adviser = player if rules.is_duel else player_of_name("density", GAME)
    return Sitting(rules, seat, player, opponent, adviser)


def play(sitting: Sitting, own: Placements, hidden: Placements, lines: list[str]) -> tuple[list[str], bool]:
    """What is said in a game on these fleets, and whether it came to its end."""
    fleets = (hidden, own) if sitting.seat == 0 else (own, hidden)
    state = State.begin(fleets if sitting.rules.is_duel else (hidden,), sitting.rules)
    heard: list[str] = []
    parts = play_shots(sitting, state, KEYS, iter(lines))
    while True:
        try:
            part = next(parts)
        except StopIteration as stop:
            return heard, stop.value is not None
        if isinstance(part, str):
            heard.append(part)
