"""The reproduction of the source as a whole: its readings, schedules and ablations, then ours, part by part."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice

from gpkit.core.settings import to_data
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.games.dots_and_boxes.learning import PRESETS, Config
from gpkit.languages.rulegraph.text import print_program
from gpkit.playing.evaluation import options_text, shortened
from gpkit.show.chart import WIDE, Series, chart
from gpkit_experiments.papers.dots_and_boxes.further_rows import (
    SOURCE,
    Results,
    beginning_rows,
    further_rows,
    greedy_at_end,
    placed_rows,
    population_rows,
    reading_rows,
    source_rows,
    sweep_rows,
)
from gpkit_experiments.papers.dots_and_boxes.runs import (
    ABLATIONS,
    APART,
    BEGINNINGS,
    EMPTIED,
    FURTHER,
    LITERAL,
    OURS,
    PARTS,
    READINGS,
    SCHEDULES,
    STRONGER,
    SWEEP,
    TOGETHER,
    TRIALS,
    Forgetful,
    Item,
    Run,
    runs,
)
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.paper import Budget, Findings, Paper, Row, Study
from gpkit_experiments.papers.units import least, rate_interval

NOTES = (
    "The opponent is `chain`, which follows the chain rule as the source's is said to; the source's own cannot be had "
    "any more, so its shares of wins are compared with those against another one.",
    "`Reproduction is performed every 10 games, 4 agents are selected from the available population according to the "
    "same probabilistic distribution used for action selection described previously, new agents are produced as "
    "mutations of these agents.` Literally that is Boltzmann's distribution over all rules (`population`): where it is "
    "sharp, parents are nearly always the same few rules, whose children are there already, and some populations never "
    "reach their size; the tables by parents say how many rules there are. Our runs of the schedules read it as the "
    "rules that acted lately (`niche`), as action selection draws among rules that match.",
    "The source's first runs, which delete rules by quality alone, are read in both ways, too; of these it says itself "
    "that not all else was the same.",
    "The source writes the same letter for the rates of Q and f; here f forgets at a rate of its own, and a row of the "
    "constants says what comes of one rate for both.",
    "Greedy rates are exact: the player that follows the rule of highest quality, against all of the opponent's "
    "choices, with a random starting player. While learning, shares of wins are counted, a tie half of one.",
    "The source does not print its rates of learning and forgetting, what few rules are, how probable a new one is "
    "then, with which accessibility it begins, and how often each mutation is made: the settings have them.",
    "Ours learns values of classes beside the rules, in a table that the player does not have: it plays by rules.",
    "Ours learns against `chain` and the stronger `chain+ex12` in turn; the source's runs meet `chain` alone.",
    "The memoriser is ours with whole positions for rules: what it reaches is no generalisation. The short list is "
    "ours with 21 small rules, against `chain` alone.",
    "Rows on f apart from deletion by Q after 100,000 games, on opponents of other strength, on rules by classes, on "
    "the emptied table, on coverage, precedence, accessibility, quality, the chance of the best rule and the quality "
    "of a new one are of seeds that had never been used, with criteria that were there before, but for the share of "
    "decisions by Q and by f. Most other rows are of runs that were known, or some of which were, when their "
    "criteria were written: the table at the end has the commits. Criteria are the source's numbers; where it has "
    "none, as on rules by classes, on runs near zero, and on the sum of f, they are ours.",
    "Coverage, precedence, accessibility and quality are those of the rules after 100,000 games with constant beta, "
    "which then play 50,000 games as they are (`learned_populations`). Q is compared with the mean reward of the "
    "games in which a rule acts, of rules that act in ten or more; seldom and often are the halves by f. A better "
    "order is found by moving each rule to where these games gain most by exact values against `chain`.",
    "f apart from Q is measured with power at 100,000 games: at 1,000,000 the source's claim would need the pairs of "
    "seeds that its row tells. Of the 18 pairs f apart wins more while learning in 10: deletion by Q alone collapses "
    "in nine runs, which end below .25, and wins more in eight of the other nine (medians .437 against .390; there its "
    "greedy player wins more in three). What is shown is that runs with f apart do not collapse.",
    "In the mean the three schedules are not in the source's order (rising to 20, constant, rising to 10): rising to "
    "10 ends highest and constant lowest, by less than runs differ.",
    "Of the runs with seeds of their own those that are there were made in the order of their seeds, as many as there "
    "was time for; the record counts the rest under `missing`.",
    "`placed` is a learner that gpkit had up to commit 0b059b94; its times are processor time in user mode, on a "
    "machine that did other work.",
    "All learn on 3x3 boxes alone. Held out are opponents and boards that no run met, as in `gpkit run --ladder`; "
    "what is not computed there is counted in games of the seed of the run.",
)


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort of measuring.

    Attributes:
        games: of the runs of the source, ours and the memoriser.
        short_games: of the short list.
        source_runs, ablation_runs, our_runs: how many of each.
        other_runs: of the memoriser, and of the short list.
        trial_games: of each run of ours and these in each held-out trial that is not computed, at most.
        part_games, part_runs: of each reading, of ours without each of its parts, and of the source with each other
            constant.
        pairs: of runs with f apart from Q and without, of as many games each as a part.
        further_runs: of each other kind of ``runs.FURTHER``, of as many games.
        literal_runs: of each schedule with parents read literally, of as many games as those of the source.
        begin_runs: of each quality with which rules begin, of as many games as a part.
    """

    games: int
    short_games: int
    source_runs: int
    ablation_runs: int
    our_runs: int
    other_runs: int
    trial_games: int
    part_games: int
    part_runs: int
    pairs: int
    further_runs: int
    literal_runs: int
    begin_runs: int


EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(
        games=400,
        short_games=200,
        source_runs=2,
        ablation_runs=2,
        our_runs=2,
        other_runs=2,
        trial_games=100,
        part_games=100,
        part_runs=1,
        pairs=2,
        further_runs=2,
        literal_runs=2,
        begin_runs=2,
    ),
    "full": Effort(
        games=1_000_000,
        short_games=PRESETS["short"].games,
        source_runs=10,
        ablation_runs=5,
        our_runs=10,
        other_runs=5,
        trial_games=2_000,
        part_games=100_000,
        part_runs=5,
        pairs=30,
        further_runs=5,
        literal_runs=3,
        begin_runs=15,
    ),
}

BEYOND = ("ours", "short", "memoriser")
"""Runs that go beyond the source."""

SEEDS = 1000
"""The runs of one seed have the seeds from one more than this many times it on."""

LATER = 100
"""So many seeds after the first one those of ``runs.FURTHER`` begin."""

PLACED, POPULATIONS = DATA / "placed-dots-and-boxes.json", DATA / "populations-dots-and-boxes.json"
"""Runs of a learner that gpkit had at the commit that the record names; and runs whose rules play on."""

EARLY = (10_000, 100_000)
"""Ours is measured after so many games, too."""

WHOLE = "all of ours"
"""Ours at the effort of its parts."""


@dataclass(frozen=True, slots=True)
class Job:
    """Runs of one kind.

    Attributes:
        name: no other job has it.
        config: of all of them but for their seeds.
        seeds: of each.
        trial_games: of each in each held-out trial.
        points, kind: of each, see ``runs.run``.
    """

    name: str
    config: Config
    seeds: range
    trial_games: int = 0
    points: tuple[int, ...] = ()
    kind: type[Learner] = Learner

    @property
    def items(self) -> list[Item]:
        """The runs, one for each seed."""
        return [self.item(seed) for seed in self.seeds]

    def item(self, seed: int) -> Item:
        """The run of a seed."""
        return Item(replace(self.config, seed=seed), self.trial_games, self.points, self.kind)


def jobs(effort: Effort, seed: int) -> Iterator[Job]:
    """All runs of the paper, in the order in which they are made."""
    first = SEEDS * seed + 1
    part_seeds = range(first, first + effort.part_runs)
    standard = {WHOLE: OURS, **PARTS}
    for name, config in {**READINGS, **SWEEP, **standard}.items():
        yield Job(name, replace(config, games=effort.part_games), part_seeds)
    for name in SOURCE:
        count = effort.ablation_runs if name in ABLATIONS else effort.source_runs
        yield Job(name, replace(PRESETS[name], games=effort.games), range(first, first + count))
    for name in BEYOND:
        games = effort.short_games if name == "short" else effort.games
        count = effort.our_runs if name == "ours" else effort.other_runs
        config = replace(PRESETS[name], games=games)
        yield Job(name, config, range(first, first + count), effort.trial_games)
    yield from further_jobs(effort, first + LATER)


