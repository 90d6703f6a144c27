"""Exports rule lists as JSON, LaTeX and Lua."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import exp
from pathlib import Path
from typing import Any

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.core.codec import Codec, codec
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export.conformance import SCHEMA, conformance
from gpkit.export.formulas import SIGNS, aligned, escaped
from gpkit.export.json import Membership
from gpkit.export.lua.hosts import replayed, run_everywhere
from gpkit.export.lua.layout import TAB, comment, module_of, opening, quoted, records, runtime, table
from gpkit.export.statements import LINE
from gpkit.export.subject import Document, Exporting, Subject, player_recorder
from gpkit.genomes.graph import (
    GROUND,
    WILD,
    Action,
    Graph,
    NamedRule,
    NumberComparison,
    Rule,
    RuleList,
    canonical,
    faults,
)
from gpkit.langkit.nodes import Texts
from gpkit.languages.rulegraph.syntax import END_NAMES, ENDS, MAX_NODES, comparing
from gpkit.languages.rulegraph.text import print_program, print_rule, rule_text
from gpkit.matching.plan import action_nodes, kinds_of, search_order

MEMBER = "rules"

MAX_RULES = 100_000


def members(subject: Subject) -> dict[str, Any]:
    """The rules in order.

    A graph has ``nodes``; ``edges``, as pairs of node numbers from 0 with the number of edges; and ``grounds``, the
    number of edges from each node to the ground. The ``action`` contains a node, the other end of its edge (a node,
    ``n`` or ``w``), and the offset of the edge inside a chain. A rule with the same precedence as the one before it is
    ``joined``. The object of a rule omits everything that the rule does not have.
    """
    return {MEMBER: list(map(_rule_value, subject.program.rules))}


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[RuleList, Mapping[str, str]]:
    """The program with the rules of a JSON object.

    Raises:
        UsageError: the object does not hold a list of rules, or a rule is not well-formed.
        LimitError: there are too many rules, or a graph has too many nodes.
    """
    items = value[MEMBER]
    if not isinstance(items, list) or not items:
        raise UsageError("a rule list needs `rules`, a list of at least one rule")
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
    value = {
        "name": named.name or None,
        "joined": named.joined or None,
        "q": named.q,
        "f": named.f,
        **_graph_value(rule.graph),
        "action": [END_NAMES.get(part, part) for part in rule.action],
        "absent": [*map(_graph_value, rule.absent)] or None,
        "comparisons": _COMPARISONS.write(rule.comparisons) or None,
    }
    return {key: known for key, known in value.items() if known is not None}


def _graph_value(graph: Graph) -> dict[str, Any]:
    value = _GRAPH.write(graph)
    nodes = [{key: known for key, known in node.items() if known} for node in value["nodes"]]
    return {"nodes": nodes, "edges": value["links"], "grounds": value["grounds"]}


def _read_rule(value: Mapping[str, object], number: int) -> NamedRule:
    """A well-formed rule from a JSON value.

    Raises:
        UsageError: the value is not a well-formed rule.
        LimitError: a graph has too many nodes.
    """
    try:
        left_out = {"name": "", "q": None, "f": None, "joined": False}
        named = _NAMED.read({**left_out, **value, "rule": value})
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise UsageError(
            f"rule {number} should have `nodes`, `edges`, `grounds` and an `action` as `gpkit export` writes them"
        ) from None
    if max(len(graph.nodes) for graph in (named.rule.graph, *named.rule.absent)) > MAX_NODES:
        raise LimitError(f"a rule has at most {MAX_NODES} nodes; rule {number} has more")
    for fault in faults(named.rule):
        raise UsageError(f"rule {number}: {fault}")
    return named


def _rule(value: Mapping[str, Any]) -> Rule:
    """The rule in a JSON value, which may not be well-formed; wrong types and missing keys raise errors."""
    node, other, offset = value["action"]
    return Rule(
        _graph(value),
        _ACTION.read([node, ENDS.get(str(other), other), offset]),
        tuple(map(_graph, value.get("absent", ()))),
        _COMPARISONS.read([*value.get("comparisons", ())]),
    )


def _graph(value: Mapping[str, Any]) -> Graph:
    nodes = [{"length": 0, "at_least": False, **node} for node in value["nodes"]]
    graph = _GRAPH.read({"nodes": nodes, "links": [*value["edges"]], "grounds": [*value["grounds"]]})
    count = len(graph.nodes)
    if len(graph.grounds) != count or any(not 0 <= n < count for link in graph.links for n in link[:2]):
        raise ValueError
    return graph


def _real(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError
    return float(value)


_ACTION, _GRAPH, _COMPARISONS = codec(Action), codec(Graph), codec(tuple[NumberComparison, ...])
_NAMED = codec(NamedRule, {Rule: Codec(_rule_value, _rule), float: Codec(float, _real)})


JSON = Membership(MEMBER, members, read)


_INDEX = re.compile(r"_(\d+)")
_JOINED = r"\mid\;"
_TEXTS: Texts = {"sign": lambda sign: SIGNS.get(sign, sign), "word": r"\mathit{{{}}}".format}


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The LaTeX file, which has a line for each rule."""
    return (Document(".tex", latex_rules(subject.program)),)


