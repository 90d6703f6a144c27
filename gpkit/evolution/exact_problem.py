"""Playing games as a problem where strength is computed and not sampled: the same for every generation and seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

from gpkit.core.errors import UsageError
from gpkit.evolution.game_problem import Program
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.problem import Executor, Lost, Problem
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player
from gpkit.playing.match import Match
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.playing.results import expect_match

SECONDS = 0.02
"""The expected time of a program, for making batches."""


@dataclass(frozen=True, slots=True)
class ExactProblem(Problem[Any]):
    """Score well for certain: the exact mean of the game's metric over the opponents, negated where lower is better.

    Validation is the same, without the exercises.

    Attributes:
        game: the game.
        rules: its rules.
        opponents: the names of those whom to play; they weigh the same.
        exercises: the rules of other games that count, too; the mean score in each is a case.
        weight: of each exercise in the score.
        header: lines that say in which dialect programs are meant.
        exploitability: whether a best response is the opponent: the score is an even share less the exploitability.
    """

    game: Game
    rules: Any
    opponents: tuple[str, ...]
    exercises: tuple[Any, ...] = ()
    weight: float = 1.0
    header: Mapping[str, str] = field(default_factory=dict)
    exploitability: bool = False

    @property
    def rehearsal(self) -> Self:
        """The same, as little would say no less."""
        return self

    def evaluate(
        self, genomes: Sequence[Program], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the programs; the seed and the generation change nothing."""
        return self._compute((self.rules, *self.exercises), genomes, executor)

    def validate(
        self, genomes: Sequence[Program], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations without the exercises; the seed and the occasion change nothing."""
        return self._compute((self.rules,), genomes, executor)

    def _compute(
        self, games: Sequence[Any], genomes: Sequence[Program], executor: Executor
    ) -> list[Evaluation]:
        seconds = [SECONDS * len(games)] * len(genomes)
        results = executor.run(partial(_means, self, games), genomes, seconds)
        return [
            Evaluation(WORST, note=means.reason)
            if isinstance(means, Lost)
            else Evaluation(means[0] + self.weight * sum(means[1:]), means)
            for means in results
        ]


def _means(
    problem: ExactProblem, games: Sequence[Any], programs: Sequence[Program]
) -> list[tuple[float, ...]]:
    """For each program its mean score under each of these rules, higher being better."""
    game = problem.game
    others = [player_of_name(name, game) for name in problem.opponents]
    found = []
    for program in programs:
        player = player_of_program(program, game, "candidate", problem.header)
        scores = []
        for rules in games:
            metric = game.metric(rules)
            if problem.exploitability:
                scores.append(_against_best_response(player, rules, metric, game))
                continue
            results = [expect_match(game, Match(player, (other,)), rules).expected for other in others]
            scores.append(metric.direction * sum(each.mean for each in results) / len(results))
        found.append(tuple(scores))
    return found


def _against_best_response(player: Player, rules: Any, metric: Metric, game: Game) -> float:
    """The score against a best response, higher being better.

    Raises:
        UsageError: it is not computed in this game.
    """
    exact = game.exact
    if exact is None or exact.exploited is None or metric.total is None or game.players(rules) != 2:
        raise UsageError(
            f"fitness.exploitability: gpkit run --exact computes none in {game.name}; expected a game for two in "
            "which one wins what the other loses"
        )
    return metric.direction * metric.total / 2.0 - exact.exploited((player,), rules)
