"""Rows whose criteria are the source's numbers: f apart from Q, the three schedules, strength of opponents, rules.

Those on the runs of ``readings.FURTHER`` were written before any of these runs was made; those on the older runs, of
the three schedules, the readings and the ablations, after them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from gpkit.core.registry import data_folder
from gpkit.core.statistics import ROUNDING, Interval
from gpkit.games.dots_and_boxes.exact import choices_of, choices_of_plan, result, worth
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.genomes.graph import Rule, RuleList
from gpkit.languages.rulegraph.parser import parse
from gpkit.matching.plan import plan, plan_of
from gpkit_experiments.papers.dots_and_boxes.readings import (
    APART,
    CHOSEN,
    EASE,
    EMPTIED,
    LITERAL,
    RATES,
    SCHEDULES,
    TABLED,
    TOGETHER,
)
from gpkit_experiments.papers.dots_and_boxes.runs import Run
from gpkit_experiments.papers.dots_and_boxes.source_rows import SHARES, Results, online, rate_interval
from gpkit_experiments.papers.paper import Claim, Row, above, below, exact
from gpkit_experiments.papers.units import by_values, mean_interval, paired_difference

BOARD = Rules(3, 3)

SOURCE_SHARES: Mapping[str, float] = {
    "constant": 0.4,
    "rising-20": 0.5,
    "rising-10": 0.35,
    "quality-only": 0.01,
    "combined": 0.1,
}
"""Shares of wins as the source prints them; that of ``quality-only`` is below this."""

NEAR = 0.05
"""Distance within which something is about a number, as in the rows on single shares."""

COMBINED = "niche, rate 0.02, combined"
"""The run of the combined measure that is as long as the run ``CHOSEN``."""

TO_DECIDE = (1.96 + 0.84) ** 2
"""This times the variance, over the square of a difference, is how many pairs find it four times in five."""


def about(value: float) -> Claim:
    """The claim that a quantity is about a number."""
    return Claim(exact(round(value - NEAR, 4)), exact(round(value + NEAR, 4)))


def between(first: str, second: str) -> float:
    """The difference of two shares of the source."""
    return round(SOURCE_SHARES[first] - SOURCE_SHARES[second], 4)


def paired(first: Sequence[Run], second: Sequence[Run]) -> list[tuple[Run, Run]]:
    """Pairs of runs of the same seed."""
    of_seed = {one.config.seed: one for one in second}
    return [(one, of_seed[one.config.seed]) for one in first if one.config.seed in of_seed]


def less(pairs: Sequence[tuple[float, float]]) -> Interval:
    """The mean difference of pairs of numbers from 0 to 1."""
    first, second = zip(*pairs, strict=True)
    return paired_difference(first, second, support=(0.0, 1.0))


def further_rows(results: Results) -> Iterator[Row]:
    """All of them, of what runs there are."""
    yield from apart_rows(results)
    yield from schedule_rows(results)
    yield from literal_rows(results)
    yield from ease_rows(results)
    yield from specificity_rows(results)
    yield from table_rows(results)
    yield from language_rows()


def apart_rows(results: Results) -> Iterator[Row]:
    """Rows on the central claim: f apart from Q is better and steadier than one number for both."""
    heading = "f apart from Q, less one number for both on the same seeds, after 100,000 games"
    pairs = paired(results.get(APART, ()), results.get(TOGETHER, ()))
    if len(pairs) > 1:
        shares = [(online(one), online(other)) for one, other in pairs]
        greedy = [(one.points[-1].greedy, other.points[-1].greedy) for one, other in pairs]
        medians = np.median(shares, axis=0)
        distances = [(abs(one - medians[0]), abs(other - medians[1])) for one, other in shares]
        name, said = "constant less quality-only", "enhanced"
        yield Row(heading, f"{name}, share of wins while learning", less(shares), "seeds", said, above(0.0))
        yield Row(
            heading, f"{name}, exact win rate of the greedy player", less(greedy), "seeds", said, above(0.0)
        )
        quantity = f"{name}, distance of a run's share of wins from the median of its kind"
        yield Row(heading, quantity, less(distances), "seeds", "steadier", below(0.0))
        active = [(one.points[-1].activity, other.points[-1].activity) for one, other in pairs]
        quantity, said = f"{name}, share of decisions in which a rule acts", "enforce wide coverage"
        yield Row(heading, quantity, less(active), "seeds", said, above(0.0))
        yield from deciding_rows(heading, f"{name}, pairs that would find {NEAR}", shares, NEAR)
    combined = paired(results.get(CHOSEN, ()), results.get(COMBINED, ()))
    if len(combined) > 1:
        shares = [(online(one), online(other)) for one, other in combined]
        quantity = "constant less combined, share of wins while learning"
        yield Row(heading, quantity, less(shares), "seeds", "enhanced", above(0.0))
    heading = "f apart from Q, less one number for both on the same seeds, after 1,000,000 games"
    for name in ("quality-only", "combined"):
        pairs = paired(results.get("constant", ()), results.get(name, ()))
        if len(pairs) < 2:
            continue
        shares = [(online(one), online(other)) for one, other in pairs]
        size = between("constant", name)
        least = name == "quality-only"
        claim, said = (above(size - NEAR), f"{size:.2f} or more") if least else (about(size), f"{size:.2f}")
        yield Row(heading, f"constant less {name}, in size", less(shares), "seeds", said, claim)
        yield Row(heading, f"constant less {name}", less(shares), "seeds", "enhanced", above(0.0))
        mean = float(np.mean([one - other for one, other in shares]))
        quantity = f"constant less {name}, pairs that would find what these differ by"
        yield from deciding_rows(heading, quantity, shares, mean)


def deciding_rows(
    heading: str, quantity: str, shares: Sequence[tuple[float, float]], difference: float
) -> Iterator[Row]:
    """The row of the number of pairs that find a difference four times in five, at the variance of these.

    There is none where nothing differs but for rounding, which no number of pairs would find.
    """
    if abs(difference) > ROUNDING:
        yield Row(
            heading,
            quantity,
            deciding([one for one, _ in shares], [other for _, other in shares], difference),
            "pairs",
        )


@by_values
def deciding(first: Sequence[float], second: Sequence[float], difference: float) -> int:
    """The number of such pairs that find a difference four times in five."""
    variance = float(np.var(np.subtract(first, second), ddof=1))
    return math.ceil(TO_DECIDE * variance / difference**2)


def schedule_rows(results: Results) -> Iterator[Row]:
    """Rows on the three schedules: sizes of differences, order, maximum, speed, equality with the opponent."""
    there = {name: results[name] for name in SCHEDULES if len(results.get(name, ())) > 1}
    if len(there) < len(SCHEDULES):
        return
    heading = "The three schedules, share of wins while learning at the end"
    for first, second in (("rising-20", "constant"), ("rising-10", "constant"), ("rising-20", "rising-10")):
        shares = [(online(one), online(other)) for one, other in paired(there[first], there[second])]
        size = between(first, second)
        quantity = f"{first} less {second}, in size"
        yield Row(heading, quantity, less(shares), "seeds", f"{size:.2f}", about(size))
    ordered = [
        float(online(high) > online(middle) > online(low))
        for high, middle in paired(there["rising-20"], there["constant"])
        for _, low in paired([middle], there["rising-10"])
    ]
    quantity = "seeds on which rising-20 wins more than constant, and that more than rising-10"
    yield Row(heading, quantity, rate_interval(ordered), "seeds", "in this order", above(0.5))
    within = [float(0.45 <= online(one) <= 0.55) for one in there["rising-20"]]
    quantity = "runs of rising-20 that end between 0.45 and 0.55"
    yield Row(heading, quantity, rate_interval(within), "runs", "0.45 to 0.55", above(0.5))
    for name, found in there.items():
        said = f"about {SOURCE_SHARES[name]:g}"
        heading = "The three schedules, maximum of the mean course"
        yield Row(heading, name, highest_mean(found), "runs", said, about(SOURCE_SHARES[name]))
    heading = "The three schedules, games until half of a run's own best share of wins"
    for name, found in there.items():
        yield Row(heading, name, mean_interval([games_to_half(one) for one in found]), "runs")
    for first, second in (("rising-20", "constant"), ("rising-10", "rising-20")):
        games = [
            (games_to_half(one), games_to_half(other)) for one, other in paired(there[first], there[second])
        ]
        slower = paired_difference(*zip(*games, strict=True))
        yield Row(heading, f"{first} less {second}", slower, "seeds", "more slowly", above(0.0))
    yield from _equality_rows(there)


def _equality_rows(there: Results) -> Iterator[Row]:
    """Rows on when play is as good as that of the opponent."""
    heading = "Equality with the opponent, share of wins while learning"
    for name, found in there.items():
        shares = [point.online for one in found for point in one.points if point.games == 200_000]
        if shares:
            best = name == "rising-20"
            said, claim = ("equal", about(0.5)) if best else ("", None)
            yield Row(heading, f"{name} after 200,000 games", rate_interval(shares), "runs", said, claim)
    reached = [float(max(point.online for point in one.points) >= 0.5) for one in there["rising-20"]]
    quantity = "runs of rising-20 that win half of the games of some twentieth"
    yield Row(heading, quantity, rate_interval(reached), "runs", "equal", above(0.5))


def highest_mean(found: Sequence[Run]) -> Interval:
    """The share of wins where its mean over runs is highest."""
    at = zip(*(one.points for one in found), strict=True)
    return max((rate_interval([point.online for point in points]) for points in at), key=lambda it: it.mean)


def games_to_half(run: Run) -> float:
    """Games after which a run first wins half of its own best share."""
    half = max(point.online for point in run.points) / 2
    return float(next(point.games for point in run.points if point.online >= half))


def literal_rows(results: Results) -> Iterator[Row]:
    """Rows on parents that are drawn from all rules, as the source literally says, also of the shorter runs."""
    shorter = {schedule: f"population, rate {RATES[0]:g}, {schedule}" for schedule in SCHEDULES}
    for schedule, name in [*shorter.items(), *LITERAL.items()]:
        if found := results.get(name):
            heading = f"Parents drawn from all rules, after {found[0].config.games:,} games"
            shares = rate_interval([online(one) for one in found])
            yield Row(heading, f"{schedule}, share of wins while learning", shares, "runs", *SHARES[schedule])
            rules = mean_interval([float(one.points[-1].rules) for one in found])
            yield Row(heading, f"{schedule}, rules", rules, "runs", "1,000")


def ease_rows(results: Results) -> Iterator[Row]:
    """Rows on learning against one opponent that is easier than ``chain``, and one that is harder."""
    heading = "Opponents of other strength, constant after 100,000 games"
    for opponent, name in EASE.items():
        found = results.get(name, ())
        if len(found) < 2:
            continue
        shares = [(online(one), one.points[0].online) for one in found]
        said = "regardless of difficulty"
        quantity = f"{opponent}: share of wins while learning, less that of the first 1,000 games"
        yield Row(heading, quantity, less(shares), "runs", said, above(0.0))
        yield Row(heading, f"{opponent}: share of wins", rate_interval([one for one, _ in shares]), "runs")


def specificity_rows(results: Results) -> Iterator[Row]:
    """Rows on how general and how special rules are, by a sample of classes of positions."""
    heading = "Rules after 100,000 games, by 2,000 classes of positions"
    pairs = paired(results.get(APART, ()), results.get(TOGETHER, ()))
    shares = {
        name: [one.habits for one in found]
        for name, found in (
            ("constant", [one for one, _ in pairs]),
            ("quality-only", [one for _, one in pairs]),
        )
    }
    if len(pairs) < 2:
        return
    general = {name: [each.general or 0.0 for each in found] for name, found in shares.items()}
    special = {name: [each.specific or 0.0 for each in found] for name, found in shares.items()}
    for quantity, rates, said, claim in (
        (
            "constant: rules that match in 1 % of them or more",
            general["constant"],
            "some more general",
            above(0.1),
        ),
        ("constant: rules that match in none of them", special["constant"], "some specific", above(0.1)),
        ("quality-only: rules that match in none of them", special["quality-only"], "each rule", above(0.9)),
    ):
        yield Row(heading, quantity, rate_interval(rates), "runs", said, claim)
    more = less(list(zip(special["quality-only"], special["constant"], strict=True)))
    quantity = "rules that match in none of them, quality-only less constant"
    yield Row(heading, quantity, more, "seeds", "preference on specialised rules", above(0.0))


def table_rows(results: Results) -> Iterator[Row]:
    """Rows on ours with and without its memory of what classes are worth: nothing else differs."""
    pairs = paired(results.get(EMPTIED, ()), results.get(TABLED, ()))
    if len(pairs) < 2:
        return
    heading = "The table of ours emptied after every ten games, exact win rate after 100,000 games"
    rates = [(one.points[-1].greedy, other.points[-1].greedy) for one, other in pairs]
    for place, name in enumerate(("emptied", "kept")):
        yield Row(heading, name, rate_interval([pair[place] for pair in rates]), "runs")
    yield Row(heading, "emptied less kept", less(rates), "seeds", "", below(0.0))


def language_rows() -> Iterator[Row]:
    """Rows that need no runs: the printed rule of Q 8.99, and a list in the source's language that beats ``chain``."""
    heading = "The language of the source, computed"
    value = exact(value_of_rule(printed_rule()))
    quantity = "what the printed rule of Q 8.99 is worth with perfect play, in boxes"
    claim = Claim(exact(8.94), exact(9.04))
    yield Row(heading, quantity, value, "classes", "8.99", claim, exact=True)
    rate = exact(rate_in_source_language("double-dealer"))
    quantity = "double-dealer, exact win rate against chain"
    yield Row(heading, quantity, rate, "rates", "equality may be optimal", below(0.5 + NEAR), exact=True)


