"""Sinking programs of the adaptive player, evolved on saved games against one opponent.

The loop of J. Bridon and others, "An Artificially Intelligent Battleship Player Utilizing Adaptive Firing and Placement
Strategies", Figure 9, on the shared engine: 20 programs, of which the best tenth is kept and bred.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.individual import Evaluation, Population
from gpkit.evolution.loop import evolved
from gpkit.evolution.presets import shipped_presets
from gpkit.evolution.problem import Executor, Problem
from gpkit.evolution.search import Parameters, Search, Start
from gpkit.evolution.setup import scheme_of
from gpkit.evolution.subjects import resolve
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import TargetAnswers, sums_of, turns_at
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.players import COUNTS
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.linear_operators import mutate_blocks
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.forms.evolution import LinearRepresentation
from gpkit.languages.sinking.words import dialect_of

HEADER: Mapping[str, str] = MappingProxyType({"game": GAME.name, "sunk": "reset", "target": "filter"})
"""Header of its programs: after a ship has sunk they begin anew."""

BRIDON = shipped_presets()["bridon"]
SIZE = BRIDON.population.size

MUTATION = 0.1
"""The probability that a block of a program is mutated for a new opponent."""


def shooter_of(program: LinearProgram, answers: TargetAnswers, *, keep_introns: bool = False) -> Player:
    """The player of a program whose ``Target`` is answered by weights of placements, or by the player ``filter``.

    Args:
        program: a sinking program.
        answers: to ``Target``.
        keep_introns: whether lines that have no effect are compiled, too: faster to compile and slower to run.
    """
    code = compile_program(program, dialect(), PRIMITIVES, keep_introns=keep_introns)
    player = Player("adaptive", (code,), "", program, HEADER)
    if answers.weights is None:
        return player
    return Player("adaptive", strategy=COUNTS, policy=player, remembers=True)


@cache
def dialect() -> Mapping[str, str]:
    """Dialect of its programs: the value of every switch."""
    return dialect_of(HEADER, PRIMITIVES)


@dataclass(frozen=True, slots=True, eq=False)
class SavedGames(Problem[LinearProgram]):
    """Problem of clearing saved boards in few shots; the score is their mean number, negated.

    Every program meets the same targets.

    Attributes:
        fleets: of earlier games.
        answers: to ``Target``.
        rules: the rules.
        sums: of the fleets, as of ``arena.turns_at``.
    """

    fleets: tuple[Placements, ...]
    answers: TargetAnswers
    rules: Rules
    sums: NDArray[np.float64]

    @classmethod
    def of(cls, fleets: Sequence[Placements], answers: TargetAnswers, rules: Rules) -> "SavedGames":
        """The problem of these fleets; there is at least one."""
        return cls(tuple(fleets), answers, rules, np.stack([[sums_of(fleet, rules)] * 2 for fleet in fleets]))

    def evaluate(
        self, genomes: Sequence[LinearProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """Evaluations of programs; a case is a game."""
        keys, found = np.arange(len(self.fleets)), []
        for program in genomes:
            player = shooter_of(program, self.answers, keep_introns=True)
            turns = turns_at(self.sums, player, keys, self.rules, self.answers)
            cases = tuple(-each for each in turns)
            found.append(Evaluation(float(np.mean(cases)), cases))
        return found


@cache
def representation() -> LinearRepresentation:
    """The representation of its programs."""
    found: Any = resolve(BRIDON).subject.representation
    assert isinstance(found, LinearRepresentation)
    return found


def evolved_programs(
    problem: SavedGames, start: Sequence[LinearProgram], generations: int, seed: int
) -> Population[LinearProgram]:
    """The population after so many generations, the best first.

    Args:
        problem: saved games; there is at least one.
        start: programs of the first generation, and mutants of them where they are too few; none are random ones.
        generations: after the first one.
        seed: of all chance.
    """
    space, programs = representation(), tuple([("", program) for program in start[:SIZE]])
    parameters = Parameters(SIZE, scheme_of(BRIDON, space))
    loop: Search[LinearProgram] = Search(problem, space, parameters, seed, start=Start(programs))
    return evolved(loop, generations, SerialExecutor())


def mutants(rng: np.random.Generator, programs: Sequence[LinearProgram]) -> tuple[LinearProgram, ...]:
    """Slight mutations of a population for a new opponent; the first program stays as it is."""
    domain = representation().domain
    others = (mutate_blocks(rng, program, domain, MUTATION).genome for program in programs[1:])
    return (*programs[:1], *others)
