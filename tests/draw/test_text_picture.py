"""Trees of text: every node once, no line grows with the depth."""

from hypothesis import given, settings
from strategies import programs, trees

from gpkit.draw.text import LEVELS, diff_text, program_text
from gpkit.genomes.tree import Tree, TreeProgram


@given(programs())
@settings(max_examples=50)
def test_every_node_has_a_line(program: TreeProgram) -> None:
    lines = program_text(program).splitlines()
    sections = 2
    blanks = 1
    cuts = sum("…" in line for line in lines)
    assert len(lines) == len(program) + sections + blanks + 3 * cuts
    text = program_text(program)
    for tree in program.trees:
        for symbol in tree.symbols:
            assert not isinstance(symbol, float) or repr(symbol) in text


@given(trees())
@settings(max_examples=25)
def test_what_did_not_change_has_no_marks(tree: Tree) -> None:
    program = TreeProgram(("value",), (tree,))
    assert diff_text(program, program) == "".join(
        f"  {line}\n" for line in program_text(program).splitlines() if ": " not in line
    ) or any(symbol == "ifle" for symbol in tree.symbols)


def test_deep_formulas_are_continued_below() -> None:
    depth = 10_000
    tree = Tree(("neg",) * (depth - 1) + ("env.a",), tuple(range(depth, 0, -1)))
    lines = program_text(TreeProgram(("value",), (tree,))).splitlines()
    assert max(map(len, lines)) < 4 * LEVELS
    assert lines[LEVELS].endswith("… [1]")
    assert lines[LEVELS + 1 : LEVELS + 4] == ["", "[1]", "−x"]
    assert lines[-1].endswith("env.a")
    assert sum(line.endswith("x") for line in lines) == depth - 1
