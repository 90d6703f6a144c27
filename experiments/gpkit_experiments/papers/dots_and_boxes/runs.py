"""The runs that are measured: those of the source, with other constants, too, ours, and ours without each part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gpkit.core.registry import game_of
from gpkit.evolution.problem import Executor, none_lost
from gpkit.gamekit.game import Game
from gpkit.games.dots_and_boxes.learner.config import PRESETS, Config
from gpkit.games.dots_and_boxes.learner.curves import Point, greedy, learn, marks
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.genomes.graph import RuleList
from gpkit.playing.evaluation import Trial, measure, shortened, trials_of
from gpkit.playing.players import player_of_name, player_of_program
from gpkit_experiments.papers.dots_and_boxes.habits import Habits, habits_of

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
    "f forgets at the rate of Q": replace(
        CONSTANT, reward=replace(CONSTANT.reward, forgetting=CONSTANT.reward.rate)
    ),
    **{
        f"forgetting {share}": replace(CONSTANT, reward=replace(CONSTANT.reward, forgetting=share))
        for share in (0.0001, 0.01)
    },
    "fewer than 3 rules are few": replace(CONSTANT, covering=replace(CONSTANT.covering, few=3)),
    "a new rule with probability 0.1": replace(
        CONSTANT, covering=replace(CONSTANT.covering, probability=0.1)
    ),
    "accessibility begins with 10": replace(CONSTANT, population=replace(CONSTANT.population, access=10.0)),
    "all mutations equally often": replace(CONSTANT, mutations=dict.fromkeys(CONSTANT.mutations, 1.0)),
}
"""The source's run of constant beta with another value for one of the constants that it does not print, or with one for
both equations: as printed, both have the same letter."""

STRONGER = "chain+ex12"
"""The opponent that is perfect when at most 12 edges are left."""

TRIALS: tuple[Trial, ...] = tuple(
    replace(trial, sets=1)
    for trial in trials_of(GAME)
    if trial.options or trial.opponent not in (CONSTANT.opponent, STRONGER)
)
"""Trials that no run beyond the source was trained on: other opponents, and boards that no rule was learned on."""

SECONDS = 0.0006
"""The expected work of a game."""

PER_RUN = 3_000
"""A run takes as much more as so many games: it is measured."""


@dataclass(frozen=True, slots=True)
class Run:
    """Result of one run.

    Attributes:
        config: of it.
        points: its course.
        stronger: the exact win rate of its greedy player against ``STRONGER``.
        habits: of its rules at the end.
        held_out: its share of wins in each of the trials ``TRIALS``; none were made if that was not asked for.
        rules: what was learned, by quality.
    """

    config: Config
    points: tuple[Point, ...]
    stronger: float
    habits: Habits
    held_out: tuple[float, ...]
    rules: RuleList


class Forgetful(Learner):
    """A learner whose table of values is emptied after every batch of games."""

    def play_batch(self) -> None:
        """Play the games of one batch, and forget what was learned of classes."""
        super().play_batch()
        for values in self.critic:
            values[:] = 0


def run(
    config: Config, trial_games: int = 0, points: Sequence[int] = (), kind: type[Learner] = Learner
) -> Run:
    """One run from its beginning to its end.

    Args:
        config: of it.
        trial_games: so many in each of the trials that cannot be computed.
        points: after how many games it is measured; none for those of ``marks``.
        kind: of the learner.
    """
    learner = kind(config)
    course = learn(learner, points or marks(config.games)).points
    rule_list = learner.rules.as_list()
    held_out = in_trials(rule_list, config.seed, trial_games) if trial_games else ()
    stronger = greedy(learner, STRONGER).result.mean
    return Run(config, course, stronger, habits_of(learner), held_out, rule_list)


def in_trials(rule_list: RuleList, seed: int, games: int) -> tuple[float, ...]:
    """The share of wins of a rule list in each trial: computed, or in at most so many games of a seed."""
    seated = [(shortened(trial, games), player_of_name(trial.opponent, GAME)) for trial in TRIALS]
    player = player_of_program(rule_list, GAME, "learned")
    return tuple(row.interval.mean for row in measure(GAME, player, seated, seed=seed).rows)


class Item(NamedTuple):
    """A run to be made, see ``run``."""

    config: Config
    trial_games: int = 0
    points: tuple[int, ...] = ()
    kind: type[Learner] = Learner


def runs(items: Sequence[Item], executor: Executor) -> list[Run]:
    """Runs in the order of their items, made side by side."""
    return none_lost(executor.run(_runs, items, [SECONDS * (PER_RUN + item.config.games) for item in items]))


def _runs(items: Sequence[Item]) -> list[Run]:
    return [run(*item) for item in items]
