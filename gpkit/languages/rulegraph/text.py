"""Reads, prints and lays out rule lists; keeps comments and the position of every rule.

The layout keeps the entries, their order, their indexes and their lengths. The layout replaces several empty lines with
one.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from lark import Token, Tree

from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.core.header import print_header, read_header
from gpkit.genomes.graph import Action, Graph, NamedRule, Rule, RuleList, canonical, normal_action
from gpkit.langkit import reading
from gpkit.langkit.nodes import Texts, commented
from gpkit.langkit.reading import refuse, token_span, tokens_span, told_in
from gpkit.languages.rulegraph.conditions import Adjacency, Patterns, compared, own_indexes
from gpkit.languages.rulegraph.syntax import (
    END_NAMES,
    ENDS,
    MARK,
    NAME,
    READING,
    comparing,
    name_of,
    number_in,
    tokens,
)


def print_program(program: RuleList, header: Mapping[str, str] | None = None) -> str:
    """The text of a ``.rules`` file: the header as comments, and then the rules by precedence.

    For rules of level 1, the header names the level.

    Raises:
        ValueError: there is no rule; a header key is not one word of letters, digits, ``_`` and ``-``; the name of a
            rule is invalid or appears twice; the first rule is marked as joined; or a learned value is not finite.
    """
    names = [named.name for named in program.rules if named.name]
    if not program.rules or len(set(names)) < len(names):
        raise ValueError("a list needs at least one rule, and the names of its rules must differ")
    if program.rules[0].joined:
        raise ValueError("there is no rule above the first rule, so it cannot be joined")
    header = dict(header or {}) | ({"level": str(program.level)} if program.level else {})
    parts = ["\n".join(print_header(header, MARK))] if header else []
    parts.append("\n".join(print_named(named) for named in program.rules))
    return "\n\n".join(parts) + "\n"


def print_named(named: NamedRule) -> str:
    """The line of a rule with its name and its learned values; it starts with ``|`` if the rule is joined.

    Raises:
        ValueError: the name is invalid, or a learned value is not finite.
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
    """The text of a rule; rules that differ only in the numbering of their nodes have the same text.

    >>> from gpkit.genomes.graph import GROUND, Action, Graph, Link, Node, Rule
    >>> graph = Graph((Node("x"), Node("l", 2, True)), (Link(0, 1, 1),), (0, 1))
    >>> print(print_rule(Rule(graph, Action(1, 0))))
    l_0(2+) x_1 n : x_1 l_0 => l_0 - x_1
    """
    return rule_text(canonical(rule), {})


def rule_text(
    rule: Rule, texts: Texts, absent: str = "!{}", between: str = " ; ", arrow: str = " => "
) -> str:
    """The text of a rule; the arguments define the notation."""
    texts = {"chain": node_names(rule.graph).__getitem__, **texts}
    said = [print_graph(rule.graph)]
    said += [absent.format(print_graph(graph, first)) for graph, first in absent_graphs(rule)]
    said += map(comparing(texts), rule.comparisons)
    node, other = (node_name(rule.graph, each) for each in (rule.action.node, rule.action.other))
    offset = f"[{rule.action.offset}]" if rule.action.offset else ""
    return f"{between.join(said)}{arrow}{node}{offset} - {other}"


def print_graph(graph: Graph, first: int = 0) -> str:
    """The entries of a graph in the order of its nodes; an entry lists neighbours by name, then ``n``, then ``w``.

    Only a chain's own entry shows its length. The indexes start at ``first``.
    """
    near = graph.adjacency()
    return " : ".join(_entry(graph, number, near[number], first) for number in range(len(graph.nodes)))


def absent_graphs(rule: Rule) -> Iterator[tuple[Graph, int]]:
    """Yield the graphs that must be absent, with the index of the first node of each."""
    first = len(rule.graph.nodes)
    for graph in rule.absent:
        yield graph, first
        first += len(graph.nodes)


def node_names(graph: Graph) -> list[str]:
    """The names of the nodes in a rule's own graph."""
    return [node_name(graph, number) for number in range(len(graph.nodes))]


def node_name(graph: Graph, number: int, first: int = 0) -> str:
    """The name of a node, such as ``x_3``, or of another end of an edge.

    >>> from gpkit.genomes.graph import GROUND, WILD
    >>> node_name(Graph((), (), ()), GROUND), node_name(Graph((), (), ()), WILD)
    ('n', 'w')
    """
    return END_NAMES[number] if number < 0 else f"{graph.nodes[number].symbol}_{first + number}"


def node_with_length(graph: Graph, number: int, first: int = 0) -> str:
    """The text of a node at the start of its own entry, such as ``l_3(2+)``."""
    node = graph.nodes[number]
    length = f"({node.length}{'+' * node.at_least})" if node.length else ""
    return node_name(graph, number, first) + length


