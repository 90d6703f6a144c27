"""Text to decision trees: the grammar at work within the limits, and every node with its place; errors in words."""

from collections.abc import Iterator, Set
from itertools import pairwise
from typing import cast

from lark import Token
from lark import Tree as Branch

from gpkit.core.diagnostics import Span
from gpkit.core.header import read_header
from gpkit.genomes.comparisons import Comparison, Sign
from gpkit.genomes.decision import INTERVALS, Chance, DecisionProgram, Node, Switch, decision_tree
from gpkit.langkit import sections
from gpkit.langkit.reading import (
    Reading,
    Refused,
    as_token,
    as_tree,
    check_length,
    double,
    exceed,
    refuse,
    span_of,
    token_span,
    told_in,
    tree_span,
    unexpected_token,
)
from gpkit.langkit.sections import Sectioning

MAX_NODES = 10_000
"""The most nodes of a program, all sections together."""

MAX_DEPTH = 60
"""The most nodes from the root of a tree to a leaf, so that every host can nest its conditions."""

SECTIONS = Sectioning(part="tree", twice="E352", empty="E353", missing="E361", unknown="E362", tied="W383")
"""Words and codes for sections of trees."""

WORDS = frozenset({"test", "switch", "chance", "below"})
"""Words that are no names unless they stand in quotation marks."""

_FRIENDLY = {
    "TEST": "`test`",
    "SWITCH": "`switch`",
    "CHANCE": "`chance`",
    "NUMBER": "a number",
    "MINUS": "`-`",
    "NAME": "a name",
    "STRING": 'a name such as `"sepal length"`',
    "COMPARISON": "`<=`, `<`, `>`, `>=`, `==` or `!=`",
    "BELOW": "`below`",
    "COLON": "`:`",
    "YES": "`yes:`",
    "NO": "`no:`",
    "ELSE": "`else:`",
    "SECTION": "a section such as `play:`",
    "$END": "the end of the file",
}
"""Terminals in the words of a person, in the order in which they are listed."""

_HINTS = {
    "#": "a comment starts with `//`",
    ";": "branches start with `yes:`, `no:`, `below 3:` or `else:`; they need no `;`",
    "=": "compare with `==`",
    '"': "the quotation mark is never closed on its line",
    "{": "branches start with `yes:` and `no:`",
    "(": 'write `chance 0.5`, and names with spaces as in `"sepal length (cm)"`',
    "if": "write a test as `test NAME <= 3`, followed by `yes:` and `no:`",
    "case": "write each interval as `below 3:`, and the last one as `else:`",
    **dict.fromkeys(("and", "or"), "a test makes one comparison: write another `test` in the branch"),
    **dict.fromkeys(
        ("then", "otherwise", "default"),
        "the branches of a test are `yes:` and `no:`; the branches of a switch are `below 3:` and `else:`",
    ),
}
_HINTS |= dict.fromkeys(("decide", "when", "elif", "while"), _HINTS["if"])

_INNER = frozenset({"TEST", "SWITCH", "CHANCE"})
BRANCHES = frozenset({"YES", "NO", "BELOW", "ELSE"})
"""Terminals at which a branch begins."""


def _guarded(stream: Iterator[Token]) -> Iterator[Token]:
    """The same tokens, watched on their way to the parser: sections, and what is too large; it keeps nothing.

    Raises:
        Refused: at the first token that breaks a rule.
    """
    words = 0
    sections: set[str] = set()
    last: Token | None = None
    for token in stream:
        words += token.type in _INNER or token.type in BRANCHES
        if words > 2 * MAX_NODES:
            raise too_many_nodes(token_span(token))
        if token.type == "NUMBER":
            check_length(token, "E371")
        if token.type == "SECTION":
            SECTIONS.check(last, token, sections)
        last = token
        yield token
    if last is None:
        raise refuse("E353", "there is no tree", Span(0, 0, 1, 1), fix="a leaf is one, such as `1.0`")
    SECTIONS.check(last, None, sections)


def too_many_nodes(span: Span) -> Refused:
    """The program is larger than ``MAX_NODES``."""
    return exceed("E372", f"the program has more than {MAX_NODES} nodes", span)


def _fix(terminal: str, accepted: Set[str]) -> str:
    if terminal == "YES" and "BELOW" in accepted:
        return "a switch has intervals, as in `below 3: 1.0`, and then `else:`"
    return "every test before it has both its branches" if terminal in BRANCHES and "$END" in accepted else ""


