"""Coins at the seam of games: played by the readable rules, no kernel."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.gamekit.game import Builtin, Scores
from gpkit.gamekit.game import Deals as KeyedDeals
from gpkit.gamekit.players import Player, machine_programs
from gpkit.games.coins.primitives import OFFERS, SENSORS
from gpkit.games.coins.rules import Rules, State
from gpkit.games.coins.view import VIEW, sensors
from gpkit.user_games.declare import game
from gpkit.vm.isa import HALT
from gpkit.vm.machine import run_readable
from gpkit.vm.program import Program


def value(program: Program, state: State, action: int) -> float:
    """The value of an action by a program."""
    memory = program.memory.copy()
    memory[: len(SENSORS)] = list(sensors(state, action).values())
    stopped, _, _ = run_readable(program.code, memory, 0, len(program.code))
    assert stopped == HALT
    return float(memory[program.result])


@dataclass(frozen=True, slots=True)
class Deals(KeyedDeals):
    """The coins at the beginning of each game: int64 (deals,)."""

    coins: NDArray[np.int64]


def deal(rng: np.random.Generator, count: int, rules: Rules) -> Deals:
    """As many coins as may be, or down to half of them."""
    coins = rng.integers(rules.coins // 2, rules.coins + 1, count)
    return Deals(np.arange(count), coins)


def begin(players: Sequence[Player], deals: Deals, rules: Rules) -> State:
    """The first game before its first turn."""
    return State(rules, int(deals.coins[0]))


def choose(player: Player, state: State, deals: Deals) -> int:
    """The action of the highest value, the first of equal ones; who has no program takes as many as it can."""
    program = next(iter(machine_programs([player])), None)

    def worth(action: int) -> tuple[bool, float]:
        found = value(program, state, action) if program else float(action)
        return found == found, found  # NaN is the lowest

    return max(state.legal_actions(), key=worth)


def play(players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
    """Every deal with each player first."""
    values = np.zeros((len(deals), 2))
    for number, coins in enumerate(deals.coins.tolist()):
        for seat in range(2):
            state = State(rules, coins)
            while not state.is_terminal:
                player = players[(state.current_player + seat) % 2]
                state = state.apply(choose(player, state, deals))
            values[number, seat] = state.returns()[seat]
    return Scores(values, 0, 0)


GAME = game(
    "coins",
    begin,
    sensors=(),
    options=Rules,
    offers=OFFERS,
    rivals=("greedy",),
    deal=deal,
    play=play,
    opponents={"greedy": Builtin("takes as many coins as it can")},
    choose=choose,
    view=VIEW,
)
