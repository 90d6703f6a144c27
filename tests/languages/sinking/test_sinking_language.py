"""The language as the registry knows it, and its dialects."""

import pytest

from gpkit.core.errors import UsageError
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.language import LANGUAGE
from gpkit.languages.sinking.words import (
    BLOCKS,
    CAPACITIES,
    REGISTERS,
    SWITCHES,
    WORDS,
    dialect_of,
    vocabulary,
)


def test_the_game_offers_what_the_language_speaks_of() -> None:
    assert (PRIMITIVES.sections, PRIMITIVES.capacities) == (BLOCKS, CAPACITIES)
    assert len(vocabulary(PRIMITIVES)) == len(WORDS) + len(PRIMITIVES.instructions)
    for word in vocabulary(PRIMITIVES).values():
        assert {*word.reads, *word.writes} <= set(REGISTERS)
    for alphabet in PRIMITIVES.alphabets:
        assert set(alphabet.instructions) <= set(vocabulary(PRIMITIVES))
    values = {switch.name: switch.values for switch in PRIMITIVES.switches}
    for instruction in PRIMITIVES.instructions:
        for answer in (instruction.acts_with, instruction.restarts_with):
            assert answer is None or answer[1] in values[answer[0]]
    names = [switch.name for switch in (*SWITCHES, *PRIMITIVES.switches)]
    assert len(set(names)) == len(names)


def test_the_template_names_every_word() -> None:
    text = LANGUAGE.template(PRIMITIVES)
    assert all(f" {word} " in text for word in vocabulary(PRIMITIVES))


def test_the_default_dialect_is_the_first_value_of_every_switch() -> None:
    first = {switch.name: switch.values[0] for switch in (*SWITCHES, *PRIMITIVES.switches)}
    assert dialect_of({}, PRIMITIVES) == dialect_of({"dialect": "bridon"}, PRIMITIVES) == first
    assert list(dialect_of({"target": "hunt", "if": "one-line"}, PRIMITIVES)) == list(first)


def test_a_preset_gives_way_to_single_switches() -> None:
    literal = dialect_of({"dialect": "literal", "game": "battleship"}, PRIMITIVES)
    assert literal == dialect_of({}, PRIMITIVES) | {"if": "one-line", "known": "blind"}
    mixed = dialect_of({"known": "turn", "dialect": "literal"}, PRIMITIVES)
    assert (mixed["if"], mixed["known"]) == ("one-line", "turn")
    assert dialect_of({"dialect": "literal"}, None) == {"if": "one-line", "end": "top"}


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"dialect": "birdon"}, r"no dialect `birdon`; did you mean `bridon`\?"),
        ({"edge": "torsu"}, r"the switch `edge` has no value `torsu`; did you mean `torus`\?"),
        ({"if": ""}, r"the switch `if` has no value ``; there are: stacked, one-line"),
    ],
)
def test_wrong_values_meet_the_nearest(header: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        dialect_of(header, PRIMITIVES)


def test_a_source_is_compiled_in_the_dialect_of_its_header() -> None:
    source = LANGUAGE.parse("// target: hunt\n// off-board: turn\ntargeting:\nTarget\nShoot\n")
    (program,) = LANGUAGE.compile(source.program, source.header, PRIMITIVES)
    dialect = dialect_of({"target": "hunt", "off-board": "turn"}, PRIMITIVES)
    assert program.code.tolist() == compile_program(source.program, dialect, PRIMITIVES).code.tolist()
    hunt = next(s for s in PRIMITIVES.switches if s.name == "target").values.index("hunt")
    assert program.code[:2, 1].tolist() == [hunt, 1]
