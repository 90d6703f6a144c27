"""Games of Mastermind a second on one core: a program for every secret at once, compiled and by the readable rules."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import end_of
from gpkit.games.mastermind.game import Deals
from gpkit.games.mastermind.options import Rules
from gpkit.playing.decisions import choose
from gpkit.playing.players import player_of_name
from gpkit_experiments.bench.measure import Outcome, Session, interleaved, measured, ratios

GAME: Game = game_of("mastermind")

PROGRAM = "knuth"

RULES = Rules()


def measure(session: Session) -> Outcome:
    """Time games of a program for all secrets."""
    rounds, few = (3, 2) if session.quick else (9, 20)
    session.watch(
        f"mastermind: {rounds} times {RULES.codes:,} games in the kernel, {few} by the readable rules"
    )
    players, some = seated(), GAME.deal(stream(0, "bench secrets"), rounds * few, RULES)
    assert np.array_equal(in_kernel(players, some[:few]), by_rules(some[:few])), "same games"
    secrets = np.arange(RULES.codes)
    whole = Deals(np.zeros_like(secrets), secrets)

    def kernel(_: int) -> float:
        return float(in_kernel(players, whole).size)

    def readable(number: int) -> float:
        return float(by_rules(some[number * few : (number + 1) * few]).size)

    fast, slow = interleaved([kernel, readable], rounds, session.clock)
    return Outcome(
        f"`{PROGRAM}` for all {RULES.codes:,} secrets in the kernel, for {few} by the readable rules; {rounds} rounds",
        (
            measured("kernel", "the kernel", "games/s", [1.0 / t.each for t in fast]),
            measured(
                "readable", "the readable rules and interpreter", "games/s", [1.0 / t.each for t in slow]
            ),
            measured("kernel_over_readable", "the kernel / the readable rules", "times", ratios(slow, fast)),
        ),
    )


def seated() -> list[Player]:
    """The compiled ``PROGRAM``, and who hides codes."""
    return [player_of_name(PROGRAM, GAME), player_of_name("codemaker", GAME)]


def in_kernel(players: Sequence[Player], deals: Deals) -> NDArray[np.float64]:
    """Guesses of players for these secrets, in the kernel: float64 (deals,)."""
    return GAME.play(players, deals, RULES).values[:, 0]


def by_rules(deals: Deals) -> NDArray[np.float64]:
    """The same as ``in_kernel``, by the readable rules."""
    player = player_of_name(PROGRAM, GAME)
    deal = [deals[k : k + 1] for k in range(len(deals))]
    ends = [end_of(GAME.begin([], each, RULES), partial(choose, GAME, player, deals=each)) for each in deal]
    return np.array([end.returns()[0] for end in ends])
