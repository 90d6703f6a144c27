"""Static checks of rules that parse: the header, and rules that can never act.

A rule can never act if its graph contains an earlier rule's graph, because every match of the later rule is then also a
match of the earlier rule. One graph contains another if the nodes of the other graph can be mapped to distinct nodes of
the first. The mapping must preserve symbols and edges, and the chains of the containing graph must be long enough.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gpkit.core.diagnostics import Diagnostic, Span
from gpkit.core.header import header_span
from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.graph import SYMBOLS, Graph, Rule, RuleList, canonical
from gpkit.langkit.findings import checker, finding, header_findings
from gpkit.languages.rulegraph.conditions import decided
from gpkit.languages.rulegraph.syntax import MARK, comparing
from gpkit.languages.rulegraph.text import RuleSource

MAX_STEPS = 10_000
"""The maximum number of steps in a search; a search that needs more steps ends without a result."""

MAX_STEPS_OF_LIST = 1_000_000
"""The maximum number of steps for one list, which take a few seconds; after that, only equal rules cause findings."""

Sizes = tuple[int, ...]
"""The counts of a graph: its nodes by symbol, its edges between nodes, and its edges to the ground.

If one graph contains another, none of the other graph's counts is larger.
"""


_Candidate = tuple[int, Graph, tuple[int, ...], bool]
"""An earlier rule: its number, its graph, the search order of its nodes, and whether it has learned values."""


@dataclass(slots=True)
class _Candidates:
    """The earlier rules that can hide later ones, by the sizes of their graphs, and the number of search steps left."""

    steps: int
    by_sizes: dict[Sizes, list[_Candidate]] = field(default_factory=dict)

    def add(self, number: int, rule: Rule, *, learned: bool) -> None:
        """Add a rule, unless it has conditions, because a rule with conditions hides no other rule."""
        if rule.level == 0:
            candidate = number, rule.graph, _search_order(rule.graph), learned
            self.by_sizes.setdefault(_sizes(rule.graph), []).append(candidate)

    def first(self, graph: Graph, *, below: int, learned: bool) -> tuple[int, bool] | None:
        """The first rule before ``below`` that ``graph`` contains, and whether that rule has learned values; else None.

        Args:
            graph: the graph of the later rule.
            below: the search covers only rules with smaller numbers than this.
            learned: whether the later rule has learned values; if so, the search ignores earlier rules with learned
                values.
        """
        sizes, found = _sizes(graph), None
        for least, candidates in self.by_sizes.items():
            self.steps -= 1
            if any(few > many for few, many in zip(least, sizes, strict=True)):
                continue
            for number, small, order, has_learned in candidates:
                if self.steps <= 0 or number >= below:
                    break
                self.steps -= 1
                if learned and has_learned:
                    continue
                lies, steps = _lies_in(small, order, graph, min(MAX_STEPS, self.steps))
                self.steps -= steps
                if lies:
                    found, below = (number, has_learned), number
        return found if self.steps > 0 else None


def shadowed(program: RuleList) -> Iterator[tuple[int, int, bool]]:
    """Yield each rule that can never act: its number, the number of the rule that hides it, and whether they are equal.

    Two rules with learned values compete by these values, regardless of their order, and two rules of the same
    precedence both act. Therefore, such pairs count only if the rules are equal.
    """
    first: dict[Rule, int] = {}
    candidates = _Candidates(MAX_STEPS_OF_LIST)
    above = [group.start for group in program.groups() for _ in group]
    for later, named in enumerate(program.rules):
        rule, learned = canonical(named.rule), named.q is not None
        equal = first.setdefault(rule, later)
        hidden = None
        if equal < later:
            yield later, equal, True
        elif candidates.steps > 0:
            hidden = candidates.first(rule.graph, below=above[later], learned=learned)
            if hidden is not None:
                yield later, hidden[0], False
        # a rule that an unlearned rule hides is not needed: the unlearned rule hides the same rules
        if equal == later and (hidden is None or hidden[1]):
            candidates.add(later, named.rule, learned=learned)


def _sizes(graph: Graph) -> Sizes:
    symbols = [node.symbol for node in graph.nodes]
    edges = sum(link.multiplicity for link in graph.links)
    return (*map(symbols.count, SYMBOLS), edges, sum(graph.grounds))


def _lies_in(small: Graph, order: tuple[int, ...], large: Graph, most: int) -> tuple[bool, int]:
    """Whether a graph is contained in another, and the number of search steps, which is limited to ``most``."""
    image: dict[int, int] = {}
    steps = 0

    def extend(k: int) -> bool:
        nonlocal steps
        if k == len(order):
            return True
        for candidate in range(len(large.nodes)):
            steps += 1
            if steps > most:
                return False
            if candidate in image.values() or not _fits(small, large, order[k], candidate, image):
                continue
            image[order[k]] = candidate
            if extend(k + 1):
                return True
            del image[order[k]]
        return False

    return extend(0), steps


def _search_order(graph: Graph) -> tuple[int, ...]:
    """The nodes of a graph, fragment by fragment; if possible, each node follows one of its neighbours."""
    order: list[int] = []
    for fragment in graph.fragments():
        walk = [fragment[0]]
        for number in walk:
            walk += [other for other in graph.neighbours(number) if other not in walk]
        order += walk
    return tuple(order)


def _fits(small: Graph, large: Graph, number: int, candidate: int, image: dict[int, int]) -> bool:
    if not small.nodes[number].allows(large.nodes[candidate]):
        return False
    if small.grounds[number] > large.grounds[candidate]:
        return False
    if small.multiplicity(number, number) > large.multiplicity(candidate, candidate):
        return False
    return all(
        small.multiplicity(number, other) <= large.multiplicity(candidate, image[other])
        for other in small.neighbours(number)
        if other in image
    )


NAME = "rulegraph"
"""The name that games use for this language."""

KEYS = ("game", "board", "source", "title", "level")
"""The header lines that have a meaning in this language; all other lines are notes."""

_BOARD = re.compile(r"[1-9][0-9]?x[1-9][0-9]?")


check = checker(
    NAME,
    "E191",
    lambda source: source.spans[0],
    lambda source, primitives: [
        *source.warnings,
        *_header(source, primitives),
        *_levels(source),
        *_shadows(source),
    ],
)
"""The findings in a program, in the order of its text."""


def _header(source: RuleSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    yield from header_findings(
        source,
        primitives,
        unknown_game="E190",
        other_game="W196",
        keys=KEYS,
        almost="W197",
        mark=MARK,
        words=("these rules", "are", "them"),
    )
    board = source.header.get("board")
    if board is not None and not _BOARD.fullmatch(board):
        yield finding(
            "E193",
            f"`{board}` is not a board size",
            _value(source, "board"),
            "write its columns and rows of boxes, such as `3x3`",
        )


def _levels(source: RuleSource) -> Iterator[Diagnostic]:
    """Findings about rules of level 1 if the header lacks the level, and about comparisons with a constant result."""
    marked = source.header.get("level")
    if marked not in (None, "0", "1"):
        yield finding(
            "E193",
            f"there is no level `{marked}`",
            _value(source, "level"),
            "write `0`, the language of the source, or `1`, with conditions and rules of equal precedence",
        )
    for named, span, names in zip(source.program.rules, source.spans, source.names, strict=True):
        if named.level and marked != "1":
            why = "has conditions, which are" if named.rule.level else "is joined to the rule above, which is"
            yield finding(
                "E192",
                f"this rule is of level 1: it {why} beyond the language's source",
                span,
                "write `# level: 1` in the header",
            )
        for comparison in named.rule.comparisons:
            answer = decided(named.rule.graph, comparison)
            if answer is not None:
                words = comparing({"chain": names.__getitem__})(comparison)
                yield finding(
                    "W199",
                    f"`{words}` {'always' if answer else 'never'} holds where this rule matches",
                    span,
                    "remove the condition" if answer else "remove the rule, or change the condition",
                )


def _value(source: RuleSource, key: str) -> Span:
    return header_span(source.text, key, MARK)


def _shadows(source: RuleSource) -> Iterator[Diagnostic]:
    rules = source.program.rules
    for later, earlier, equal in shadowed(source.program):
        name = rules[earlier].name
        first = f"`{name}`" if name else "the rule"
        message = (
            f"this rule can never act: {first} on line {source.spans[earlier].line} matches whenever it does"
        )
        fix = "remove it, or move it above that one"
        if equal:
            message, fix = f"this rule repeats {first} on line {source.spans[earlier].line}", "remove it"
        yield finding("W195", message, source.spans[later], fix)
