"""Reads adjacency lists and the extensions of level 1: named patterns, absent patterns and comparisons.

The reader turns adjacency lists into graphs. The reader fills in gaps in the entries; if entries contradict each other,
the error shows the place. A box has as many neighbours as undrawn sides. Neighbours that the entry of a box omits come
from the entries of other boxes; the rest are ``w``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf

from lark import Token, Tree

from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.genomes.graph import (
    DEGREES,
    GROUND,
    MEANING,
    WILD,
    Graph,
    Node,
    NumberComparison,
    Quantity,
    Sign,
    Symbol,
    graph_of,
    impossible,
)
from gpkit.langkit.findings import finding
from gpkit.langkit.reading import exceed, refuse, token_span, tokens_span
from gpkit.languages.rulegraph.syntax import CONDITIONS, ENDS, GUARDS, MAX_NODES, name_of, number_in


@dataclass(slots=True)
class Sketch:
    """The known facts about a box or a chain.

    Attributes:
        name: the symbol with the index, as first written in the text.
        symbol: the kind of box.
        span: the place where it is mentioned first.
        length, at_least: the length of a chain, or 0 if unknown, and whether longer chains match.
        listed: the neighbours in its entry, as the index of a box, ``GROUND`` or ``WILD``, each with its place in the
            text.
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
        """The number of neighbours of the box."""
        return DEGREES[self.symbol]

    @property
    def written_length(self) -> str:
        """The length of the chain in the notation of rules."""
        return f"({self.length}{'+' if self.at_least else ''})"


class Adjacency:
    """The boxes of the rule that is being read, by index, in the order of the text."""

    def __init__(self, entries: Iterable[Tree[Token]]) -> None:
        """Collect the boxes in the entries of a rule.

        Raises:
            Refused: the entries contradict each other.
        """
        self.boxes: dict[int, Sketch] = {}
        for entry in entries:
            self._enter(entry)

    def mention(self, box: Tree[Token] | Token) -> int:
        """Record the facts from one mention of a box, and return the index of the box, ``GROUND`` or ``WILD``.

        Raises:
            Refused: another mention contradicts it.
        """
        if isinstance(box, Token):
            return ENDS[box]
        symbol: Symbol = next(token.value for token in box.children if isinstance(token, Token))
        index, span = number_in(box), tokens_span(box)
        sketch = self.boxes.setdefault(index, Sketch(name_of(box), symbol, span))
        if len(self.boxes) > MAX_NODES:
            raise exceed("E164", f"a rule has at most {MAX_NODES} nodes", span)
        if sketch.symbol != symbol:
            message = f"`{name_of(box)}` is `{sketch.name}` elsewhere in the rule"
            own = f"`{symbol}_{self.free_index()}`"
            raise refuse(
                "E170",
                message,
                span,
                fix=f"write `{sketch.name}`, or give this one an index of its own, such as {own}",
            )
        for child in box.children:
            if isinstance(child, Tree) and child.data == "length":
                self._lengthen(sketch, child)
        return index

    def free_index(self) -> int:
        """An unused index."""
        return max(self.boxes) + 1

    def _lengthen(self, sketch: Sketch, tree: Tree[Token]) -> None:
        length, span = number_in(tree), tokens_span(tree)
        at_least = any(isinstance(token, Token) and token.type == "PLUS" for token in tree.children)
        if sketch.symbol != "l":
            raise refuse(
                "E171",
                f"`{sketch.name}` is a single box, so it has no length",
                span,
                fix=f"write `{sketch.name}`; chains, `l`, have lengths",
            )
        if length == 0:
            raise refuse("E172", "a chain has at least one box", span, fix="write `(1)` or `(1+)`")
        if sketch.length and (sketch.length, sketch.at_least) != (length, at_least):
            raise refuse(
                "E172",
                f"`{sketch.name}` has the length {sketch.written_length} elsewhere in the rule",
                span,
                fix=f"write `{sketch.written_length}`, or none here",
            )
        sketch.length, sketch.at_least = length, at_least

    def _enter(self, entry: Tree[Token]) -> None:
        """Add an entry: a box and its neighbours."""
        head, *rest = entry.children
        sketch = self.boxes[self.mention(head)]
        if sketch.entry is not None:
            message = f"`{sketch.name}` has two entries"
            raise refuse("E176", message, tokens_span(head), fix="list all its neighbours in one entry")
        sketch.entry = tokens_span(head)
        sketch.listed += [(self.mention(each), tokens_span(each)) for each in rest]
        if len(sketch.listed) > sketch.degree:
            message = (
                f"`{sketch.name}` has {len(sketch.listed)} neighbours here, but {_degree_in_words(sketch)}"
            )
            fix = f"take {len(sketch.listed) - sketch.degree} out"
            if close := next((s for s, degree in DEGREES.items() if degree == len(sketch.listed)), None):
                fix += f", or make it `{close}`"
            raise refuse("E175", message, sketch.listed[sketch.degree][1], fix=fix)

    def graph(self) -> Graph:
        """The graph of the boxes.

        Raises:
            Refused: a chain has no length, or the entries contradict each other.
        """
        for sketch in self.boxes.values():
            if sketch.symbol == "l" and not sketch.length:
                raise refuse(
                    "E173",
                    f"`{sketch.name}` is a chain and has no length",
                    sketch.span,
                    fix=f"write `{sketch.name}(1+)` for any chain, `{sketch.name}(3)` for three boxes",
                )
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
        """The place in the text where the entry of a box lists another box."""
        return next(span for listed, span in self.boxes[index].listed if listed == other)

    def _edges(self, index: int, other: int) -> int:
        """The number of edges between two boxes; the entry of at least the first box must list the second."""
        one, two = self.boxes[index], self.boxes[other]
        here, there = self._count(index, other), self._count(other, index)
        span = self._place(index, other)
        edges = (here + 1) // 2 if index == other else max(here, there)
        first, second = Node(one.symbol, one.length), Node(two.symbol, two.length)
        if why := impossible(first, second, edges, loop=index == other):
            code = "E177" if one.symbol == two.symbol == "l" else "E178"
            pair = f"`{one.name}` and `{two.name}` cannot be neighbours like this"
            message = f"`{one.name}` cannot be its own neighbour" if index == other else pair
            raise refuse(code, f"{message}: {why}", span, fix="such a rule would never match")
        if there and here != there:
            message = f"`{one.name}` lists `{two.name}` {_times(here)}, `{two.name}` lists `{one.name}` {_times(there)}"
            raise refuse(
                "E174",
                message,
                span,
                fix=f"list each {_times(edges)} in the other's entry: once for each edge between them",
            )
        return edges

    def _fits(self, index: int, joined: list[tuple[int, int]]) -> None:
        """Check that a box has room for edges to all boxes that list it; a loop counts twice."""
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
        fix = (
            f"write `{asking}` for a `w` in the entry of `{sketch.name}`"
            if self._count(index, WILD)
            else f"list `{asking}` in the entry of `{sketch.name}`, or take `{sketch.name}` out here"
        )
        raise refuse("E174", message, span, fix=fix)


