"""Claims of the article on single operations and choices: up to the level hard each is taken away or exchanged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from gpkit.core.statistics import Interval
from gpkit.evolution.config import Config, SelectionSettings
from gpkit.evolution.problem import Executor, Problem
from gpkit.evolution.search import Search
from gpkit.evolution.subjects import resolve
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.forms.evolution import FormulaSettings, TreeRepresentation
from gpkit_experiments.papers.controls import without
from gpkit_experiments.papers.courses import Course, Strength, against, fittest, strength
from gpkit_experiments.papers.paper import Budget, Claim, Findings, Paper, Row, above, below, exact
from gpkit_experiments.papers.sevens.study import EASY, HARD, Effort, Study
from gpkit_experiments.papers.units import mean_interval, paired_difference, rate_interval

Course_ = Course[TreeProgram]

MATTERS = 0.01
"""A share of games won is above another by so much, or the difference does not matter."""

ALIKE = 0.02
"""Shares of games won that differ by less are alike."""

SELDOM = 0.25
"""Share of all cases below which something counts as not likely to be useful."""

CHILDREN = "Children that score more than their source on the same deals, share of all"

WHOLE = "the algorithm"

STRENGTH = "Hard by a variant, minus hard by the algorithm, share of games won against two `simple`"
HALFWAY = "Generations until half of the rise up to hard"
NODES = "Nodes of a program at hard, mean of a population"


@dataclass(frozen=True, slots=True)
class Arm:
    """A variant of the article's algorithm.

    Attributes:
        change: makes its configuration.
        operators: of the formulas, in place of the article's.
        published: what the article says of it.
        claim: what is asked of its strength, less that of the algorithm.
    """

    change: Callable[[Config], Config]
    published: str = ""
    claim: Claim | None = None
    alphabet: str = ""


def _settings(**changes: Any) -> Callable[[Config], Config]:
    """The change of settings of formulas."""

    def change(config: Config) -> Config:
        assert isinstance(config.representation, FormulaSettings)
        return replace(config, representation=replace(config.representation, **changes))

    return change


def _tournament(config: Config) -> Config:
    """The configuration with parents by tournaments, the same operators, and as many clones of the best."""
    scheme = replace(config.scheme, name="generational")
    return replace(config, scheme=scheme, selection=SelectionSettings(name="tournament", size=4))


def _constants_alone(config: Config) -> Config:
    """The configuration in which formulas keep their forms."""
    return replace(config, operators={"clone": 0.1, "constants": 0.9})


SAID_OF_FAIRNESS = "selection rules are not necessarily 100% fair; it doesn't matter"
SAID_OF_NEW = "a completely random value is not likely to be particularly successful"
GOOD = "a good max depth for the random subtree seems to be 2"

ARMS: Mapping[str, Arm] = {
    WHOLE: Arm(lambda config: config),
    "no cloning": Arm(
        lambda config: without(config, "clone"), "not necessary in huge populations", above(-ALIKE)
    ),
    "no crossover": Arm(lambda config: without(config, "crossover")),
    "parents by tournament": Arm(_tournament, SAID_OF_FAIRNESS, Claim(exact(-ALIKE), exact(ALIKE))),
    "constants alone": Arm(_constants_alone, "evolving the form is more powerful", below(-ALIKE)),
    "random subtrees of depth 1": Arm(_settings(subtree_depth=1), GOOD, below(MATTERS)),
    "random subtrees of depth 4": Arm(_settings(subtree_depth=4), GOOD, below(MATTERS)),
    "constants as good as new": Arm(_settings(octaves=10.0), SAID_OF_NEW, below(-MATTERS)),
    "all operators of the language": Arm(
        lambda config: config, "few nonterminals are faster", below(-MATTERS), "full"
    ),
}
"""The variants by name; each takes its seeds from the same runs."""


def search(arm: Arm, config: Config, seed: int) -> Search[TreeProgram]:
    """A run of a variant."""
    found: Search[TreeProgram] = resolve(replace(arm.change(config), seed=seed)).search()
    if not arm.alphabet:
        return found
    own, other = found.representation, resolve(replace(config, alphabet=arm.alphabet)).search().representation
    assert isinstance(own, TreeRepresentation)
    assert isinstance(other, TreeRepresentation)
    alphabet = replace(own.alphabet, operators=other.alphabet.operators)
    return replace(found, representation=replace(own, alphabet=alphabet))


def courses_of(study: Study, name: str, arm: Arm) -> list[Course_]:
    """The runs of a variant, with the populations of all generations up to hard."""
    generations = range(study.effort.generations[HARD] + 1)
    searches = [search(arm, study.effort.config, seed) for seed in study.run_seeds(study.effort.runs)]
    return study.followed(name, searches, generations)


def hard(study: Study, courses: Sequence[Course_]) -> Strength:
    """The strength of the level hard against two `simple`."""
    generation = study.effort.generations[HARD]
    programs = [fittest(course.populations[generation], study.effort.specimens) for course in courses]
    return strength(
        study.held_out(study.effort.games), against(programs, study.opponent("simple")), study.executor
    )


def stronger(study: Study, own: Sequence[Course_], others: Sequence[Course_]) -> Interval:
    """The strength of hard by a variant, less that by another, paired by run."""
    found, other = hard(study, own), hard(study, others)
    return paired_difference(found.runs, other.runs, support=other.support)


def strength_rows(study: Study, courses: Mapping[str, Sequence[Course_]]) -> list[Row]:
    """Rows of the strength of hard by each variant, less that by the algorithm, paired by run."""
    rows = []
    for name, arm in ARMS.items():
        if name == WHOLE:
            continue
        study.watch(f"strength of {name}")
        other = stronger(study, courses[name], courses[WHOLE])
        rows.append(Row(STRENGTH, name, other, "runs", arm.published, arm.claim))
    return rows


def halfway(_study: Study, own: Sequence[Course_], others: Sequence[Course_]) -> Interval:
    """By how many generations a variant comes later than another to half of the rise of its mean score up to hard."""

    def means(course: Course_) -> list[float]:
        return [
            mean(individual.score for individual in course.populations[g]) for g in sorted(course.populations)
        ]

    later = []
    for one, other in zip(map(means, others), map(means, own), strict=True):
        half = (one[0] + one[-1]) / 2
        first, second = (
            next((g for g, value in enumerate(values) if value >= half), len(values))
            for values in (one, other)
        )
        later.append(float(second - first))
    return mean_interval(later)


def larger(_study: Study, own: Sequence[Course_], others: Sequence[Course_]) -> Interval:
    """By how many nodes the programs of a variant are larger at hard than those of another."""
    return paired_difference(*([course.sizes[-1] for course in courses] for courses in (own, others)))


def better_children(
    courses: Sequence[Course_], operator: str, problems: Sequence[Problem[TreeProgram]], executor: Executor
) -> list[float]:
    """By run the share of an operator's children that score more than the program they were made of, on their deals."""
    shares = []
    for course, problem in zip(courses, problems, strict=True):
        better = []
        for generation, population in course.populations.items():
            before = {each.number: each.genome for each in course.populations.get(generation - 1, ())}
            children = [
                each
                for each in population
                if each.origin.operator == operator and each.origin.parents[0] in before
            ]
            sources = [before[each.origin.parents[0]] for each in children]
            again = problem.evaluate(sources, course.seed, generation, executor) if sources else []
            better += [each.score > source.score for each, source in zip(children, again, strict=True)]
        shares.append(mean(map(float, better)) if better else 0.0)
    return shares


