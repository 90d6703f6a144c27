"""Positions of Dots and Boxes as graphs, and rules made from them, drawn at random: what matching is measured with."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.strings import boxes_of_strings, strings_of_box
from gpkit.genomes.graph import DEGREES, GROUND, WILD, Action, Edge, Graph, Node, Rule, Symbol

Choose = Callable[[int], int]
"""A number below the one given: from a random stream, or from a test that looks for small examples."""

SYMBOLS: tuple[Symbol, ...] = tuple(DEGREES)


def random_position(choose: Choose, rules: Rules) -> Graph:
    """The graph of a board on which a random number of strings, all but one at most, have been drawn."""
    left = list(range(rules.strings))
    drawn = {left.pop(choose(len(left))) for _ in range(choose(rules.strings))}
    return graph_of_board(drawn, rules)


def graph_of_board(drawn: Collection[int], rules: Rules) -> Graph:
    """The graph of a board: open boxes, runs of those with two undrawn sides as one chain, and undrawn strings.

    Args:
        drawn: strings by number.
        rules: the size of the board.
    """
    boxes = boxes_of_strings(rules)
    sides = [[s for s in strings_of_box(box, rules) if s not in drawn] for box in range(rules.boxes)]
    degrees = {degree: symbol for symbol, degree in DEGREES.items()}
    nodes: list[Node] = []
    places: dict[int, int] = {}
    inner: set[int] = set()
    for box, open_sides in enumerate(sides):
        if box in places or not open_sides:
            continue
        run = _run(box, boxes, sides) if len(open_sides) == 2 else [box]
        places.update(dict.fromkeys(run, len(nodes)))
        nodes.append(Node(degrees[len(open_sides)], len(run) if len(open_sides) == 2 else 0))
        inside = sorted(
            s for s in {s for b in run for s in sides[b]} if set(boxes[s]) <= set(run) and len(boxes[s]) == 2
        )
        inner.update(inside[: len(run) - 1])  # of a loop one string is left, its edge to itself
    joined: Counter[tuple[int, int]] = Counter()
    grounds = [0] * len(nodes)
    for number in range(rules.strings):
        if number in drawn or number in inner:
            continue
        touched = sorted(places[box] for box in boxes[number])
        if len(touched) == 2:
            joined[touched[0], touched[1]] += 1
        else:
            grounds[touched[0]] += 1
    return Graph(tuple(nodes), tuple(Edge(*pair, n) for pair, n in sorted(joined.items())), tuple(grounds))


def _run(box: int, boxes: tuple[tuple[int, ...], ...], sides: list[list[int]]) -> list[int]:
    """The boxes with two undrawn sides that hang together with this one."""
    run = [box]
    for member in run:
        near = {other for s in sides[member] for other in boxes[s]}
        run += sorted(other for other in near if len(sides[other]) == 2 and other not in run)
    return run


def derived_rule(choose: Choose, position: Graph) -> Rule:
    """A rule that matches the position: some of its nodes and strings, lengths opened, and any of its strings drawn.

    Args:
        choose: draws.
        position: with at least one node.
    """
    left = list(range(len(position.nodes)))
    kept = sorted(left.pop(choose(len(left))) for _ in range(1 + choose(len(position.nodes))))
    place = {number: k for k, number in enumerate(kept)}
    eager = choose(4)  # the quarters of the strings that are kept, at least one

    def some(strings: int) -> int:
        return sum(choose(4) <= eager for _ in range(strings))

    nodes = tuple(_opened(choose, position.nodes[number]) for number in kept)
    edges = tuple(
        Edge(place[low], place[high], left_strings)
        for low, high, strings in position.edges
        if low in place and high in place and (left_strings := some(strings))
    )
    graph = Graph(nodes, edges, tuple(some(position.grounds[number]) for number in kept))
    actions = list(possible_actions(graph))
    return Rule(graph, actions[choose(len(actions))])


def _opened(choose: Choose, node: Node) -> Node:
    """The node, and of a chain often one that longer ones match, too."""
    if node.symbol != "l" or choose(2):
        return node
    return Node("l", node.length - choose(min(node.length, 3)), at_least=True)


def possible_actions(graph: Graph) -> Iterator[Action]:
    """The strings of a rule that it could draw, those inside its chains and its wildcards among them."""
    for number, node in enumerate(graph.nodes):
        others = [e.high if e.low == number else e.low for e in graph.edges if number in (e.low, e.high)]
        others += [GROUND] * (graph.grounds[number] > 0) + [WILD] * (graph.wildcards(number) > 0)
        for other in others:
            for offset in range(max(node.length, 1)):
                if other < 0 or node.symbol == "l" or (graph.nodes[other].symbol != "l" and number <= other):
                    yield Action(number, other, offset)


def mutated_rule(choose: Choose, rule: Rule) -> Rule:
    """The rule with one thing changed, which often does not match any more where it did."""
    graph = rule.graph
    number = choose(len(graph.nodes))
    nodes, grounds = list(graph.nodes), list(graph.grounds)
    strings = {(low, high): count for low, high, count in graph.edges}
    change = choose(3)
    node = nodes[number]
    if change == 0 and node.symbol == "l":
        nodes[number] = Node("l", max(1, node.length + 1 - 2 * choose(2)), at_least=bool(choose(2)))
    elif change == 1 and graph.wildcards(number):
        grounds[number] += 1
    else:
        other = choose(len(nodes))
        pair = (min(number, other), max(number, other))
        room = min(graph.wildcards(k) for k in pair) >= 1 + (number == other)
        if room and not nodes[number].symbol == nodes[other].symbol == "l":
            strings[pair] = strings.get(pair, 0) + 1
    edges = tuple(Edge(*pair, count) for pair, count in sorted(strings.items()))
    changed = Graph(tuple(nodes), edges, tuple(grounds))
    actions = list(possible_actions(changed))
    return Rule(changed, actions[choose(len(actions))])
