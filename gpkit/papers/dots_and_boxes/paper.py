"""The reproduction of the source as a whole: its schedules and ablations, then ours, part by part."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from gpkit.core.settings import to_data
from gpkit.core.statistics import Interval, mean_interval
from gpkit.draw.chart import WIDE, Series, chart
from gpkit.evolution.problem import Executor
from gpkit.languages.rulegraph.printer import print_program
from gpkit.learners.dots_and_boxes.presets import PRESETS
from gpkit.papers.dots_and_boxes.runs import LARGER, OURS, PARTS, STRONGER, SWEEP, Run, runs
from gpkit.papers.paper import Budget, Claim, Findings, Row, Watch, above, below, exact, ignore

SOURCE = ("constant", "rising-20", "rising-10", "quality-only", "combined")
"""The runs of the source, in the order of its section V, which begins with the last two."""

PUBLISHED: Mapping[str, str] = {
    "constant": "about 0.4",
    "rising-20": "0.5, from 0.45 to 0.55",
    "rising-10": "close to 0.35",
    "quality-only": "below 0.01",
    "combined": "0.10",
}
"""Published shares of wins while learning, against an opponent that cannot be had any more."""

ACTIVITY: Mapping[str, tuple[str, Claim]] = {
    "constant": ("above 0.99 after 1000 games", above(0.99)),
    "quality-only": ("0.10", below(0.5)),
    "combined": ("most states", above(0.5)),
}
"""Published shares of decisions in which a rule acts, and the claims tested."""

NOTES = (
    "The opponent is `chain`, which follows the chain rule as the source's is said to; the source's own cannot be had "
    "any more, so its shares of wins are shown and not tested.",
    "Greedy rates are exact: the player that follows the rule of highest quality, against all of the opponent's "
    "choices, with a random starting player. While learning, shares of wins are counted, a tie half of one.",
    "The source does not print its rates of learning and forgetting, what few rules are, how probable a new one is "
    "then, with which accessibility it begins, and how often each mutation is made: the settings have them.",
    "Ours learns values of classes beside the rules, in a table that the player does not have: it plays by rules.",
    "Ours learns against `chain` and the stronger `chain+ex12` in turn; the source's runs meet `chain` alone.",
    "The memoriser is ours with whole positions for rules: what it reaches is no generalisation. The short list is "
    "ours with 21 small rules, against `chain` alone.",
    "All learn on 3x3 boxes alone. On larger boards shares of wins are counted in games of the seed of the run.",
)


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort of measuring.

    Attributes:
        games: of the runs of the source, ours and the memoriser.
        short_games: of the short list.
        source_runs, our_runs: how many of each.
        other_runs: of the memoriser, and of the short list.
        larger_games: of each run of ours and these on each larger board.
        part_games, part_runs: of ours without each of its parts, and of the source with each other constant.
    """

    games: int
    short_games: int
    source_runs: int
    our_runs: int
    other_runs: int
    larger_games: int
    part_games: int
    part_runs: int


EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(
        games=2_000,
        short_games=1_000,
        source_runs=2,
        our_runs=2,
        other_runs=2,
        larger_games=200,
        part_games=1_000,
        part_runs=2,
    ),
    "full": Effort(
        games=1_000_000,
        short_games=PRESETS["short"].games,
        source_runs=5,
        our_runs=10,
        other_runs=5,
        larger_games=2_000,
        part_games=100_000,
        part_runs=5,
    ),
}

BEYOND = ("ours", "short", "memoriser")
"""Runs that go beyond the source."""

SEEDS = 1000
"""The runs of one seed have the seeds from one more than this many times it on."""

EARLY = (10_000, 100_000)
"""Ours is measured after so many games, too."""


def rate_interval(rates: Sequence[float]) -> Interval:
    """The mean over runs of a rate of each."""
    return mean_interval(rates, support=(0.0, 1.0))


def greedy_at_end(found: Sequence[Run]) -> Interval:
    """The exact win rate of the greedy player at the end, a mean over runs."""
    return rate_interval([one.points[-1].greedy for one in found])


def source_rows(results: Mapping[str, Sequence[Run]]) -> Iterator[Row]:
    """The runs of the source."""
    for name in SOURCE:
        last = [one.points[-1] for one in results[name]]
        online = rate_interval([point.online for point in last])
        yield Row("Share of wins while learning, at the end", name, online, "runs", PUBLISHED[name])
    for name in SOURCE:
        yield Row("Exact win rate of the greedy player", name, greedy_at_end(results[name]), "runs")
    for name in SOURCE:
        active = rate_interval([one.points[-1].activity for one in results[name]])
        published, claim = ACTIVITY.get(name, ("", None))
        yield Row("Share of decisions in which a rule acts", name, active, "runs", published, claim)
    for name in SOURCE[:3]:
        shares = [one.points[-1].access / one.points[-1].expected_access for one in results[name]]
        yield Row(
            "Sum of all f, as a share of rules used in a game / forgetting",
            name,
            mean_interval(shares),
            "runs",
        )


