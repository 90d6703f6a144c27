"""Rows on what the source says: shares of wins, stability, activity, its commonest rules, its ablations."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from gpkit.core.statistics import Interval
from gpkit.languages.rulegraph.parser import parse
from gpkit_experiments.papers.dots_and_boxes.readings import ABLATIONS, CHOSEN, READINGS, SCHEDULES
from gpkit_experiments.papers.dots_and_boxes.runs import SWEEP, Run
from gpkit_experiments.papers.paper import Claim, Row, above, below, exact
from gpkit_experiments.papers.units import least, mean_interval, paired_difference

SOURCE = (*SCHEDULES, *ABLATIONS)

SHARES: Mapping[str, tuple[str, Claim]] = {
    "constant": ("about 0.4", Claim(exact(0.35), exact(0.45))),
    "rising-20": ("0.5, from 0.45 to 0.55", Claim(exact(0.45), exact(0.55))),
    "rising-10": ("close to 0.35", Claim(exact(0.30), exact(0.40))),
    "quality-only": ("below 0.01", below(0.01)),
    "combined": ("0.10", Claim(exact(0.05), exact(0.15))),
}
"""Published shares of wins while learning, and the claims tested: what is about a number is within .05 of it."""

ACTIVITY: Mapping[str, tuple[str, Claim]] = {
    **dict.fromkeys(SCHEDULES, ("above 0.99 after 1000 games", above(0.99))),
    "quality-only": ("0.10", Claim(exact(0.05), exact(0.15))),
    "combined": ("most states", above(0.5)),
}
"""Published shares of decisions in which a rule acts, and the claims tested."""

EARLY = 1_000
"""The rules of the source act nearly everywhere after so many games."""

Results = Mapping[str, Sequence[Run]]
"""Runs by name; of a name there may be none."""


def rate_interval(rates: Sequence[float]) -> Interval:
    """The mean over runs of a rate of each."""
    return mean_interval(rates, support=(0.0, 1.0))


def online(run: Run) -> float:
    """The share of wins while learning, since the last point but one."""
    return run.points[-1].online


def greedy_at_end(found: Sequence[Run]) -> Interval:
    """The exact win rate of the greedy player at the end, a mean over runs."""
    return rate_interval([one.points[-1].greedy for one in found])


def source_rows(results: Results) -> Iterator[Row]:
    """The runs of the source, as they are read here."""
    there = {name: results[name] for name in SOURCE if results.get(name)}
    for name, found in there.items():
        shares = rate_interval([online(one) for one in found])
        yield Row("Share of wins while learning, at the end", name, shares, "runs", *SHARES[name])
    yield from _schedule_rows(there)
    for name, found in there.items():
        yield Row("Exact win rate of the greedy player", name, greedy_at_end(found), "runs")
    for name, found in there.items():
        heading, active = (
            "Share of decisions in which a rule acts",
            [_activity(one, name in SCHEDULES) for one in found],
        )
        if name in SCHEDULES:
            yield Row(heading, f"{name}, its worst run", least(active), "runs", *ACTIVITY[name])
        else:
            yield Row(heading, name, rate_interval(active), "runs", *ACTIVITY[name])
    schedules = {name: found for name, found in there.items() if name in SCHEDULES}
    yield from _course_rows(schedules)
    yield from _habit_rows(schedules)
    for name, found in schedules.items():
        ends = [one.points[-1] for one in found]
        sums = [
            end.access / end.expected_access for end in ends if end.expected_access
        ]  # where rules were used
        heading = "Sum of all f, as a share of rules used in a game / forgetting"
        if sums:
            yield Row(heading, name, mean_interval(sums), "runs", "stabilises", Claim(exact(0.9), exact(1.1)))


def _activity(run: Run, throughout: bool) -> float:
    """The share of decisions in which a rule acts: the least from ``EARLY`` games on, or at the end."""
    shares = [point.activity for point in run.points if point.games >= EARLY] if throughout else []
    return min(shares or [run.points[-1].activity])


def _schedule_rows(there: Results) -> Iterator[Row]:
    """Rows on the shares of wins by a rising beta less those by a constant one, in runs of the same seeds."""
    for name, claim, said in (("rising-20", above(0.0), "0.1"), ("rising-10", below(0.0), "-0.05")):
        pairs = [
            (one, other)
            for one in there.get(name, ())
            for other in there.get("constant", ())
            if one.config.seed == other.config.seed
        ]
        if len(pairs) > 1:
            more = paired_difference([online(one) for one, _ in pairs], [online(other) for _, other in pairs])
            heading = "Share of wins while learning, at the end, less that of constant"
            yield Row(heading, name, more, "seeds", said, claim)


def _course_rows(there: Results) -> Iterator[Row]:
    """Rows on the steadiness of the share of wins."""
    heading = "Course of the share of wins while learning"
    for name, found in there.items():
        kept = [online(one) / max(*(point.online for point in one.points), 1e-9) for one in found]
        yield Row(
            heading,
            f"{name}: the worst run at its end, as a share of its own best",
            least(kept),
            "runs",
            "no run collapses",
            above(0.5),
        )
        worst = least([online(one) for one in found])
        quantity = f"{name}: the worst run at its end"
        yield Row(heading, quantity, worst, "runs", "not near zero", above(0.1))
        in_order = [in_order_of(equal_steps(one)) for one in found]
        yield Row(
            heading,
            f"{name}: pairs of points of which the later wins more",
            rate_interval(in_order),
            "runs",
            "typically monotone",
            above(0.75),
        )


def equal_steps(run: Run) -> list[float]:
    """The share of wins by game, at points that are equally far apart: a twentieth of all games."""
    step = max(run.points[-1].games // 20, 1)
    return [point.online for point in run.points if point.games % step == 0]


def in_order_of(shares: Sequence[float]) -> float:
    """The share of pairs of which the later one is greater, an equal one counts half.

    >>> in_order_of([0.1, 0.3, 0.2])
    0.6666666666666666
    """
    pairs = list(combinations(shares, 2))
    return sum((later > earlier) + 0.5 * (later == earlier) for earlier, later in pairs) / max(len(pairs), 1)


def _habit_rows(there: Results) -> Iterator[Row]:
    """The rules that are used most, and double-deals."""
    for name, found in there.items():
        some = rate_interval([float(one.habits.completing > 0) for one in found])
        quantity = f"{name}: runs in which a rule that completes a box is among the five of greatest f"
        yield Row("Rules of the source", quantity, some, "runs", "among the most common", above(0.5))
        into = rate_interval([float(any(map(plays_into_chain, one.habits.commonest))) for one in found])
        quantity = (
            f"{name}: runs in which a rule that plays into a long chain is among the five of greatest f"
        )
        yield Row("Rules of the source", quantity, into, "runs", "among the most common", above(0.5))
        dealt = [one.habits.double_deals / one.habits.chances for one in found if one.habits.chances]
        if dealt:
            quantity = f"{name}: classes in which double-dealing pays and the greedy player does"
            yield Row("Rules of the source", quantity, rate_interval(dealt), "runs", "not seen", below(0.1))


def plays_into_chain(text: str) -> bool:
    """True if a rule takes a box by the side to a chain of at least two, as the printed one does."""
    (named,) = parse(text).program.rules
    ends = [named.rule.graph.nodes[number] for number in named.rule.action[:2] if number >= 0]
    return {end.symbol for end in ends} == {"x", "l"} and all(end.length != 1 for end in ends)


def reading_rows(results: Results, games: int) -> Iterator[Row]:
    """Rows on the readings of the source: parents, and the rate of Q."""
    after = f"after {games:,} games, by parents, rate of Q, and schedule or ablation"
    there = {name: results[name] for name in READINGS if results.get(name)}
    for name, found in there.items():
        yield Row(f"Share of wins while learning {after}", name, rate_interval([*map(online, found)]), "runs")
    for name, found in there.items():
        yield Row(f"Exact win rate of the greedy player {after}", name, greedy_at_end(found), "runs")
    for name, found in there.items():
        counts = mean_interval([float(one.points[-1].rules) for one in found])
        yield Row(f"Rules {after}: deletion begins at 1,000", name, counts, "runs")


def sweep_rows(results: Results, games: int) -> Iterator[Row]:
    """Rows of the sweep over the constants that the source does not print."""
    heading = f"Constants that the source does not print: share of wins while learning after {games:,} games"
    for name in (CHOSEN, *SWEEP):
        if results.get(name):
            yield Row(heading, name, rate_interval([*map(online, results[name])]), "runs")