def _degree_in_words(sketch: Sketch) -> str:
    sides = {"q": "four sides", "t": "three sides", "l": "two ends", "x": "one side"}[sketch.symbol]
    return f"`{sketch.symbol}` has degree {sketch.degree}: {sides} to draw"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


class Patterns:
    """The named patterns, in the order of the text; a name stands for the entries of its pattern."""

    def __init__(self) -> None:
        self.entries: dict[str, list[Tree[Token]]] = {}
        self.spans: dict[str, Span] = {}
        self.used: set[str] = set()

    def define(self, tree: Tree[Token]) -> None:
        """Add the pattern of a line such as ``&safe = t_0 t_1``.

        Raises:
            Refused: the name is taken, or a box has two entries.
        """
        name = next(token for token in tree.children if isinstance(token, Token))
        (pattern,) = tree.find_data("pattern")
        if name in self.spans:
            raise refuse(
                "E184",
                f"the pattern `{name}` is already defined on line {self.spans[name].line}",
                token_span(name),
                fix="give it another name",
            )
        self.entries[str(name)] = [*self.written_out(pattern)]
        Adjacency(self.entries[name])
        self.spans[str(name)] = token_span(name)

    def written_out(self, pattern: Tree[Token]) -> Iterator[Tree[Token]]:
        """Yield the entries of a pattern; the entries of a named pattern replace its name.

        Raises:
            Refused: there is no such pattern.
        """
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
        """Warnings about patterns that are never used."""
        for name, span in self.spans.items():
            if name not in self.used:
                yield finding("W198", f"no rule uses the pattern `{name}`", span, "remove it")


def own_indexes(pattern: Tree[Token], present: Adjacency) -> None:
    """Check that an absent pattern does not name a box of the rule.

    Raises:
        Refused: the pattern names a box of the rule.
    """
    for box in pattern.find_data("box"):
        name, index = name_of(box), number_in(box)
        if index in present.boxes and present.boxes[index].name == name:
            message = (
                f"`{name}` is a box of the rule, but an absent pattern is searched for on the whole board"
            )
            fix = f"give it an index of its own, such as `{box.children[0]}_{present.free_index()}`"
            raise refuse("E185", message, tokens_span(box), fix=fix)


def compared(tree: Tree[Token], adjacency: Adjacency) -> NumberComparison:
    """The comparison in a tree; its chains are numbered by their order among the boxes of the rule.

    Raises:
        Refused: the tree compares something that is not a number.
    """
    left, right = (_quantity(part, adjacency) for part in tree.children if isinstance(part, Tree))
    sign: Sign = next(token.value for token in tree.children if isinstance(token, Token))
    return NumberComparison(left, sign, right)


def _quantity(tree: Tree[Token], adjacency: Adjacency) -> Quantity:
    first = tree.children[0]
    if isinstance(first, Token):
        if first.type != "WORD":
            return Quantity("number", int("".join(str(token) for token in tree.children)))
        if first not in GUARDS:
            message = f"there is no quantity `{first}`"
            fix = suggestion(first, GUARDS)
            raise refuse("E186", message, token_span(first), fix=fix)
        side: Quantity = CONDITIONS.named[first].make()
        return side
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


def decided(graph: Graph, comparison: NumberComparison) -> bool | None:
    """True if a comparison holds for all matches of a graph, False if for none; None if it depends on the position."""
    left, sign, right = comparison
    (low, high), (least, most) = _bounds(graph, left), _bounds(graph, right)
    possible = {-1: low < most, 0: low <= most and least <= high, 1: high > least}
    orders = [0] if left == right else [order for order, is_possible in possible.items() if is_possible]
    answers = {MEANING[sign](order, 0) for order in orders}
    return answers.pop() if len(answers) == 1 else None


def _bounds(graph: Graph, quantity: Quantity) -> tuple[float, float]:
    """The smallest and the largest possible value of a quantity."""
    kind, value = quantity
    if kind == "length":
        node = graph.nodes[value]
        return node.length, inf if node.at_least else node.length
    return {"number": (value, value), "left": (1, inf)}.get(kind, (-inf, inf))
