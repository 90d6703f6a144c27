"""Extensions of the source, level 1: patterns with a name, patterns that must not match, comparisons."""

from collections.abc import Iterator
from math import inf

from lark import Token, Tree

from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.genomes.graph import Comparison, Graph, Quantity, Sign
from gpkit.langkit.reading import refuse, token_span, tokens_span
from gpkit.languages.rulegraph.adjacency import Adjacency
from gpkit.languages.rulegraph.syntax import GUARDS, name_of, number_in


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