def _entry(graph: Graph, number: int, near: Mapping[int, int], first: int) -> str:
    words = [node_with_length(graph, number, first)]
    for other in sorted(near):
        words += [node_name(graph, other, first)] * (near[other] * (2 if other == number else 1))
    words += ["n"] * graph.grounds[number]
    wild = graph.nodes[number].degree + 1 - len(words)
    return " ".join(words + ["w"] * wild)


LEARNED = ("q", "f")
"""The keys of annotations, which stand for quality and accessibility."""


@dataclass(frozen=True, slots=True)
class RuleSource(reading.Source[RuleList]):
    """The rules in a text, by precedence.

    Attributes:
        spans: the position of every rule.
        names: the names of each rule's nodes in the text, such as ``x_3``.
        tokens: the tokens of the text in order, without line breaks, comments and spaces.
        warnings: warnings about named patterns that are never used.
    """

    spans: tuple[Span, ...]
    names: tuple[tuple[str, ...], ...]
    tokens: tuple[Token, ...]
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of every rule, with its name and learned values, without comments."""
        return tuple(self.text[span.start : span.end] for span in self.spans)


def parse(text: str, filename: str = "<text>") -> RuleSource:
    """The rules in a text, with their positions.

    Args:
        text: the text of a ``.rules`` file.
        filename: the name of the file, for messages.

    Raises:
        SourceError: the text breaks the grammar, or a rule is not well-formed; the message gives the location, what was
            expected and the nearest correct text.
        LimitError: the text or a rule is too large.
    """
    with told_in(text, filename):
        root = READING.read(text)
        found = _Rules(root)
    return RuleSource(
        RuleList(tuple(found.rules)),
        read_header(text, MARK),
        text,
        filename,
        tuple(found.spans),
        tuple(found.names),
        tuple(tokens(root)),
        tuple(found.warnings),
    )


class _Rules:
    """A reader of rules, which reads the rules in a text one after another."""

    def __init__(self, root: Tree[Token]) -> None:
        self.rules: list[NamedRule] = []
        self.spans: list[Span] = []
        self.names: list[tuple[str, ...]] = []
        self.warnings: list[Diagnostic] = []
        self.lines: dict[str, int] = {}
        self.patterns = Patterns()
        for tree in root.children:
            if isinstance(tree, Tree) and tree.data == "definition":
                self.patterns.define(tree)
            elif isinstance(tree, Tree):
                self._read(tree)
        if not self.rules:
            raise refuse(
                "E162", "there is no rule", Span(0, 0, 1, 1), fix="write one, such as `x_0 w => x_0 - w`"
            )
        self.warnings += self.patterns.unused()

    def _read(self, tree: Tree[Token]) -> None:
        name = "".join(self._name(token) for token in _tokens(tree, "NAME"))
        adjacency = self._adjacency(tree)
        ends = [_mentioned(end, adjacency) for end in _trees(tree, "end")]
        comparisons = tuple(compared(each, adjacency) for each in _trees(tree, "comparison"))
        graph = adjacency.graph()
        action = _action(graph, adjacency, ends)
        absent = tuple(self._absent(each, adjacency) for each in _trees(tree, "absent"))
        learned = _learned(tree)
        rule = Rule(graph, action, absent, comparisons)
        joined = _tokens(tree, "JOIN")
        if joined and not self.rules:
            raise refuse(
                "E187",
                "there is no rule above to join this one to",
                token_span(joined[0]),
                fix="remove the `|`",
            )
        self.rules.append(NamedRule(rule, name, learned.get("q"), learned.get("f"), bool(joined)))
        self.spans.append(tokens_span(tree))
        self.names.append(tuple(sketch.name for sketch in adjacency.boxes.values()))

    def _adjacency(self, tree: Tree[Token]) -> Adjacency:
        """The boxes in the patterns of a tree."""
        patterns = _trees(tree, "pattern")
        return Adjacency(entry for pattern in patterns for entry in self.patterns.written_out(pattern))

    def _absent(self, tree: Tree[Token], present: Adjacency) -> Graph:
        """The graph of an absent pattern."""
        own_indexes(tree, present)
        adjacency = self._adjacency(tree)
        return adjacency.graph()

    def _name(self, token: Token) -> str:
        name = token.rstrip(": \t")
        span = token_span(token)
        if name in self.lines:
            raise refuse(
                "E181",
                f"the rule `{name}` is already defined on line {self.lines[name]}",
                span,
                fix="give it a different name, or none",
            )
        self.lines[name] = span.line
        return name


def _trees(tree: Tree[Token], kind: str) -> list[Tree[Token]]:
    return [child for child in tree.children if isinstance(child, Tree) and child.data == kind]


def _tokens(tree: Tree[Token], kind: str) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token) and child.type == kind]


def _learned(tree: Tree[Token]) -> dict[str, float]:
    """The learned values in the annotations of a rule."""
    learned: dict[str, float] = {}
    for token in _tokens(tree, "ANNOTATION"):
        key, _, number = token[1:].partition("=")
        key = key.strip()
        if key not in LEARNED:
            message, fix = f"there is no annotation `@{key}`", suggestion(key, LEARNED)
        elif key in learned:
            message, fix = f"`@{key}` appears twice", "remove one of the two"
        elif not math.isfinite(float(number)):
            message, fix = "this number is too large", "a double goes up to 1.8e308"
        else:
            learned[key] = float(number)
            continue
        raise refuse("E182", message, token_span(token), fix=fix)
    return learned


_End = tuple[int, Span, list[tuple[int, Span]]]
"""An end of an action's edge: the index of a box or the code of another target, its place in the text, its offsets."""


