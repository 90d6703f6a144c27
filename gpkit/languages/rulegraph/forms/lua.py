"""Rule lists as Lua: the rules as data in the order in which their nodes are searched for, and a matcher."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import exp
from pathlib import Path
from typing import Any

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.export.conformance import SCHEMA
from gpkit.export.lua.hosts import run_everywhere
from gpkit.export.lua.layout import TAB, comment, module_of, opening, quoted, records, runtime, table
from gpkit.export.lua.runner import replayed
from gpkit.export.registry import CONFORMANCE, Document, Subject, record_part
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


BETA = 10.0
"""The weight of quality where a rule is chosen at random: section III of Knittel, Bossomaier and Snyder (2007)."""

Recorded = Sequence[Mapping[str, Any]]
"""Positions or games, as plain values."""


@dataclass(frozen=True, slots=True)
class RulesRecorder:
    """Recorder of a game in which rule lists play: ``RULES`` of ``forms.record`` beside the game.

    Attributes:
        game: its name.
        folder: of its hand-written parts.
        positions: (subject, count, purpose) random positions with the moves there.
        games: (subject, count, first) games of the list against itself from the first number on.
    """

    game: str
    folder: Path
    positions: Callable[[Subject, int, str], Recorded]
    games: Callable[[Subject, int, int], Recorded]

    def carried(self, subject: Subject) -> tuple[Recorded, Recorded]:
        """The positions and games that a module carries for its own test."""
        return self.positions(subject, POSITIONS, "positions"), self.games(subject, GAMES, 1)


def recorder_for(subject: Subject) -> RulesRecorder:
    """The recorder of the game that a subject is for.

    Raises:
        UsageError: as of ``record_part``.
    """
    found: RulesRecorder = record_part(subject, "RULES")
    return found


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file of a rule list, and the file of its conformance."""
    recorder = recorder_for(subject)
    positions, games = recorder.carried(subject)
    names = [named.name for named in subject.program.rules]
    lines = [
        {"schema": SCHEMA, "program": subject.name, "game": recorder.game, "rules": names},
        *({"kind": "position", **position} for position in positions),
        *({"kind": "game", **game} for game in games),
    ]
    conformance = "".join(f"{json.dumps(line)}\n" for line in lines)
    return Document(".lua", rules_text(subject, positions, games)), Document(CONFORMANCE, conformance)


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """The moves in random positions, and whole games, in every Lua."""
    recorder = recorder_for(subject)
    positions = recorder.positions(subject, evaluations, "check")
    matches = recorder.games(subject, games, FIRST_KEY)
    text, replay = rules_text(subject, *recorder.carried(subject)), runtime("rules_replay", LUA)
    recorded = {"check": records("return ", positions), "replay": records("return ", matches)}
    tested = subject.carries_tests
    return run_everywhere(
        (len(positions), len(matches)), lambda host: replayed(host, text, replay, recorded, tested)
    )


def weights_of(program: RuleList) -> tuple[float, ...]:
    """The weight of each rule of a learned list, to which its chance is proportional; empty for other lists."""
    qualities = [named.q for named in program.rules if named.q is not None]
    if len(qualities) < len(program.rules):
        return ()
    top = max(qualities)
    return tuple(exp(BETA * (q - top)) for q in qualities)


def rules_text(subject: Subject, positions: Recorded, games: Recorded) -> str:
    """The text of the Lua file."""
    folder, weights = recorder_for(subject).folder, weights_of(subject.program)
    rules = ["local RULES = {"]
    for named, weight in zip_longest(subject.program.rules, weights):
        rules += _rule(named, weight)
    parts = [
        *_opening(subject, len(weights) > 0),
        "\n".join([*rules, "}"]),
        runtime("keyed_uniform", LUA),
        *(runtime(name, LUA, folder) for name in _PARTS),
        *([runtime(_LEARNED, LUA)] if weights else []),
    ]
    if subject.carries_tests:
        parts += [records("local POSITIONS = ", positions), records("local GAMES = ", games)]
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
