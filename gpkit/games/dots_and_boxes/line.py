"""Best line of a position, and who is in control in it (Berlekamp, "The Dots and Boxes Game", 2000).

The player in control is the one to whom the first long chain, or loop, is given: from then on the other one has to give
all that follow. Who that will be is what the middle of a game is about.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gpkit.games.dots_and_boxes.kernel.endgame import SHORT, SHORT_LOOP
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.search import Memory, reaches_by, searched_value
from gpkit.games.dots_and_boxes.state_graph import StateGraph, state_graph


@dataclass(frozen=True, slots=True)
class Control:
    """Gift of the first long chain or loop in a line.

    Attributes:
        turn: number of edges of the line that are drawn before it.
        player: to whom it is given.
        chains: boxes of each long chain that is there then, ascending.
        loops: the same of loops.
    """

    turn: int
    player: int
    chains: tuple[int, ...]
    loops: tuple[int, ...]


def best_line(state: State, memory: Memory) -> tuple[int, ...]:
    """Edges to the end of a game that both play as well as can be; of equally good edges the first in their order."""
    line: list[int] = []
    value = searched_value(state, memory)
    while not state.is_terminal:
        edges = state.legal_actions()
        line.append(next(edge for edge in edges if reaches_by(state, edge, value, memory)))
        closed = len(state.closed_by(line[-1]))
        value = value - closed if closed else -value
        state = state.apply(line[-1])
    return tuple(line)


def control_of(state: State, line: Sequence[int]) -> Control | None:
    """The first gift of a long chain or loop in a line; None if there is none."""
    for turn, edge in enumerate(line):
        graph = state_graph(state)
        if not _can_take(state) and _long_through(edge, graph):
            lengths = [
                (node.length, _is_loop(number, graph))
                for number, node in enumerate(graph.graph.nodes)
                if _is_long(number, graph)
            ]
            chains = tuple(sorted(length for length, is_loop in lengths if not is_loop))
            loops = tuple(sorted(length for length, is_loop in lengths if is_loop))
            return Control(turn, 1 - state.current_player, chains, loops)
        state = state.apply(edge)
    return None


def _can_take(state: State) -> bool:
    """Whether a box has one undrawn side."""
    return any(state.undrawn_sides(box) == 1 for box in range(state.rules.boxes))


def _long_through(edge: int, graph: StateGraph) -> bool:
    """Whether an edge belongs to a long chain or a loop."""
    return any(edge in path and _is_long(node, graph) for node, path in enumerate(graph.paths))


def _is_long(node: int, graph: StateGraph) -> bool:
    """Whether a node is a chain or a loop whose last boxes can be left."""
    return graph.graph.nodes[node].length > (SHORT_LOOP if _is_loop(node, graph) else SHORT)


def _is_loop(node: int, graph: StateGraph) -> bool:
    return graph.ends[node] == (node, node)
