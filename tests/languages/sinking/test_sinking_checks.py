"""Findings about programs: words, flow, and lines that do no work."""

from dataclasses import replace

import pytest
from hypothesis import given
from strategies import dialects, linear_programs

from gpkit.core.diagnostics import Diagnostic
from gpkit.core.errors import UsageError
from gpkit.core.primitives import HostInstruction, PrimitiveSet
from gpkit.games.battleship.forms.record import GAVE_UP, record_game
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.langkit.findings import explanations_in
from gpkit.languages.sinking.checks import check
from gpkit.languages.sinking.interpreter import Flow
from gpkit.languages.sinking.text import BLOCKS, SWITCHES, dialect_of, parse, print_program

EXPLANATIONS = explanations_in("gpkit.languages.sinking")

AT_LINES = {"W140", "W144", "I149", "W152"}
"""The codes of findings about a line that does no work, or may do none."""


def findings(text: str, primitives: PrimitiveSet | None = PRIMITIVES) -> tuple[Diagnostic, ...]:
    return check(parse(text), primitives and {"sinking": primitives})


def test_without_a_game_words_and_flow_are_not_checked() -> None:
    assert findings("targeting:\n  Fly\n  Nop\n  IfHit", None) == ()
    text = "// if: no\n// known: no\ntargeting:\n" + " Fly\n" * 11
    assert [d.code for d in findings(text, None)] == ["E133"]


def test_what_an_instruction_does_and_how_much_a_block_holds_is_for_the_game_to_say() -> None:
    torpedo = HostInstruction("Torpedo", "", writes=("Sunk",), acts=True, shoots=True)
    swim = HostInstruction("Swim", "", writes=("TargetPos",), acts_with=("edge", "torus"))
    primitives = replace(PRIMITIVES, instructions=(torpedo, swim), capacities=(2, 1, 1))
    program = "targeting:\n  Swim\n  Swim\n  Torpedo\n"
    assert "`targeting` holds at most 2 lines, got 3" in [d.message for d in findings(program, primitives)]
    assert "`Torpedo` must be reached" in [d.help for d in findings("targeting:\n  Swim", primitives)]
    assert {d.code for d in findings(f"// edge: leave\n{program}", primitives)} == {"E131", "I149"}
    assert {d.code for d in findings(f"// edge: torus\n{program}", primitives)} == {"E131"}


def test_a_program_starts_again_when_the_game_says_so() -> None:
    torpedo = replace(PRIMITIVES.instructions[1], name="Torpedo", restarts_with=("edge", "torus"))
    primitives = replace(PRIMITIVES, instructions=(torpedo,))
    program = parse("targeting:\n  Jump\nlocking:\n  Torpedo\n").program
    for edge, ways in (("leave", ((1, 1),)), ("torus", ((1, 1), (0, 0)))):
        dialect = dialect_of({"edge": edge}, primitives)
        assert Flow(program, dialect, primitives).ways[1, 0] == ways


def test_a_switch_that_is_set_from_outside_is_a_usage_error() -> None:
    source = replace(parse("targeting:\n  Target\n  Shoot"), header={"if": "oneline"})
    with pytest.raises(UsageError, match=r"the switch `if` has no value `oneline`; .*one-line"):
        check(source, {"sinking": PRIMITIVES})


@pytest.mark.parametrize(
    ("word", "fix"),
    [("shoot", "`Shoot`"), ("Trget", "`Target`"), ("IFHIT", "`IfHit`"), ("Swim", "there are: ")],
)
def test_unknown_words_meet_the_nearest(word: str, fix: str) -> None:
    (found,) = (d for d in findings(f"targeting:\n  Target\n  Shoot\n  {word}") if d.code == "E130")
    assert fix in found.help


@given(linear_programs(PRIMITIVES), dialects(PRIMITIVES, SWITCHES))
def test_every_intron_is_told(program: LinearProgram, dialect: dict[str, str]) -> None:
    source = parse(print_program(program, {"alphabet": "level-1", **dialect}))
    found = check(source, {"sinking": PRIMITIVES})
    told = [d.span for d in found if d.code in AT_LINES]
    silent = [d.span for d in found if d.code == "W141"]
    for b, k in Flow(program, dialect, PRIMITIVES).introns:
        heading, line = source.headings[BLOCKS[b]], source.spans[b][k]
        about = sum(span.start <= line.start and line.end <= span.end for span in told)
        assert about == (0 if heading in silent else 1), "a line is told of once"
    assert all(d.code in EXPLANATIONS and d.severity[0].upper() == d.code[0] for d in found)
    assert all(d.help for d in found)
    assert list(found) == sorted(found, key=lambda d: d.span.start)


@pytest.mark.parametrize(
    ("text", "stuck"),
    [
        ("targeting:\n  Shoot", True),
        ("targeting:\n  Target\n  Shoot\n  Jump\nlocking:\n  IfHit\n  MoveFwd\n  Shoot", True),
        ("targeting:\n  Target\n  SetTrue\n  Shoot\n  Jump\nlocking:\n  IfTrue\n  Shoot", True),
        ("// known: turn\ntargeting:\n  Shoot", False),
        ("targeting:\n  Target\n  Shoot", False),
        ("targeting:\n  Target\n  Shoot\n  IfHit\n  Jump\nlocking:\n  RandDir\n  MoveFwd\n  Shoot", False),
        ("targeting:\n  Target\n  Shoot\n  Jump\nlocking:\n  IfTrue\n  MoveFwd\n  Shoot\n  SetTrue", False),
    ],
)
def test_shots_that_are_repeated_for_ever_are_found_and_make_games_invalid(text: str, stuck: bool) -> None:
    text = f"// game: battleship\n{text}\n"
    assert ("W153" in {found.code for found in findings(text, PRIMITIVES)}) == stuck
    if stuck:
        source = parse(text)
        rules = GAME.make_rules({})
        ends = {record_game(source.program, source.header, rules, seed)["shots"][-1] for seed in range(5)}
        assert GAVE_UP in ends
