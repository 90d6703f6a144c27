"""Text to rules: every rule keeps its place in the text, and its nodes the indexes that the text gives them."""

import math
from dataclasses import dataclass

from lark import Token, Tree

from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.core.header import read_header
from gpkit.genomes.graph import GROUND, WILD, Action, Graph, NamedRule, Rule, RuleList, normal_action
from gpkit.langkit import reading
from gpkit.langkit.reading import refuse, token_span, tokens_span, told_in
from gpkit.languages.rulegraph.conditions import Adjacency, Patterns, compared, own_indexes
from gpkit.languages.rulegraph.syntax import END_NAMES, MARK, READING, name_of, number_in, tokens

LEARNED = ("q", "f")
"""The annotations: quality and accessibility."""


@dataclass(frozen=True, slots=True)
class RuleSource(reading.Source[RuleList]):
    """The rules of a text, by precedence.

    Attributes:
        spans: the place of every rule.
        names: for each rule how the text calls its nodes, such as ``x_3``.
        tokens: of the text in order, without line ends, comments and blanks.
        warnings: what lenient reading passed over, and patterns with a name that nothing uses.
    """

    spans: tuple[Span, ...]
    names: tuple[tuple[str, ...], ...]
    tokens: tuple[Token, ...]
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every rule as it is written, with its name and what was learned, without comments."""
        return tuple(self.text[span.start : span.end] for span in self.spans)


def parse(text: str, filename: str = "<text>", *, lenient: bool = False) -> RuleSource:
    """The rules that a text says, with places.

    Args:
        text: of a ``.rules`` file.
        filename: for messages.
        lenient: whether a chain without length is read as one of any length, with a warning.

    Raises:
        SourceError: the text breaks the grammar, or a rule is not well-formed; the message shows the place, what was
            expected and the nearest right thing.
        LimitError: the text or a rule is too large.
    """
    with told_in(text, filename):
        root = READING.read(text)
        found = _Rules(root, lenient=lenient)
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
    """The rules of a text, read one after another."""

    def __init__(self, root: Tree[Token], *, lenient: bool) -> None:
        self.lenient = lenient
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
            fix = "write one, such as `x_0 w => x_0 - w`"
            raise refuse("E162", "there is no rule", Span(0, 0, 1, 1), fix=fix)
        self.warnings += self.patterns.unused()

    def _read(self, tree: Tree[Token]) -> None:
        name = "".join(self._name(token) for token in _tokens(tree, "NAME"))
        adjacency = Adjacency()
        for pattern in _trees(tree, "pattern"):
            self.patterns.enter(pattern, adjacency)
        ends = [_mentioned(end, adjacency) for end in _trees(tree, "end")]
        comparisons = tuple(compared(each, adjacency) for each in _trees(tree, "comparison"))
        self.warnings += adjacency.lengths(lenient=self.lenient)
        graph = adjacency.graph()
        action = _action(graph, tuple(adjacency.boxes), adjacency, ends)
        absent = tuple(self._absent(each, adjacency) for each in _trees(tree, "absent"))
        learned = _learned(tree)
        rule = Rule(graph, action, absent, comparisons)
        joined = _tokens(tree, "JOIN")
        if joined and not self.rules:
            message = "there is no rule above to join this one to"
            raise refuse("E187", message, token_span(joined[0]), fix="remove the `|`")
        self.rules.append(NamedRule(rule, name, learned.get("q"), learned.get("f"), bool(joined)))
        self.spans.append(tokens_span(tree))
        self.names.append(tuple(sketch.name for sketch in adjacency.boxes.values()))

    def _absent(self, tree: Tree[Token], present: Adjacency) -> Graph:
        """The graph of a pattern that must not match."""
        adjacency = Adjacency()
        for pattern in _trees(tree, "pattern"):
            own_indexes(pattern, present)
            self.patterns.enter(pattern, adjacency)
        self.warnings += adjacency.lengths(lenient=self.lenient)
        return adjacency.graph()

    def _name(self, token: Token) -> str:
        name = token.rstrip(": \t")
        span = token_span(token)
        if name in self.lines:
            message = f"the rule `{name}` is already defined on line {self.lines[name]}"
            raise refuse("E181", message, span, fix="give it a different name, or none")
        self.lines[name] = span.line
        return name


def _trees(tree: Tree[Token], kind: str) -> list[Tree[Token]]:
    return [child for child in tree.children if isinstance(child, Tree) and child.data == kind]


def _tokens(tree: Tree[Token], kind: str) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token) and child.type == kind]


def _learned(tree: Tree[Token]) -> dict[str, float]:
    """Learned values from the annotations of a rule."""
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


@dataclass(frozen=True, slots=True)
class _End:
    """One of the two words of an action: an index or what else an edge can lead to, and how far it is moved in,
    with the place that says so.
    """

    index: int
    span: Span
    offset: tuple[int, Span] | None = None


def _mentioned(tree: Tree[Token], adjacency: Adjacency) -> _End:
    """An end of the action.

    Raises:
        Refused: it is a box that the rule has not.
    """
    first = tree.children[0]
    if isinstance(first, Token):
        return _End(GROUND if first == "n" else WILD, tokens_span(tree))
    index = number_in(first)
    if index not in adjacency.boxes:
        names = [sketch.name for sketch in adjacency.boxes.values()]
        message = f"`{name_of(first)}` is not in the pattern of the rule"
        raise refuse("E179", message, tokens_span(first), fix=suggestion(name_of(first), names))
    adjacency.mention(first)
    for offset in _trees(tree, "offset"):
        return _End(index, tokens_span(first), (number_in(offset), tokens_span(offset)))
    return _End(index, tokens_span(first))


def _action(graph: Graph, known: tuple[int, ...], adjacency: Adjacency, ends: list[_End]) -> Action:
    """The edge that the ends of an action say.

    Raises:
        Refused: there is no such edge.
    """
    if ends[0].index < 0:
        ends = ends[::-1]
    one, two = ends
    if one.index < 0:
        fix = "one of the two is a box of the rule, as in `x_0 - w`"
        raise refuse("E179", "the action names no box", ends[1].span, fix=fix)
    sketch = adjacency.boxes[one.index]
    place = {index: k for k, index in enumerate(known)}
    number = place[one.index]
    other = place.get(two.index, two.index)
    if not graph.edges_to(number, other):
        named = [adjacency.boxes[known[k]].name for k in graph.neighbours(number)]
        named += [END_NAMES[end] for end in (GROUND, WILD) if graph.edges_to(number, end)]
        there = [f"`{name}`" for name in named]
        far = END_NAMES.get(two.index) or adjacency.boxes[two.index].name
        message = f"there is no edge between `{sketch.name}` and `{far}`"
        fix = f"`{sketch.name}` has edges to {' and '.join(filter(None, [', '.join(there[:-1]), there[-1]]))}"
        raise refuse("E179", message, two.span, fix=fix)
    return normal_action(graph, Action(number, other, _offset(ends, adjacency)))


def _offset(ends: list[_End], adjacency: Adjacency) -> int:
    moved = [(end.index, *end.offset) for end in ends if end.offset is not None]
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
