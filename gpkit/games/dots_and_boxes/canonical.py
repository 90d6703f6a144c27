"""One graph for all graphs that are the same but for the numbers of their nodes.

Nodes are coloured by what they are, then again and again by the colours around them; where nodes of one colour remain,
each is tried as the first of them, and the least graph is taken (McKay, "Practical graph isomorphism", 1981). It is
exact, and quick for graphs as small as those of boards and rules. Components are ordered on their own.
"""

from collections.abc import Iterator, Sequence

from gpkit.genomes.graph import Edge, Graph, Node

Colours = dict[int, int]
"""By node a number; nodes of one colour look alike so far."""

Encoded = tuple[tuple[tuple[str, int, bool, int], ...], tuple[Edge, ...]]
"""A component: its nodes (symbol, length, whether more is allowed, grounds) and edges by places among them."""


def canonical_form(graph: Graph) -> Graph:
    """The same graph with its nodes in an order that does not depend on their numbers.

    Two graphs are isomorphic if and only if their canonical forms are equal.
    """
    around: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        around[edge.low].append((edge.high, edge.strings))
        if edge.low != edge.high:
            around[edge.high].append((edge.low, edge.strings))
    components = sorted(min(_encodings(nodes, graph, around)) for nodes in _components(around))
    nodes: list[Node] = []
    grounds: list[int] = []
    edges: list[Edge] = []
    for labels, inner in components:
        edges += [Edge(low + len(nodes), high + len(nodes), strings) for low, high, strings in inner]
        nodes += [Node(symbol, length, more) for symbol, length, more, _ in labels]  # type: ignore[arg-type]
        grounds += [ground for *_, ground in labels]
    return Graph(tuple(nodes), tuple(edges), tuple(grounds))


def _components(around: Sequence[Sequence[tuple[int, int]]]) -> Iterator[list[int]]:
    """The sets of nodes that hang together."""
    seen: set[int] = set()
    for start in range(len(around)):
        if start in seen:
            continue
        found = [start]
        seen.add(start)
        for node in found:
            for other, _ in around[node]:
                if other not in seen:
                    seen.add(other)
                    found.append(other)
        yield found


def _label(node: int, graph: Graph) -> tuple[str, int, bool, int]:
    what = graph.nodes[node]
    return what.symbol, what.length, what.at_least, graph.grounds[node]


def _encodings(
    nodes: Sequence[int], graph: Graph, around: Sequence[Sequence[tuple[int, int]]]
) -> Iterator[Encoded]:
    """The component in every order of its nodes that looks the same from all of them."""
    labels = sorted({_label(node, graph) for node in nodes})
    waiting = [{node: labels.index(_label(node, graph)) for node in nodes}]
    while waiting:
        colours = _refined(waiting.pop(), around)
        cells: dict[int, list[int]] = {}
        for node, colour in colours.items():
            cells.setdefault(colour, []).append(node)
        several = [colour for colour, cell in cells.items() if len(cell) > 1]
        if not several:
            yield _encoded(colours, graph, around)
            continue
        chosen = min(several)
        waiting += [
            {node: 2 * colour + (node != first) for node, colour in colours.items()}
            for first in cells[chosen]
        ]


def _refined(colours: Colours, around: Sequence[Sequence[tuple[int, int]]]) -> Colours:
    """Colours that tell apart nodes whose neighbours are of other colours, numbered from 0."""
    count = 0
    while True:
        seen = {
            node: (colour, sorted((colours[other], strings) for other, strings in around[node]))
            for node, colour in colours.items()
        }
        kinds = sorted({(colour, tuple(others)) for colour, others in seen.values()})
        numbers = {kind: number for number, kind in enumerate(kinds)}
        colours = {node: numbers[colour, tuple(others)] for node, (colour, others) in seen.items()}
        if len(kinds) == count:
            return colours
        count = len(kinds)


def _encoded(places: Colours, graph: Graph, around: Sequence[Sequence[tuple[int, int]]]) -> Encoded:
    """The component with its nodes at these places."""
    order = sorted(places, key=lambda node: places[node])
    edges = sorted(
        Edge(places[node], places[other], strings)
        for node in order
        for other, strings in around[node]
        if places[node] <= places[other]
    )
    return tuple(_label(node, graph) for node in order), tuple(edges)
