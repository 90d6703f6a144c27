"""The reproduction of the source as a whole: its five experiments with and without crossover, and in other readings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from gpkit.core.statistics import Interval
from gpkit_experiments.papers.mastermind.experiments import (
    CLASSIC,
    EXPERIMENTS,
    FOUND,
    GENERATIONS,
    LARGER,
    MAIN,
    MEAN,
    OTHER_SHARES,
    POPULATION,
    SUPER,
    VARIANTS,
    WITHOUT,
    WITHOUT_ORDER,
    Experiment,
    Measure,
    Reading,
    Trial,
    ceiling,
    curve,
    curves,
    curves_csv,
    curves_svg,
    highest,
    trials,
)
from gpkit_experiments.papers.paper import Budget, Claim, Findings, Paper, Row, Study, above, below, exact
from gpkit_experiments.papers.units import mean_interval, paired_difference, rate_interval, total

SOURCE_RUNS = 20
"""Number of the source's runs of each experiment."""

SEEDS = 10_000
"""The runs of one seed have the seeds from this many times it on."""

GUESSES = 15
"""Usual number of guesses of a game, by the source."""

KNUTH = 5801 / 1296
"""Mean number of guesses of Knuth's strategy in the classic game (test_mastermind_paper.py computes it)."""

COMPARABLE = 2.0
"""Attempts are comparable to those of a strategy that takes less than so many times as few."""

CLASSIC_RUNS = 10
"""Runs of the classic experiment, which ends early, for each of the others."""

MATTERS = 0.1
"""A share of runs is larger than another by so much, or the difference does not matter."""

NOTES = (
    "Two-point crossover and one mutation make a child, its parents are drawn by roulette in proportion to fitness, "
    "and the best of a generation stays. What the source leaves open is a reading: each has its line in a table.",
    "Runs of a number have the same secret and the same first population in every reading of an experiment.",
    "The source gives its results in words. `Almost always` in the classic game is at most half of the failures of as "
    "many random codes, which find 0.9906 of the secrets themselves; `most of the times` is above a half, `rarely` "
    "below a fifth; `tends` is the mean of the runs, from 1 below 14 up to what is said. As many random codes come to "
    "18.1 in the super game, so that for more than 16 it is asked to be 0.25 above that.",
    "The text says that crossover was always applied. But scrambling and swapping keep the pegs of a code: that they "
    "alone end near 14, the fitness of a code with four of the five pegs, is what happens without crossover.",
    "Equations (4) and (5) are printed with the value at t under a sum over i; the curves take the value at i.",
    "Fitness is against the secret: every individual is a question to the oracle, and a game has about 15 guesses. "
    "What an attempt is the source does not say: an individual, or a generation, whose best is then the guess. A run "
    "that does not find the secret counts all that it asked; so does an exhaustive list of as many codes in any order, "
    "and faster is less than half of its questions. Comparable is less than twice the guesses by Knuth's strategy.",
    "The worth of the mutations of order is the gain in share by them, with clones in their place; other shares are "
    "compared by questions, and the source's are best if each of them takes more.",
    "On-line curves are of the runs that were followed to the end; the others stopped at the secret.",
)


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort of measuring.

    Attributes:
        runs: of every experiment with and without crossover, ten times as many of the classic one.
        followed: of these go on after the secret was found, for the on-line curve.
        variants: runs of every experiment in the other readings.
        shares: runs with other shares of the mutations, and without those of order.
        larger: runs in larger spaces.
        generations: of a run.
    """

    runs: int
    followed: int
    variants: int
    shares: int
    larger: int
    generations: int = GENERATIONS


EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(runs=20, followed=20, variants=5, shares=10, larger=5),
    "full": Effort(runs=300, followed=20, variants=40, shares=150, larger=60),
}

ORDER_ALONE = EXPERIMENTS[1:3]
"""The experiments in which nothing but the order of pegs is mutated."""

Results = Mapping[str, Sequence[Trial]]
"""The trials of every experiment, by its name."""


def measured(experiment: Experiment, found: Sequence[Trial], measure: Measure) -> Interval:
    """Measured result of an experiment's trials, a mean over runs."""
    last = [one.best[-1] for one in found]
    if measure == MEAN:
        return mean_interval(last, support=(0.0, experiment.highest))
    return rate_interval([float(best == experiment.highest) for best in last])


def fitness_rows() -> Iterator[Row]:
    """Rows on the source's fitness."""
    for name, domain, most in (("classic", CLASSIC, 14), ("super", SUPER, 20)):
        top = exact(highest(len(domain)), domain.sizes[0] ** len(domain))
        claim = Claim(above=exact(most - 0.5), below=exact(most + 0.5))
        quantity = f"{name}: fitness of the secret"
        yield Row("What the source counts", quantity, top, "codes", str(most), claim, exact=True)


