"""The language as the registry knows it, and its dialects.

Reading sinking programs: lines and headings at their places, in all spellings.

Simplified programs: they play the same games, and lines that nobody needs go.

The cases of ``tests/cases/sinking``, with these parts:

---- program            canonical text
---- format             the text after formatting
---- findings           the findings as they are shown, for Battleship
---- matters k=v        canonical text of the program without the lines that have no effect, with these switches
---- rows k=v           the listing of the compiled program, with these switches
---- steps k=v          the first 25 steps with a scripted host and these switches: count, place, word, what changed
---- error              the whole message of the error
"""

from dataclasses import asdict
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from disassembler import disassemble
from hypothesis import given, settings
from hypothesis import strategies as st
from language_cases import Shown, cases, findings, held
from scripted_host import ScriptedHost
from strategies import dialects, linear_programs

from gpkit.core.diagnostics import Span
from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.compiler import compile_program, simplify
from gpkit.languages.sinking.interpreter import Flow, Registers, interpret
from gpkit.languages.sinking.language import LANGUAGE
from gpkit.languages.sinking.text import (
    BLOCKS,
    CAPACITIES,
    MAX_LINES,
    REGISTERS,
    SWITCHES,
    WORDS,
    SinkingSource,
    dialect_of,
    parse,
    print_program,
    vocabulary,
)
from gpkit.playing.players import player_of_name, player_of_program


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


def test_what_the_limits_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.languages.sinking.text.MAX_LINES", 2_000)
    assert len(parse("locking:\n" + "Nop\n" * 2_000).program) == 2_000


@pytest.mark.slow
def test_the_limit_of_lines_can_be_reached() -> None:
    assert len(parse("locking:\n" + "Nop\n" * MAX_LINES).program) == MAX_LINES


def test_every_line_and_heading_knows_its_place() -> None:
    text = "// title: x\nTargeting state (1/10)\n - 1.\tTarget // why\n\nsinking:\nShoot -\n"
    source = parse(text, "a.sink")
    assert source.program.names == BLOCKS
    assert source.program.blocks == (("Target",), (), ("Shoot",))
    assert source.headings == {
        "targeting": Span.at(text, 12, 21),
        "sinking": Span.at(text, text.index("sinking"), text.index("sinking") + 7),
    }
    assert source.counts == {"targeting": (1, 10)}
    assert [[text[s.start : s.end] for s in block] for block in source.spans] == [["Target"], [], ["Shoot"]]
    assert (source.spans[0][0].line, source.spans[0][0].column) == (3, 7)
    assert source.header == {"title": "x"}
    assert (source.text, source.filename) == (text, "a.sink")


def test_an_empty_program_still_has_a_heading() -> None:
    empty = LinearProgram(BLOCKS, ((), (), ()))
    assert print_program(empty) == "targeting:\n"
    assert parse(print_program(empty)).program == empty


@pytest.mark.parametrize(
    "text",
    [
        "targeting:\nTarget\nShoot",
        "Targeting state (2/10)\n1. Target\n2. Shoot",
        "TARGETING STATE ( 2 / 10 ):\n- 1. Target\n- 2. Shoot\n",
        "targeting :\r\n\tTarget\t-\r\n\r\n2.\r\n- Shoot // there\r\n",
        "\ufeff// a\nsinking:\nlocking:\ntargeting:\n//\nTarget\n\n\nShoot //",
    ],
    ids=["plain", "printed", "dashes", "scattered", "order"],
)
def test_spellings_of_one_program(text: str) -> None:
    assert parse(text).program.blocks == (("Target", "Shoot"), (), ())


@settings(max_examples=60, deadline=None)
@given(linear_programs(PRIMITIVES), dialects(PRIMITIVES, SWITCHES), st.integers(0, 10**6))
def test_a_simplified_program_plays_the_same(
    program: LinearProgram, dialect: dict[str, str], seed: int
) -> None:
    shorter = simplify(program, dialect, PRIMITIVES)
    assert len(shorter) <= len(program)
    rules = GAME.make_rules({"board": "5x5", "fleet": "3,2"})
    deals = GAME.deal(stream(seed, "introns"), 3, rules)
    other = player_of_name("uniform", GAME)
    played = [
        GAME.play([player_of_program(each, GAME, "program", dialect), other], deals, rules)
        for each in (program, shorter)
    ]
    assert np.array_equal(played[0].values, played[1].values)
    assert played[0].invalid == played[1].invalid


def test_lines_that_nobody_needs_go() -> None:
    dialect = dialect_of({}, PRIMITIVES)
    padded = parse(
        "targeting:\n  SetFalse\n  Nop\n  Target\n  VertDir\n  Shoot\n  IfTrue\n  Nop\n  Nop\n"
    ).program
    assert Flow(padded, dialect, PRIMITIVES).introns
    assert simplify(padded, dialect, PRIMITIVES).blocks[0] == ("Target", "VertDir", "Shoot"), "VertDir draws"


def dialect_for(source: SinkingSource, switches: str) -> dict[str, str]:
    """The dialect of a source with some switches set."""
    pairs = dict(word.split("=") for word in switches.split())
    return dialect_of({**source.header, **pairs}, PRIMITIVES)


def matters(source: SinkingSource, switches: str) -> str:
    skipped = Flow(source.program, dialect_for(source, switches), PRIMITIVES).introns
    blocks = tuple(
        tuple(word for k, word in enumerate(block) if (b, k) not in skipped)
        for b, block in enumerate(source.program.blocks)
    )
    return print_program(LinearProgram(source.program.names, blocks))


def rows(source: SinkingSource, switches: str) -> str:
    dialect = dialect_for(source, switches)
    return disassemble(compile_program(source.program, dialect, PRIMITIVES)) + "\n"


def steps(source: SinkingSource, switches: str) -> str:
    """One step a line."""
    host = ScriptedHost([(5 * k + 2) % 16 for k in range(16)])
    taken = interpret(source.program, dialect_for(source, switches), PRIMITIVES, host, budget=20)
    lines = []
    before = asdict(Registers())
    for step in islice(taken, 25):
        block, line = step.place
        now = asdict(step.registers)
        changed = " ".join(f"{name}={value}" for name, value in now.items() if value != before[name])
        before = now
        word = (step.word or "(end)") + (" *" if step.ends_turn else "")
        lines.append(f"{step.count:3} {source.program.names[block]} {line + 1} {word}  {changed}".rstrip())
    return "\n".join(lines) + "\n"


PARTS: dict[str, Shown] = {
    "findings": lambda source, _: findings(LANGUAGE, source, {"sinking": PRIMITIVES}),
    "matters": matters,
    "rows": rows,
    "steps": steps,
}


@cases("sinking")
def test_case(path: Path) -> None:
    if source := held(path, LANGUAGE, PARTS):
        assert parse(print_program(source.program)).program == source.program
