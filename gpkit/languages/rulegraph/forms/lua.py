"""Rule lists as Lua: the rules as data in the order in which their nodes are searched for, and a matcher."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.export.lua.hosts import run_everywhere
from gpkit.export.lua.layout import TAB, comment, module_of, opening, quoted, records, runtime, table
from gpkit.export.lua.runner import replayed
from gpkit.export.registry import CONFORMANCE, Document, Subject, record_form
from gpkit.export.statements import LINE
from gpkit.genomes.graph import GROUND, WILD, Comparison, Graph, NamedRule, Quantity, RuleList
from gpkit.languages.rulegraph.printer import print_rule
from gpkit.matching.edges import kinds_of
from gpkit.matching.plan import action_nodes, search_order

MODES = ("module",)

LUA = Path(__file__).parents[1] / "lua"
"""The folder of the hand-written parts."""

POSITIONS, GAMES = 20, 10
"""Numbers of positions and games that a module carries for its own test."""

_ANYWHERE = {GROUND: 0, WILD: -1}
"""Codes, in the data, of an action's ends that are no place."""

_PARTS = ("size", "rules_board", "rules_graph", "rules_match", "rules_moves")
_LEARNED = "rules_sample"


class Learned(Protocol):
    """Values of a list that was learned: by rule the weight in a choice by chance."""

    @property
    def weights(self) -> Sequence[float]: ...


