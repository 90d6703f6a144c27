"""Dominance graph of significant wins, and its cycles: where there are any, no single number orders the programs."""

from dataclasses import dataclass
from itertools import combinations

import networkx as nx

from gpkit.core.statistics import LEVEL, paired_difference
from gpkit.playing.match import joint_courses
from gpkit.playing.tournament import Tournament

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Order:
    """The wins that are beyond chance.

    Attributes:
        programs: all of them.
        wins: (winner, loser), in the order of the cross table.
        undecided: pairs of which neither is known to beat the other.
        cycles: one shortest circle of wins for each group of programs that beat each other in circles.
    """

    programs: tuple[str, ...]
    wins: tuple[Pair, ...]
    undecided: tuple[Pair, ...]
    cycles: tuple[tuple[str, ...], ...]

    @property
    def verdict(self) -> str:
        """One sentence."""
        if self.cycles:
            return "; ".join(f"a cycle: {' beats '.join((*cycle, cycle[0]))}" for cycle in self.cycles)
        if self.undecided:
            pairs = len(self.wins) + len(self.undecided)
            return f"no cycle; {len(self.undecided)} of {pairs} pairs are not distinguished"
        ranked = sorted(self.programs, key=lambda name: -sum(winner == name for winner, _ in self.wins))
        rest = ", and each also beats everyone after it" if len(ranked) > 2 else ""
        return f"no cycle: {' beats '.join(ranked)}{rest}"


def find_order(tournament: Tournament) -> Order:
    """The significant wins of a round robin.

    Program i beats j if i alone among copies of j scores more than j alone among copies of i, in a comparison paired by
    deal. The confidence of each comparison is raised so that with 95 % certainty none of all these wins is an accident
    (Bonferroni), and so no cycle either.
    """
    names = tournament.programs
    level = 1.0 - (1.0 - LEVEL) / (len(names) * (len(names) - 1) // 2)
    wins: list[Pair] = []
    undecided: list[Pair] = []
    for i, j in combinations(range(len(names)), 2):
        forth, back = tournament.cells[i][j], tournament.cells[j][i]
        assert forth is not None
        assert back is not None
        courses = joint_courses([forth, back])
        support = forth.metric.support
        difference = paired_difference(
            forth.by_deal, back.by_deal, support=support, level=level, courses=courses
        )
        if not difference.excludes(0.0):
            undecided.append((names[i], names[j]))
        else:
            wins.append((names[i], names[j]) if difference.mean > 0.0 else (names[j], names[i]))
    return Order(names, tuple(wins), tuple(undecided), _cycles(names, wins))


def _cycles(names: tuple[str, ...], wins: list[Pair]) -> tuple[tuple[str, ...], ...]:
    """For every strongly connected group of two or more, one of its shortest cycles; the first in the table's order."""
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(wins)
    groups = [group for group in nx.strongly_connected_components(graph) if len(group) > 1]
    groups.sort(key=lambda group: min(map(names.index, group)))
    return tuple(_shortest_cycle(graph, [name for name in names if name in group]) for group in groups)


def _shortest_cycle(graph: "nx.DiGraph[str]", group: list[str]) -> tuple[str, ...]:
    """A win of the group and the shortest way of wins back, for the win of which that way is shortest."""
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
