"""Rows whose criteria are the source's numbers: f apart from Q, the three schedules, strength of opponents, rules.

Those on the runs of ``runs.FURTHER`` were written before any of these runs was made; those on the older runs, of
the three schedules, the readings and the ablations, after them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from gpkit.core.registry import data_folder
from gpkit.core.statistics import ROUNDING, Interval
from gpkit.games.dots_and_boxes.exact import choices_of, choices_of_plan, result, rule_values
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.genomes.graph import Rule, RuleList
from gpkit.languages.rulegraph.text import parse
from gpkit.matching.plan import plan, plan_of
from gpkit_experiments.papers.dots_and_boxes.runs import (
    ABLATIONS,
    APART,
    BEGINNINGS,
    CHOSEN,
    EASE,
    EMPTIED,
    LITERAL,
    RATES,
    READINGS,
    SCHEDULES,
    SWEEP,
    TABLED,
    TOGETHER,
    Run,
)
from gpkit_experiments.papers.paper import Claim, Row, above, below, exact
from gpkit_experiments.papers.units import by_values, least, mean_interval, paired_difference, rate_interval

SOURCE = (*SCHEDULES, *ABLATIONS)

NEAR = 0.05
"""Distance within which something is about a number, as in the rows on single shares."""


def about(value: float) -> Claim:
    """The claim that a quantity is about a number."""
    return Claim(exact(round(value - NEAR, 4)), exact(round(value + NEAR, 4)))


SHARES: Mapping[str, tuple[str, Claim]] = {
    "constant": ("about 0.4", about(0.4)),
    "rising-20": ("0.5, from 0.45 to 0.55", about(0.5)),
    "rising-10": ("close to 0.35", about(0.35)),
    "quality-only": ("below 0.01", below(0.01)),
    "combined": ("0.10", about(0.1)),
}
"""Published shares of wins while learning, and the claims tested."""

ACTIVITY: Mapping[str, tuple[str, Claim]] = {
    **dict.fromkeys(SCHEDULES, ("above 0.99 after 1000 games", above(0.99))),
    "quality-only": ("0.10", about(0.1)),
    "combined": ("most states", above(0.5)),
}
"""Published shares of decisions in which a rule acts, and the claims tested."""

EARLY = 1_000
"""The rules of the source act nearly everywhere after so many games."""

Results = Mapping[str, Sequence[Run]]
"""Runs by name; of a name there may be none."""


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
        pairs = paired(there.get(name, ()), there.get("constant", ()))
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


BOARD = DotsAndBoxesRules(3, 3)

SOURCE_SHARES: Mapping[str, float] = {
    "constant": 0.4,
    "rising-20": 0.5,
    "rising-10": 0.35,
    "quality-only": 0.01,
    "combined": 0.1,
}
"""Shares of wins as the source prints them; that of ``quality-only`` is below this."""

COMBINED = "niche, rate 0.02, combined"
"""The run of the combined measure that is as long as the run ``CHOSEN``."""

TO_DECIDE = (1.96 + 0.84) ** 2
"""This times the variance, over the square of a difference, is how many pairs find it four times in five."""


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
            "constant: rules that match in 1% of them or more",
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

    gpkit no longer has this learner; the record names the commit that has it.
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
    (found,) = rule_values(plan([rule]), BOARD)
    assert found.mean_value is not None and found.regret is not None
    return found.mean_value - found.regret


def rate_in_source_language(name: str) -> float:
    """The exact win rate against ``chain`` of a shipped list that has nothing beyond the source's language."""
    rules = shipped(name)
    assert rules.level == 0
    return result(choices_of_plan(plan_of(rules), BOARD), choices_of("chain", BOARD), BOARD).mean


AT_TENTH = 0.01
"""The source's rules that act in a tenth of positions win less than this share."""

CLOSELY = 0.5
"""Ranks that go together have a correlation above this."""

BOX = 0.5
"""A quality is that of its rule within so many boxes."""

STEADIER = 0.1
"""By so much of its mean the chance of the best rule varies less among ten rules than among all."""


def population_rows(record: Mapping[str, Any]) -> Iterator[Row]:
    """Rows of ``populations-dots-and-boxes.json``."""
    found = list(record["runs"].values())
    if len(found) < 2:
        return
    covered = {share: [run["covered"][share] for run in found] for share in ("1", "0.5", "0.1")}
    heading = "Coverage: exact win rate of the same rules where they are silent in some classes of positions"
    for share, name in (("1", "in none"), ("0.5", "in half of them"), ("0.1", "in nine tenths of them")):
        said, claim = ("0.10 of states: below 0.01", below(AT_TENTH)) if share == "0.1" else ("", None)
        yield Row(heading, name, rate_interval(covered[share]), "runs", said, claim)
    halves = [(half, whole / 2) for half, whole in zip(covered["0.5"], covered["1"], strict=True)]
    quantity = "in half of them, less half of the rate of all"
    yield Row(heading, quantity, less(halves), "runs", "essential", below(0.0))
    more = [(run["reordered"], run["covered"]["1"]) for run in found]
    heading = "Precedence by Q: exact win rate of the same rules"
    quantity = "each moved to where games gain most by it, less the order by Q"
    yield Row(heading, quantity, less(more), "runs", "sufficient", below(NEAR))
    heading = "Accessibility, rank correlation with how often positions come in which a rule matches"
    niches = mean_interval([run["niches"] for run in found], support=(-1.0, 1.0))
    yield Row(heading, "f", niches, "runs", "representative", above(CLOSELY))
    mixed = mean_interval([run["niches, f exchanged"] for run in found], support=(-1.0, 1.0))
    yield Row(heading, "f exchanged among rules", mixed, "runs")
    heading = "Quality beside the mean reward of the games in which a rule acts"
    for part in ("seldom", "often"):
        ranks = mean_interval([run[part]["correlation"] for run in found], support=(-1.0, 1.0))
        said, claim = ("independent of frequency", above(CLOSELY)) if part == "seldom" else ("", None)
        quantity = f"rank correlation, the half of rules that act {part}"
        yield Row(heading, quantity, ranks, "runs", said, claim)
    apart = mean_interval([run["seldom"]["above"] - run["often"]["above"] for run in found])
    quantity = "boxes that Q is above it, rules that act seldom less those that act often"
    claim = Claim(exact(-BOX), exact(BOX))
    yield Row(heading, quantity, apart, "runs", "independent of frequency", claim)
    heading = "Variation of the chance of the best rule over decisions, as a share of its mean"
    for beta in found[0]["unsteady"]:
        of_ten, of_all = zip(*(run["unsteady"][beta] for run in found), strict=True)
        more_varied = mean_interval([b - a for a, b in zip(of_ten, of_all, strict=True)])
        quantity = f"among all rules that match less among the ten best, beta {float(beta):g}"
        yield Row(heading, quantity, more_varied, "runs", "consistent", above(STEADIER))


def beginning_rows(results: Results) -> Iterator[Row]:
    """Rows on the average reward as the quality with which rules begin, beside numbers that somebody chose."""
    for begin, name in BEGINNINGS.items():
        pairs = paired(results.get(APART, ()), results.get(name, ()))
        if len(pairs) > 1:
            games = pairs[0][0].config.games
            heading = f"Quality of a new rule, share of wins while learning after {games:,} games"
            shares = [(online(one), online(other)) for one, other in pairs]
            quantity = f"the average reward less {begin:g} boxes"
            yield Row(heading, quantity, less(shares), "seeds", "need not be arbitrary", above(-NEAR))