def speed_rows(study: Study, courses: Mapping[str, Sequence[Course_]]) -> list[Row]:
    """Rows of how soon populations rise, of what children are worth, and of how large formulas become."""
    whole = courses[WHOLE]
    problems = [search(ARMS[WHOLE], study.effort.config, course.seed).problem for course in whole]
    crossed, random = (
        better_children(whole, operator, problems, study.executor) for operator in ("crossover", "subtree")
    )
    gain = paired_difference(crossed, random, support=(0.0, 1.0))
    deeper = larger(study, courses["random subtrees of depth 4"], whole)
    late = halfway(study, courses["no crossover"], whole)
    return [
        Row(
            HALFWAY,
            "no crossover, less the algorithm",
            late,
            "runs",
            "crossover will speed up evolution",
            above(0.5),
        ),
        Row(
            CHILDREN,
            "by random subtrees",
            rate_interval(random),
            "runs",
            "random data is not likely to do anything useful",
            below(SELDOM),
        ),
        Row(
            CHILDREN,
            "by crossover, less by random subtrees",
            gain,
            "runs",
            "a subtree of a proven useful source tree",
            above(0.0),
        ),
        Row(
            NODES,
            "random subtrees of depth 4, less depth 2",
            deeper,
            "runs",
            "trees will rapidly grow",
            above(2.0),
        ),
    ]


def _effort(runs: int, games: int) -> Effort:
    """The effort of so many runs of each variant, and games of each program; nothing else is measured."""
    return Effort(
        runs=runs,
        variants=runs,
        games=games,
        sample_games=0,
        population_games=0,
        tournament_games=0,
        blue_runs=0,
        plan_runs=0,
        data_sets=0,
        generations={EASY: 0, HARD: 11},
    )


EFFORTS: Mapping[Budget, Effort] = {"quick": _effort(2, 300), "full": _effort(6, 3000)}

NOTES = (
    "Runs of the preset `article` up to generation 11, the level hard, and runs of the same seeds in which one thing "
    "is different. The share of an operation that is left out goes to the others in proportion.",
    "The article gives no numbers. Shares of games won are alike within 0.02, and 0.01 is a difference that matters; "
    "crossover is faster if without it half of the rise takes half a generation more, and random subtrees of depth 4 "
    "let formulas grow if these have 2 nodes more.",
    "Parents by tournament are drawn among four, and nothing is cloned beyond the share for it. Constants as good as "
    "new change by a factor of up to 1024, up or down. All operators are those of the alphabet `full`.",
    "A child and its source are compared on the deals of the child's generation: what plays as its source does scores "
    "the same. Not likely is taken as less than a quarter.",
)


def measure(study: Study) -> Findings:
    """Measure what each operation is worth."""
    effort = study.effort
    courses = {name: courses_of(study, name, arm) for name, arm in ARMS.items()}
    rows = (*strength_rows(study, courses), *speed_rows(study, courses))
    settings = {"run_seeds": list(study.run_seeds(effort.runs)), **effort.to_json()}
    return Findings(settings, NOTES, rows)


PAPER = Paper(EFFORTS, Study, measure)
