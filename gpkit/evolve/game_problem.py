"""Playing games as a problem: programs meet opponents on deals that are the same for a whole generation."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.evolve.individual import WORST, Evaluation
from gpkit.evolve.problem import CHOICE, FINAL, Executor, Lost
from gpkit.evolve.racing import Race, run_race
from gpkit.games.game import Agent, Game
from gpkit.genomes.tree import TreeProgram
from gpkit.play.agents import agent_of_program

Floats = NDArray[np.float64]

SECONDS_PER_GAME = 3e-6
"""The expected time of a game, for making batches; every node of a program adds a fiftieth.

An opponent that searches takes so much for every world it samples, too.
"""


@dataclass(frozen=True, slots=True)
class GameProblem:
    """Score as high as possible against opponents; the score is the mean of the game's metric over all games.

    Every program of a generation plays the same deals, each in every seating, once against every opponent, which then
    holds all the other seats. The next generation has fresh deals, so that luck is not inherited.

    Attributes:
        game: the game.
        rules: its rules.
        opponents: whom to play; they weigh the same.
        deals: how many deals in a generation.
        validation_deals: how many for the choice among champions, and for the final score.
        tuning_deals: how many for each round of tuning.
        blocks: a case is the mean score against one opponent on one of so many parts of the deals.
        race: stops clearly bad programs early; None plays everything.
        hall: former champions, who join the opponents but for validation.
        changes: a generation has deals of its own.
    """

    game: Game
    rules: Any
    opponents: tuple[Agent, ...]
    deals: int
    validation_deals: int
    tuning_deals: int
    blocks: int = 1
    race: Race | None = None
    hall: tuple[TreeProgram, ...] = ()
    changes: bool = field(default=True, init=False)

    def evaluate(
        self, genomes: Sequence[TreeProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the programs on the deals of one generation."""
        champions = [agent_of_program(program, self.game, f"hall {n}") for n, program in enumerate(self.hall)]
        arena = Arena(
            self.game, self.rules, (*self.opponents, *champions), seed, "deals", generation, self.deals
        )
        race = self.race or Race(first=self.deals)
        return self._play(arena, race, genomes, executor)

    def validate(
        self, genomes: Sequence[TreeProgram], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """Evaluations on the deals of an occasion, all of them, against the opponents without the hall of fame."""
        deals = self.validation_deals if occasion in (CHOICE, FINAL) else self.tuning_deals
        arena = Arena(self.game, self.rules, self.opponents, seed, "validation", occasion, deals)
        return self._play(arena, Race(first=deals), genomes, executor)

    def facing(self, hall: Sequence[TreeProgram]) -> Self:
        """The problem with former champions as further opponents."""
        return replace(self, hall=tuple(hall))

    def _play(
        self, arena: "Arena", race: Race, genomes: Sequence[TreeProgram], executor: Executor
    ) -> list[Evaluation]:
        notes = [""] * len(genomes)

        def play(numbers: Sequence[int], start: int, end: int) -> list[Floats | None]:
            programs = [genomes[number] for number in numbers]
            seconds = [arena.seconds(program, end - start) for program in programs]
            found: list[Floats | None] = []
            results = executor.run(partial(arena.play, start, end), programs, seconds)
            for number, result in zip(numbers, results, strict=True):
                if isinstance(result, Lost):
                    notes[number] = result.reason
                found.append(None if isinstance(result, Lost) else result)
            return found

        outcomes = run_race(race, play, len(genomes), arena.deals)
        seats = self.game.players(self.rules)
        return [
            Evaluation(WORST, note=note)
            if one is None
            else Evaluation(one[0], self._cases(one[1], arena.deals), trials=one[1].size * seats)
            for one, note in zip(outcomes, notes, strict=True)
        ]

    def _cases(self, scores: Floats, deals: int) -> tuple[float, ...]:
        """Means by opponent and block; a block that was not played to its end is the worst."""
        edges = [round(deals * block / self.blocks) for block in range(self.blocks + 1)]
        return tuple(
            float(row[start:end].mean()) if end <= len(row) else WORST
            for row in scores
            for start, end in pairwise(edges)
        )


@dataclass(frozen=True, slots=True)
class Arena:
    """Opponents and deals that programs of one generation meet; small enough to be sent to a worker.

    Attributes:
        purpose, occasion: with the seed they name the random stream that the deals come from.
        deals: how many there are.
    """

    game: Game
    rules: Any
    opponents: tuple[Agent, ...]
    seed: int
    purpose: str
    occasion: int
    deals: int

    def seconds(self, program: TreeProgram, deals: int) -> float:
        """The expected time of a program on so many deals."""
        games = deals * self.game.players(self.rules) * sum(1 + agent.argument for agent in self.opponents)
        return games * SECONDS_PER_GAME * (1.0 + len(program) / 50.0)

    def play(self, start: int, end: int, programs: Sequence[TreeProgram]) -> list[Floats]:
        """The scores of programs on the deals from ``start`` up to ``end``: float64 (opponents, deals) for each.

        The seatings of a deal are averaged.
        """
        deals = self.game.deal(stream(self.seed, self.purpose, self.occasion), self.deals, self.rules)[
            start:end
        ]
        others = self.game.players(self.rules) - 1
        results = []
        for program in programs:
            agent = agent_of_program(program, self.game, "candidate")
            tables = [[agent, *[opponent] * others] for opponent in self.opponents]
            by_deal = [self.game.play(table, deals, self.rules).values.mean(axis=1) for table in tables]
            results.append(np.stack(by_deal))
        return results
