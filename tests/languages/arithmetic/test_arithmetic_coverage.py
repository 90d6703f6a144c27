"""Which nodes counted: changing a value that did not cannot change the result."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import SENSORS, doubles, trees

from gpkit.genomes.tree import Tree, from_prefix
from gpkit.languages.arithmetic.interpreter import executed_nodes, trace
from gpkit.languages.arithmetic.parser import parse


def values_of(tree: Tree, env: dict[str, float]) -> dict[int, float]:
    return {step.position: step.value for step in trace(tree, env, lambda: 0.5)}


def executed_of(text: str, **env: float) -> frozenset[int]:
    tree = parse(text).program.trees[0]
    return executed_nodes(tree, values_of(tree, env))


def test_everything_counts_but_the_outcome_not_taken() -> None:
    assert executed_of("A + B * 7", A=1.0, B=2.0) == {0, 1, 2, 3, 4}
    assert executed_of("ifle(A, B, A + 1, B)", A=1.0, B=2.0) == {0, 1, 2, 3, 4, 5}
    assert executed_of("ifle(A, B, A + 1, B)", A=3.0, B=2.0) == {0, 1, 2, 6}
    assert executed_of("ifle(A, B, A + 1, B)", A=float("nan"), B=2.0) == {0, 1, 2, 6}
    assert executed_of("ifle(ifle(A, 0, 1, 2), 1, 3, 4)", A=-1.0) == {0, 1, 2, 3, 4, 6, 7}


@given(trees(), st.tuples(*[doubles()] * len(SENSORS)), doubles())
def test_the_others_cannot_matter(tree: Tree, sensor_values: tuple[float, ...], other: float) -> None:
    env = dict(zip(SENSORS, sensor_values, strict=True))
    values = values_of(tree, env)
    executed = executed_nodes(tree, values)
    changed = tuple(
        symbol if position in executed or tree.sizes[position] > 1 else "other"
        for position, symbol in enumerate(tree.symbols)
    )
    arities = [tree.arity(position) for position in range(len(tree))]
    result = values_of(from_prefix(changed, arities), {**env, "other": other})[0]
    assert result == values[0] or (result != result and values[0] != values[0])
