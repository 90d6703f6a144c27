"""The runs that are measured, with the habits of their rules: the source's, ours, ours without each part; as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.evolution.problem import Executor, none_lost
from gpkit.gamekit.forms import Trial
from gpkit.gamekit.game import Game
from gpkit.games.dots_and_boxes import exact, opponents
from gpkit.games.dots_and_boxes.classes import classes, edges_of, state_of
from gpkit.games.dots_and_boxes.learner import learner as learners
from gpkit.games.dots_and_boxes.learner.folder import Point, greedy, learn, marks
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.games.dots_and_boxes.learning import PRESETS, Config
from gpkit.games.dots_and_boxes.rule_lists import propose
from gpkit.genomes.graph import Rule, RuleList
from gpkit.languages.rulegraph.text import print_rule
from gpkit.matching.plan import plan_of
from gpkit.playing.evaluation import measure, shortened, trials_of
from gpkit.playing.players import player_of_name, player_of_program

SCHEDULES = ("constant", "rising-20", "rising-10")
"""Presets whose schedules of beta are those of the source, in its order."""

ABLATIONS = ("quality-only", "combined")
"""Presets of the source's first runs, which delete rules by Q alone."""

PARENTS: tuple[Literal["population", "niche"], ...] = ("population", "niche")
RATES = (0.02, 0.1)


def reading(preset: str, parents: Literal["population", "niche"], rate: float) -> Config:
    """The source's run with a preset, read in one way."""
    config = PRESETS[preset]
    return replace(
        config,
        reproduction=replace(config.reproduction, parents=parents),
        reward=replace(config.reward, rate=rate),
    )


READINGS: Mapping[str, Config] = {
    f"{parents}, rate {rate:g}, {preset}": reading(preset, parents, rate)
    for parents, rate, preset in [
        *product(PARENTS, RATES, SCHEDULES),
        *product(PARENTS, RATES[:1], ABLATIONS),
    ]
}

CHOSEN = "niche, rate 0.02, constant"
"""The reading of ``constant``."""

APART, TOGETHER = "f apart from Q", "f apart from Q: deletion by Q"
"""The run of constant beta, and the same but that the rules of least Q are deleted: by seed they are pairs."""

LITERAL: Mapping[str, str] = {preset: f"parents drawn from all rules, {preset}" for preset in SCHEDULES}
"""By schedule the name of its runs whose parents are read literally."""

EASE: Mapping[str, str] = {name: f"against {name} alone" for name in ("greedy", "chain+ex12")}
"""By opponent, an easier and a harder one, the name of the runs of constant beta against it."""

TABLED, EMPTIED = "ours on other seeds", "ours, its table emptied after every ten games"
"""Ours, and ours without its memory of what classes are worth: by seed they are pairs."""

BEGINNINGS: Mapping[float, str] = {begin: f"rules begin with {begin:g} boxes" for begin in (-5.0, 0.0, 5.0)}
"""By the quality with which rules begin the name of its runs: by seed they are pairs with those of ``APART``."""

FURTHER: Mapping[str, Config] = {
    APART: PRESETS["constant"],
    TOGETHER: PRESETS["quality-only"],
    **{name: replace(PRESETS["constant"], opponent=opponent) for opponent, name in EASE.items()},
    TABLED: PRESETS["ours"],
    EMPTIED: PRESETS["ours"],
    **{name: reading(preset, "population", RATES[0]) for preset, name in LITERAL.items()},
    **{
        name: replace(PRESETS["constant"], reward=replace(PRESETS["constant"].reward, begin=begin))
        for begin, name in BEGINNINGS.items()
    },
}


SAMPLE, SAMPLE_SEED, GENERAL = 2_000, 17_100, 0.01
"""Classes of the sample in which rules are matched, its seed, and the share of them from which on a rule is general."""

COMMONEST = 5
"""So many of the rules that are used most are told."""