def experiment_rows(heading: str, results: Results) -> Iterator[Row]:
    """The experiments in one reading: both measures of each, with what the source says."""
    for experiment in EXPERIMENTS:
        said = {statement.measure: statement for statement in experiment.statements}
        for measure in (MEAN, FOUND):
            interval = measured(experiment, results[experiment.name], measure)
            published, claim = (
                (said[measure].published, said[measure].claim) if measure in said else ("", None)
            )
            yield Row(heading, f"{experiment.name}: {measure}", interval, "runs", published, claim)


def difference_rows(with_crossover: Results, without: Results) -> Iterator[Row]:
    """Rows on the gain by crossover: the same secrets and first populations with it and without."""
    for experiment in EXPERIMENTS:
        pairs = [[one.best[-1] for one in results[experiment.name]] for results in (with_crossover, without)]
        gained = paired_difference(*pairs, support=(0.0, experiment.highest))
        yield Row("Best fitness at the end, with crossover minus without", experiment.name, gained, "runs")


CEILING = "Without crossover scramble and swap keep the pegs of the first population"


def exact_ceilings() -> tuple[Row, Row]:
    """The computed rows on that ceiling: the highest fitness, and how often all pegs are there."""
    most, secrets = ceiling(SUPER, POPULATION), SUPER.sizes[0] ** len(SUPER)
    best, complete = exact(most.fitness, secrets), exact(most.complete, secrets)
    words = "share of populations with all pegs of the secret, exactly"
    return (
        Row(CEILING, "the highest fitness that it can come to, exactly", best, "secrets", exact=True),
        Row(CEILING, words, complete, "secrets", exact=True),
    )


def ceiling_rows(without: Results) -> Iterator[Row]:
    """Rows on the ceiling of scrambling and swapping alone, without crossover: the contents of the first population."""
    best, complete = exact_ceilings()
    yield best
    for experiment in ORDER_ALONE:
        interval = measured(experiment, without[experiment.name], MEAN)
        yield Row(CEILING, f"{experiment.name}: {MEAN}", interval, "runs")
    yield complete
    for experiment in ORDER_ALONE:
        interval = measured(experiment, without[experiment.name], FOUND)
        yield Row(CEILING, f"{experiment.name}: {FOUND}", interval, "runs")


def question_rows(name: str, results: Results) -> Iterator[Row]:
    """Questions until the secret is found, against a list of all codes in any order that is as long as a run."""
    heading = "Questions until the secret is found, or all of the run"
    for experiment in EXPERIMENTS[0], EXPERIMENTS[-1]:
        found = results[experiment.name]
        asked = min(POPULATION * len(found[0].best), experiment.codes)
        listed = asked - asked * (asked - 1) / (2 * experiment.codes)
        for words, numbers, claim in (
            ("individuals", [one.questions for one in found], below(listed / 2)),
            ("different codes", [one.codes for one in found], None),
        ):
            interval = mean_interval(numbers, support=(1.0, float("inf")))
            published = f"faster than exhaustive, {listed:.1f}" if claim else ""
            yield Row(heading, f"{experiment.name}, {name}: {words}", interval, "runs", published, claim)


def attempt_rows(readings: Mapping[str, Results]) -> Iterator[Row]:
    """Attempts until the secret is found, by what an attempt is: how often few enough, and how many."""
    units: Mapping[str, Callable[[Trial], int]] = {
        "an individual": lambda one: one.questions,
        "a generation": lambda one: one.generations,
    }
    few, mean = (
        f"Share of runs that find the secret within {GUESSES} attempts",
        "Attempts in the classic game",
    )
    for experiment in EXPERIMENTS[0], EXPERIMENTS[-1]:
        for name, results in readings.items():
            found = [(one, one.best[-1] == experiment.highest) for one in results[experiment.name]]
            for unit, attempts in units.items():
                share = rate_interval([float(ended and attempts(one) <= GUESSES) for one, ended in found])
                quantity = f"{experiment.name}, {name}: an attempt is {unit}"
                yield Row(few, quantity, share, "runs", "a quite reasonable number of attempts", above(0.5))
    classic = EXPERIMENTS[0]
    for name, results in readings.items():
        for unit, attempts in units.items():
            number = mean_interval(
                [attempts(one) for one in results[classic.name]], support=(1.0, float("inf"))
            )
            claim = below(COMPARABLE * KNUTH)
            yield Row(
                mean, f"{name}: an attempt is {unit}", number, "runs", "comparable to other strategies", claim
            )


def share_rows(name: str, results: Results, other: Results) -> Iterator[Row]:
    """Rows of what the mutations of order are worth, and other shares of mutations; all on the same secrets."""
    whole, without = EXPERIMENTS[-1], other[WITHOUT_ORDER.name]
    base = results[whole.name][: len(without)]
    found = [[float(one.best[-1] == whole.highest) for one in runs] for runs in (base, without)]
    worth = paired_difference(*found, support=(0.0, 1.0))
    said = "can be used in discrete models without any problem"
    yield Row("Super, gain by scramble and swap", f"{name}: {FOUND}", worth, "runs", said, above(MATTERS))
    for experiment in OTHER_SHARES:
        asked = [[one.questions for one in runs] for runs in (other[experiment.name], base)]
        longer = paired_difference(*asked)
        heading = f"Super, questions by other shares of the mutations less those by 20 / 10 / 70, {name}"
        yield Row(
            heading, experiment.name, longer, "runs", "20 / 10 / 70 was chosen after trials", above(0.0)
        )


