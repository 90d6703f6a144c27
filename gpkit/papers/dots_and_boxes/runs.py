"""The runs that are measured: those of the source, with other constants, too, ours, and ours without each part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gpkit.core.registry import game_of
from gpkit.evolution.problem import Executor, none_lost
from gpkit.games.game import Game
from gpkit.genomes.graph import RuleList
from gpkit.learners.dots_and_boxes.config import Config
from gpkit.learners.dots_and_boxes.curves import Point, learn, marks
from gpkit.learners.dots_and_boxes.exact import greedy
from gpkit.learners.dots_and_boxes.learner import Learner
from gpkit.learners.dots_and_boxes.presets import PRESETS
from gpkit.playing.match import play_match
from gpkit.playing.players import player_of_name, player_of_program

GAME: Game = game_of("dots_and_boxes")

OURS = PRESETS["ours"]

PARTS: Mapping[str, Config] = {
    "no trial of new rules": replace(
        OURS,
        population=replace(OURS.population, access=1.0),
        reproduction=replace(OURS.reproduction, trial=0),
    ),
    "kept by use, not by gain": replace(
        OURS,
        population=replace(OURS.population, access=1.0),
        reward=replace(OURS.reward, access="use"),
    ),
    "quality by the score at the end": replace(
        OURS,
        population=replace(OURS.population, access=1.0),
        reward=replace(OURS.reward, measure="score", rate=0.02, access="use", begin=None),
        covering=replace(OURS.covering, few=1, mending=0.0),
        reproduction=replace(OURS.reproduction, trial=0, children=4),
    ),
    "smaller parts of positions": replace(OURS, covering=replace(OURS.covering, more=0.6)),
    "no exploration": replace(OURS, choice=replace(OURS.choice, exploration=0.0)),
    "with mutations": replace(OURS, reproduction=replace(OURS.reproduction, children=4)),
    "against chain alone": replace(OURS, others=()),
}
"""Ours without one of its parts each, or with one that it does not have."""

CONSTANT = PRESETS["constant"]

SWEEP: Mapping[str, Config] = {
    **{
        f"rate of learning {rate}": replace(CONSTANT, reward=replace(CONSTANT.reward, rate=rate))
        for rate in (0.005, 0.1)
    },
    **{
        f"forgetting {share}": replace(CONSTANT, reward=replace(CONSTANT.reward, forgetting=share))
        for share in (0.0001, 0.01)
    },
    **{
        f"fewer than {few} rules are few": replace(CONSTANT, covering=replace(CONSTANT.covering, few=few))
        for few in (3, 10)
    },
    "a new rule with probability 0.1": replace(
        CONSTANT, covering=replace(CONSTANT.covering, probability=0.1)
    ),
    **{
        f"accessibility begins with {access:g}": replace(
            CONSTANT, population=replace(CONSTANT.population, access=access)
        )
        for access in (0.0, 10.0)
    },
    "all mutations equally often": replace(CONSTANT, mutations=dict.fromkeys(CONSTANT.mutations, 1.0)),
}
"""The source's run of constant beta with another value for one of the constants that it does not print."""

STRONGER = "chain+ex12"
"""The opponent that is perfect when at most 12 edges are left."""

LARGER = ("4x4", "5x5")
"""Boards that no rule was learned on."""

SECONDS = 0.0006
"""The expected work of a game."""


@dataclass(frozen=True, slots=True)
class Run:
    """Result of one run.

    Attributes:
        config: of it.
        points: its course.
        stronger: the exact win rate of its greedy player against ``STRONGER``.
        larger: its share of wins against the opponent in games on each of the boards ``LARGER``; none were played
            if that was not asked for.
        rules: what was learned, by quality.
    """

    config: Config
    points: tuple[Point, ...]
    stronger: float
    larger: tuple[float, ...]
    rules: RuleList


def run(config: Config, larger_games: int = 0) -> Run:
    """One run from its beginning to its end, and so many games on each of the larger boards."""
    learner = Learner(config)
    points = learn(learner, marks(config.games)).points
    rule_list = learner.rules.as_list()
    larger = tuple(rate_on(board, rule_list, config, larger_games) for board in LARGER if larger_games)
    return Run(config, points, greedy(learner, STRONGER).result.rate, larger, rule_list)


def rate_on(board: str, rule_list: RuleList, config: Config, games: int) -> float:
    """The share of wins of a rule list against the opponent of its learner, in games of the run's seed."""
    found = play_match(
        GAME,
        player_of_program(rule_list, GAME, "learned"),
        [player_of_name(config.opponent, GAME)],
        rules=GAME.make_rules({"board": board}),
        seed=config.seed,
        games=games,
    )
    return found.interval.mean


def runs(
    config: Config, games: int, seeds: Sequence[int], executor: Executor, larger_games: int = 0
) -> list[Run]:
    """Runs of so many games with these seeds."""
    items = [replace(config, games=games, seed=seed) for seed in seeds]
    return none_lost(executor.run(partial(_runs, larger_games), items, [SECONDS * games] * len(items)))


def _runs(larger_games: int, items: Sequence[Config]) -> list[Run]:
    return [run(config, larger_games) for config in items]
