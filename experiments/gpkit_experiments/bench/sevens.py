"""Games of Sevens a second on one core: the compiled kernel, and the readable rules with the readable interpreter."""

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import game_of, shipped_programs
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.games.sevens.game import Deals
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.rules import State, deal
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.interpreter import evaluate
from gpkit.languages.arithmetic.parser import parse
from gpkit.playing.players import player_of_program
from gpkit_experiments.bench.measure import Outcome, Session, Target, Work, interleaved, measured, ratios
from gpkit_experiments.readable.sevens import choose, play_out

GAME: Game = game_of("sevens")

PLAYER = "simple"
"""Sits in all three seats."""

GAMES_A_SECOND = Target("at least", required=100_000.0, aim=150_000.0)


def measure(session: Session) -> Outcome:
    """Time games of three equal players; every deal is played in every seating."""
    rounds, many, few = (3, 500, 2) if session.quick else (9, 10_000, 20)
    session.watch(f"sevens: {rounds} times {3 * many:,} games in the kernel, {3 * few} by the readable rules")
    rules, program = Rules(), player()
    deals = GAME.deal(stream(0, "bench deals"), many, rules)
    agreed = deals[:few]
    assert np.array_equal(in_kernel(program, agreed, rules), by_rules(program, agreed, rules)), "same games"

    def kernel(_: int) -> float:
        return float(in_kernel(program, deals, rules).size)

    def readable(number: int) -> float:
        return float(by_rules(program, deals[number * few : (number + 1) * few], rules).size)

    works: list[Work] = [kernel, readable]
    fast, slow = interleaved(works, rounds, session.clock)
    return Outcome(
        f"3 players, all `{PLAYER}`, every deal in every seating; in each of {rounds} rounds "
        f"{3 * many:,} games in the kernel and {3 * few} by the readable rules",
        (
            measured("kernel", "the kernel", "games/s", [1.0 / t.each for t in fast], GAMES_A_SECOND),
            measured(
                "readable", "the readable rules and interpreter", "games/s", [1.0 / t.each for t in slow]
            ),
            measured("kernel_over_readable", "the kernel / the readable rules", "times", ratios(slow, fast)),
        ),
    )


def player() -> TreeProgram:
    """The program of ``PLAYER``."""
    path = shipped_programs(GAME.name)[PLAYER]
    return parse(path.read_text(encoding="utf-8"), path.name).program


def in_kernel(program: TreeProgram, deals: Deals, rules: Rules) -> NDArray[np.float64]:
    """Values that the first of equal players reaches: float64 (deals, seatings)."""
    players = [player_of_program(program, GAME, PLAYER)] * rules.players
    return GAME.play(players, deals, rules).values


def by_rules(program: TreeProgram, deals: Deals, rules: Rules) -> NDArray[np.float64]:
    """The same as ``in_kernel``, by the readable rules."""
    scores = np.empty((len(deals), rules.players))
    for row, deck, key in zip(scores, deals.decks.tolist(), deals.keys.tolist(), strict=True):
        for seat in range(rules.players):
            row[seat] = _game(program, deck, key, rules).returns()[seat]
    return scores


def _game(program: TreeProgram, deck: list[int], key: int, rules: Rules) -> State:
    """The end of one game."""

    def chosen(state: State) -> int:
        tree = program.tree(state.decision)
        return choose(state, lambda sensors, card: evaluate(tree, sensors, state.random_numbers(key, card)))

    return play_out(deal(deck, rules), chosen)
