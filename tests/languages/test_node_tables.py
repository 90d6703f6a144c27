"""Node tables of a language whose nodes are plain tuples, such as the derivations of a grammar that somebody brings."""

from dataclasses import fields

import pytest

from gpkit.core.errors import GpkitError, LimitError
from gpkit.export.json import read_number
from gpkit.langkit.language import Language
from gpkit.langkit.nodes import NodeKind, NodeReader, NodeTable
from gpkit.langkit.operators import NOTATIONS, Notation
from gpkit.languages.decision.language import LANGUAGE as TREES
from gpkit.languages.decision.text import NODES
from gpkit.languages.execution.language import LANGUAGE as PLANS
from gpkit.languages.execution.text import STEPS
from gpkit.languages.rulegraph.syntax import CONDITIONS
from gpkit.show.trees import LABELS

TURTLE = NodeTable(
    NodeKind("go {steps}", "{steps:step} ahead", limits={"steps": (1, 9)}),
    NodeKind("turn {side}", "{side}"),
    NodeKind("again {times}", "{times:time}", branches=("body",), limits={"times": (1, 9)}, closing="end"),
    NodeKind("wall {near}", "wall at {near}?", branches=("yes", "no")),
    NodeKind(
        "roads",
        "roads",
        branches=("roads",),
        words=lambda node: node[1]["names"],
        before="road ",
        closing="end",
    ),
    texts={"side": str.upper},
    held=lambda node, rest: node[2],
    make=lambda kind, fields, branches: [
        (kind.word, dict(zip(kind.fields.values() or ["names"], fields, strict=True)), branches)
    ],
    name=lambda node: node[0],
    value=lambda node, field: node[1][field],
)
READER = NodeReader(
    TURTLE,
    "way",
    "has a step that is none",
    3,
    "is deeper than 3",
    {
        "side": lambda value: value if value in ("left", "right") else None,
        "near": read_number,
    },
    ends="goes on behind its branches",
)
PROGRAM = [
    ("turn", {"side": "left"}, []),
    ("again", {"times": 2}, [[("go", {"steps": 3}, [])]]),
    ("wall", {"near": 0.5}, [[], [("roads", {"names": ("a", "b")}, [[("go", {"steps": 1}, [])], []])]]),
]
TEXT = """\
turn LEFT
again 2
  go 3
end
wall 0.5
  yes:
  no:
    roads
      road a:
        go 1
      road b:
    end"""
JSON = [
    {"turn": "left"},
    {"again": 2, "body": [{"go": 3}]},
    {"wall": 0.5, "yes": [], "no": [{"roads": {"a": [{"go": 1}], "b": []}}]},
]


def test_lines_follow_from_the_rows() -> None:
    assert "\n".join(TURTLE.written(PROGRAM)) == TEXT
    assert [*TURTLE.written(PROGRAM[:1], 2)] == ["    turn LEFT"]


def test_objects_of_json_read_back() -> None:
    assert TURTLE.json(PROGRAM, {}) == JSON
    assert READER.nodes("first", JSON) == PROGRAM


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([{"go": 0}], "the way `w`: `go` must be a whole number from 1 to 9"),
        ([{"go": True}], "the way `w`: `go` must be a whole number from 1 to 9"),
        ([{"turn": "back"}], "the way `w` has a step that is none"),
        ([{"fly": 1}], "the way `w` has a step that is none"),
        ([{"again": 2}], "the way `w` has a step that is none"),
        ([{"roads": {}}], "the way `w` has a step that is none"),
        ([{"roads": {"": []}}], "the way `w` has a step that is none"),
        ([{"body": [], "again": 1}], "the way `w` has a step that is none"),
        ({"go": 1}, "the way `w` has a step that is none"),
        ([{"wall": 1, "yes": [], "no": []}, {"go": 1}], "the way `w` goes on behind its branches"),
    ],
)
def test_what_is_no_node_is_refused(wrong: object, message: str) -> None:
    with pytest.raises(GpkitError, match=f"^{message}$"):
        READER.nodes("w", wrong)


def test_levels_have_an_end() -> None:
    value: list[object] = [{"go": 1}]
    for _ in range(3):
        value = [{"again": 1, "body": value}]
    assert READER.nodes("w", value)
    with pytest.raises(LimitError, match="is deeper than 3"):
        READER.nodes("w", [{"again": 1, "body": value}])


def test_two_branches_of_one_name_are_refused() -> None:
    with pytest.raises(GpkitError, match="two branches of a `roads` have the same name"):
        TURTLE.json([("roads", {"names": ("a", "a")}, [[], []])], {})


def test_labels_follow_from_the_rows() -> None:
    labels = [TURTLE.label(node, LABELS) for node in PROGRAM]
    assert labels == ["left", "2 times", "wall at 0.5?"]


@pytest.mark.parametrize(
    ("language", "text", "laid_out"),
    [
        (
            TREES,
            "test a < - // one\n// two\n3 // three\n\n\n// four\nyes : 1 no: b\n// five",
            "test a < -3  // one\n  // two\n  // three\n\n  // four\n  yes: 1\n  no: b\n// five\n",
        ),
        (
            PLANS,
            "do x plan  a : wait b < - // one\n// two\n3 max // three\n4\n\n\n// four\ndo y\n// five",
            "do x\n\nplan a:\n  wait b < -3 max 4  // one // two // three\n\n  // four\n  do y\n  // five\n",
        ),
    ],
    ids=["trees", "plans"],
)
def test_layout_moves_comments_out_of_a_line(language: Language, text: str, laid_out: str) -> None:
    assert language.format_source(language.parse(text)) == laid_out
    assert language.format_source(language.parse(laid_out)) == laid_out


MOST = 4
"""The number of rows of all tables that have a function of their own; the design allows 10."""


def _has_function(row: NodeKind | Notation) -> bool:
    """Whether a row writes or reads with a function of its own; makers and meanings are not about notation."""
    values = {field.name: getattr(row, field.name) for field in fields(row)}
    return any(callable(value) for name, value in values.items() if name not in ("make", "meaning"))


def test_few_rows_have_a_function_of_their_own() -> None:
    rows = [kind for table in (NODES, STEPS, CONDITIONS, TURTLE) for kind in table.named.values()]
    found = [kind.word for kind in rows if _has_function(kind)]
    found += [notation.name for notation in NOTATIONS if _has_function(notation)]
    assert len(found) <= MOST, found
