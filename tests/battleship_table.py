"""A person at Battleship without a terminal: seats, what is typed, and what is said."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import conversations
import numpy as np
from conversations import at_table, heard

from gpkit.games.battleship.board import square_name
from gpkit.games.battleship.fleets import Deals, Placements
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import State
from gpkit.playing.conversation import Conversation, Line

SMALL = {"board": "6x6", "fleet": "3,2"}
DEALS = Deals(np.array([[[0, 0, 5], [0, 0, 6]]]))

seating_of = partial(conversations.seating_of, "battleship")


def shots_in(heard: list[str]) -> list[tuple[str, str]]:
    """Who shot and what was told of it, in order."""
    found = [re.match(r"(\S+) shoots? at ([^\n]+:[^\n]+)\Z", text) for text in heard]
    return [(match[1], match[2]) for match in found if match]


def every_square(rules: Rules) -> list[str]:
    return [square_name(square, rules) for square in range(rules.squares)]


def conversation_of(opponent: str, rules: Rules, seat: int) -> Conversation:
    return replace(at_table(seating_of(opponent), seat if rules.is_duel else 0), rules=rules)


def play(
    table: Conversation, own: Placements, hidden: Placements, lines: list[str]
) -> tuple[list[str], bool]:
    """What is said in a game on these fleets, and whether it came to its end."""
    fleets = (hidden, own) if table.seat == 0 else (own, hidden)
    state = State.begin(fleets if table.rules.is_duel else (hidden,), table.rules)
    ended: list[bool] = []

    def parts() -> Iterator[Line]:
        ended.append((yield from table.play_from(state, DEALS, iter(lines))) is not None)

    return heard(parts()), ended[0]
