"""Rules to text: the entries of the nodes in search order from the action outwards, one rule a line."""

import math
from collections.abc import Iterator, Mapping, Sequence

from gpkit.core.header import print_header
from gpkit.genomes.graph import Action, Comparison, Graph, NamedRule, Quantity, Rule, RuleList
from gpkit.genomes.graph_order import canonical
from gpkit.languages.rulegraph.syntax import END_NAMES, MARK, NAME


def print_program(program: RuleList, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.rules`` file: the header as comments, then the rules by precedence.

    The header of rules of level 1 says so.

    Raises:
        ValueError: there is no rule; a header key is not one word of letters, digits, ``_`` and ``-``; a name of a rule
            is none or comes twice; the first rule is joined to one above; or what was learned is not finite.
    """
    names = [named.name for named in program.rules if named.name]
    if not program.rules or len(set(names)) < len(names):
        raise ValueError("a list has rules, and names that differ")
    if program.rules[0].joined:
        raise ValueError("there is no rule above the first that it could be joined to")
    header = dict(header or {}) | ({"level": str(program.level)} if program.level else {})
    parts = ["\n".join(print_header(header, MARK))] if header else []
    parts.append("\n".join(print_named(named) for named in program.rules))
    return "\n\n".join(parts) + "\n"


def print_named(named: NamedRule) -> str:
    """The line of a rule with its name and what was learned about it, and ``|`` before it if it is joined.

    Raises:
        ValueError: the name is none, or what was learned is not finite.
    """
    if named.name and not NAME.fullmatch(named.name):
        raise ValueError(f"a rule cannot be called {named.name!r}")
    learned = {"q": named.q, "f": named.f}
    if not all(value is None or math.isfinite(value) for value in learned.values()):
        raise ValueError(f"learned values are finite numbers, not {learned}")
    written = [f"@{key}={value!r}" for key, value in learned.items() if value is not None]
    mark, name = "| " * named.joined, f"{named.name}: " if named.name else ""
    line = f"{mark}{name}{print_rule(named.rule)}"
    return "  ".join([line, " ".join(written)] if written else [line])


def print_rule(rule: Rule) -> str:
    """The text of a rule, equal for rules that differ in the numbers of their nodes alone.

    >>> from gpkit.genomes.graph import GROUND, Action, Graph, Link, Node, Rule
    >>> graph = Graph((Node("x"), Node("l", 2, True)), (Link(0, 1, 1),), (0, 1))
    >>> print(print_rule(Rule(graph, Action(1, 0))))
    l_0(2+) x_1 n : x_1 l_0 => l_0 - x_1
    """
    rule = canonical(rule)
    conditions = [f" ; !{print_graph(graph, first)}" for graph, first in absent_graphs(rule)]
    names = node_names(rule.graph)
    conditions += [f" ; {print_comparison(comparison, names)}" for comparison in rule.comparisons]
    return f"{print_graph(rule.graph)}{''.join(conditions)} => {_action(rule.graph, rule.action)}"


def print_graph(graph: Graph, first: int = 0) -> str:
    """The entries of a graph in the order of its nodes: neighbours by name, then ``n``, then ``w``.

    The length of a chain stands in its own entry. The indexes count from ``first``.
    """
    return " : ".join(_entry(graph, number, first) for number in range(len(graph.nodes)))


def absent_graphs(rule: Rule) -> Iterator[tuple[Graph, int]]:
    """The graphs that must be absent, each with the index from which its nodes count."""
    first = len(rule.graph.nodes)
    for graph in rule.absent:
        yield graph, first
        first += len(graph.nodes)


def node_names(graph: Graph) -> list[str]:
    """Names of the nodes of a rule's own graph."""
    return [node_name(graph, number) for number in range(len(graph.nodes))]


def node_name(graph: Graph, number: int, first: int = 0) -> str:
    """Name of a node, such as ``x_3``, or of an end of an edge that is not a node.

    >>> from gpkit.genomes.graph import GROUND, WILD
    >>> node_name(Graph((), (), ()), GROUND), node_name(Graph((), (), ()), WILD)
    ('n', 'w')
    """
    if number < 0:
        return END_NAMES[number]
    return f"{graph.nodes[number].symbol}_{first + number}"


def node_with_length(graph: Graph, number: int, first: int = 0) -> str:
    """Text of a node where its own entry begins: ``l_3(2+)``."""
    node = graph.nodes[number]
    length = f"({node.length}{'+' * node.at_least})" if node.length else ""
    return node_name(graph, number, first) + length


def print_comparison(comparison: Comparison, names: Sequence[str]) -> str:
    """The text of a comparison, the nodes by their names."""
    left, sign, right = comparison
    return f"{_quantity(left, names)} {sign} {_quantity(right, names)}"


def _quantity(quantity: Quantity, names: Sequence[str]) -> str:
    kind, value = quantity
    return names[value] if kind == "length" else str(value) if kind == "number" else kind


def _entry(graph: Graph, number: int, first: int) -> str:
    words = [node_with_length(graph, number, first)]
    for other in graph.neighbours(number):
        ends = 2 if other == number else 1
        words += [node_name(graph, other, first)] * (ends * graph.multiplicity(number, other))
    return " ".join(words + ["n"] * graph.grounds[number] + ["w"] * graph.wildcards(number))


def _action(graph: Graph, action: Action) -> str:
    offset = f"[{action.offset}]" if action.offset else ""
    return f"{node_name(graph, action.node)}{offset} - {node_name(graph, action.other)}"
