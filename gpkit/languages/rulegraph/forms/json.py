"""Rule lists as JSON values: every rule with its graph, its action and its conditions."""

from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export import json as document
from gpkit.export.registry import Subject
from gpkit.genomes.graph import (
    DEGREES,
    Action,
    Comparison,
    Graph,
    Link,
    NamedRule,
    Node,
    Quantity,
    Rule,
    RuleList,
    Sign,
    faults,
)
from gpkit.languages.rulegraph.printer import print_program
from gpkit.languages.rulegraph.syntax import END_NAMES, MAX_NODES

MODES = ("program",)
MEMBER = "rules"
documents, check = document.documents, document.check

MAX_RULES = 100_000

_KINDS = ("length", "number", "score", "left")


def members(subject: Subject) -> dict[str, Any]:
    """The rules in their order.

    A graph is its ``nodes``, its ``edges`` as pairs of their numbers from 0, each with how many there are, and by node
    how many lead to the ground. The ``action`` names a node, what its edge leads to (a node, ``n`` or ``w``) and how
    far inside the chain it lies. A rule with the precedence of the one before it is ``joined``. What a rule does not
    have is left out.
    """
    return {MEMBER: list(map(_rule_value, subject.program.rules))}


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[RuleList, Mapping[str, str]]:
    """The program of the rules.

    Raises:
        UsageError: it is not such a list, or a rule is not well-formed.
        LimitError: there are too many rules, or a graph has too many nodes.
    """
    items = value[MEMBER]
    if not isinstance(items, list) or not items:
        raise UsageError("a rule list has `rules`, a list of at least one")
    if len(items) > MAX_RULES:
        raise LimitError(f"a list holds at most {MAX_RULES:,} rules, got {len(items):,}")
    program = RuleList(tuple(_read_rule(item, number) for number, item in enumerate(items, 1)))
    try:
        print_program(program)
    except ValueError as error:
        raise UsageError(f"these rules cannot be written: {error}") from None
    return program, {}


def _rule_value(named: NamedRule) -> dict[str, Any]:
    rule = named.rule
    node, other, offset = rule.action
    value: dict[str, Any] = {"name": named.name} if named.name else {}
    value |= {"joined": True} if named.joined else {}
    value |= {key: known for key, known in (("q", named.q), ("f", named.f)) if known is not None}
    value |= _graph_value(rule.graph)
    value["action"] = [node, END_NAMES.get(other, other), offset]
    if rule.absent:
        value["absent"] = [_graph_value(graph) for graph in rule.absent]
    if rule.comparisons:
        value["comparisons"] = [[list(left), sign, list(right)] for left, sign, right in rule.comparisons]
    return value


def _graph_value(graph: Graph) -> dict[str, Any]:
    nodes: list[dict[str, Any]] = [{"symbol": node.symbol} for node in graph.nodes]
    for value, node in zip(nodes, graph.nodes, strict=True):
        value |= {"length": node.length} if node.length else {}
        value |= {"at_least": True} if node.at_least else {}
    return {"nodes": nodes, "edges": [list(link) for link in graph.links], "grounds": list(graph.grounds)}


def _read_rule(value: object, number: int) -> NamedRule:
    """A rule that is well-formed.

    Raises:
        UsageError: it is not.
        LimitError: a graph has too many nodes.
    """
    try:
        named = _parsed(cast(Mapping[str, Any], value))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise UsageError(
            f"rule {number} should have `nodes`, `edges`, `grounds` and an `action` as `gpkit export` writes them"
        ) from None
    if max(len(graph.nodes) for graph in (named.rule.graph, *named.rule.absent)) > MAX_NODES:
        raise LimitError(f"a rule has at most {MAX_NODES} nodes; rule {number} has more")
    for fault in faults(named.rule):
        raise UsageError(f"rule {number}: {fault}")
    return named


def _parsed(value: Mapping[str, Any]) -> NamedRule:
    """Rule of a JSON value, well-formed or not; an error of a wrong type or a missing key means that it is no rule."""
    node, other, offset = value["action"]
    target = next((number for number, word in END_NAMES.items() if word == other), other)
    rule = Rule(
        _graph(value),
        Action(_whole(node), _whole(target), _whole(offset)),
        tuple(_graph(each) for each in value.get("absent", ())),
        tuple(_comparison(each) for each in value.get("comparisons", ())),
    )
    name, q, f, joined = value.get("name", ""), value.get("q"), value.get("f"), value.get("joined", False)
    if not isinstance(name, str) or not isinstance(joined, bool):
        raise TypeError
    return NamedRule(rule, name, None if q is None else _real(q), None if f is None else _real(f), joined)


def _graph(value: Mapping[str, Any]) -> Graph:
    nodes, grounds = list(map(_node, value["nodes"])), list(map(_whole, value["grounds"]))
    links = [Link(*map(_whole, edge)) for edge in value["edges"]]
    if len(grounds) != len(nodes) or any(not 0 <= n < len(nodes) for link in links for n in link[:2]):
        raise ValueError
    return Graph(tuple(nodes), tuple(links), tuple(grounds))


def _node(value: Mapping[str, Any]) -> Node:
    symbol, at_least = value["symbol"], value.get("at_least", False)
    if symbol not in DEGREES or not isinstance(at_least, bool):
        raise ValueError
    return Node(symbol, _whole(value.get("length", 0)), at_least)


def _comparison(value: Sequence[Any]) -> Comparison:
    left, sign, right = value
    if sign not in get_args(Sign):
        raise ValueError
    return Comparison(_quantity(left), sign, _quantity(right))


def _quantity(value: Sequence[Any]) -> Quantity:
    kind, number = value
    if kind not in _KINDS:
        raise ValueError
    return Quantity(kind, _whole(number))


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def _real(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError
    return float(value)
