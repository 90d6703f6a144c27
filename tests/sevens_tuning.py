"""Constants of ``programs/sevens/tuned-40.tree``: an evolution strategy on a formula of 40 nodes.

The formula is that of ``champion-40``, with two terms more: what a card gives away to others, and, for a card that
gives nothing away, the cards of others behind it. ``python tests/sevens_tuning.py`` prints the program after every
round; the last is the one that ships. Fitness is the share of wins against two ``simple`` on deals that are new in
every round and are no deals of a match. About three minutes on one core.
"""

import numpy as np

from gpkit.core.registry import GAMES, find
from gpkit.core.rng import stream
from gpkit.playing.players import player_of_name, player_of_text

SEED = 73001
ROUNDS, CHILDREN, PARENTS, DEALS = 20, 10, 3, 12_000

PLAY = (
    "{0!r} * env.block - {1!r} * env.gift + env.selfblock * ({2!r} + env.block) "
    "+ env.safe * ({3!r} * env.block - {4!r} * env.selfblock + {5!r} * env.rounds * env.rounds)"
)
SEND = "math.random() + (env.block + env.block + {6!r} + env.dist) * env.dist"

FIRST = (-3.7, 1.0, 3.48, 0.6, 3.7, 0.112, 11.24)
"""Constants of ``champion-40``, and of the new terms the best of a few tried on deals of other streams."""

SPREAD, SHRINK = 0.25, 0.9
"""The first standard deviation of a constant, relative to it, and by how much it shrinks in each round."""


def program(constants: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    """The text of the program with these constants, to four digits."""
    rounded = [float(f"{constant:.4g}") for constant in constants]
    return f"// game: sevens\nplay: {PLAY.format(*rounded)}\nsend: {SEND.format(*rounded)}\n"


def main() -> None:
    """Weighted means of the best children, round after round (Rechenberg, "Evolutionsstrategie", 1973)."""
    game = find(GAMES, "sevens", "game").load()
    rules, simple = game.make_rules({}), player_of_name("simple", game)
    mean, spread = np.array(FIRST), SPREAD
    for number in range(ROUNDS):
        rng = stream(SEED, "sevens tuning", number)
        children = mean * (1.0 + spread * rng.standard_normal((CHILDREN, len(mean))))
        deals = game.deal(stream(SEED, "sevens tuning deals", number), DEALS, rules)
        fitness = []
        for child in (mean, *children):
            player = player_of_text(program(child), game, filename="tuned.tree")
            fitness.append(game.play([player, simple, simple], deals, rules).values.mean())
        best = np.argsort(fitness[1:])[::-1][:PARENTS]
        step = np.average(children[best], axis=0, weights=range(PARENTS, 0, -1)) - mean
        print(f"// round {number}: {fitness[0]:.4f}, children {np.mean(fitness[1:]):.4f}")  # noqa: T201
        mean, spread = mean + step, spread * SHRINK
        print(program(mean), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
