"""Where a program ends: every program that differs from it in one line, searched exhaustively."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import GAMES, find
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, paired_difference
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.game import Game
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.linear_neighbours import neighbours
from gpkit.play.agents import agent_of_name, agent_of_program

GAME: Game = find(GAMES, "battleship", "game").load()

FINALISTS = 20
"""The best on the first boards meet again on others, and the best of those is measured on boards of its own."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What the neighbours of a program are worth.

    Attributes:
        count: how many there are.
        best: the best of them.
        gain: the shots that it takes less, paired by board, on boards on which nothing was chosen.
    """

    count: int
    best: LinearProgram
    gain: Interval


def search(program: LinearProgram, alphabet: str, seed: int, boards: int) -> Neighbourhood:
    """Measure every neighbour by the words of an alphabet.

    Args:
        program: from which one line is changed.
        alphabet: a name of the game's.
        seed: of the boards.
        boards: on which all neighbours are screened; finalists meet ten times as many, twice.
    """
    found = GAME.primitives.alphabet(alphabet)
    assert found is not None, "the alphabet is the game's"
    around = list(neighbours(program, found.instructions, PRIMITIVES.capacities))
    screened = _means(around, seed, "screen", boards)
    finalists = [around[k] for k in np.argsort(screened, kind="stable")[:FINALISTS]]
    best = finalists[int(np.argmin(_means(finalists, seed, "final", 10 * boards)))]
    own, other = (_shots(each, seed, "measure", 10 * boards) for each in (program, best))
    gain = paired_difference(own, other, support=GAME.metric(GAME.make_rules({})).support)
    return Neighbourhood(len(around), best, gain)


def _means(programs: list[LinearProgram], seed: int, purpose: str, boards: int) -> Floats:
    return np.array([_shots(program, seed, purpose, boards).mean() for program in programs])


def _shots(program: LinearProgram, seed: int, purpose: str, boards: int) -> Floats:
    """The shots of a program on the boards of a purpose: float64 (boards,)."""
    rules = GAME.make_rules({})
    deals = GAME.deal(stream(seed, f"neighbourhood {purpose}"), boards, rules)
    agents = [agent_of_program(program, GAME, "neighbour"), agent_of_name("uniform", GAME)]
    values: Floats = GAME.play(agents, deals, rules).values[:, 0]
    return values
