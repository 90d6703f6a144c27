"""Hypothesis strategies that several tests share."""

import math
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from gpkit.core.primitives import OPERATORS, RANDOM, Operator, PrimitiveSet, Switch
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.tree import Function, Tree, TreeProgram, leaf, node

SENSORS = ("A", "B", "env.suit", "env.dist")
"""Names for formulas that belong to no game."""

NASTY = (0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e-300, 5e-324, -5e-324, 1e300, 1.7976931348623157e308, 2.0**53, 0.1)
"""Doubles at which arithmetic goes wrong first; see also ``doubles``."""


def ulps(a: float, b: float) -> float:
    """Doubles from a to b, in units in the last place; 0 for two NaN and the two zeros, inf for one NaN."""
    if a == b or (a != a and b != b):
        return 0.0
    if a != a or b != b:
        return math.inf
    bits = [int(np.float64(abs(x)).view(np.int64)) * (1 if x > 0.0 else -1) for x in (a, b)]
    return float(abs(bits[0] - bits[1]))


def constants() -> SearchStrategy[float]:
    """Doubles that a formula can hold: finite, never −0.0; small integers often, tiny and huge ones too."""
    some = st.one_of(
        st.integers(-5, 5).map(float),
        st.floats(-10.0, 10.0, allow_nan=False),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(NASTY),
    )
    return some.map(lambda value: value + 0.0)


def doubles() -> SearchStrategy[float]:
    """Any double as a sensor might give it, with both zeros, infinities and NaN."""
    return st.one_of(st.sampled_from((*NASTY, float("inf"), float("-inf"), float("nan"))), st.floats())


def trees(
    sensors: Sequence[str] = SENSORS,
    *,
    operators: Sequence[Operator] = OPERATORS,
    random: bool = True,
    max_leaves: int = 20,
) -> SearchStrategy[Tree]:
    """Formulas over these sensors and operators, with constants, and with ``math.random()`` unless told otherwise."""
    names = [*sensors, RANDOM] if random else list(sensors)
    leaves: SearchStrategy[str | float] = constants()
    if names:
        leaves = st.one_of(st.sampled_from(names), leaves)

    def grow(children: SearchStrategy[Tree]) -> SearchStrategy[Tree]:
        def over(operator: Operator) -> SearchStrategy[Tree]:
            return st.tuples(*[children] * operator.arity).map(
                lambda operands: node(operator.name, *operands)
            )

        return st.sampled_from(list(operators)).flatmap(over)

    return st.recursive(leaves.map(leaf), grow, max_leaves=max_leaves)


def programs(
    sections: Sequence[str] = ("play", "send"),
    sensors: Sequence[str] = SENSORS,
    *,
    operators: Sequence[Operator] = OPERATORS,
    max_leaves: int = 20,
) -> SearchStrategy[TreeProgram]:
    """Programs with one formula for each section."""
    formulas = st.tuples(*[trees(sensors, operators=operators, max_leaves=max_leaves)] * len(sections))
    return formulas.map(lambda found: TreeProgram(tuple(sections), found))


def programs_with_functions(
    sections: Sequence[str] = ("play", "send"), *, random: bool = True
) -> SearchStrategy[TreeProgram]:
    """Programs with three functions, of which the later ones call the earlier ones."""

    def called(functions: Sequence[Function]) -> list[Operator]:
        return [*OPERATORS, *[Operator(each, len(each.parameters)) for each in functions] * 4]

    @st.composite
    def drawn(draw: st.DrawFn) -> TreeProgram:
        functions: list[Function] = []
        for name, parameters in (("double", ("a",)), ("f", ("b", "a")), ("end", ("x", "y", "unread"))):
            body = draw(trees(parameters, operators=called(functions), random=False, max_leaves=6))
            functions.append(Function(name, parameters, body))
        parts = [draw(trees(operators=called(functions), random=random, max_leaves=8)) for _ in sections]
        return TreeProgram(tuple(sections), tuple(parts), tuple(functions))

    return drawn()


def linear_programs(primitives: PrimitiveSet, *, max_lines: int = 8) -> SearchStrategy[LinearProgram]:
    """Programs of blocks with few lines each, of the words in the game's largest alphabet, its actions more often."""
    words = max((alphabet.instructions for alphabet in primitives.alphabets), key=len)
    often = [i.name for i in primitives.instructions if i.acts]
    line = st.one_of(st.sampled_from(words), st.sampled_from([*often, "Jump", "IfHit", "IfTrue", "SetTrue"]))
    blocks = [
        st.lists(line, max_size=min(capacity, max_lines)).map(tuple) for capacity in primitives.capacities
    ]
    return st.tuples(*blocks).map(lambda found: LinearProgram(primitives.sections, found))


def dialects(primitives: PrimitiveSet, switches: Sequence[Switch]) -> SearchStrategy[dict[str, str]]:
    """A value for each of these switches and those of the game."""
    questions = [*switches, *primitives.switches]
    return st.fixed_dictionaries({switch.name: st.sampled_from(switch.values) for switch in questions})
