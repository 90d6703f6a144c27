"""The language as the registry will know it."""

import pytest

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.languages.rulegraph.language import LANGUAGE

DOTS = PrimitiveSet("dots", (), (), (), LANGUAGE.name)


@pytest.mark.parametrize("primitives", [DOTS, None], ids=["game", "none"])
def test_the_template_is_a_faultless_list_of_rules(primitives: PrimitiveSet | None) -> None:
    text = LANGUAGE.template(primitives)
    source = LANGUAGE.parse(text, "new")
    assert source.header.get("game") == (primitives and primitives.game)
    assert LANGUAGE.check(source, primitives) == ()
    assert LANGUAGE.format_text(text) == text


def test_rules_are_not_for_the_machine() -> None:
    source = LANGUAGE.parse("x_0 w => x_0 - w")
    with pytest.raises(UsageError, match="matched and not compiled"):
        LANGUAGE.compile(source.program, source.header, DOTS)
