"""Patterns with a name or that must not match, and comparisons: extensions of the source, level 1; and adjacency lists.

Adjacency lists become graphs: what the entries leave out is filled in, and what cannot be is told with its place. A box
has as many neighbours as undrawn sides. Those that its entry leaves out come from the entries of others, and what then
lacks is ``w``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf

from lark import Token, Tree

from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.genomes.graph import (
    DEGREES,
    GROUND,
    WILD,
    Comparison,
    Graph,
    Node,
    Quantity,
    Sign,
    Symbol,
    graph_of,
    impossible,
)
from gpkit.langkit.reading import exceed, refuse, token_span, tokens_span
from gpkit.languages.rulegraph.syntax import GUARDS, MAX_NODES, name_of, number_in


@dataclass(slots=True)
class Sketch:
    """A box or a chain as far as it is known; ``length`` 0 says that nothing is.

    Attributes:
        name: the symbol with the index as it was first written.
        symbol: what it is.
        span: the first place that names it.
        length, at_least: of a chain.
        listed: what its entry lists: the index of a box, ``GROUND`` or ``WILD``, with its place.
        entry: the place of the head of its entry.
    """

    name: str
    symbol: Symbol
    span: Span
    length: int = 0
    at_least: bool = False
    listed: list[tuple[int, Span]] = field(default_factory=list)
    entry: Span | None = None

    @property
    def degree(self) -> int:
        """The neighbours that it has."""
        return DEGREES[self.symbol]

    @property
    def written_length(self) -> str:
        """As in a rule."""
        return f"({self.length}{'+' if self.at_least else ''})"


class Adjacency:
    """The boxes of one rule while it is read, by the index that the text gives them, in the order of the text."""

    def __init__(self) -> None:
        self.boxes: dict[int, Sketch] = {}

    def mention(self, box: Tree[Token]) -> int:
        """Take in what a text says about a box where it names it; gives its index.

        Raises:
            Refused: it says something else elsewhere.
        """
        symbol: Symbol = next(token.value for token in box.children if isinstance(token, Token))
        index, span = number_in(box), tokens_span(box)
        sketch = self.boxes.setdefault(index, Sketch(name_of(box), symbol, span))
        if len(self.boxes) > MAX_NODES:
            raise exceed("E164", f"a rule has at most {MAX_NODES} nodes", span)
        if sketch.symbol != symbol:
            message = f"`{name_of(box)}` is `{sketch.name}` elsewhere in the rule"
            own = f"`{symbol}_{self.free_index()}`"
            fix = f"write `{sketch.name}`, or give this one an index of its own, such as {own}"
            raise refuse("E170", message, span, fix=fix)
        for child in box.children:
            if isinstance(child, Tree) and child.data == "length":
                self._lengthen(sketch, child)
        return index

    def free_index(self) -> int:
        """An index that no box has."""
        return max(self.boxes) + 1

    def _lengthen(self, sketch: Sketch, tree: Tree[Token]) -> None:
        length, span = number_in(tree), tokens_span(tree)
        at_least = any(isinstance(token, Token) and token.type == "PLUS" for token in tree.children)
        if sketch.symbol != "l":
            message = f"`{sketch.name}` is a single box, so it has no length"
            raise refuse("E171", message, span, fix=f"write `{sketch.name}`; chains, `l`, have lengths")
        if length == 0:
            raise refuse("E172", "a chain has at least one box", span, fix="write `(1)` or `(1+)`")
        if sketch.length and (sketch.length, sketch.at_least) != (length, at_least):
            message = f"`{sketch.name}` has the length {sketch.written_length} elsewhere in the rule"
            raise refuse("E172", message, span, fix=f"write `{sketch.written_length}`, or none here")
        sketch.length, sketch.at_least = length, at_least

    def enter(self, entry: Tree[Token]) -> None:
        """Take in an entry: a box and its neighbours.

        Raises:
            Refused: the box has an entry already, or not so many neighbours.
        """
        head, *rest = entry.children
        assert isinstance(head, Tree)
        sketch = self.boxes[self.mention(head)]
        if sketch.entry is not None:
            message = f"`{sketch.name}` has two entries"
            raise refuse("E176", message, tokens_span(head), fix="list all its neighbours in one entry")
        sketch.entry = tokens_span(head)
        for each in rest:
            if isinstance(each, Tree):
                sketch.listed.append((self.mention(each), tokens_span(each)))
            else:
                sketch.listed.append((GROUND if each == "n" else WILD, token_span(each)))
        if len(sketch.listed) > sketch.degree:
            message = (
                f"`{sketch.name}` has {len(sketch.listed)} neighbours here, but {_degree_in_words(sketch)}"
            )
            fix = f"take {len(sketch.listed) - sketch.degree} out"
            if close := next((s for s, degree in DEGREES.items() if degree == len(sketch.listed)), None):
                fix += f", or make it `{close}`"
            raise refuse("E175", message, sketch.listed[sketch.degree][1], fix=fix)

    def lengths(self, *, lenient: bool) -> list[Diagnostic]:
        """See that every chain has a length; the lenient give ``(1+)`` to those without, with a warning for each.

        Raises:
            Refused: a chain has none.
        """
        warnings = []
        for sketch in self.boxes.values():
            if sketch.symbol == "l" and not sketch.length:
                message = f"`{sketch.name}` is a chain and has no length"
                if not lenient:
                    fix = f"write `{sketch.name}(1+)` for any chain, `{sketch.name}(3)` for three boxes"
                    raise refuse("E173", message, sketch.span, fix=fix)
                sketch.length, sketch.at_least = 1, True
                fix = f"it is taken as `{sketch.name}(1+)`"
                warnings.append(Diagnostic("W194", "warning", message, sketch.span, (), fix))
        return warnings

    def graph(self) -> Graph:
        """The graph of the boxes, which have all their lengths.

        Raises:
            Refused: what the entries say does not fit together.
        """
        place = {index: k for k, index in enumerate(self.boxes)}
        edges: dict[tuple[int, int], int] = {}
        for index, sketch in self.boxes.items():
            for other in dict.fromkeys(other for other, _ in sketch.listed):
                if other >= 0:
                    edges[min(index, other), max(index, other)] = self._edges(index, other)
        joined: dict[int, list[tuple[int, int]]] = {index: [] for index in self.boxes}
        for (low, high), count in edges.items():
            joined[low].append((high, count))
            joined[high].append((low, count))
        for index in self.boxes:
            self._fits(index, joined[index])
        nodes = [Node(s.symbol, s.length, s.at_least) for s in self.boxes.values()]
        grounds = {place[index]: self._count(index, GROUND) for index in self.boxes}
        return graph_of(nodes, {(place[a], place[b]): n for (a, b), n in edges.items()}, grounds)

    def _count(self, index: int, other: int) -> int:
        return sum(listed == other for listed, _ in self.boxes[index].listed)

    def _place(self, index: int, other: int) -> Span:
        """Place in the text where the entry of a box lists another."""
        return next(span for listed, span in self.boxes[index].listed if listed == other)

    def _edges(self, index: int, other: int) -> int:
        """The edges between two boxes, of which at least the first lists the second."""
        one, two = self.boxes[index], self.boxes[other]
        here, there = self._count(index, other), self._count(other, index)
        span = self._place(index, other)
        edges = (here + 1) // 2 if index == other else max(here, there)
        first, second = Node(one.symbol, one.length), Node(two.symbol, two.length)
        if why := impossible(first, second, edges, loop=index == other):
            code = "E177" if one.symbol == two.symbol == "l" else "E178"
            message = f"`{one.name}` and `{two.name}` cannot be neighbours like this: {why}"
            if index == other:
                message = f"`{one.name}` cannot be its own neighbour: {why}"
            raise refuse(code, message, span, fix="such a rule would never match")
        if there and here != there:
            message = f"`{one.name}` lists `{two.name}` {_times(here)}, `{two.name}` lists `{one.name}` {_times(there)}"
            fix = f"list each {_times(edges)} in the other's entry: once for each edge between them"
            raise refuse("E174", message, span, fix=fix)
        return edges

    def _fits(self, index: int, joined: list[tuple[int, int]]) -> None:
        """See that a box has room for the edges to all that list it; a loop is among them twice."""
        sketch = self.boxes[index]
        ends = sum(count for _, count in joined)
        if ends + self._count(index, GROUND) + self._count(index, WILD) <= sketch.degree:
            return
        others = [other for other, _ in joined]
        unlisted = [other for other in others if not self._count(index, other)]
        if not unlisted:
            message = f"`{sketch.name}` leads to itself at one end, so it must do so at the other"
            fix = f"write `{sketch.name} {sketch.name} {sketch.name}` for a loop of boxes"
            raise refuse("E175", message, self._place(index, index), fix=fix)
        span = self._place(unlisted[-1], index)
        asking = self.boxes[unlisted[-1]].name
        if sketch.entry is None:
            names = " and ".join(f"`{self.boxes[other].name}`" for other in others)
            message = f"{names} list `{sketch.name}`, but {_degree_in_words(sketch)}"
            raise refuse("E175", message, span, fix="give one of them a different index")
        message = f"`{asking}` lists `{sketch.name}`, but the entry of `{sketch.name}` is full without it"
        fix = f"list `{asking}` in the entry of `{sketch.name}`, or take `{sketch.name}` out here"
        if self._count(index, WILD):
            fix = f"write `{asking}` for a `w` in the entry of `{sketch.name}`"
        raise refuse("E174", message, span, fix=fix)


def _degree_in_words(sketch: Sketch) -> str:
    sides = {"q": "four sides", "t": "three sides", "l": "two ends", "x": "one side"}[sketch.symbol]
    return f"`{sketch.symbol}` has degree {sketch.degree}: {sides} to draw"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


class Patterns:
    """The patterns with a name, in the order of the text: a name stands for the entries written behind it."""

    def __init__(self) -> None:
        self.entries: dict[str, list[Tree[Token]]] = {}
        self.spans: dict[str, Span] = {}
        self.used: set[str] = set()

    def define(self, tree: Tree[Token]) -> None:
        """Take in a line such as ``&safe = t_0 t_1``.

        Raises:
            Refused: the name is taken, or a box has two entries.
        """
        name = next(token for token in tree.children if isinstance(token, Token))
        (pattern,) = tree.find_data("pattern")
        if name in self.spans:
            message = f"the pattern `{name}` is already defined on line {self.spans[name].line}"
            raise refuse("E184", message, token_span(name), fix="give it another name")
        entries = list(self._written_out(pattern))
        scratch = Adjacency()
        for entry in entries:
            scratch.enter(entry)
        self.entries[str(name)] = entries
        self.spans[str(name)] = token_span(name)

    def enter(self, pattern: Tree[Token], adjacency: Adjacency) -> None:
        """Take in a pattern, names written out.

        Raises:
            Refused: there is no such name, or the entries do not fit together.
        """
        for entry in self._written_out(pattern):
            adjacency.enter(entry)

    def _written_out(self, pattern: Tree[Token]) -> Iterator[Tree[Token]]:
        for part in pattern.children:
            if isinstance(part, Tree):
                yield part
            elif part.type == "PATTERN_NAME":
                if part not in self.entries:
                    message = f"there is no pattern `{part}` above this line"
                    fix = suggestion(part, self.entries) or f"write a line `{part} = ` with its entries"
                    raise refuse("E183", message, token_span(part), fix=fix)
                self.used.add(str(part))
                yield from self.entries[part]

    def unused(self) -> Iterator[Diagnostic]:
        """A warning for each name that is only defined."""
        for name, span in self.spans.items():
            if name not in self.used:
                message = f"nothing uses the pattern `{name}`"
                yield Diagnostic("W198", "warning", message, span, (), "remove it")


def own_indexes(pattern: Tree[Token], present: Adjacency) -> None:
    """See that what a rule says must be absent does not look like a box of the rule.

    Raises:
        Refused: it names one.
    """
    for box in pattern.find_data("box"):
        name, index = name_of(box), number_in(box)
        if index in present.boxes and present.boxes[index].name == name:
            message = (
                f"`{name}` is a box of the rule, but an absent pattern is searched for on the whole board"
            )
            fix = f"give it an index of its own, such as `{box.children[0]}_{present.free_index()}`"
            raise refuse("E185", message, tokens_span(box), fix=fix)


def compared(tree: Tree[Token], adjacency: Adjacency) -> Comparison:
    """A comparison; it names chains by their place among the boxes of the rule.

    Raises:
        Refused: it compares something else.
    """
    left, right = (_quantity(part, adjacency) for part in tree.children if isinstance(part, Tree))
    sign: Sign = next(token.value for token in tree.children if isinstance(token, Token))
    return Comparison(left, sign, right)


def _quantity(tree: Tree[Token], adjacency: Adjacency) -> Quantity:
    first = tree.children[0]
    if isinstance(first, Token):
        if first.type != "WORD":
            return Quantity("number", int("".join(str(token) for token in tree.children)))
        if first not in GUARDS:
            message = f"there is no quantity `{first}`"
            fix = suggestion(first, GUARDS)
            raise refuse("E186", message, token_span(first), fix=fix)
        return Quantity("score" if first == "score" else "left")
    name, index = name_of(first), number_in(first)
    chains = [sketch.name for sketch in adjacency.boxes.values() if sketch.symbol == "l"]
    if name not in chains:
        known = index in adjacency.boxes and adjacency.boxes[index].name == name
        message = (
            f"`{name}` is a single box: it has no length" if known else f"`{name}` is not a chain of the rule"
        )
        fix = suggestion(name, chains) or "only the lengths of chains, `l`, are compared"
        raise refuse("E186", message, tokens_span(first), fix=fix)
    adjacency.mention(first)
    return Quantity("length", list(adjacency.boxes).index(index))


def decided(graph: Graph, comparison: Comparison) -> bool | None:
    """Whether a comparison is true wherever the graph matches, or false; None if that depends on the position."""
    left, sign, right = comparison
    if left == right:
        return sign in ("=", "<=", ">=")
    one, other = (_bounds(graph, quantity) for quantity in (left, right))
    if sign in (">", ">="):
        one, other, sign = other, one, "<" if sign == ">" else "<="
    if sign in ("=", "!="):
        if one == other and one[0] == one[1]:
            return sign == "="
        return sign == "!=" if one[1] < other[0] or other[1] < one[0] else None
    surely = one[1] < other[0] if sign == "<" else one[1] <= other[0]
    never = one[0] >= other[1] if sign == "<" else one[0] > other[1]
    return True if surely else False if never else None


def _bounds(graph: Graph, quantity: Quantity) -> tuple[float, float]:
    """The least and the largest value."""
    kind, value = quantity
    if kind == "number":
        return value, value
    if kind == "length":
        node = graph.nodes[value]
        return node.length, inf if node.at_least else node.length
    return (1, inf) if kind == "left" else (-inf, inf)