def placed_rows(record: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of ``placed-dots-and-boxes.json``: our strongest learner, its table alone, and what it never met.

    gpkit does not have this learner any more: the record names the commit that has it.
    """
    ends = [run["1000000"]["chain"] for run in record["runs"].values()]
    heading = "Preset placed after 1,000,000 games"
    said, claim = "equality may be optimal", below(0.5 + NEAR)
    rules = rate_interval([end["rules"] for end in ends])
    yield Row(heading, "its rules, exact win rate against chain", rules, "runs", said, claim)
    table = rate_interval([end["table"] for end in ends])
    quantity = "its table of classes without rules, exact win rate against chain"
    yield Row(heading, quantity, table, "runs", "learning by states is impractical", below(0.5))
    found = list(record.get("held_out", {"runs": {}})["runs"].values())
    if len(found) < 2:
        return
    for part, where in (("end", "at the end"), ("chosen", "at the point that is best against control")):
        heading = f"Preset placed on seeds of their own, {where}"
        for name in found[0]["end"]:
            what = f"against chain on {name}" if name[0].isdigit() else f"exact against {name}"
            yield Row(heading, what, rate_interval([run[part][name] for run in found]), "runs")
    heading = "Preset placed on seeds of their own, its course and its time"
    for name in ("chain", "greedy"):
        steps = [largest_step([at[name] for at in run["points"].values()]) for run in found]
        quantity = f"largest change against {name} from a point to the next, second half"
        yield Row(heading, quantity, rate_interval(steps), "runs")
    apart = rate_interval([abs(run["end"]["4x4"] - run["chosen"]["4x4"]) for run in found])
    yield Row(heading, "difference of the two points against chain on 4x4", apart, "runs")
    seconds = mean_interval([run["seconds"] for run in found], support=(0.0, math.inf))
    yield Row(heading, "seconds of one core in user mode", seconds, "runs")


def largest_step(rates: Sequence[float]) -> float:
    """The largest change between two successive points of the second half."""
    late = rates[len(rates) // 2 :]
    return max(abs(after - before) for before, after in pairwise(late))


def shipped(name: str) -> RuleList:
    """The list of a shipped file."""
    path = data_folder("programs") / "dots_and_boxes" / f"{name}.rules"
    return parse(path.read_text(encoding="utf-8")).program


def printed_rule() -> Rule:
    """The printed rule with the Q of 8.99."""
    (found,) = (named.rule for named in shipped("printed").rules if named.q == 8.99)
    return found


def value_of_rule(rule: Rule) -> float:
    """The mean value of what a rule draws, over the classes in which it matches and by perfect play."""
    (found,) = worth(plan([rule]), BOARD)
    assert found.mean_value is not None and found.regret is not None
    return found.mean_value - found.regret


def rate_in_source_language(name: str) -> float:
    """The exact win rate against ``chain`` of a shipped list that has nothing beyond the source's language."""
    rules = shipped(name)
    assert rules.level == 0
    return result(choices_of_plan(plan_of(rules), BOARD), choices_of("chain", BOARD), BOARD).mean
