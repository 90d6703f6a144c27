"""Ratings of the programs in a round robin, each a number with an interval, and cycles of wins.

Ratings from shares of wins and from ranks use the model of Luce (1959) and Plackett (1975). Program i has a weight w_i,
and each program still in the game is the next to finish with a probability proportional to its weight. One i among m
copies of j then wins with probability w_i / (w_i + m w_j), and finishes before any one of them with probability
w_i / (w_i + w_j), which is its expected rank score. With two seats, this is the model of Bradley and Terry (1952).
Weights are shown on the Elo scale, on which 400 more points mean ten times the weight. A game without a winner counts
as not won by the program in the row, as it does in the score itself. Each of two programs is in the row once, so this
convention favours neither program.

For any other score (points), the ratings are advantages: numbers r whose differences r_i − r_j are the least-squares
fit to the scores.

Intervals are percentiles of a bootstrap over deals (Efron 1979): a resample draws deals, the same for all pairs.

If the graph of significant wins (dominance) has cycles, no ranking by a single number agrees with all the wins.
"""

import math
from dataclasses import dataclass
from itertools import combinations

import networkx as nx
import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.rng import stream
from gpkit.core.statistics import LEVEL, Interval, paired_difference
from gpkit.playing.contest import Tournament
from gpkit.playing.results import joint_courses

RESAMPLES = 1000
"""The number of bootstrap resamples; about 25 of their values lie beyond each end of an interval."""

ELO = 400.0 / math.log(10.0)
"""The number of rating points that correspond to a factor of e in the weight."""

_ACCURACY = 1e-9
_MAX_STEPS = 20_000


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of one program: its rating with an interval, and its mean score in the cross table."""

    program: str
    interval: Interval
    score: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a round robin.

    Attributes:
        model: ``plackett-luce`` or ``advantage``.
        unit: the name of the unit of a rating.
        ratings: the ratings, from best to worst; their mean is 0.
        misfit: the largest difference between a cell of the cross table and the value that the ratings predict for the
            cell.
    """

    model: str
    unit: str
    ratings: tuple[Rating, ...]
    misfit: float


def rate(tournament: Tournament, *, seed: int, resamples: int = RESAMPLES) -> Ratings:
    """Rate the programs of a round robin.

    Args:
        tournament: the cross table.
        seed: the seed of the bootstrap.
        resamples: the number of resamples.
    """
    by_deal = tournament.by_deal()
    table = by_deal.mean(axis=2)
    tables = _resample(by_deal, seed, resamples)
    others = tournament.players - 1
    metric, direction = tournament.metric, tournament.metric.direction
    rivals = {"win_share": others, "win_rate": others, "rank_score": 1}.get(metric.name)
    if rivals is None or metric.lower_is_better:
        model, unit = "advantage", f"{'fewer ' if metric.lower_is_better else ''}{metric.name} a game"
        ratings, resampled = advantages(direction * table), advantages(direction * tables)
        predicted = direction * (ratings[:, None] - ratings[None, :])
    else:
        model, unit = "plackett-luce", "Elo points"
        games = tournament.results[0].games
        weights = plackett_luce(table, rivals, games)
        ratings = ELO * np.log(weights)
        resampled = ELO * np.log(plackett_luce(tables, rivals, games, start=weights))
        predicted = weights[:, None] / (weights[:, None] + rivals * weights[None, :])
    low, high = np.quantile(resampled, [0.025, 0.975], axis=0)
    means = np.nanmean(table, axis=1)
    deals = by_deal.shape[2]
    rated = [
        Rating(name, Interval(float(ratings[i]), float(low[i]), float(high[i]), deals), float(means[i]))
        for i, name in enumerate(tournament.programs)
    ]
    rated.sort(key=lambda rating: -rating.interval.mean)
    return Ratings(model, unit, tuple(rated), float(np.nanmax(np.abs(table - predicted))))


def plackett_luce(shares: Floats, rivals: int, games: int, start: Floats | None = None) -> Floats:
    """The maximum-likelihood weights, from the algorithm of Hunter (2004), which never lowers the likelihood.

    Every pair gets one extra game with an even result, so even a program that never wins has a positive weight.

    Args:
        shares: float64 (..., programs, programs): the share of program i against copies of j; the diagonal is ignored.
        rivals: the effective number of copies: if i and j have equal weights, the share is 1 / (1 + rivals).
        games: the number of games from which each share was computed.
        start: float64 (programs,): weights to start from; None means equal weights.

    Returns:
        float64 (..., programs): positive weights with a geometric mean of 1.
    """
    size = shares.shape[-1]
    others = ~np.eye(size, dtype=bool)
    won = np.where(others, (games * shares + 1.0 / (1 + rivals)) / (games + 1), 0.0)
    lost = np.where(others, 1.0 - won, 0.0)
    wins = won.sum(axis=-1) + lost.sum(axis=-2)
    weights = np.broadcast_to(np.ones(size) if start is None else start, wins.shape)
    for _ in range(_MAX_STEPS):
        inverse = others / (weights[..., :, None] + rivals * weights[..., None, :])
        raised = wins / (inverse.sum(axis=-1) + rivals * inverse.sum(axis=-2))
        raised /= np.exp(np.log(raised).mean(axis=-1, keepdims=True))
        change = np.abs(np.log(raised / weights)).max()
        weights = raised
        if change < _ACCURACY:
            break
    return weights