def larger_rows(name: str, results: Results) -> Iterator[Row]:
    """Larger spaces: in how many runs the secret is found."""
    for experiment in LARGER:
        share = measured(experiment, results[experiment.name], FOUND)
        heading = "Larger spaces, all mutations: share of runs that find the secret"
        yield Row(heading, f"{experiment.name}, {name}", share, "runs", "it is feasible", above(0.5))


def claims_row(name: str, results: Results) -> Row:
    """Row of the number of the source's claims on its experiments that hold in a reading."""
    verdicts = [
        statement.claim.judge(measured(experiment, results[experiment.name], statement.measure))
        for experiment in EXPERIMENTS
        for statement in experiment.statements
    ]
    runs = len(results[EXPERIMENTS[-1].name])
    counted = total([verdict == "holds" for verdict in verdicts])
    said = {word: verdicts.count(word) for word in ("fails", "open")}
    told = ", ".join(f"{count} {word}" for word, count in said.items() if count)
    quantity = f"{name} ({runs} runs{': ' + told if told else ''})"
    return Row("Claims on the experiments that hold, by reading", quantity, counted, "claims")


def contradiction_rows(readings: Mapping[str, Results]) -> Iterator[Row]:
    """Whether scramble and swap alone stay below the secret, as the source's figures say, by reading."""
    for experiment in ORDER_ALONE:
        heading = f"The text against the figures, {experiment.name}: {FOUND}"
        for name, results in readings.items():
            interval = measured(experiment, results[experiment.name], FOUND)
            yield Row(heading, name, interval, "runs", "ends at 14 or 15, not at 20", below(0.5))


def pictures(all_results: Mapping[str, Results]) -> dict[str, str]:
    """The source's figures as data and as pictures: of as many runs as it made, and of all."""
    files = {}
    for name, results in all_results.items():
        folder = name.replace(" ", "-")
        for experiment in EXPERIMENTS:
            found = results[experiment.name]
            for runs in dict.fromkeys((min(SOURCE_RUNS, len(found)), len(found))):
                drawn = curves(experiment, found[:runs])
                path = f"{folder}/figure-{experiment.figure}-{runs}-runs"
                title = f"Figure {experiment.figure}: {experiment.name}, {name}, {runs} runs"
                files[f"{path}.csv"] = curves_csv(drawn)
                files[f"{path}.svg"] = curves_svg(title, drawn)
    for experiment in EXPERIMENTS:
        both = [
            curve(name, [one.best for one in results[experiment.name]], experiment.highest)
            for name, results in all_results.items()
        ]
        title = f"Best so far: {experiment.name}"
        files[f"crossover-{experiment.figure}.svg"] = curves_svg(title, both)
    return files


def measure(study: Study[Effort]) -> Findings:
    """Measure everything that the source says of its experiments."""
    effort = study.effort

    def results_of(
        name: str,
        reading: Reading,
        runs: int,
        followed: int = 0,
        which: Sequence[Experiment] = EXPERIMENTS,
    ) -> Results:
        found = {}
        for experiment in which:
            count = runs * CLASSIC_RUNS if experiment is EXPERIMENTS[0] else runs
            study.watch(f"{name}: {experiment.name}, {count} runs")
            seeds = range(study.seed * SEEDS, study.seed * SEEDS + count)
            found[experiment.name] = trials(
                experiment, reading, seeds, effort.generations, followed, study.executor
            )
        return found

    main = {name: results_of(name, reading, effort.runs, effort.followed) for name, reading in MAIN.items()}
    variants = {name: results_of(name, reading, effort.variants) for name, reading in VARIANTS.items()}
    readings = {**main, **variants}
    with_crossover, without = main.values()
    rows = [*fitness_rows()]
    for name, results in main.items():
        rows += experiment_rows(f"The five experiments, {name}", results)
    rows += contradiction_rows(readings)
    rows += difference_rows(with_crossover, without)
    rows += ceiling_rows(without)
    if study.budget == "full":
        rows += [claims_row(name, results) for name, results in readings.items()]
    for name, results in main.items():
        rows += question_rows(name, results)
    rows += attempt_rows(main)
    shares = results_of("other shares", WITHOUT, effort.shares, which=(WITHOUT_ORDER, *OTHER_SHARES))
    rows += share_rows("without crossover", without, shares)
    for name, reading in MAIN.items():
        rows += larger_rows(name, results_of(name, reading, effort.larger, which=LARGER))
    return Findings(asdict(effort), NOTES, tuple(rows), pictures(main))


PAPER = Paper(EFFORTS, Study, measure)