def latex_rules(program: RuleList) -> str:
    """An ``align*`` block with a line for each rule: a bar if the rule is joined, its name, and the rule."""
    lines = [
        rf"{_JOINED * named.joined}{_name(named.name)} & {latex_rule(named.rule)}" for named in program.rules
    ]
    notes = "% an earlier rule takes precedence\n" if len(lines) > 1 else ""
    notes += "% a rule after a bar has the precedence of the one before it\n" * (_JOINED in "".join(lines))
    return notes + aligned(lines)


def latex_rule(rule: Rule) -> str:
    r"""One rule in LaTeX; a rule of level 0 can be read back.

    >>> from gpkit.genomes.graph import Action, Link, Graph, Node
    >>> graph = Graph((Node("x"), Node("l", 2, True)), (Link(0, 1, 1),), (0, 1))
    >>> print(latex_rule(Rule(graph, Action(1, 0))))
    l_{0}(2+) x_{1} n : x_{1} l_{0} \Rightarrow l_{0} - x_{1}
    """
    return _INDEX.sub(r"_{\1}", rule_text(canonical(rule), _TEXTS, r"\lnot ({})", r" ;\; ", r" \Rightarrow "))


def _name(name: str) -> str:
    return rf"\text{{{escaped(name)}:}}\quad" if name else ""


LATEX = Exporting(documents)


LUA = Path(__file__).parents[1] / "lua"
"""The folder with the hand-written Lua parts."""

POSITIONS, GAMES = 20, 10
"""The number of positions and the number of games that a module contains for its self-test."""

_PARTS = ("size", "rules_board", "rules_graph", "rules_match", "rules_moves")


BETA = 10.0
"""The weight of a rule's quality in a random choice of rules (Knittel, Bossomaier and Snyder, 2007, section III)."""

Recorded = Sequence[Mapping[str, Any]]
"""Recorded positions or games, as mappings of plain values."""


@dataclass(frozen=True, slots=True)
class RulesRecorder:
    """The recorder of a game for rule lists; games provide it as ``player_recorder``.

    Attributes:
        game: the name of the game.
        folder: the folder of its hand-written Lua.
        positions: takes (subject, count, purpose) and returns random positions with the list's moves.
        games: takes (subject, count, first) and returns games of the list against itself, numbered from ``first``.
    """

    game: str
    folder: Path
    positions: Callable[[Subject, int, str], Recorded]
    games: Callable[[Subject, int, int], Recorded]

    def carried(self, subject: Subject) -> tuple[Recorded, Recorded]:
        """The positions and games that a module contains for its self-test."""
        return self.positions(subject, POSITIONS, "positions"), self.games(subject, GAMES, 1)


