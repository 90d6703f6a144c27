"""Evolution where strength is computed: nothing depends on seeds, and exercises count."""

from dataclasses import replace

import pytest

import gpkit
from gpkit.api.games import name_of
from gpkit.core.errors import UsageError
from gpkit.core.registry import data_folder
from gpkit.evolution.config import (
    Config,
    FitnessSettings,
    GuideSettings,
    PopulationSettings,
    RefinementSettings,
    StopSettings,
    shipped_presets,
)
from gpkit.evolution.config_files import evolution_config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.game_subject import ExactProblem
from gpkit.evolution.loop import evolve
from gpkit.evolution.subjects import resolve
from gpkit.games.mastermind.game import GAME
from gpkit.languages.arithmetic.text import parse

SMALL = replace(
    shipped_presets()["mastermind"],
    rules={"length": 2, "colours": 4},
    population=PopulationSettings(size=12),
    guide=GuideSettings(exercises=("colours=3", "length=3"), weight=0.5),
    refinement=RefinementSettings(rounds=2, candidates=4),
    stop=StopSettings(generations=3),
)


def _problem() -> ExactProblem:
    problem = resolve(SMALL).search().problem
    assert isinstance(problem, ExactProblem)
    return problem


def test_the_score_is_the_exact_mean_and_half_of_each_exercise() -> None:
    problem, program = _problem(), parse("guess: env.parts").program
    (found,) = problem.evaluate([program], 1, 0, SerialExecutor())
    (validated,) = problem.validate([program], 2, 7, SerialExecutor())
    means = []
    for options in ({}, {"colours": "3"}, {"length": "3"}):
        rules = GAME.make_rules({"length": "2", "colours": "4", **options})
        (alone,) = replace(problem, rules=rules, exercises=()).evaluate([program], 3, 1, SerialExecutor())
        means.append(alone.score)
    assert found.cases == tuple(means)
    assert found.score == pytest.approx(means[0] + 0.5 * (means[1] + means[2]))
    assert validated.score == means[0] < 0
    assert problem.facing([program]) is problem
    assert not problem.changes


def test_a_run_repeats_itself_and_reaches_the_best_one_step_program() -> None:
    first, second = (evolve(resolve(SMALL), SerialExecutor()) for _ in range(2))
    assert first.digest == second.digest
    best = max(_problem().validate([parse(f"guess: {text}").program], 1, 0, SerialExecutor())[0].score
               for text in ("env.parts", "env.entropy", "-env.largest"))  # fmt: skip
    assert first.champion.score >= best


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            replace(shipped_presets()["sevens"], fitness=FitnessSettings(exact=True)),
            "fitness.exact: sevens cannot be computed, only sampled",
        ),
        (
            replace(SMALL, fitness=FitnessSettings(exploitability=True)),
            "fitness.exploitability is computed, not sampled: also set fitness.exact = true",
        ),
        (replace(SMALL, alphabet="parts+env.none"), "cannot be added to the alphabet"),
        (
            replace(SMALL, guide=GuideSettings(exercises=("colors=3",))),
            "guide.exercises: `colors=3`: .*colours",
        ),
    ],
)
def test_what_cannot_be_computed_is_told(config: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        resolve(config).search()  # type: ignore[arg-type]


def test_the_score_is_what_a_best_response_leaves() -> None:
    leduc = str(data_folder("programs") / "games" / "leduc_poker.py")
    exact = FitnessSettings(exact=True, exploitability=True, opponents=("random",))
    config = evolution_config(str(name_of(leduc)))
    assert isinstance(config, Config)
    run = resolve(replace(config, fitness=exact))
    assert run.header["trained"] == "a best response"
    problem = run.search().problem
    folds, raises = parse("bet: env.folds").program, parse("bet: env.raises").program
    scores = [each.score for each in problem.validate([folds, raises], 1, 0, SerialExecutor())]
    (result,) = gpkit.run(gpkit.parse("bet: env.raises", game=leduc), "random", exact=True)
    assert scores == [
        pytest.approx(-1.0),
        -result.expected.details["exploitability"],
    ]  # who folds loses the ante
    with pytest.raises(UsageError, match="gpkit run --exact computes none in mastermind"):
        search = resolve(replace(SMALL, fitness=replace(SMALL.fitness, exploitability=True))).search()
        search.problem.validate([parse("guess: env.parts").program], 1, 0, SerialExecutor())