@dataclass(frozen=True, slots=True)
class Habits:
    """Habits of the rules of a learner.

    Attributes:
        commonest: the texts of the rules of greatest accessibility.
        completing: how many of these complete a box.
        chances: in how many classes that its greedy player meets a double-deal pays, as ``chain`` reckons it.
        double_deals: in how many of them it makes one for certain.
        general: the share of its rules that match in at least 1% of a sample of classes; None in older records.
        specific: the share of its rules that match in none of them; None in older records.
    """

    commonest: tuple[str, ...]
    completing: int
    chances: int
    double_deals: int
    general: float | None = None
    specific: float | None = None


def habits_of(learner: learners.Learner) -> Habits:
    """The habits of a learner in the middle of its games."""
    named = sorted(learner.rules.as_list().rules, key=lambda each: -(each.f or 0.0))[:COMMONEST]
    chances, double_deals = _double_deals(learner)
    matched = matches_in_sample(learner.rules.as_list())
    return Habits(
        tuple(print_rule(each.rule) for each in named),
        sum(completes(each.rule) for each in named),
        chances,
        double_deals,
        float(np.mean(matched >= GENERAL)),
        float(np.mean(matched == 0.0)),
    )


def matches_in_sample(rule_list: RuleList) -> Floats:
    """The share of a sample of classes in which each rule matches, the same classes for all: float64 (rules,)."""
    board = learners.RULES
    positions = classes(board).positions[:-1]
    rng = stream(SAMPLE_SEED, "specificity")
    sample = np.sort(rng.permutation(len(positions))[:SAMPLE])
    plan = plan_of(rule_list)
    found = np.zeros(len(plan))
    for first in range(0, len(plan), exact.TOGETHER):
        proposed = propose(plan[first : first + exact.TOGETHER], positions[sample], board)
        found[first : first + exact.TOGETHER] = (proposed != 0).mean(axis=0)
    return found


def completes(rule: Rule) -> bool:
    """Whether what the rule draws completes a box wherever it matches: one end of it is a box of one undrawn side."""
    return any(number >= 0 and rule.graph.nodes[number].symbol == "x" for number in rule.action[:2])


def _double_deals(learner: learners.Learner) -> tuple[int, int]:
    """Classes that the greedy player meets where a double-deal pays, and those of them where it draws nothing else."""
    _, choices, _ = greedy(learner, learner.config.opponent)
    chances = made = 0
    for number in np.flatnonzero(choices).tolist():
        if dealt := _paying_double_deal(number):
            chances += 1
            made += dealt.issuperset(edges_of(int(choices[number])))
    return chances, made


@cache
def _paying_double_deal(number: int) -> frozenset[int]:
    """The edges of the double-deal that pays in a class of positions; none where none does."""
    state = state_of(int(classes(learners.RULES).positions[number]), learners.RULES)
    found = opponents.runs(state)
    if len(found) != 1 or not found[0].double_deal() or not opponents.pays(state, found[0]):
        return frozenset()
    return frozenset(found[0].double_deal())


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
    stronger = greedy(learner, STRONGER)[0].mean
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


COLUMNS = tuple(field.name for field in fields(Point))
"""Measurements of a point, in the order in which records have them."""

DIGITS = 6
"""Measurements are kept to so many digits after the point."""


def record_of(run: Run) -> dict[str, Any]:
    """The JSON values of a run, without its configuration and its rules."""
    return {
        "points": [[round(getattr(point, name), DIGITS) for name in COLUMNS] for point in run.points],
        "stronger": round(run.stronger, DIGITS),
        "habits": asdict(run.habits) | {"commonest": list(run.habits.commonest)},
        "held_out": [round(share, DIGITS) for share in run.held_out],
    }


def run_of(record: Mapping[str, Any], config: Config) -> Run:
    """The run of JSON values, without its rules."""
    habits = record["habits"]
    return Run(
        config,
        tuple(Point(**dict(zip(COLUMNS, row, strict=True))) for row in record["points"]),
        record["stronger"],
        Habits(**habits | {"commonest": tuple(habits["commonest"])}),
        tuple(record["held_out"]),
        RuleList(()),
    )
