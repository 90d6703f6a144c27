"""Reads, prints and lays out decision trees; keeps comments and the position of every node."""

from collections.abc import Set
from functools import lru_cache, partial
from itertools import chain, pairwise
from typing import cast

from lark import Token
from lark import Tree as Branch

from gpkit.core.diagnostics import Span
from gpkit.core.header import read_header
from gpkit.genomes.comparisons import Comparison, Sign
from gpkit.genomes.decision import (
    INTERVALS,
    Chance,
    DecisionProgram,
    DecisionTree,
    Node,
    Switch,
    decision_tree,
)
from gpkit.genomes.tree import Computed
from gpkit.langkit import sections
from gpkit.langkit.formulas import HEADINGS, STRAYS, Definitions, naming_files
from gpkit.langkit.naming import written_name
from gpkit.langkit.nodes import Layout, NodeKind, NodeTable
from gpkit.langkit.reading import (
    Reading,
    as_token,
    as_tree,
    exceed,
    number_at,
    probability,
    refuse,
    span_of,
    token_span,
    told_in,
    tree_span,
    unexpected_token,
)
from gpkit.langkit.sections import Sectioning, print_sections

MAX_NODES = 10_000
"""The maximum number of nodes in all sections of a program together."""

MAX_DEPTH = 60
"""The maximum depth of a tree in nodes, chosen so that every host can nest the tree's conditions."""

WORDS = frozenset({"test", "switch", "chance", "below"})
"""Reserved words; if one of them is a name, it needs quotation marks."""

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
"""Plain English words for the terminals, in the order in which messages list them."""

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

BRANCHES = frozenset({"YES", "NO", "BELOW", "ELSE"})
"""The terminals that begin a branch."""

SECTIONS = Sectioning(
    part="tree",
    twice="E352",
    empty="E353",
    missing="E361",
    unknown="E362",
    tied="W383",
    nodes=BRANCHES | {"TEST", "SWITCH", "CHANCE"},
    most=MAX_NODES,
    large="E372",
    long="E371",
    example="a leaf is one, such as `1.0`",
)
"""The words and the error codes for sections with trees."""


def _fix(terminal: str, accepted: Set[str]) -> str:
    if terminal == "YES" and "BELOW" in accepted:
        return "a switch has intervals, as in `below 3: 1.0`, and then `else:`"
    return "every test before it has both its branches" if terminal in BRANCHES and "$END" in accepted else ""


READING = Reading(
    name="decision",
    guard=SECTIONS.guarded,
    always_accept=("SECTION", "FUNCTION"),  # recognised even where only a node fits, for better messages
    too_long="E370",
    broken="E350",
    friendly=_FRIENDLY,
    parts={"YES": "yes: 1.0", "NO": "no: 1.0", "ELSE": "else: 1.0", "BELOW": "below 3: 1.0"},
    strays=STRAYS,
    stray="E351",
    hints=_HINTS,
    unexpected=unexpected_token("E350", "tree", _FRIENDLY, _fix),
)
"""The reader of programs: the grammar, and the messages for text that breaks it."""


class DecisionSource(sections.SectionSource[DecisionProgram]):
    """A program of trees. The position of a node covers its own line, without its branches."""

    __slots__ = ()


def parse(text: str, filename: str = "<text>") -> DecisionSource:
    """The program parsed from a text, with the position of each part.

    Raises:
        SourceError: the text breaks the grammar; the message gives the location and what was expected.
        LimitError: the text, a number, the program or its depth is too large.
    """
    with told_in(text, filename), naming_files(text):
        root = READING.read(text)
        defined = Definitions.of(root)
        names, roots = sections.read_sections(root)
        if not names:
            message = "there is no tree, only functions that it could call"
            raise refuse("E353", message, defined.heads[0], fix=SECTIONS.example)
        read_trees = [_flatten(root, defined) for root in roots]
        places = [place for _, places in read_trees for place in places]
        if len(places) > MAX_NODES:
            raise SECTIONS.too_large(places[MAX_NODES])
    trees = tuple(decision_tree(nodes) for nodes, _ in read_trees)
    spans = tuple(tuple(places) for _, places in read_trees)
    program = DecisionProgram(names, trees, defined.functions)
    return DecisionSource(program, read_header(text), text, filename, spans, defined)


def _flatten(root: Branch[Token], defined: Definitions) -> tuple[list[Node], list[Span]]:
    """The nodes and their positions in prefix order, which is also the order of the text."""
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
        nodes.append(_node(branch, head, defined))
        pending.extend((child, depth + 1) for child in reversed(below))
    return nodes, spans


_NODES = frozenset({"leaf", "test", "switch", "chance"})
"""The grammar rules for nodes."""