def advantages(scores: Floats) -> Floats:
    """Numbers with mean 0 whose differences are the least-squares fit to the scores.

    Args:
        scores: float64 (..., programs, programs): the score of program i against copies of j; the diagonal is ignored.

    Returns:
        float64 of shape (..., programs).
    """
    size = scores.shape[-1]
    known = np.where(np.eye(size, dtype=bool), 0.0, scores)
    fitted: Floats = (known.sum(axis=-1) - known.sum(axis=-2)) / (2 * size)
    return fitted


def _resample(by_deal: Floats, seed: int, resamples: int) -> Floats:
    """Cross tables for resampled deals: float64 (resamples, programs, programs)."""
    size, _, deals = by_deal.shape
    flat = np.nan_to_num(by_deal).reshape(size * size, deals)
    tables = np.empty((resamples, size * size))
    for number, table in enumerate(tables):
        chosen = stream(seed, "bootstrap", number).integers(0, deals, deals)
        table[:] = flat @ (np.bincount(chosen, minlength=deals) / deals)
    return tables.reshape(resamples, size, size)


Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Order:
    """The wins that are too clear to be explained by chance.

    Attributes:
        programs: all programs.
        wins: pairs (winner, loser), in the order of the cross table.
        undecided: pairs in which neither program is known to beat the other.
        cycles: one shortest cycle of wins for each group of programs that beat each other in a circle.
    """

    programs: tuple[str, ...]
    wins: tuple[Pair, ...]
    undecided: tuple[Pair, ...]
    cycles: tuple[tuple[str, ...], ...]

    @property
    def verdict(self) -> str:
        """One sentence that describes the order of the programs."""
        if self.cycles:
            return "; ".join(f"a cycle: {' beats '.join((*cycle, cycle[0]))}" for cycle in self.cycles)
        if self.undecided:
            pairs = len(self.wins) + len(self.undecided)
            return f"no cycle; {len(self.undecided)} of {pairs} pairs are too close to call"
        ranked = sorted(self.programs, key=lambda name: -sum(winner == name for winner, _ in self.wins))
        rest = ", and each also beats everyone after it" if len(ranked) > 2 else ""
        return f"no cycle: {' beats '.join(ranked)}{rest}"


def find_order(tournament: Tournament) -> Order:
    """The significant wins of a round robin.

    Program i beats j if one i among copies of j scores better than one j among copies of i, in a comparison paired by
    deal. A Bonferroni correction raises the confidence of each comparison. With 95% confidence, none of the wins is
    due to chance, so none of the cycles is either.
    """
    names = tournament.programs
    level = 1.0 - (1.0 - LEVEL) / (len(names) * (len(names) - 1) // 2)
    wins: list[Pair] = []
    undecided: list[Pair] = []
    for i, j in combinations(range(len(names)), 2):
        forth, back = tournament.cells[i][j], tournament.cells[j][i]
        assert forth is not None
        assert back is not None
        difference = paired_difference(
            forth.by_deal,
            back.by_deal,
            support=forth.metric.support,
            level=level,
            courses=joint_courses([forth, back]),
        )
        if not difference.excludes(0.0):
            undecided.append((names[i], names[j]))
        else:
            better = difference.verdict(forth.metric.direction) == "better"
            wins.append((names[i], names[j]) if better else (names[j], names[i]))
    return Order(names, tuple(wins), tuple(undecided), _cycles(names, wins))


def _cycles(names: tuple[str, ...], wins: list[Pair]) -> tuple[tuple[str, ...], ...]:
    """One shortest cycle for each strongly connected group of two or more programs, in the order of the table."""
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(wins)
    groups = [group for group in nx.strongly_connected_components(graph) if len(group) > 1]
    groups.sort(key=lambda group: min(map(names.index, group)))
    return tuple(_shortest_cycle(graph, [name for name in names if name in group]) for group in groups)


def _shortest_cycle(graph: "nx.DiGraph[str]", group: list[str]) -> tuple[str, ...]:
    """The shortest cycle in a group: a win, and the shortest chain of wins from its loser back to its winner."""
    inside = graph.subgraph(group)
    ways = [
        nx.shortest_path(inside, loser, winner)
        for winner in group
        for loser in group
        if inside.has_edge(winner, loser)
    ]
    shortest = min(ways, key=len)
    start = min(range(len(shortest)), key=lambda place: group.index(shortest[place]))
    return (*shortest[start:], *shortest[:start])