def further_jobs(effort: Effort, first: int) -> Iterator[Job]:
    """Runs of ``runs.FURTHER``, from a seed on; they are measured early, and over their last twentieth."""
    for name, config in FURTHER.items():
        literal = name in LITERAL.values()
        games = effort.games if literal else effort.part_games
        count = effort.pairs if name in (APART, TOGETHER) else effort.further_runs
        count = effort.begin_runs if name in BEGINNINGS.values() else count
        points = tuple(sorted({min(1_000, games), max(1, games - games // 20), games}))
        seeds = range(first, first + (effort.literal_runs if literal else count))
        kind = Forgetful if name == EMPTIED else Learner
        yield Job(name, replace(config, games=games), seeds, points=points, kind=kind)


def our_rows(results: Mapping[str, Sequence[Run]], trial_games: int) -> Iterator[Row]:
    """Ours, the short list and the memoriser: the mean and the worst of their runs, and where they never learned."""
    heading = "Beyond the source: exact win rate of the greedy player"
    there = {name: results[name] for name in BEYOND if results.get(name)}
    for name, found in there.items():
        yield Row(heading, f"{name} against {OURS.opponent}", greedy_at_end(found), "runs")
        yield Row(heading, f"{name}, its worst run", least([one.points[-1].greedy for one in found]), "runs")
        stronger = rate_interval([one.stronger for one in found])
        yield Row(heading, f"{name} against {STRONGER}", stronger, "runs")
    best = [max(point.greedy for point in one.points) for one in results.get("short", ())]
    if best:
        yield Row(heading, "short, where it was best", rate_interval(best), "runs")
    for games in EARLY:
        early = [
            point.greedy for one in results.get("ours", ()) for point in one.points if point.games == games
        ]
        if early:
            yield Row(heading, f"ours after {games:,} games", rate_interval(early), "runs")
    for place, trial in enumerate(TRIALS):
        heading = f"Held out: share of wins against {trial.opponent}"
        if trial.options:
            heading += f" on {options_text(trial.options)}"
        heading += ", computed" if trial.exact else f", in {shortened(trial, trial_games).games:,} games"
        for name, found in there.items():
            yield Row(heading, name, rate_interval([one.held_out[place] for one in found]), "runs")


def part_rows(results: Mapping[str, Sequence[Run]], games: int) -> Iterator[Row]:
    """Rows of the ablation of ours, part by part."""
    for opponent in (OURS.opponent, STRONGER):
        heading = f"Parts of ours: exact win rate against {opponent} after {games:,} games"
        for name in (WHOLE, *PARTS):
            found = results.get(name, ())
            rates = [one.stronger if opponent == STRONGER else one.points[-1].greedy for one in found]
            if rates:
                yield Row(heading, name, rate_interval(rates), "runs")


def curves_svg(results: Mapping[str, Sequence[Run]]) -> str:
    """Greedy win rates by games, a mean over the runs of each kind, as a chart."""
    series = []
    for name, found in results.items():
        points = zip(*(one.points for one in found), strict=True)
        means = tuple((at[0].games, sum(point.greedy for point in at) / len(at)) for at in points)
        series.append(Series(name, means))
    return (
        chart("Learning against chain", series, x="games", y="exact win rate", zero=True, width=WIDE) + "\n"
    )


def curves_json(results: Mapping[str, Sequence[Run]]) -> str:
    """All points of all runs."""
    data = {
        name: [{"seed": one.config.seed, "points": [asdict(point) for point in one.points]} for one in found]
        for name, found in results.items()
    }
    return json.dumps(data, indent=1) + "\n"


def findings_of(budget: Budget, results: Results) -> Findings:
    """The findings of the runs that there are; tables say of how many."""
    effort = EFFORTS[budget]
    configs = {name: to_data(PRESETS[name]) for name in (*SOURCE, *BEYOND)}
    curves = {name: found for name, found in results.items() if name in (*SCHEDULES, "ours", "memoriser")}
    program = next((one.rules for one in results.get("ours", ()) if one.rules.rules), None)
    return Findings(
        settings={
            "budget": budget,
            **asdict(effort),
            "runs": configs,
            "readings": {name: to_data(config) for name, config in READINGS.items()},
            "parts": {name: to_data(config) for name, config in PARTS.items()},
            "sweep": {name: to_data(config) for name, config in SWEEP.items()},
            "further": {name: to_data(config) for name, config in FURTHER.items()},
        },
        notes=NOTES,
        rows=(
            *source_rows(results),
            *reading_rows(results, effort.part_games),
            *sweep_rows(results, effort.part_games),
            *our_rows(results, effort.trial_games),
            *part_rows(results, effort.part_games),
            *further_rows(results),
            *beginning_rows(results),
            *population_rows(json.loads(POPULATIONS.read_text(encoding="utf-8"))),
            *placed_rows(json.loads(PLACED.read_text(encoding="utf-8"))),
        ),
        files={
            "curves.json": curves_json(results),
            "curves.svg": curves_svg({name: found for name, found in curves.items() if found}),
            **({"ours.rules": print_program(program, {"game": "dots_and_boxes"})} if program else {}),
        },
    )


def measure(study: Study[Effort]) -> Findings:
    """Measure everything that the source claims, and ours."""
    made = list(jobs(study.effort, study.seed))
    items = [item for job in made for item in job.items]
    study.watch(f"{len(items)} runs, with {sum(item.config.games for item in items):,} games in all")
    found = iter(runs(items, study.executor))
    return findings_of(study.budget, {job.name: list(islice(found, len(job.seeds))) for job in made})


PAPER = Paper(EFFORTS, Study, measure)
