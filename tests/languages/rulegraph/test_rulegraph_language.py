"""The language as the registry knows it."""

from gpkit.core.primitives import PrimitiveSet
from gpkit.languages.rulegraph.language import LANGUAGE
from gpkit.matching.kernel import layout as at
from gpkit.matching.plan import Plan

DOTS = PrimitiveSet("dots", (), (), (), LANGUAGE.name)


def test_rules_are_compiled_to_searches_in_their_order() -> None:
    source = LANGUAGE.parse("t_0 t_1 => t_0 - t_1\nx_0 w => x_0 - w")
    (compiled,) = LANGUAGE.compile(source.program, source.header, DOTS)
    assert isinstance(compiled, Plan)
    assert compiled.imaging[:, at.SIZE].tolist() == [2, 1]
    assert source.program.names == DOTS.sections
