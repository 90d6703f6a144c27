"""Coins at the seam of games: played by the readable rules, no kernel."""

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np

from gpkit.gamekit.game import Builtin, Game, Metric, Scores
from gpkit.gamekit.players import Player, machine_programs
from gpkit.games.coins.primitives import OFFERS, SENSORS
from gpkit.games.coins.rules import OPTIONS, Rules, State
from gpkit.games.coins.view import sensors
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


def deal(rng: np.random.Generator, count: int, rules: Rules) -> list[int]:
    """The coins at the beginning of each game."""
    return [int(coins) for coins in rng.integers(rules.coins // 2, rules.coins + 1, count)]


def begin(players: Sequence[Player], deals: list[int], rules: Rules) -> State:
    """The first game before its first turn."""
    return State(rules, deals[0])


def choose(player: Player, state: State, deals: list[int]) -> int:
    """The action of the highest value, the first of equal ones; who has no program takes as many as it can."""
    program = next(iter(machine_programs([player])), None)

    def worth(action: int) -> tuple[bool, float]:
        found = value(program, state, action) if program else float(action)
        return found == found, found  # NaN is the lowest

    return max(state.legal_actions(), key=worth)


def play(players: Sequence[Player], deals: list[int], rules: Rules) -> Scores:
    """Every deal with each player first."""
    values = np.zeros((len(deals), 2))
    for number, coins in enumerate(deals):
        for seat in range(2):
            state = State(rules, coins)
            while not state.is_terminal:
                player = players[(state.current_player + seat) % 2]
                state = state.apply(choose(player, state, deals))
            values[number, seat] = state.returns()[seat]
    return Scores(values, 0, 0)


GAME = Game(
    name="coins",
    offers=OFFERS,
    options=OPTIONS,
    make_rules=Rules.from_options,
    players=lambda rules: 2,
    seatings=lambda rules: 2,
    rivals=lambda rules: ("greedy",),
    metric=lambda rules: Metric("win_share", 0.0, 1.0, total=1.0),
    deal=deal,
    begin=begin,
    play=play,
    builtins=MappingProxyType({"greedy": Builtin("takes as many coins as it can")}),
    choose=choose,
)