def _mentioned(tree: Tree[Token], adjacency: Adjacency) -> _End:
    """An end of the action's edge.

    Raises:
        Refused: the rule does not have this box.
    """
    first = tree.children[0]
    if isinstance(first, Tree) and number_in(first) not in adjacency.boxes:
        names = [sketch.name for sketch in adjacency.boxes.values()]
        raise refuse(
            "E179",
            f"`{name_of(first)}` is not in the pattern of the rule",
            tokens_span(first),
            fix=suggestion(name_of(first), names),
        )
    offsets = [(number_in(offset), tokens_span(offset)) for offset in _trees(tree, "offset")]
    return adjacency.mention(first), tokens_span(first), offsets


def _action(graph: Graph, adjacency: Adjacency, ends: list[_End]) -> Action:
    """The action with these two ends.

    Raises:
        Refused: the graph has no such edge.
    """
    (one, first, _), (two, second, _) = ends = sorted(ends, key=lambda end: end[0] < 0)
    if one < 0:
        raise refuse(
            "E179",
            "the action names no box",
            first,
            fix="one of the two is a box of the rule, as in `x_0 - w`",
        )
    names = [sketch.name for sketch in adjacency.boxes.values()]
    place = {index: k for k, index in enumerate(adjacency.boxes)}
    number, other = place[one], place.get(two, two)
    if not graph.edges_to(number, other):
        there = [f"`{names[k]}`" for k in graph.neighbours(number)]
        there += [f"`{name}`" for name, end in ENDS.items() if graph.edges_to(number, end)]
        far = END_NAMES.get(two) or names[other]
        raise refuse(
            "E179",
            f"there is no edge between `{names[number]}` and `{far}`",
            second,
            fix=f"`{names[number]}` has edges to {' and '.join(filter(None, [', '.join(there[:-1]), there[-1]]))}",
        )
    return normal_action(graph, Action(number, other, _offset(ends, adjacency)))


def _offset(ends: list[_End], adjacency: Adjacency) -> int:
    moved = [(index, *offset) for index, _, offsets in ends for offset in offsets]
    if not moved:
        return 0
    index, offset, span = moved[-1]
    sketch = adjacency.boxes[index]
    if len(moved) > 1:
        message, fix = "an action has one offset", "remove one of the two"
    elif sketch.symbol != "l":
        message = f"`{sketch.name}` is a single box, so it has no offset"
        fix = "only chains, `l`, have offsets; remove this one"
    elif offset >= sketch.length:
        boxes = "1 box" if sketch.length == 1 else f"{sketch.length} boxes"
        least = "at least " if sketch.at_least else ""
        message = f"`{sketch.name}` has {least}{boxes}, so the offset must be less than {sketch.length}"
        fix = f"write `[{sketch.length - 1}]`, or a longer chain"
    else:
        return offset
    raise refuse("E180", message, span, fix=fix)


_ATTACHED = frozenset({"UNDERSCORE", "LPAR", "PLUS", "RPAR", "LSQB", "RSQB"})
"""Tokens that have no space before them."""

_OPENING = frozenset({"UNDERSCORE", "LPAR", "LSQB", "BANG"})
"""Tokens that have no space after them."""

_BEFORE_NUMBERS = frozenset({"SEMICOLON", "SIGN", "EQUAL"})
"""Tokens after which a number follows; a minus after one of these tokens is the sign of that number."""


def format_source(source: RuleSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    rows = groupby(source.tokens, key=lambda token: token.line or 1)
    lines: list[str] = []
    blank = False
    for code, comment in commented(source.text, MARK, {line: _written(row) for line, row in rows}):
        if not (code or comment):
            blank = bool(lines)
            continue
        lines += [""] * blank + ["  ".join(filter(None, [code, comment]))]
        blank = False
    return "\n".join(lines) + "\n"


def _written(row: Iterable[Token]) -> str:
    """The text of a line, in canonical layout."""
    pieces: list[str] = []
    before = last = ""
    for token in row:
        if token.type in ("LBRACE", "RBRACE"):
            continue
        signed = last == "MINUS" and before in _BEFORE_NUMBERS
        if pieces and not (token.type in _ATTACHED or last in _OPENING or signed):
            pieces.append("  " if token.type == "ANNOTATION" and last != "ANNOTATION" else " ")
        pieces.append(_word(token))
        before, last = last, token.type
    return "".join(pieces)


def _word(token: Token) -> str:
    if token.type == "ARROW":
        return "=>"
    if token.type == "INT":
        return str(int(token))
    return "".join(token.split()) if token.type in ("NAME", "ANNOTATION") else str(token)