READING = Reading(
    name="decision",
    guard=_guarded,
    always_accept=("SECTION",),  # known as such where only a node fits, for the sake of the message
    too_long="E370",
    broken="E350",
    friendly=_FRIENDLY,
    parts={"YES": "yes: 1.0", "NO": "no: 1.0", "ELSE": "else: 1.0", "BELOW": "below 3: 1.0"},
    stray="E351",
    hints=_HINTS,
    unexpected=unexpected_token("E350", "tree", _FRIENDLY, _fix),
)
"""The grammar, and what is said about texts that break it; it reads a text."""


class DecisionSource(sections.SectionSource[DecisionProgram]):
    """A program of trees; the place of a node is as much of its text as stands on its own line."""

    __slots__ = ()


def parse(text: str, filename: str = "<text>") -> DecisionSource:
    """The program that a text says, with places.

    Raises:
        SourceError: the text breaks the grammar; the message shows the place and what was expected.
        LimitError: the text, a number, the program or its depth is too large.
    """
    with told_in(text, filename):
        names, roots = sections.read_sections(READING.read(text))
        read_trees = [_flatten(root) for root in roots]
        places = [place for _, places in read_trees for place in places]
        if len(places) > MAX_NODES:
            raise too_many_nodes(places[MAX_NODES])
    trees = tuple(decision_tree(nodes) for nodes, _ in read_trees)
    spans = tuple(tuple(places) for _, places in read_trees)
    return DecisionSource(DecisionProgram(names, trees), read_header(text), text, filename, spans)


def _flatten(root: Branch[Token]) -> tuple[list[Node], list[Span]]:
    """The nodes in prefix order, which is the order of the text, and their places."""
    nodes: list[Node] = []
    spans: list[Span] = []
    pending = [(root, 1)]
    while pending:
        branch, depth = pending.pop()
        head, below = _parts(branch)
        start = tree_span(branch)
        end = span_of(head[0] if branch.data == "switch" else head[-1]).end
        spans.append(Span(start.start, end, start.line, start.column))
        if depth > MAX_DEPTH:
            raise exceed("E373", f"the tree is deeper than {MAX_DEPTH} nodes", spans[-1])
        nodes.append(_node(branch, head))
        pending.extend((child, depth + 1) for child in reversed(below))
    return nodes, spans


def _parts(branch: Branch[Token]) -> tuple[list[Branch[Token] | Token], list[Branch[Token]]]:
    """Parts of a node itself, and its branches; the bounds of a switch are among the former."""
    children = list(branch.children)
    match str(branch.data):
        case "leaf":
            return children, []
        case "test":
            return children[:3], [as_tree(children[4]), as_tree(children[6])]
        case "chance":
            return children[:1], [as_tree(children[2]), as_tree(children[4])]
        case _:
            intervals = [as_tree(child) for child in children[1:-2]]
            bounds: list[Branch[Token] | Token] = [interval.children[0] for interval in intervals]
            below = [as_tree(interval.children[2]) for interval in intervals]
            return [children[0], *bounds], [*below, as_tree(children[-1])]


def _node(branch: Branch[Token], head: list[Branch[Token] | Token]) -> Node:
    match str(branch.data):
        case "leaf":
            only = as_tree(head[0])
            return _number(only) if only.data == "number" else _name(only)
        case "test":
            return Comparison(_name(head[0]), cast("Sign", str(head[1])), _number(head[2]))
        case "chance":
            probability = _number(head[0])
            if not 0.0 <= probability <= 1.0:
                raise refuse("E355", "a probability is from 0 to 1", tree_span(as_tree(head[0])))
            return Chance(probability)
        case _:
            return _switch(head)


def _switch(head: list[Branch[Token] | Token]) -> Switch:
    bounds = [_number(bound) for bound in head[1:]]
    for place, (low, high) in enumerate(pairwise(bounds), start=2):
        if not low < high:
            message = f"the bounds of a switch rise, but {high!r} is not above {low!r}"
            raise refuse("E356", message, tree_span(as_tree(head[place])))
    if len(bounds) + 1 not in INTERVALS:
        message = f"a switch has at most {INTERVALS[-1]} intervals, got {len(bounds) + 1}"
        raise refuse("E357", message, tree_span(as_tree(head[INTERVALS[-1]])), fix="use another switch below")
    return Switch(_name(head[0]), tuple(bounds))


def _number(child: Branch[Token] | Token) -> float:
    """The number of a rule ``number``."""
    branch = as_tree(child)
    return double("".join(map(as_token, branch.children)), "E354", tree_span(branch))


def _name(child: Branch[Token] | Token) -> str:
    """The text of a rule ``name`` or ``feature``, without quotation marks."""
    branch = as_tree(child)
    only = branch.children[0]
    if isinstance(only, Branch):
        return _name(only)
    if only.type == "STRING":
        if not only[1:-1].strip():
            raise refuse("E358", "this name is empty", token_span(only))
        return str(only[1:-1])
    return str(only)