def our_rows(results: Mapping[str, Sequence[Run]], larger_games: int) -> Iterator[Row]:
    """Ours, the short list and the memoriser: the mean and the worst of their runs, and where they never learned."""
    heading = "Beyond the source: exact win rate of the greedy player"
    for name in BEYOND:
        found = results[name]
        yield Row(heading, f"{name} against {OURS.opponent}", greedy_at_end(found), "runs")
        yield Row(
            heading, f"{name}, its worst run", exact(min(one.points[-1].greedy for one in found)), "runs"
        )
        stronger = rate_interval([one.stronger for one in found])
        yield Row(heading, f"{name} against {STRONGER}", stronger, "runs")
    best = [max(point.greedy for point in one.points) for one in results["short"]]
    yield Row(heading, "short, where it was best", rate_interval(best), "runs")
    for games in EARLY:
        early = [point.greedy for one in results["ours"] for point in one.points if point.games == games]
        if early:
            yield Row(heading, f"ours after {games:,} games", rate_interval(early), "runs")
    heading = f"Learned on 3x3 boxes, share of wins against {OURS.opponent} in {larger_games:,} games on larger boards"
    for place, board in enumerate(LARGER):
        for name in BEYOND:
            yield Row(
                heading,
                f"{name} on {board}",
                rate_interval([one.larger[place] for one in results[name]]),
                "runs",
            )


def part_rows(results: Mapping[str, Sequence[Run]], games: int) -> Iterator[Row]:
    """Rows of the ablation of ours, part by part."""
    for opponent in (OURS.opponent, STRONGER):
        heading = f"Parts of ours: exact win rate against {opponent} after {games:,} games"
        for name in ("all of ours", *PARTS):
            rates = [one.stronger if opponent == STRONGER else one.points[-1].greedy for one in results[name]]
            yield Row(heading, name, rate_interval(rates), "runs")


def sweep_rows(results: Mapping[str, Sequence[Run]], games: int) -> Iterator[Row]:
    """Rows of the sweep over the constants that the source does not print."""
    heading = (
        f"Constants that the source does not print: exact win rate of the greedy player after {games:,} games"
    )
    for name in ("those of the other tables", *SWEEP):
        yield Row(heading, name, greedy_at_end(results[name]), "runs")


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
        name: [
            {"seed": one.config.seed, "points": [point.to_json() for point in one.points]} for one in found
        ]
        for name, found in results.items()
    }
    return json.dumps(data, indent=1) + "\n"


class DotsAndBoxesPaper:
    """See ``gpkit.papers.paper.Paper``."""

    name = "dots-and-boxes"

    def run(self, budget: Budget, seed: int, executor: Executor, watch: Watch = ignore) -> Findings:
        """Measure everything that the source claims, and ours."""
        effort = EFFORTS[budget]
        first = SEEDS * seed + 1
        results: dict[str, list[Run]] = {}
        for name in SOURCE:
            watch(f"{name}: {effort.source_runs} runs of {effort.games:,} games")
            seeds = range(first, first + effort.source_runs)
            results[name] = runs(PRESETS[name], effort.games, seeds, executor)
        for name in BEYOND:
            games = effort.short_games if name == "short" else effort.games
            count = effort.our_runs if name == "ours" else effort.other_runs
            watch(f"{name}: {count} runs of {games:,} games")
            seeds = range(first, first + count)
            results[name] = runs(PRESETS[name], games, seeds, executor, effort.larger_games)
        parts: dict[str, list[Run]] = {}
        standard = {"all of ours": OURS, "those of the other tables": PRESETS["constant"]}
        for name, config in {**standard, **PARTS, **SWEEP}.items():
            watch(f"{name}: {effort.part_runs} runs of {effort.part_games:,} games")
            parts[name] = runs(config, effort.part_games, range(first, first + effort.part_runs), executor)
        configs = {name: to_data(PRESETS[name]) for name in (*SOURCE, *BEYOND)}
        return Findings(
            settings={
                "budget": budget,
                **asdict(effort),
                "runs": configs,
                "parts": {name: to_data(config) for name, config in PARTS.items()},
                "sweep": {name: to_data(config) for name, config in SWEEP.items()},
            },
            notes=NOTES,
            rows=(
                *source_rows(results),
                *sweep_rows(parts, effort.part_games),
                *our_rows(results, effort.larger_games),
                *part_rows(parts, effort.part_games),
            ),
            files={
                "curves.json": curves_json(results),
                "curves.svg": curves_svg(
                    {name: results[name] for name in (*SOURCE[:3], "ours", "memoriser")}
                ),
                "ours.rules": print_program(results["ours"][0].rules, {"game": "dots_and_boxes"}),
            },
        )


PAPER = DotsAndBoxesPaper()
