"""Rows on what the source says of its rules: coverage, order by Q, what f and Q stand for, the choice among the best.

Criteria, seeds and sizes were written before any of these runs was made (``gpkit_experiments.learned_populations``, and
the jobs of ``readings.BEGINNINGS``).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gpkit_experiments.papers.dots_and_boxes.further_rows import NEAR, less, paired
from gpkit_experiments.papers.dots_and_boxes.readings import APART, BEGINNINGS
from gpkit_experiments.papers.dots_and_boxes.source_rows import Results, online, rate_interval
from gpkit_experiments.papers.paper import Claim, Row, above, below, exact
from gpkit_experiments.papers.units import mean_interval

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
