"""Battleship for tests: a person without a terminal, every fleet of a small board, and Hypothesis strategies."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import conversations
import numpy as np
from conversations import at_table, heard
from hypothesis import strategies as st

from gpkit.gamekit.players import Player
from gpkit.games.battleship.board import square_name
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import BattleshipRules, FleetDeals, Placements, is_legal, is_on_board
from gpkit.games.battleship.state import BattleshipState
from gpkit.languages.sinking.forms import playing
from gpkit.playing.conversation import Conversation, Line

SMALL = {"board": "6x6", "fleet": "3,2"}
DEALS = FleetDeals(np.array([[[0, 0, 5], [0, 0, 6]]]))

seating_of = partial(conversations.seating_of, "battleship")


def shots_in(heard: list[str]) -> list[tuple[str, str]]:
    """Who shot and what was told of it, in order."""
    found = [re.match(r"(\S+) shoots? at ([^\n]+:[^\n]+)\Z", text) for text in heard]
    return [(match[1], match[2]) for match in found if match]


def every_square(rules: BattleshipRules) -> list[str]:
    return [square_name(square, rules) for square in range(rules.squares)]


def conversation_of(opponent: str, rules: BattleshipRules, seat: int) -> Conversation:
    return replace(at_table(seating_of(opponent), seat if rules.is_duel else 0), rules=rules)


def play(
    table: Conversation, own: Placements, hidden: Placements, lines: list[str]
) -> tuple[list[str], bool]:
    """What is said in a game on these fleets, and whether it came to its end."""
    fleets = (hidden, own) if table.seat == 0 else (own, hidden)
    state = BattleshipState.begin(fleets if table.rules.is_duel else (hidden,), table.rules)
    ended: list[bool] = []

    def parts() -> Iterator[Line]:
        ended.append((yield from table.play_from(state, DEALS, iter(lines))) is not None)

    return heard(parts()), ended[0]


def legal_fleets(rules: BattleshipRules) -> Iterator[Placements]:
    """Every legal fleet of a small board; ships of one length are told apart.

    A ship of one square has one placement, the horizontal one.
    """
    choices = [
        [p for p in range(2 * rules.squares) if is_on_board(p, length, rules) and not (length == 1 and p & 1)]
        for length in rules.fleet
    ]
    return (fleet for fleet in product(*choices) if is_legal(fleet, rules))


def lines_of(
    players: Sequence[Player], state: BattleshipState, deals: FleetDeals
) -> Iterator[tuple[int, playing.ExecutedLine]]:
    """The lines of a game of programs of lines, by the readable rules, each behind whose it is."""
    shoot = [
        playing.turns(player, PRIMITIVES, board, deals.key(seat))
        for seat, (player, board) in enumerate(zip(players, state.boards, strict=False))
    ]
    while not state.is_terminal:
        seat = state.current_player
        lines = shoot[seat](state)
        yield from ((seat, line) for line in lines)
        state = lines[-1].after


RULES = st.builds(
    BattleshipRules,
    mode=st.sampled_from(("solitaire", "duel")),
    width=st.integers(4, 8),
    height=st.integers(4, 8),
    fleet=st.sampled_from(((3, 2), (4, 1), (2, 2, 1), (4, 3, 2))),
    touch=st.booleans(),
    announce=st.sampled_from(("ship", "sunk", "hit")),
    shots=st.sampled_from(("one", "again")),
    found=st.booleans(),
)
"""Small boards under all rules."""