_FIELDS = frozenset({"feature", "name", "number"})
"""The grammar rules for the fields of a node."""


_number = partial(number_at, code="E354")


def _parts(branch: Branch[Token]) -> tuple[list[Branch[Token] | Token], list[Branch[Token]]]:
    """The parts of the node itself, including the bounds of a switch, and its branches."""
    head: list[Branch[Token] | Token] = []
    below: list[Branch[Token]] = []
    for child in branch.children:
        if isinstance(child, Token):
            head += [child] if child.type == "COMPARISON" else []
            continue
        rule = str(child.data)  # a plain text is found faster than a token
        if rule in _NODES:
            below.append(child)
        elif rule in _FIELDS:
            head.append(child)
        else:
            bounds, interval = _parts(child)
            head += bounds
            below += interval
    return head, below


def _node(branch: Branch[Token], head: list[Branch[Token] | Token], defined: Definitions) -> Node:
    match str(branch.data):
        case "leaf":
            only = as_tree(head[0])
            return _number(only) if only.data == "number" else _name(only)
        case "test":
            return Comparison(_feature(head[0], defined), cast("Sign", str(head[1])), _number(head[2]))
        case "chance":
            return Chance(probability(_number(head[0]), "E355", span_of(head[0])))
        case _:
            return _switch(head, defined)


def _switch(head: list[Branch[Token] | Token], defined: Definitions) -> Switch:
    bounds = [_number(bound) for bound in head[1:]]
    for place, (low, high) in enumerate(pairwise(bounds), start=2):
        if not low < high:
            raise refuse(
                "E356",
                f"the bounds of a switch rise, but {high!r} is not above {low!r}",
                tree_span(as_tree(head[place])),
            )
    if len(bounds) + 1 not in INTERVALS:
        message = f"a switch has at most {INTERVALS[-1]} intervals, got {len(bounds) + 1}"
        raise refuse("E357", message, tree_span(as_tree(head[INTERVALS[-1]])), fix="use another switch below")
    return Switch(_feature(head[0], defined), tuple(bounds))


def _feature(child: Branch[Token] | Token, defined: Definitions) -> str:
    """The feature that a node tests: a name, or a call."""
    (only,) = map(as_tree, as_tree(child).children)
    return defined.computed(only) if only.data == "call" else _name(only)


def _name(child: Branch[Token] | Token) -> str:
    """The text that the grammar rule ``name`` matched, without quotation marks."""
    only = as_token(as_tree(child).children[0])
    if only.type == "STRING":
        if not only[1:-1].strip():
            raise refuse("E358", "this name is empty", token_span(only))
        return str(only[1:-1])
    return str(only)


def print_tree(tree: DecisionTree) -> str:
    """The lines of a tree; ``parse`` reads them back as the same tree.

    >>> from gpkit.genomes.decision import inner, leaf
    >>> print(print_tree(inner(Comparison("env.depth", "<=", 3.0), leaf(1.0), leaf("sepal length"))))
    test env.depth <= 3.0
      yes: 1.0
      no: "sepal length"
    """
    return NODES.text(tree.symbols)


@lru_cache(maxsize=4096)
def word(name: str) -> str:
    """A name as it appears in a program, with quotation marks if it needs them."""
    return str(name) if isinstance(name, Computed) else written_name(name, name in WORDS)


_TEST = "{feature} {sign} {threshold}"
NODES = NodeTable(
    NodeKind(
        f"test {_TEST}",
        _TEST,
        Comparison,
        ("yes", "no"),
        keys={"sign": "comparison"},
        text=lambda node: f"test {word(node.feature)} {node.sign} {node.threshold!r}",
    ),
    NodeKind(
        "switch {feature}",
        "{feature}",
        Switch,
        ("intervals*",),
        keys={"bounds": "bounds"},
        words=lambda node: (*(f"below {bound!r}" for bound in node.bounds), "else"),
    ),
    NodeKind("chance {probability}", "{probability}", Chance, ("yes", "no")),
    texts={str: word, float: repr, "sign": str},
    make=lambda kind, fields, branches: [kind.make(*fields), *chain(*branches)],
    beside=True,
)
"""The node table of decision trees, in prefix order; all other values are leaves."""


print_program = partial(print_sections, print_part=print_tree)
"""The text of a ``.decide`` file: the header of a program as comments, then its sections."""


_LAYOUT = Layout(
    begins=BRANCHES | HEADINGS,
    branches=BRANCHES,
    frames={"TEST": ("NO", 1), "CHANCE": ("NO", 1), "SWITCH": ("ELSE", 1)},
    headings=HEADINGS,
)


def format_source(source: DecisionSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    return _LAYOUT.text(READING.tokens(source.text))