def recorder_for(subject: Subject) -> RulesRecorder:
    """The recorder of a subject's game.

    Raises:
        UsageError: as for ``player_recorder``.
    """
    return player_recorder(RulesRecorder, subject)


def lua_documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Lua file of a rule list, and its conformance file."""
    recorder = recorder_for(subject)
    positions, games = recorder.carried(subject)
    names = [named.name for named in subject.program.rules]
    return Document(".lua", rules_text(subject, positions, games)), conformance(
        [
            {"schema": SCHEMA, "program": subject.name, "game": recorder.game, "rules": names},
            *({"kind": "position", **position} for position in positions),
            *({"kind": "game", **game} for game in games),
        ]
    )


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Compare the moves in random positions, and whole games, in every Lua interpreter."""
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
    """The weight of each rule of a learned list, proportional to the rule's probability; empty for other lists."""
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
        rules += _lua_rule(named, weight)
    parts = [
        *_opening(subject, len(weights) > 0),
        "\n".join([*rules, "}"]),
        runtime("keyed_uniform", LUA),
        *(runtime(name, LUA, folder) for name in _PARTS),
        *([runtime("rules_sample", LUA)] if weights else []),
    ]
    recorded = [records("local POSITIONS = ", positions), records("local GAMES = ", games)]
    return module_of(
        subject, parts, [*recorded, runtime("rules_replay", LUA), runtime("rules_selftest", LUA)]
    )


def _opening(subject: Subject, is_learned: bool) -> list[str]:
    how = (
        "S = M.new(width, height); side = M.choose(S, random); closed = M.draw(S, side). M.moves(S) gives all sides "
        "that the acting rule chooses from, and the number of this rule."
        + " A joined rule acts together with the one before it."
        * any(named.joined for named in subject.program.rules)
        + " M.sample(S, random) plays as a learner does, at random among the rules of highest q." * is_learned
    )
    return opening(subject, "a player of Dots and Boxes", how)


def _lua_rule(named: NamedRule, weight: float | None) -> list[str]:
    """A rule as an item of a Lua table: its places, beginning with those of the action, and its action."""
    rule = named.rule
    first = action_nodes(rule)
    order = search_order(rule.graph, first)
    early = [each for each in rule.comparisons if "length" not in kinds_of(each)]
    late = [each for each in rule.comparisons if each not in early]
    texts: Texts = {
        "chain": lambda number: f"{{ length_of = {order.index(number) + 1} }}",
        "word": quoted,
        "sign": quoted,
    }
    compared = comparing(texts, "{{ {left}, {sign}, {right} }}")
    end = rule.action.other
    other = first.index(end) + 1 if end >= 0 else {GROUND: 0, WILD: -1}[end]
    learned = {"q": named.q, "f": named.f, "weight": weight}
    # Lua 5.1 writes every 0 as -0 if there is a -0.0
    numbers = {name: value + 0.0 for name, value in learned.items() if value is not None}
    absent = [line for graph in rule.absent for line in _places("\t\t\t", graph, search_order(graph, ()))]
    return [
        "\t{",
        *(f"\t\t{line}" for line in comment(print_rule(rule), room=LINE - 2 * TAB)),
        *[f"\t\tname = {quoted(named.name or '')},"] * bool(named.name),
        *["\t\tjoined = true,"] * named.joined,
        *(f"\t\t{name} = {value!r}," for name, value in numbers.items()),
        *_places("\t\tplaces = ", rule.graph, order),
        f"\t\tprefix = {len(first)},",
        f"\t\tother = {other},",
        f"\t\toffset = {rule.action.offset},",
        *table("\t\tearly = ", [*map(compared, early)], ","),
        *table("\t\tlate = ", [*map(compared, late)], ","),
        *(["\t\tabsent = {", *absent, "\t\t},"] if absent else ["\t\tabsent = {},"]),
        "\t},",
    ]


def _places(start: str, graph: Graph, order: Sequence[int]) -> list[str]:
    """A search order as a Lua table: for each place, the node there, and its edges to nodes at earlier places."""
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


EXPORTING = Exporting(lua_documents, check)