@runtime_checkable
class RulesRecording(Protocol):
    """Moves of rule lists in positions and games, dataclasses of plain values: ``forms.record`` beside a game.

    ``recorded_positions`` are random ones, ``recorded_matches`` games of the list against itself from the first number
    on, and ``conformance_lines`` both as JSON lines; ``LUA`` is the folder of the game's hand-written parts.
    """

    LUA: Path

    def recorded_positions(self, subject: Subject, count: int, purpose: str = ...) -> Sequence[Any]: ...
    def recorded_matches(self, subject: Subject, count: int, first: int = ...) -> Sequence[Any]: ...
    def learned_of(self, program: RuleList) -> Learned | None: ...
    def conformance_lines(
        self, name: str, program: RuleList, positions: Sequence[Any], games: Sequence[Any]
    ) -> str: ...


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file of a rule list, and the file of its conformance."""
    record = record_form(RulesRecording, subject)
    positions, games = record.recorded_positions(subject, POSITIONS), record.recorded_matches(subject, GAMES)
    conformance = record.conformance_lines(subject.name, subject.program, positions, games)
    return (
        Document(".lua", rules_text(subject, positions, games)),
        Document(CONFORMANCE, conformance),
    )


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """The moves in random positions, and whole games, in every Lua."""
    record = record_form(RulesRecording, subject)
    own = record.recorded_positions(subject, POSITIONS), record.recorded_matches(subject, GAMES)
    positions = record.recorded_positions(subject, evaluations, "check")
    matches = record.recorded_matches(subject, games, FIRST_KEY)
    text, replay = rules_text(subject, *own), runtime("rules_replay", LUA)
    recorded = {
        "check": records("return ", map(asdict, positions)),
        "replay": records("return ", map(asdict, matches)),
    }
    tested = subject.carries_tests
    return run_everywhere(
        (len(positions), len(matches)), lambda host: replayed(host, text, replay, recorded, tested)
    )


def rules_text(subject: Subject, positions: Sequence[Any], games: Sequence[Any]) -> str:
    """The text of the Lua file."""
    record = record_form(RulesRecording, subject)
    rules = ["local RULES = {"]
    learned = record.learned_of(subject.program)
    for place, named in enumerate(subject.program.rules):
        rules += _rule(named, None if learned is None else learned.weights[place])
    parts = [
        *_opening(subject, learned is not None),
        "\n".join([*rules, "}"]),
        runtime("keyed_uniform", LUA),
        *(runtime(name, LUA, record.LUA) for name in _PARTS),
        *([runtime(_LEARNED, LUA)] if learned is not None else []),
    ]
    if subject.carries_tests:
        parts += [records("local POSITIONS = ", map(asdict, positions))]
        parts += [records("local GAMES = ", map(asdict, games))]
        parts += [runtime("rules_replay", LUA), runtime("rules_selftest", LUA)]
    else:
        parts.append(runtime("no_selftest", LUA))
    return module_of(parts)


def _opening(subject: Subject, is_learned: bool) -> list[str]:
    how = (
        "S = M.new(width, height); side = M.choose(S, random); closed = M.draw(S, side). M.moves(S) gives all sides "
        "that the acting rule chooses from, and the number of this rule."
    )
    if any(named.joined for named in subject.program.rules):
        how += " A joined rule acts together with the one before it."
    if is_learned:
        how += " M.sample(S, random) plays as a learner does, at random among the rules of highest q."
    return opening(subject, "a player of Dots and Boxes", how)


def _rule(named: NamedRule, weight: float | None) -> list[str]:
    """A rule as an item of a table: its places, the one of the action first, and what the action is."""
    rule = named.rule
    first = action_nodes(rule)
    order = search_order(rule.graph, first)
    early = [each for each in rule.comparisons if "length" not in kinds_of(each)]
    late = [each for each in rule.comparisons if each not in early]
    other = first.index(rule.action.other) + 1 if rule.action.other >= 0 else _ANYWHERE[rule.action.other]
    lines = ["\t{", *(f"\t\t{line}" for line in comment(print_rule(rule), room=LINE - 2 * TAB))]
    if named.name:
        lines.append(f"\t\tname = {quoted(named.name)},")
    if named.joined:
        lines.append("\t\tjoined = true,")
    for name, value in (("q", named.q), ("f", named.f), ("weight", weight)):
        if value is not None:
            plain = value + 0.0  # Lua 5.1 writes every 0 as -0 where there is a -0.0
            lines.append(f"\t\t{name} = {plain!r},")
    lines += [*_places("\t\tplaces = ", rule.graph, order), f"\t\tprefix = {len(first)},"]
    lines += [f"\t\tother = {other},", f"\t\toffset = {rule.action.offset},"]
    lines += table("\t\tearly = ", [_comparison(each, order) for each in early], ",")
    lines += table("\t\tlate = ", [_comparison(each, order) for each in late], ",")
    if not rule.absent:
        return [*lines, "\t\tabsent = {},", "\t},"]
    lines.append("\t\tabsent = {")
    for graph in rule.absent:
        lines += _places("\t\t\t", graph, search_order(graph, ()))
    return [*lines, "\t\t},", "\t},"]


def _places(start: str, graph: Graph, order: Sequence[int]) -> list[str]:
    """A search: by place what the node is, and its edges to nodes at earlier places."""
    lines = [f"{start}{{"]
    indent = start[: len(start) - len(start.lstrip("\t"))]
    for place, number in enumerate(order):
        node = graph.nodes[number]
        links = [
            f"{{ {k}, {graph.multiplicity(number, earlier)} }}"
            for k, earlier in enumerate(order[:place], 1)
            if graph.multiplicity(number, earlier)
        ]
        items = [f"symbol = {quoted(node.symbol)}", f"length = {node.length}"]
        items += ["longer = true"] * node.at_least
        items += [f"grounds = {graph.grounds[number]}", f"loops = {graph.multiplicity(number, number)}"]
        (joined,) = table("links = ", links)
        lines += table(f"{indent}\t", [*items, joined], ",")
    return [*lines, f"{indent}}},"]


def _comparison(comparison: Comparison, order: Sequence[int]) -> str:
    left, sign, right = (comparison.left, quoted(comparison.sign), comparison.right)
    return f"{{ {_quantity(left, order)}, {sign}, {_quantity(right, order)} }}"


def _quantity(quantity: Quantity, order: Sequence[int]) -> str:
    kind, value = quantity
    if kind == "length":
        return f"{{ length_of = {order.index(value) + 1} }}"
    return str(value) if kind == "number" else quoted(kind)
