"""Our tree search against OpenSpiel's at equal numbers of simulations, in Dots and Boxes and in Connect Four.

    python -m gpkit_experiments.mcts_strength

OpenSpiel's has the exploration of ours (2 for returns of −1 to 1 is 1 for shares of 0 to 1); ``solving`` says whether
it keeps what is proved, as ours does. Both begin one game of every pair. Needs OpenSpiel
(``pip install 'gpkit-games[openspiel]'``) and about a quarter of an hour.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyspiel

from gpkit.gamekit.game import Metric
from gpkit.gamekit.uct import EXPLORATION, SEARCHES, Stakes, choose
from gpkit.games.dots_and_boxes.ladder import searched_edge
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.vm.keyed import KeyedDraws
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import mean_interval, told, write_record

COMMAND = "python -m gpkit_experiments.mcts_strength"
SEED = 51_003
"""Named before a game of it was played."""

OTHER = 0x2A5A5A5
"""Makes the seed of OpenSpiel's random games another than that of its tree."""

PAIRS = {("dots_and_boxes", 100): 1000, ("dots_and_boxes", 1000): 500, ("connect_four", 100): 300}
"""Pairs of games by game and simulations."""

GAMES = {"dots_and_boxes": "dots_and_boxes(num_rows=3,num_cols=3)", "connect_four": "connect_four"}

Choose = Callable[[Any, int, int], int]
"""Our choice in a state of OpenSpiel: given the state, the number of actions before, and the key of the game."""


def in_dots_and_boxes(simulations: int) -> Choose:
    """Our compiled search; both number the edges alike."""
    rules = Rules()

    def decide(spiel: Any, turn: int, key: int) -> int:
        state = State.begin(rules)
        for action in spiel.history():
            state = state.apply(action)
        return searched_edge(simulations, state, key)

    return decide


class Mutable:
    """A state of OpenSpiel as one that stays as it is."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.current_player = inner.current_player()
        self.is_terminal = inner.is_terminal()

    def legal_actions(self) -> list[int]:
        """Legal actions."""
        return list(self.inner.legal_actions())

    def apply(self, action: int) -> "Mutable":
        """The state after an action."""
        return Mutable(self.inner.child(action))

    def returns(self) -> list[float]:
        """By player the return."""
        return list(self.inner.returns())


def by_states(simulations: int) -> Choose:
    """Our readable search."""
    stakes = Stakes(Metric("returns", -1.0, 1.0, total=0.0), 2, 1000)

    def decide(spiel: Any, turn: int, key: int) -> int:
        return choose(Mutable(spiel), simulations, stakes, KeyedDraws(key, SEARCHES + turn))

    return decide


def pair(words: str, ours: Choose, simulations: int, solving: bool, number: int) -> Iterator[float]:
    """The shares that ours wins in both games of a pair."""
    game = pyspiel.load_game(words)
    for seat in range(2):
        key = (SEED * 1000 + 2 * number + seat) % (1 << 26)
        evaluator = pyspiel.RandomRolloutEvaluator(1, key ^ OTHER)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0 * EXPLORATION, simulations, 200, solving, key, False)
        state = game.new_initial_state()
        while not state.is_terminal():
            turn = len(state.history())
            mine = state.current_player() == seat
            state.apply_action(ours(state, turn, key) if mine else bot.step(state))
        yield (state.returns()[seat] + 1.0) / 2.0


def row(game: str, simulations: int, solving: bool, pairs: int) -> dict[str, object]:
    """The share that ours wins, by pairs."""
    ours = (in_dots_and_boxes if game == "dots_and_boxes" else by_states)(simulations)
    won = [np.mean(list(pair(GAMES[game], ours, simulations, solving, each))) for each in range(pairs)]
    return {
        "game": game,
        "simulations": simulations,
        "solving": solving,
        "games": 2 * pairs,
        **told(mean_interval(won, support=(0.0, 1.0))),
    }


if __name__ == "__main__":
    rows = [row(*which, solving, pairs) for which, pairs in PAIRS.items() for solving in (False, True)]
    report = {"schema": "gpkit/strength-mcts/1", "command": COMMAND, "seed": SEED, "results": rows}
    write_record(DATA / "strength-mcts.json", report)
